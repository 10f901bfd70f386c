// Tells other programs of this machine that a box runs on a state folder: a lock, which goes with the process however it
// ends.

import Glibc
import HardwareInterface

/// A lock on the state folder that says that a box runs; it goes with the process however it ends.
package struct RunMark {
    private static let fileName = "running"
    private let file: Int32

    /// Sets the mark. Where the folder cannot be written there is none, which costs only a doctor's politeness.
    package init(_ state: String) {
        file = open(Self.path(state), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { _ = flock(file, LOCK_EX | LOCK_NB) }
    }

    package func remove() { if file >= 0 { _ = close(file) } }

    /// Whether a box has set it.
    package static func look(_ state: String) -> BoxPresence {
        let file = open(path(state), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .notRunning : .unknown }
        defer { close(file) }
        if flock(file, LOCK_SH | LOCK_NB) == 0 { return .notRunning }
        return errno == EWOULDBLOCK ? .running : .unknown
    }

    private static func path(_ state: String) -> String { "\(state)/\(fileName)" }
}
