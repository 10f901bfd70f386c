// The C functions that SQLite calls for its files, each handed on to the disk or the file that it is about.

import CSQLite

/// What SQLite keeps for an open file; it begins as SQLite's own structure does.
struct OpenFile {
    var base = sqlite3_file()
    var disk: UnsafeMutableRawPointer?
    var file: UnsafeMutableRawPointer?
}

/// SQLite's codes for what went wrong with a file: its macros for them are not visible to Swift.
enum DiskError {
    static let read = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let sync = SQLITE_IOERR | 4 << 8
    static let truncate = SQLITE_IOERR | 6 << 8
    static let size = SQLITE_IOERR | 7 << 8
    static let delete = SQLITE_IOERR | 10 << 8
    static let access = SQLITE_IOERR | 13 << 8
    static let noSuchFile = SQLITE_IOERR | 23 << 8
}

enum DiskCalls {
    // MARK: The file system

    static func fill(_ vfs: inout sqlite3_vfs) {
        vfs.xOpen = open
        vfs.xDelete = { vfs, path, _ in
            guard let disk = DiskCalls.disk(vfs), let path else { return DiskError.delete }
            return disk.remove(String(cString: path))
        }
        vfs.xAccess = { vfs, path, _, answer in
            guard let disk = DiskCalls.disk(vfs), let path else { return DiskError.access }
            answer?.pointee = disk.exists(String(cString: path)) ? 1 : 0
            return SQLITE_OK
        }
        vfs.xFullPathname = { _, path, room, full in
            guard let path, let full else { return SQLITE_CANTOPEN }
            DiskCalls.copyPath(path, room, full)
            return SQLITE_OK
        }
        vfs.xRandomness = { _, count, bytes in
            // Salts of the log; the same at every run.
            for i in 0..<Int(count) { bytes?[i] = CChar(truncatingIfNeeded: i &* 37 &+ 11) }
            return count
        }
        vfs.xSleep = { _, microseconds in microseconds }
        vfs.xCurrentTime = { _, day in
            day?.pointee = 2_460_000.5
            return SQLITE_OK
        }
        vfs.xGetLastError = { _, _, _ in 0 }
    }

    private static func copyPath(_ path: UnsafePointer<CChar>, _ room: Int32, _ full: UnsafeMutablePointer<CChar>) {
        var i = 0
        while i < Int(room) - 1, path[i] != 0 {
            full[i] = path[i]
            i += 1
        }
        full[i] = 0
    }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
            UnsafeMutablePointer<Int32>?
        ) -> Int32 = { vfs, path, place, flags, outFlags in
            guard let disk = DiskCalls.disk(vfs), let place else { return SQLITE_CANTOPEN }
            let open = UnsafeMutableRawPointer(place).bindMemory(to: OpenFile.self, capacity: 1)
            open.initialize(to: OpenFile())
            // A file without a name is SQLite's own temporary one.
            let file =
                path.map { disk.open(String(cString: $0), create: flags & SQLITE_OPEN_CREATE != 0) } ?? SimulatedFile()
            guard let file else { return SQLITE_CANTOPEN }
            open.pointee.base.pMethods = UnsafePointer(DiskCalls.methods)
            // The disk outlives every file that is open on it.
            open.pointee.disk = Unmanaged.passRetained(disk).toOpaque()
            open.pointee.file = Unmanaged.passRetained(file).toOpaque()
            outFlags?.pointee = disk.isReadOnly ? (flags & ~SQLITE_OPEN_READWRITE) | SQLITE_OPEN_READONLY : flags
            return SQLITE_OK
        }

    private static func disk(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SimulatedDisk? {
        vfs?.pointee.pAppData.map { Unmanaged<SimulatedDisk>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: An open file

    private static func withFile(
        _ place: UnsafeMutablePointer<sqlite3_file>?, _ body: (SimulatedDisk, SimulatedFile) -> Int32
    ) -> Int32 {
        guard let place else { return SQLITE_IOERR }
        let open = UnsafeMutableRawPointer(place).assumingMemoryBound(to: OpenFile.self).pointee
        guard let disk = open.disk, let file = open.file else { return SQLITE_IOERR }
        return body(
            Unmanaged<SimulatedDisk>.fromOpaque(disk).takeUnretainedValue(),
            Unmanaged<SimulatedFile>.fromOpaque(file).takeUnretainedValue())
    }

    /// One table for the life of the process, as SQLite asks for.
    private nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        fillTransfers(&methods.pointee)
        fillRest(&methods.pointee)
        return methods
    }()

    private static func fillTransfers(_ methods: inout sqlite3_io_methods) {
        methods.xClose = { place in
            guard let place else { return SQLITE_OK }
            let open = UnsafeMutableRawPointer(place).assumingMemoryBound(to: OpenFile.self)
            let (file, disk) = (open.pointee.file, open.pointee.disk)
            open.pointee = OpenFile()
            if let file { Unmanaged<SimulatedFile>.fromOpaque(file).release() }
            if let disk { Unmanaged<SimulatedDisk>.fromOpaque(disk).release() }
            return SQLITE_OK
        }
        methods.xRead = { place, start, count, offset in
            DiskCalls.withFile(place) { disk, file in
                guard disk.hasPower, let start else { return DiskError.read }
                let buffer = UnsafeMutableRawBufferPointer(start: start, count: Int(count))
                let read = file.read(into: buffer, from: Int(offset))
                guard read < buffer.count else { return SQLITE_OK }
                // SQLite wants the rest as zeros.
                for i in read..<buffer.count { buffer[i] = 0 }
                return DiskError.shortRead
            }
        }
        methods.xWrite = { place, bytes, count, offset in
            DiskCalls.withFile(place) { disk, file in
                disk.write(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))), at: Int(offset), to: file)
            }
        }
        methods.xTruncate = { place, size in
            DiskCalls.withFile(place) { disk, file in disk.truncate(file, to: Int(size)) }
        }
        methods.xSync = { place, _ in DiskCalls.withFile(place) { disk, file in disk.sync(file) } }
        methods.xFileSize = { place, size in
            DiskCalls.withFile(place) { disk, file in
                size?.pointee = Int64(file.size)
                return disk.hasPower ? SQLITE_OK : DiskError.size
            }
        }
    }

    private static func fillRest(_ methods: inout sqlite3_io_methods) {
        // One program, one connection: nobody else can hold a lock.
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, answer in
            answer?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in Int32(SimulatedFile.sector) }
        methods.xDeviceCharacteristics = { _ in 0 }
    }
}
