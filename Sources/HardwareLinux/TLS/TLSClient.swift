// Outgoing connections over TLS 1.3 to servers whose certificates are checked.

import BoxFoundation
import HardwareInterface

/// Outgoing connections over TLS 1.3, the server's certificate checked by name and by the box's own idea of the time.
package final class TLSClient: PushCarrier {
    private struct Dial {
        var context: Result<TLSContext, TLSSetupFault>
        var host: String
        var time: WallTime
    }

    /// How long what was read of the CA's file serves further dials.
    private static let contextLife = Interval.seconds(10)

    private let loop: any DescriptorLoop
    private let ca: String?
    private var context: (Result<TLSContext, TLSSetupFault>, readAt: Moment)?
    private let tcp: TCPClient
    private let connections: TLSConnections
    private let dials: Dials

    /// Dials whose connection does not stand yet.
    private final class Dials {
        var waiting: [ConnectionID: Dial] = [:]

        func stream(_ id: ConnectionID) -> Result<TLSStream, TLSSetupFault> {
            guard let dial = waiting.removeValue(forKey: id) else {
                return .failure(TLSSetupFault(message: "\(id) was not dialled"))
            }
            return Result { () throws(TLSSetupFault) in
                try TLSStream(dial.context.get(), .client(host: dial.host, time: dial.time))
            }
        }
    }

    /// - Parameters:
    ///   - ca: a PEM file with the only certificates to trust; nil is the system's trust. Read anew from time to time.
    ///   - report: takes what happens; nil posts it to the loop.
    package init(
        on loop: any DescriptorLoop, ca: String?, closeLimit: Interval = closeLimit,
        report: ((NetworkEvent) -> Void)? = nil
    ) {
        self.loop = loop
        self.ca = ca
        let dials = Dials()
        let connections = TLSConnections(on: loop, report: report, makeStream: { dials.stream($0) })
        tcp = TCPClient(on: loop, closeLimit: closeLimit) { [unowned connections] event in
            if case .closed(let id, _) = event { dials.waiting[id] = nil }
            connections.take(event)
        }
        connections.carrier = tcp
        self.dials = dials
        self.connections = connections
    }

    package var hasConnections: Bool { tcp.hasConnections }

    /// Begins to connect; `opened` follows when the server's certificate was found to be of this host, or `closed` with
    /// the cause.
    ///
    /// - Parameter time: what the certificate's dates are judged by.
    package func dial(_ place: HostAndPort, judgingAt time: WallTime) -> ConnectionID {
        let context = currentContext()
        let id = tcp.dial(place)
        dials.waiting[id] = Dial(context: context, host: place.host, time: time)
        if case .failure(let fault) = context { connections.refuse(id, fault.message) }
        return id
    }

    private func currentContext() -> Result<TLSContext, TLSSetupFault> {
        if let (context, readAt) = context, loop.now - readAt < Self.contextLife { return context }
        let new = Result { () throws(TLSSetupFault) in try TLSContext.client(ca: ca) }
        context = (new, loop.now)
        return new
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) { connections.send(bytes, on: connection) }
    package func close(_ connection: ConnectionID) { connections.close(connection) }
}
