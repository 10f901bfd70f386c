// A printer device and whoever is at the other end of it.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

enum PrinterPlaceKind: String, CaseIterable, CustomTestStringConvertible {
    case simulated, tcp, serial

    var testDescription: String { rawValue }
}

/// The other end, played by the test.
protocol PrinterPlace: AnyObject {
    var loop: any EventLoop { get }
    var device: any PrinterDevice { get }
    /// Lets the printer take what has come, and tells all that reached it so far.
    func arrived() -> [UInt8]
    /// Makes the printer say something; returns what it says.
    func speak() throws -> [UInt8]
    /// The printer goes, and `connect` fails from then on.
    func goAway()
    /// The printer takes nothing more, or takes on.
    func hold(_ isHeld: Bool)
}

extension PrinterPlaceKind {
    func make() throws -> any PrinterPlace {
        switch self {
        case .simulated: SimulatedPlace()
        case .tcp: try TCPPlace()
        case .serial: try SerialPlace()
        }
    }
}

extension PrinterPlace {
    /// Turns the loop, and the other end, until `isDone`.
    @discardableResult
    func run(until isDone: ([PrinterEvent]) -> Bool) -> [PrinterEvent] {
        var events: [PrinterEvent] = []
        let limit = loop.now + .seconds(10)
        while !isDone(events), loop.now < limit {
            _ = arrived()
            if case .printer(let event) = loop.next() { events.append(event) }
            loop.wait(until: loop.now + .milliseconds(1))
        }
        return events
    }

    func run(for interval: Interval) -> [PrinterEvent] {
        let end = loop.now + interval
        return run { _ in loop.now >= end }
    }

    func connect() {
        device.connect()
        let events = run { !$0.isEmpty }
        #expect(events == [.connected])
    }
}

final class SimulatedPlace: PrinterPlace {
    let simulatedLoop = SimulatedLoop()
    let printer: SimulatedPrinter
    var loop: any EventLoop { simulatedLoop }
    var device: any PrinterDevice { printer }

    init() {
        var make = SimulatedPrinterMake()
        make.bytesPerSecond = 1_000_000
        printer = SimulatedPrinter(make, on: simulatedLoop)
    }

    func arrived() -> [UInt8] {
        printer.run()
        return printer.machine.printed
    }

    func speak() throws -> [UInt8] {
        _ = try printer.write([0x10, 0x04, 0x01])
        return [0x12]
    }

    func goAway() { printer.goAway() }

    func hold(_ isHeld: Bool) { printer.change { $0.hasPaper = !isHeld } }
}

/// A server on the loopback interface, read whenever the loop turns.
final class TCPPlace: PrinterPlace {
    let epoll: EpollLoop
    let device: any PrinterDevice
    var loop: any EventLoop { epoll }
    let port: UInt16
    private var listener: Int32
    private var connection: Int32 = -1
    private var bytes: [UInt8] = []
    private var isHeld = false

    /// - Parameter host: how the device is told of it.
    init(host: String = "127.0.0.1") throws {
        epoll = try EpollLoop()
        (listener, port) = try Self.listen()
        device = TCPPrinter(host: host, port: port, on: epoll)
    }

    deinit {
        device.disconnect()
        for number in [listener, connection] where number >= 0 { close(number) }
    }

    private static func listen() throws -> (Int32, UInt16) {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        // Small, so that a test fills it soon.
        var size: Int32 = 4096
        setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, 4)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(number, generic, length) == 0 && Glibc.listen(number, 4) == 0
                    && getsockname(number, generic, &length) == 0
            }
        }
        guard result else { throw SystemError.last("listen on loopback") }
        return (number, UInt16(bigEndian: address.sin_port))
    }

    func arrived() -> [UInt8] {
        if connection < 0 {
            connection = accept(listener, nil, nil)
            if connection >= 0 { _ = fcntl(connection, F_SETFL, O_NONBLOCK) }
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isHeld, connection >= 0 {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    func speak() throws -> [UInt8] {
        let words: [UInt8] = [0x16, 0x12]
        say(words)
        return words
    }

    func say(_ words: [UInt8]) { #expect(write(connection, words, words.count) == words.count) }

    func goAway() {
        close(connection)
        close(listener)
        (connection, listener) = (-1, -1)
    }

    /// The printer closes this connection only.
    func closeConnection() {
        close(connection)
        connection = -1
    }

    func hold(_ isHeld: Bool) { self.isHeld = isHeld }
}

/// A pseudo-terminal whose other side the test holds.
final class SerialPlace: PrinterPlace {
    let epoll: EpollLoop
    let device: any PrinterDevice
    var loop: any EventLoop { epoll }
    private var terminal: Int32
    private var bytes: [UInt8] = []
    private var isHeld = false

    init() throws {
        epoll = try EpollLoop()
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        var locked: Int32 = 0
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN, as unlockpt and ptsname use them.
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw SystemError.last("open /dev/ptmx") }
        device = FilePrinter(path: "/dev/pts/\(number)", baud: 9600, on: epoll)
    }

    deinit {
        device.disconnect()
        if terminal >= 0 { close(terminal) }
    }

    func arrived() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isHeld, terminal >= 0 {
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    func speak() throws -> [UInt8] {
        // Bytes that a terminal not set to raw would translate or take for signals.
        let words: [UInt8] = [0x12, 0x0D, 0x03, 0x16]
        #expect(write(terminal, words, words.count) == words.count)
        return words
    }

    func goAway() {
        close(terminal)
        terminal = -1
    }

    func hold(_ isHeld: Bool) { self.isHeld = isHeld }
}

/// A listening socket whose queue of waiting connections is full: the kernel drops every further call.
final class FullServer {
    let port: UInt16
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isOpen else { throw SystemError.last("listen on loopback") }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<3 {
            let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            sockets.append(caller)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = Glibc.connect(caller, $0, length) }
            }
        }
    }

    deinit { for socket in sockets { close(socket) } }
}
