// A call of the system that failed, by its name and errno.

import CLinux
import Glibc

/// A failed call by its name and errno.
package struct SystemError: Error, Equatable, Sendable {
    /// The call and what it was for: `bind 127.0.0.1:7788`.
    package var operation: String
    package var errno: Int32

    package init(_ operation: String, errno: Int32) {
        self.operation = operation
        self.errno = errno
    }

    /// Of the call that has just failed; nothing may come in between.
    package static func last(_ operation: String) -> SystemError {
        SystemError(operation, errno: Glibc.errno)
    }

    /// `bind 127.0.0.1:7788: Address already in use (EADDRINUSE)`.
    package var message: String { "\(operation): \(Self.text(errno))" }

    /// `Address already in use (EADDRINUSE)`.
    package static func text(_ errno: Int32) -> String {
        let words = strerror(errno).map { String(cString: $0) } ?? "unknown error"
        let name = clinux_errno_name(errno).map { String(cString: $0) } ?? "errno \(errno)"
        return "\(words) (\(name))"
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String { message }
}

/// Repeats a call that a signal broke off.
///
/// - Returns: what the call returned, or the errno it failed with.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> (result: Result, errno: Int32) {
    while true {
        let result = call()
        if result >= 0 { return (result, 0) }
        let error = Glibc.errno
        if error != EINTR { return (result, error) }
    }
}
