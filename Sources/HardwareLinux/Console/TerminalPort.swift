// A serial port or terminal, opened so that nothing about it blocks.

import CLinux
import Glibc

/// Owns an open port. Raw, 8 bits, 115200 a second where that means anything, modem lines ignored.
struct TerminalPort: ~Copyable {
    private let descriptor: Descriptor

    /// Not an initialiser: Swift 6.0.3 breaks down over one that throws before its owner is set.
    static func open(_ path: String) throws(SystemError) -> TerminalPort {
        let descriptor = try Descriptor(opening: path, O_RDWR | O_NONBLOCK)
        makeRaw(descriptor.number)
        return TerminalPort(descriptor)
    }

    private init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    var number: Int32 { descriptor.number }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try descriptor.read(into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int { try descriptor.write(bytes) }

    /// Closes without waiting for a host that does not read: what it has not taken is thrown away, and where a driver
    /// insists on waiting (the USB gadget's, 15 s), a thread waits in the box's place and ends with it.
    consuming func close() {
        let number = descriptor.release()
        tcflush(number, TCIOFLUSH)
        var unsent: Int32 = 0
        if ioctl(number, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0 {
            Self.closeAside(number)
        } else {
            _ = Glibc.close(number)
        }
    }

    private static func closeAside(_ number: Int32) {
        do throws(SystemError) {
            let thread = try startThread("console close") { _ = Glibc.close(number) }
            pthread_detach(thread)
        } catch {
            // Without a thread there is nothing better than to wait.
            _ = Glibc.close(number)
        }
    }

    /// What a port does not know of this is not fatal: a gadget has no modem lines, a pipe no speed.
    private static func makeRaw(_ number: Int32) {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~tcflag_t(HUPCL)
        cfsetispeed(&settings, speed_t(B115200))
        cfsetospeed(&settings, speed_t(B115200))
        _ = tcsetattr(number, TCSANOW, &settings)
        tcflush(number, TCIFLUSH)
    }
}
