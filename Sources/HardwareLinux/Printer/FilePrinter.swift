// A printer behind a path: a USB printer's device file, a serial port, or a plain file that collects receipts.

import BoxFoundation
import CLinux
import Glibc
import HardwareInterface

/// A printer behind a path: a device file, a serial port, or a plain file, to which receipts are appended.
package final class FilePrinter: PrinterDevice {
    private let path: String
    /// nil where the path is no serial port.
    private let baud: Int?
    private let loop: any DescriptorLoop
    private var stream: PrinterStream?

    /// - Parameter baud: of a serial port.
    package init(path: String, baud: Int? = nil, on loop: any DescriptorLoop) {
        self.path = path
        self.baud = baud
        self.loop = loop
    }

    /// Opening never waits (O_NONBLOCK), so it is done at once; its end comes as an event all the same.
    package func connect() {
        guard stream == nil else { return }
        do {
            stream = try open()
            loop.post(.printer(.connected))
        } catch {
            loop.post(.printer(.lost(error)))
        }
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        guard let stream else { throw .lost }
        do {
            return try stream.write(bytes)
        } catch {
            self.stream = nil
            throw error
        }
    }

    package func unsent() -> Int { stream?.queued() ?? 0 }

    package func awaitRoom() { stream?.awaitRoom() }

    package func disconnect() {
        stream?.close()
        stream = nil
    }

    // MARK: - Opening

    private func open() throws(PrinterLinkError) -> PrinterStream {
        let kind = try kind()
        let number: Int32
        do throws(SystemError) {
            number = try openAndSetUp(kind)
        } catch {
            throw PrinterLinkError(opening: error)
        }
        return PrinterStream(Descriptor(adopting: number), kind, on: loop) { [unowned self] error in
            self.stream = nil
            self.loop.post(.printer(.lost(error)))
        }
    }

    /// A number and not its owner: Swift 6.0.3 breaks down over an owner that lives while something throws.
    private func openAndSetUp(_ kind: PrinterStream.Kind) throws(SystemError) -> Int32 {
        let number = try Self.open(path, kind).release()
        guard let baud, kind == .device else { return number }
        do throws(SystemError) {
            try Self.setUp(number, baud: baud)
        } catch {
            Descriptor(adopting: number).close()
            throw error
        }
        return number
    }

    private func kind() throws(PrinterLinkError) -> PrinterStream.Kind {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A device that is not there must not become a file that fills the memory.
            if errno == ENOENT, !path.hasPrefix("/dev/"), baud == nil { return .file }
            throw PrinterLinkError(opening: .last("stat \(path)"))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where baud == nil: return .file
        case S_IFIFO where baud == nil: return .pipe
        case S_IFCHR: return .device
        default: throw .failed("\(path) is no printer's device, no pipe and no plain file")
        }
    }

    private static func open(_ path: String, _ kind: PrinterStream.Kind) throws(SystemError) -> Descriptor {
        switch kind {
        case .file: return try Descriptor(opening: path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode: 0o644)
        case .pipe, .socket:
            // A pipe knows no MSG_NOSIGNAL, and its reader may go at any time.
            _ = signal(SIGPIPE, SIG_IGN)
            return try Descriptor(opening: path, O_WRONLY | O_NONBLOCK)
        case .device:
            do {
                return try Descriptor(opening: path, O_RDWR | O_NONBLOCK)
            } catch {
                // Some can only be written to.
                guard error.errno == EACCES || error.errno == EINVAL else { throw error }
                return try Descriptor(opening: path, O_WRONLY | O_NONBLOCK)
            }
        }
    }

    /// 8 data bits, no parity, one stop bit, nothing translated, modem lines left out.
    private static func setUp(_ number: Int32, baud: Int) throws(SystemError) {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { throw .last("tcgetattr") }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(CRTSCTS))
        let speed = speed(baud)
        guard cfsetspeed(&settings, speed) == 0 else { throw .last("cfsetspeed") }
        guard tcsetattr(number, TCSANOW, &settings) == 0 else { throw .last("tcsetattr") }
        tcflush(number, TCIFLUSH)
    }

    private static func speed(_ baud: Int) -> speed_t {
        switch baud {
        case 1200: speed_t(B1200)
        case 2400: speed_t(B2400)
        case 4800: speed_t(B4800)
        case 19_200: speed_t(B19200)
        case 38_400: speed_t(B38400)
        case 57_600: speed_t(B57600)
        case 115_200: speed_t(B115200)
        case 230_400: speed_t(B230400)
        default: speed_t(B9600)
        }
    }
}
