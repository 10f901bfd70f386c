// A box's connection to a simulated fleet's server.

import BoxFoundation
import HardwareInterface

/// A box's connection to a ``SimulatedFleetServer``.
package final class SimulatedFleet: FleetDevice {
    private let loop: any EventLoop
    private let server: SimulatedFleetServer
    private var numbers: UInt32 = 0
    private var current: ConnectionID?
    private var subscriptions: [String] = []

    package init(on loop: any EventLoop, to server: SimulatedFleetServer) {
        self.loop = loop
        self.server = server
    }

    package func dial() {
        numbers += 1
        let connection = ConnectionID(numbers)
        loop.schedule(at: loop.now + server.latency) { [weak self] in
            guard let self else { return }
            if let refusal = server.connect(self) {
                loop.post(.fleet(.closed(connection, refusal)))
            } else {
                (current, subscriptions) = (connection, [])
                loop.post(.fleet(.opened(connection, NetworkPeer(address: "192.0.2.1:4222"))))
            }
        }
    }

    package func perform(_ call: FleetCall, on connection: ConnectionID) {
        guard connection == current else { return }
        switch call {
        case .subscribe(let subject): subscriptions.append(subject)
        case .publish(let message): server.publish(message, from: self)
        case .close(let words): loop.schedule(at: loop.now + server.latency) { [weak self] in self?.leave(words) }
        }
    }

    private func leave(_ words: String) {
        server.disconnect(self)
        lose(words)
    }

    // MARK: - The server's side

    func lose(_ words: String) {
        guard let connection = current else { return }
        current = nil
        loop.post(.fleet(.closed(connection, words)))
    }

    func deny(_ words: String) { if let current { loop.post(.fleet(.denied(current, words))) } }

    /// A pushed message comes under its own subject, though it was asked for at an inbox.
    func arrive(_ message: FleetMessage) {
        guard let current, isWanted(message.subject) || message.reply?.hasPrefix("$JS.ACK.") == true else { return }
        loop.post(.fleet(.message(current, message)))
    }

    private func isWanted(_ subject: String) -> Bool {
        subscriptions.contains { $0.hasSuffix(">") ? subject.hasPrefix($0.dropLast()) : subject == $0 }
    }
}
