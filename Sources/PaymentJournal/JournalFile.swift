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

    private func asideName(_ number: Int) -> String { "\(path).corrupt-\(number)" }
}
