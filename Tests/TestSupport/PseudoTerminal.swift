import Glibc
import HardwareLinux

/// The host's end of a pseudo-terminal; `path` is the box's, a link that goes with the terminal (the kernel gives its
/// numbers to others).
package final class PseudoTerminal {
    package let path: String
    private let folder: String
    private var master: Descriptor?

    package init() throws {
        let master = try Descriptor(opening: "/dev/ptmx", O_RDWR | O_NONBLOCK)
        var number: Int32 = 0
        var unlocked: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN, which the C library wraps in calls that Swift does not see.
        guard ioctl(master.number, 0x4004_5431, &unlocked) == 0, ioctl(master.number, 0x8004_5430, &number) == 0 else {
            throw SystemError.last("ptmx")
        }
        var template = Array("/tmp/counterbox-pty-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/port"
        guard symlink("/dev/pts/\(number)", path) == 0 else { throw SystemError.last("symlink") }
        self.master = consume master
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }

    package func type(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { try? master?.write($0) } }

    /// What has come since the last call.
    package func read() -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while let count = try? master?.read(into: buffer), count > 0 { bytes += buffer.prefix(count) }
        }
        return bytes
    }

    package func hangUp() {
        unlink(path)
        master = nil
    }
}
