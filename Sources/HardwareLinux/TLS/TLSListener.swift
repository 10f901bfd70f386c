// Incoming connections over TLS 1.3. Only those whose handshake is done are ever heard of.

import BoxFoundation
import HardwareInterface

/// Incoming connections over TLS 1.3, with 16 handshakes under way at a time.
package final class TLSListener: PushCarrier {
    /// Handshakes under way at most, where nothing else is said; for a further one the oldest makes room.
    package static let mostHandshakes = 16

    /// Where it listens; the port is the one bound.
    package var address: SocketAddress { tcp.address }
    package var hasConnections: Bool { tcp.hasConnections }

    private let tcp: TCPListener
    private let connections: TLSConnections

    /// - Parameters:
    ///   - address: `127.0.0.1:7788`, `[::]:7788`; port 0 lets the system choose.
    ///   - report: takes what happens; nil posts it to the loop.
    package init(
        on address: String, _ context: TLSContext, loop: any DescriptorLoop, log: any LogSink,
        closeLimit: Interval = closeLimit, mostConnections: Int = TCPListener.mostConnections,
        mostHandshakes: Int = mostHandshakes, report: ((NetworkEvent) -> Void)? = nil
    ) throws(ListenError) {
        let connections = TLSConnections(
            on: loop, mostHandshakes: mostHandshakes, report: report,
            onRefused: { log.log(LogEntry(.info, "push", "\($0.address) is not taken: \($1)")) },
            makeStream: { _ in Result { () throws(TLSSetupFault) in try TLSStream(context, .server) } })
        tcp = try TCPListener(
            on: address, loop: loop, log: log, closeLimit: closeLimit, mostConnections: mostConnections,
            report: { [unowned connections] in connections.take($0) })
        connections.carrier = tcp
        self.connections = connections
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) { connections.send(bytes, on: connection) }
    package func close(_ connection: ConnectionID) { connections.close(connection) }
}
