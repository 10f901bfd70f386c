// Connections to a NATS server over plain TCP, many in one loop, with no thread of their own. For loads and tests: a box
// uses `NATSFleet`.

import BoxAssembly
import BoxFoundation
import HardwareInterface
import HardwareLinux

/// Many connections to a NATS server in one loop, over plain TCP.
package final class PlainNATS {
    private struct Line {
        var wire = NATSWire()
        var subscriptions = 0
        /// The server has answered the first PING.
        var isOpen = false
        var lastError: String?
    }

    private let place: HostAndPort
    private let name: String
    private let report: (FleetEvent) -> Void
    private var client: TCPClient?
    private var lines: [ConnectionID: Line] = [:]

    /// - Parameter report: takes what happens, from the loop's `wait`.
    package init(
        _ place: HostAndPort, name: String, on loop: any DescriptorLoop, report: @escaping (FleetEvent) -> Void
    ) {
        self.place = place
        self.name = name
        self.report = report
        client = TCPClient(on: loop, report: { [weak self] in self?.handle($0) })
    }

    /// `opened` follows, or `closed`.
    package func dial() -> ConnectionID {
        guard let id = client?.dial(place) else { return ConnectionID(0) }
        lines[id] = Line()
        return id
    }

    package func perform(_ call: FleetCall, on connection: ConnectionID) {
        guard lines[connection]?.isOpen == true else { return }
        switch call {
        case .subscribe(let subject):
            lines[connection]?.subscriptions += 1
            client?.send(NATSWire.subscribe(subject, as: lines[connection]?.subscriptions ?? 0), on: connection)
        case .publish(let message): client?.send(NATSWire.publish(message), on: connection)
        case .close: client?.close(connection)
        }
    }

    private func handle(_ event: NetworkEvent) {
        switch event {
        case .opened, .distrusted: break
        case .received(let id, let bytes):
            lines[id]?.wire.receive(bytes)
            while let item = lines[id]?.wire.next() { take(item, id) }
        case .closed(let id, let words):
            let error = lines.removeValue(forKey: id)?.lastError
            report(.closed(id, error ?? words))
        }
    }

    private func take(_ item: NATSWire.Item, _ id: ConnectionID) {
        switch item {
        case .info: client?.send(NATSWire.connect(name: name), on: id)
        case .ping: client?.send(NATSWire.pong, on: id)
        case .pong:
            guard lines[id]?.isOpen == false else { return }
            lines[id]?.isOpen = true
            report(.opened(id, NetworkPeer(address: "\(place)")))
        case .message(_, let message): report(.message(id, message))
        case .error(let words):
            if words.hasPrefix("Permissions Violation") {
                report(.denied(id, words))
            } else {
                lines[id]?.lastError = words
            }
        case .noise:
            client?.close(id)
            lines[id]?.wire = NATSWire()
        }
    }
}
