// The push connections of a box that listens.

import BoxFoundation
import Glibc
import HardwareInterface

/// Why the box cannot listen, and what to do about it.
package enum ListenError: Error, Equatable, Sendable {
    /// Not `host:port` in numbers.
    case notAnAddress(String)
    case inUse(String)
    /// No interface of this machine has the address (yet).
    case notHere(String)
    case notPermitted(String)
    /// The certificate or its key cannot be used.
    case noTLS(TLSSetupFault)
    case failed(SystemError)

    package var message: String {
        switch self {
        case .notAnAddress(let text):
            "\"\(text)\" is no address to listen on: write numbers like 127.0.0.1:7788 or [::]:7788"
        case .inUse(let address):
            "\(address) is in use: another counterbox or program listens there; stop it or set another push.address"
        case .notHere(let address):
            "no interface of this machine has the address of \(address): check push.address and the network"
        case .notPermitted(let address):
            "\(address) may not be listened on by this user: choose a port from 1024 on"
        case .noTLS(let fault): fault.message
        case .failed(let error): error.message
        }
    }
}

/// Incoming push connections over TCP: 64 at a time, whoever comes on top is turned away and counted.
package final class TCPListener: PushCarrier {
    /// Descriptors of connections at most, the closing ones included, where nothing else is said. How many hubs may talk
    /// is BoxCore's; it sends them away with a reason. What is over this limit is closed without one.
    package static let mostConnections = 64

    /// Connections taken in one turn.
    private static let mostAccepted = 16

    /// How long the listener rests when the system has no descriptor left.
    private static let rest = Interval.seconds(1)

    /// Where it listens; the port is the one bound.
    package let address: SocketAddress

    /// Connections closed at once for `mostConnections`.
    package private(set) var turnedAway = 0

    /// There are connections, closing ones included.
    package var hasConnections: Bool { connections.count > 0 }

    private let loop: any DescriptorLoop
    private let log: any LogSink
    private let socket: Descriptor
    private let mostConnections: Int
    private let connections: TCPConnections

    /// - Parameters:
    ///   - address: `127.0.0.1:7788`, `[::]:7788`; port 0 lets the system choose.
    ///   - report: takes what happens; nil posts it to the loop.
    package init(
        on address: String, loop: any DescriptorLoop, log: any LogSink, closeLimit: Interval = closeLimit,
        mostConnections: Int = mostConnections, report: ((NetworkEvent) -> Void)? = nil
    ) throws(ListenError) {
        guard let wanted = SocketAddress(address) else { throw .notAnAddress(address) }
        do throws(SystemError) { socket = try TCPSocket.listen(on: wanted) } catch {
            throw ListenError(error, address: address)
        }
        self.loop = loop
        self.log = log
        self.address = TCPSocket.localAddress(socket.number) ?? wanted
        self.mostConnections = mostConnections
        connections = TCPConnections(on: loop, closeLimit: closeLimit, report: report)
        loop.watch(socket.number, for: .readable) { [unowned self] _ in accept() }
    }

    deinit { loop.unwatch(socket.number) }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) {
        connections.send(bytes, on: connection, mostQueued: Self.mostQueued)
    }

    package func close(_ connection: ConnectionID) { connections.close(connection) }

    // MARK: - Accepting

    private func accept() {
        for _ in 0..<Self.mostAccepted {
            do throws(SystemError) {
                guard let connection = try TCPSocket.accept(from: socket.number) else { return }
                take(connection)
            } catch {
                guard Self.isExhaustion(error.errno) else { continue }
                return pause(error)
            }
        }
    }

    private func take(_ connection: consuming TCPConnection) {
        if connections.count < mostConnections {
            connections.open(connections.nextID(), connection)
        } else {
            turnedAway += 1
        }
    }

    /// The listener would be readable for ever; connections wait in the kernel meanwhile.
    private func pause(_ error: SystemError) {
        log.log(LogEntry(.warning, "push", "no new connection for a second: \(error.message)"))
        loop.change(socket.number, to: [])
        loop.schedule(at: loop.now + Self.rest) { [weak self] in
            guard let self else { return }
            loop.change(socket.number, to: .readable)
        }
    }

    /// Other errors are of the connection that was to be taken, which is gone.
    private static func isExhaustion(_ error: Int32) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error)
    }
}

extension ListenError {
    fileprivate init(_ error: SystemError, address: String) {
        switch error.errno {
        case EADDRINUSE: self = .inUse(address)
        case EADDRNOTAVAIL: self = .notHere(address)
        case EACCES, EPERM: self = .notPermitted(address)
        default: self = .failed(error)
        }
    }
}
