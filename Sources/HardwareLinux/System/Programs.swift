// Whether a program is there to be started.

import Glibc

/// Which other programs are installed.
package enum Programs {
    /// Looked for on PATH, as a child process is.
    package static func isInstalled(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
