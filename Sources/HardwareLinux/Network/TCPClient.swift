// Outgoing push connections: of the field verb `push`, and of a box that dials.

import BoxFoundation
import Glibc
import HardwareInterface

/// Connects without blocking. What cannot be connected ends in `closed` without an `opened`.
package final class TCPClient: PushCarrier {
    /// For each address of a name.
    package static let connectLimit = Interval.seconds(10)

    /// A connection that is not there yet.
    private final class Attempt {
        /// nil while the name is looked up.
        var dial: TCPDial?
    }

    private let loop: any DescriptorLoop
    private let resolver: NameResolver
    private let connections: TCPConnections
    private let connectLimit: Interval
    private let report: (NetworkEvent) -> Void
    private var attempts: [ConnectionID: Attempt] = [:]

    /// - Parameter report: takes what happens; nil posts it to the loop.
    package init(
        on loop: any DescriptorLoop, closeLimit: Interval = closeLimit, connectLimit: Interval = connectLimit,
        report: ((NetworkEvent) -> Void)? = nil
    ) {
        self.loop = loop
        self.connectLimit = connectLimit
        self.report = report ?? { [unowned loop] in loop.post(.network($0)) }
        resolver = NameResolver(on: loop)
        connections = TCPConnections(on: loop, closeLimit: closeLimit, report: report)
    }

    package var hasConnections: Bool { connections.count > 0 }

    /// Begins to connect; `opened` follows, or `closed` with the cause of the address that failed last.
    package func dial(_ place: HostAndPort) -> ConnectionID {
        let (id, attempt) = makeAttempt()
        resolver.resolve(place) { [weak self] answer in
            guard let self, attempts[id] === attempt else { return }
            switch answer {
            case .addresses(let addresses): connect(id, attempt, addresses)
            case .unknown(let cause): fail(id, cause)
            }
        }
        return id
    }

    /// Likewise, over whichever of these answers first.
    package func dial(_ addresses: [SocketAddress]) -> ConnectionID {
        let (id, attempt) = makeAttempt()
        connect(id, attempt, addresses)
        return id
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) {
        connections.send(bytes, on: connection, mostQueued: Self.mostQueued)
    }

    package func close(_ connection: ConnectionID) {
        if attempts[connection] != nil { fail(connection, "closed") } else { connections.close(connection) }
    }

    // MARK: - Connecting

    private func makeAttempt() -> (ConnectionID, Attempt) {
        let id = connections.nextID()
        let attempt = Attempt()
        attempts[id] = attempt
        return (id, attempt)
    }

    private func connect(_ id: ConnectionID, _ attempt: Attempt, _ addresses: [SocketAddress]) {
        attempt.dial = TCPDial(addresses, within: connectLimit, on: loop) { [unowned self] result in
            switch result {
            case .success(let (socket, address)):
                attempts[id] = nil
                let connection = TCPConnection(
                    Descriptor(adopting: socket), peer: NetworkPeer(address: address.description))
                connections.open(id, connection)
            case .failure(let failure): fail(id, failure.cause)
            }
        }
    }

    private func fail(_ id: ConnectionID, _ cause: String) {
        guard let attempt = attempts.removeValue(forKey: id) else { return }
        attempt.dial?.cancel()
        report(.closed(id, cause))
    }
}
