// The journal's file as a file. SQLite does the rest of the file work; this is what it has no call for.

import Glibc

struct JournalFile {
    /// Files set aside that are kept; a further one takes the last one's place, so that a failing disk is not filled.
    static let mostSetAside = 3

    let path: String
    private let isNamed: Bool
    private let simulated: ((String) -> String?)?

    /// - Parameters:
    ///   - isReal: it lies in the system's files and not in those of a simulation.
    ///   - simulated: renames in the simulation's.
    init(path: String, isReal: Bool, simulated: ((String) -> String?)? = nil) {
        self.path = path
        self.simulated = simulated
        isNamed = isReal && !path.isEmpty && path != ":memory:"
    }

    /// There is a file and nothing is in it: what a power cut makes of a file that was never synced.
    var isEmpty: Bool {
        var status = stat()
        return isNamed && stat(path, &status) == 0 && status.st_size == 0
    }

    /// Nobody can write there. A simulation's disk that refuses to be written is one.
    var isOnReadOnlyDisk: Bool {
        guard isNamed else { return simulated != nil }
        var disk = statvfs()
        return statvfs(path, &disk) == 0 && disk.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Renames the file and its write-ahead log out of the way.
    ///
    /// - Returns: the new name, or nil where it cannot be renamed.
    func setAside() -> String? {
        guard isNamed else { return simulated?(path) }
        let numbers = 1...Self.mostSetAside
        let free: Int = numbers.first(where: { access(asideName($0), F_OK) != 0 }) ?? Self.mostSetAside
        let name = asideName(free)
        guard rename(path, name) == 0 else { return nil }
        for suffix in ["-wal", "-journal"] {
            unlink(name + suffix)
            rename(path + suffix, name + suffix)
        }
        return name
    }

    /// Copies a file and its write-ahead log, and puts another's first page in place of its own. It says where all else is, which is
    /// the same in all journals of one version.
    ///
    /// - Returns: false where it could not be done whole.
    static func copy(_ name: String, to copy: String, withFirstPageOf model: String) -> Bool {
        remove(copy)
        guard Self.copy(name, to: copy), let first = fopen(model, "rb") else { return false }
        defer { fclose(first) }
        if access(name + "-wal", F_OK) == 0, !Self.copy(name + "-wal", to: copy + "-wal") { return false }
        var page = [UInt8](repeating: 0, count: pageBytes)
        guard fread(&page, 1, page.count, first) == page.count, let file = fopen(copy, "r+b") else { return false }
        // The size that the header gives counts only where this is as the change counter (sqlite.org/fileformat2.html, 1.3.8);
        // else the file's own does.
        page[validForAt] ^= 0xFF
        let isWritten = fwrite(page, 1, page.count, file) == page.count
        return fclose(file) == 0 && isWritten
    }

    /// Removes a copy and what SQLite made beside it.
    static func remove(_ copy: String) { for suffix in ["", "-wal", "-journal"] { unlink(copy + suffix) } }

    private static let pageBytes = 4096
    private static let validForAt = 95

    private static func copy(_ name: String, to copy: String) -> Bool {
        guard let from = fopen(name, "rb") else { return false }
        defer { fclose(from) }
        guard let to = fopen(copy, "wbx") else { return false }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var isWhole = true
        while isWhole, case let count = fread(&bytes, 1, bytes.count, from), count > 0 {
            isWhole = fwrite(bytes, 1, count, to) == count
        }
        return fclose(to) == 0 && isWhole && ferror(from) == 0
    }

    private func asideName(_ number: Int) -> String { "\(path).corrupt-\(number)" }
}
