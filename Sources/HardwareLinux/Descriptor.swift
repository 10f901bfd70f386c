// The owner of an open file descriptor.

import Glibc

/// Owns one descriptor and closes it when it goes. Where a loop watches it, unwatch it first.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a descriptor that nobody else closes.
    package init(adopting number: Int32) {
        precondition(number >= 0, "a descriptor is a number from 0")
        self.number = number
    }

    /// Takes over what a call returned that answers -1 and errno on failure.
    ///
    /// - Parameter operation: names the call in the error.
    package init(_ operation: String, _ call: () -> Int32) throws(SystemError) {
        let (number, error) = retrying(call)
        guard number >= 0 else { throw SystemError(operation, errno: error) }
        self.number = number
    }

    /// Opens a file, close-on-exec and without becoming the controlling terminal's owner.
    package init(
        opening path: String, _ flags: Int32, mode: mode_t = 0o600
    ) throws(SystemError) {
        try self.init("open \(path)") { open(path, flags | O_CLOEXEC | O_NOCTTY, mode) }
    }

    deinit { _ = Glibc.close(number) }

    package consuming func close() {}

    /// Gives the descriptor up: the caller closes it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

extension Descriptor {
    /// - Returns: the bytes read, 0 at the end of the stream; nil where there is nothing now (EAGAIN).
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let number = number
        let (count, error) = retrying { Glibc.read(number, buffer.baseAddress, buffer.count) }
        if count >= 0 { return count }
        if error == EAGAIN { return nil }
        throw SystemError("read", errno: error)
    }

    /// - Returns: the bytes taken, 0 where there is no room now (EAGAIN).
    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let number = number
        let (count, error) = retrying { Glibc.write(number, bytes.baseAddress, bytes.count) }
        if count >= 0 { return count }
        if error == EAGAIN { return 0 }
        throw SystemError("write", errno: error)
    }
}
