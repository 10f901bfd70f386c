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

    /// A file of its own whose first page, which says where all else is, is the other file's: what a journal's first page says
    /// is the same in all of one version. The write-ahead log goes with it.
    ///
    /// - Returns: nil where it cannot be made, or the files are a simulation's.
    func copy(of name: String, withFirstPageOf model: String) -> String? {
        let copy = path + ".mended"
        guard isNamed, Self.copy(name, to: copy), let file = fopen(copy, "r+b") else { return nil }
        defer { fclose(file) }
        _ = Self.copy(name + "-wal", to: copy + "-wal")
        var page = [UInt8](repeating: 0, count: Self.pageBytes)
        fseek(file, 0, SEEK_END)
        guard ftell(file) >= page.count, let first = fopen(model, "rb") else { return nil }
        defer { fclose(first) }
        guard fread(&page, 1, page.count, first) == page.count else { return nil }
        // The size in the header counts where two counters are the same (sqlite.org/fileformat2.html, 1.3.8): the file's own does.
        page[Self.validFor] ^= 0xFF
        fseek(file, 0, SEEK_SET)
        return fwrite(page, 1, page.count, file) == page.count ? copy : nil
    }

    /// Removes a copy.
    func remove(_ copy: String) { for suffix in ["", "-wal", "-journal"] { unlink(copy + suffix) } }

    private static let pageBytes = 4096
    /// Where the header has the change counter for which its size is valid.
    private static let validFor = 95

    private static func copy(_ name: String, to copy: String) -> Bool {
        unlink(copy)
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
