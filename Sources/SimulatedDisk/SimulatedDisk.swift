// A disk for SQLite that exists in memory alone: no real file, no real sync, the same at every run. It can be cut off at
// any call, be full, read-only, or refuse to write or to sync.

import BoxFoundation
import CSQLite

/// SQLite's files in memory, whose power can go at any call: what was not synced is lost, torn or kept sector by
/// sector.
package final class SimulatedDisk {
    /// What the disk refuses.
    package enum Fault: Equatable, Sendable {
        /// Nothing can be written any more, but what is there can be read.
        case writesFail
        /// A sync fails, and what it should have made safe is as unsafe as before.
        case syncsFail
        case full
        case readOnly
    }

    /// What is wrong with it now.
    package var fault: Fault?
    /// Writes, truncations and syncs until the power goes by itself; nil: it stays. From then on every call fails until
    /// `restorePower`.
    package var callsUntilPowerCut: Int?
    /// Writes, truncations and syncs so far.
    package private(set) var calls = 0
    package private(set) var syncs = 0
    package private(set) var hasPower = true

    /// What SQLite knows it by: `JournalDatabase(path: "journal", vfs: disk.name)`.
    package let name: String
    private var files: [String: SimulatedFile] = [:]
    private var random: SeededRandom
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let cName: UnsafeMutablePointer<CChar>

    /// - Parameters:
    ///   - name: of its own in this process.
    ///   - seed: decides what is left of unsynced writes when the power goes.
    package init(name: String, seed: UInt64) {
        self.name = name
        random = SeededRandom(seed: seed)
        vfs = .allocate(capacity: 1)
        cName = .allocate(capacity: name.utf8.count + 1)
        for (i, byte) in (Array(name.utf8) + [0]).enumerated() { cName[i] = CChar(bitPattern: byte) }
        register()
    }

    deinit {
        sqlite3_vfs_unregister(vfs)
        vfs.deallocate()
        cName.deallocate()
    }

    // MARK: Power

    /// The power goes now.
    package func cutPower() {
        callsUntilPowerCut = nil
        guard hasPower else { return }
        hasPower = false
        // In the order of their names: a dictionary's own order is another one at every start.
        for path in files.keys.sorted() { files[path]?.cutPower(&random) }
    }

    package func restorePower() { hasPower = true }

    /// What a file holds; nil where there is none.
    package func content(of path: String) -> [UInt8]? { files[path]?.content }

    package func write(_ bytes: [UInt8], to path: String) {
        let file = SimulatedFile()
        file.write(bytes, at: 0)
        file.sync()
        files[path] = file
    }

    /// Renames a database and its log out of the way, in one step that a power cut does not tear.
    ///
    /// - Returns: the new name; nil where nothing can be renamed.
    package func setAside(_ path: String) -> String? {
        guard countCall(), fault == nil, let file = files.removeValue(forKey: path) else { return nil }
        let name = path + ".corrupt"
        files[name] = file
        files[name + "-wal"] = files.removeValue(forKey: path + "-wal")
        return name
    }

    // MARK: Calls of SQLite

    func open(_ path: String, create: Bool) -> SimulatedFile? {
        guard hasPower else { return nil }
        if let file = files[path] { return file }
        guard create, fault != .readOnly else { return nil }
        let file = SimulatedFile()
        files[path] = file
        return file
    }

    var isReadOnly: Bool { fault == .readOnly }

    func exists(_ path: String) -> Bool { files[path] != nil }

    package func remove(_ path: String) -> Int32 {
        guard countCall() else { return DiskError.delete }
        return files.removeValue(forKey: path) == nil ? DiskError.noSuchFile : SQLITE_OK
    }

    func write(_ bytes: [UInt8], at offset: Int, to file: SimulatedFile) -> Int32 {
        guard countCall() else { return DiskError.write }
        switch fault {
        case .writesFail: return DiskError.write
        case .readOnly: return SQLITE_READONLY
        case .full where file.growth(to: offset + bytes.count) > 0: return SQLITE_FULL
        case .full, .syncsFail, nil: break
        }
        file.write(bytes, at: offset)
        return SQLITE_OK
    }

    func truncate(_ file: SimulatedFile, to size: Int) -> Int32 {
        guard countCall(), fault != .writesFail else { return DiskError.truncate }
        file.truncate(to: size)
        return SQLITE_OK
    }

    func sync(_ file: SimulatedFile) -> Int32 {
        guard countCall(), fault != .syncsFail else { return DiskError.sync }
        syncs += 1
        file.sync()
        return SQLITE_OK
    }

    /// - Returns: false where the power is gone.
    private func countCall() -> Bool {
        calls += 1
        if let left = callsUntilPowerCut {
            callsUntilPowerCut = left - 1
            if left <= 0 { cutPower() }
        }
        return hasPower
    }

    private func register() {
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 1
        vfs.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.size)
        vfs.pointee.mxPathname = 512
        vfs.pointee.zName = UnsafePointer(cName)
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        DiskCalls.fill(&vfs.pointee)
        sqlite3_vfs_register(vfs, 0)
    }
}
