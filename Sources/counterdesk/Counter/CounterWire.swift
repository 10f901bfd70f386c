// The wire between the box and its hubs, in a hand that can cut it, stretch it, or let it go dead without a word. Real
// connections and the counter's own hub hang on the same one.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import PushProtocol

/// What is wrong with the wire.
package struct WireFaults: Equatable, Sendable {
    /// Every connection is reset, and none comes to be.
    package var isCut = false
    /// Nothing arrives any more either way, and no side is told.
    package var isDead = false
    /// How long bytes take, each way.
    package var delay = Interval.zero

    package init() {}
}

/// The counter's own hub, at its end of the wire.
package protocol WireHub: AnyObject {
    func received(_ bytes: [UInt8])
    func closed()
}

/// The wire between the box and its hubs: cut, stretched by up to 10 s, or dead without a word.
package final class CounterWire: NetworkDevice {
    /// The connection of the counter's own hub: no real one gets as far.
    private static let firstOwn: UInt32 = 1 << 31

    package var faults = WireFaults() {
        didSet {
            // What was lost on a dead wire cannot be made good: the connections are found broken.
            if faults.isCut && !oldValue.isCut || oldValue.isDead && !faults.isDead { resetAll() }
        }
    }

    /// Takes what passes between the box and other hubs than the counter's own.
    package var onOthers: ((Frame) -> Void)?

    /// Where real connections come from.
    package var carrier: (any NetworkDevice)?

    private let loop: any EventLoop
    private let onFrame: (String) -> Void
    private var tap = FrameTap()
    private weak var hub: (any WireHub)?
    private var own: ConnectionID?
    private var owns: UInt32 = 0
    /// Connections that stand, and whether the box was told so.
    private var open: [ConnectionID: Bool] = [:]
    /// Real ones that were broken off here: their end is known already.
    private var broken: Set<ConnectionID> = []
    /// What is sent later never overtakes.
    private var lastToBox = Moment.zero
    private var lastToHub = Moment.zero

    /// - Parameter onFrame: takes each frame as a line.
    package init(on loop: any EventLoop, onFrame: @escaping (String) -> Void) {
        self.loop = loop
        self.onFrame = onFrame
    }

    /// The counter's own hub connects.
    ///
    /// - Returns: false where the wire lets nobody through.
    package func connect(_ hub: any WireHub) -> Bool {
        guard !faults.isCut, !faults.isDead else { return false }
        self.hub = hub
        owns += 1
        let id = ConnectionID(Self.firstOwn + owns)
        own = id
        opened(id, NetworkPeer(address: "counterdesk"))
        return true
    }

    package func hubSent(_ bytes: [UInt8]) { if let own { received(bytes, own) } }

    package func hubClosed() {
        guard let own else { return }
        self.own = nil
        toBox { $0.ended(own, "closed by the other side") }
    }

    // MARK: - The box's side

    package func send(_ bytes: [UInt8], on connection: ConnectionID) {
        guard open[connection] != nil else { return }
        tell(tap.take(bytes, .sent, on: connection), connection)
        guard !faults.isDead else { return }
        toHub { wire in
            if connection == wire.own { wire.hub?.received(bytes) } else { wire.carrier?.send(bytes, on: connection) }
        }
    }

    package func close(_ connection: ConnectionID) {
        guard open[connection] != nil else { return }
        if faults.isDead { return reset(connection, "closed, with bytes unsent or unread") }
        toHub { wire in
            if connection == wire.own { wire.reset(connection, "closed") } else { wire.carrier?.close(connection) }
        }
    }

    // MARK: - The hubs' side

    /// What happens at the real end.
    package func arrived(_ event: NetworkEvent) {
        switch event {
        case .opened(let id, let peer):
            if faults.isCut || faults.isDead { breakOff(id) } else { opened(id, peer) }
        case .received(let id, let bytes): received(bytes, id)
        case .distrusted: loop.post(.network(event))
        case .closed(let id, let cause):
            if broken.remove(id) != nil { return }
            if faults.isDead, open[id] != nil { return }
            // A dial that failed was never open.
            toBox { $0.open[id] != nil ? $0.ended(id, cause) : $0.loop.post(.network(event)) }
        }
    }

    private func opened(_ id: ConnectionID, _ peer: NetworkPeer) {
        open[id] = false
        tap.opened(id)
        toBox { wire in
            guard wire.open[id] != nil else { return }
            wire.open[id] = true
            wire.loop.post(.network(.opened(id, peer)))
        }
    }

    private func received(_ bytes: [UInt8], _ id: ConnectionID) {
        guard open[id] != nil, !faults.isDead else { return }
        toBox { wire in
            guard wire.open[id] != nil else { return }
            wire.tell(wire.tap.take(bytes, .received, on: id), id)
            wire.loop.post(.network(.received(id, bytes)))
        }
    }

    private func tell(_ frames: [TappedFrame], _ id: ConnectionID) {
        for tapped in frames {
            onFrame(tapped.line)
            if id != own, let frame = tapped.frame { onOthers?(frame) }
        }
    }

    private func ended(_ id: ConnectionID, _ cause: String) {
        guard let isTold = open.removeValue(forKey: id) else { return }
        tap.closed(id)
        if isTold { loop.post(.network(.closed(id, cause))) }
    }

    private func resetAll() { for id in open.keys.sorted() { reset(id, "reset by the other side") } }

    private func reset(_ id: ConnectionID, _ cause: String) {
        ended(id, cause)
        if id == own {
            own = nil
            hub?.closed()
        } else {
            breakOff(id)
        }
    }

    private func breakOff(_ id: ConnectionID) {
        broken.insert(id)
        carrier?.close(id)
    }

    // MARK: - The way

    private func toBox(_ arrive: @escaping (CounterWire) -> Void) { travel(&lastToBox, arrive) }
    private func toHub(_ arrive: @escaping (CounterWire) -> Void) { travel(&lastToHub, arrive) }

    private func travel(_ last: inout Moment, _ arrive: @escaping (CounterWire) -> Void) {
        let due = max(loop.now + faults.delay, last)
        guard due > loop.now else { return arrive(self) }
        last = due
        loop.schedule(at: due) { [weak self] in if let self { arrive(self) } }
    }
}
