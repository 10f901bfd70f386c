// Push connections without sockets. The test, or a simulated hub, holds the other ends.

import BoxFoundation
import HardwareInterface

/// Connections whose peers are moved by hand. With no latency everything arrives within the call that sent it.
package final class SimulatedNetwork: NetworkDevice {
    /// What the kernels and the wire hold of one connection for a peer that does not read, in bytes.
    package static let mostInFlight = 256 << 10

    /// How long bytes take, each way. What is sent later never overtakes.
    package var latency = Interval.zero

    /// Called when bytes of the box have come to a peer. It may answer at once.
    package var onArrival: ((ConnectionID, [UInt8]) -> Void)?

    /// Called when a peer sees the end of the stream: the box closed, or its device did.
    package var onEnd: ((ConnectionID) -> Void)?

    /// What comes of a box's dial.
    package enum DialAnswer: Equatable, Sendable {
        /// - Parameter channel: `NetworkPeer.channel`.
        case accepted(channel: String)
        case refused
        case distrusted(CertificateFault)
        /// Nothing answers, until the device gives up.
        case silence
    }

    /// Judges a dial; nil refuses all. A connection that is accepted is then moved as any other.
    package var onDial: ((ConnectionID) -> DialAnswer)?

    /// How long a dial waits for an answer.
    package static let dialLimit = Interval.seconds(10)

    private final class Line {
        var isOpen = true
        /// The box was told that it stands.
        var hasOpened = false
        var isClosing = false
        /// The wire is dead in both directions and nobody is told.
        var isSilent = false
        var isReading = true
        /// Sent by the box, not taken by the wire.
        var queued: [UInt8] = []
        /// On the wire, or come and not read by the peer.
        var inFlight = 0
        var unread: [UInt8] = []
        /// Read by the peer, not taken by the test.
        var inbox: [UInt8] = []
        var hasSeenEnd = false
        var toBox = Direction()
        var toPeer = Direction()
    }

    /// One way of a line: what is under way, and when the last of it arrives.
    private struct Direction {
        var last = Moment.zero
        var underWay = 0
    }

    private let loop: any EventLoop
    private var lines: [ConnectionID: Line] = [:]
    private var numbers: UInt32 = 0

    package init(on loop: any EventLoop) { self.loop = loop }

    // MARK: - The box's side

    package func send(_ bytes: [UInt8], on connection: ConnectionID) {
        guard let line = lines[connection], line.isOpen, !line.isClosing else { return }
        line.queued += bytes
        transmit(connection, line)
        if line.queued.count > Self.mostQueued {
            end(connection, line, "takes nothing: \(Self.mostQueued) bytes wait")
        }
    }

    package func close(_ connection: ConnectionID) {
        guard let line = lines[connection], line.isOpen, !line.isClosing else { return }
        line.isClosing = true
        loop.schedule(at: loop.now + Self.closeLimit) { [weak self] in
            self?.end(connection, line, "closed, with bytes unsent or unread")
        }
        transmit(connection, line)
    }

    // MARK: - The peer's side

    /// A peer connects; the box is told `opened` after the latency.
    package func connect(from address: String = "127.0.0.1:50000", channel: String = "plain") -> ConnectionID {
        numbers += 1
        let id = ConnectionID(numbers)
        let line = Line()
        lines[id] = line
        toBox(line) { $0.loop.post(.network(.opened(id, NetworkPeer(address: address, channel: channel)))) }
        return id
    }

    /// The box dials its hub: `opened` follows, or `closed`.
    package func dial() {
        numbers += 1
        let id = ConnectionID(numbers)
        switch onDial?(id) ?? .refused {
        case .accepted(let channel):
            let line = Line()
            lines[id] = line
            // A line that dies before it stands is a dial without an answer.
            loop.schedule(at: loop.now + Self.dialLimit) { [weak self] in
                guard let self, !line.hasOpened, line.isOpen else { return }
                line.isOpen = false
                loop.post(.network(.closed(id, "no answer")))
            }
            toBox(line) {
                line.hasOpened = true
                $0.loop.post(.network(.opened(id, NetworkPeer(address: "192.0.2.1:7789", channel: channel))))
            }
        case .refused: loop.post(.network(.closed(id, "refused")))
        case .distrusted(let fault):
            loop.post(.network(.distrusted(id, fault)))
            loop.post(.network(.closed(id, fault.message)))
        case .silence:
            loop.schedule(at: loop.now + Self.dialLimit) { [weak self] in
                self?.loop.post(.network(.closed(id, "no answer")))
            }
        }
    }

    /// The peer sends bytes, which arrive cut at `cuts` (ascending places in `bytes`; others are ignored).
    package func deliver(_ bytes: [UInt8], on connection: ConnectionID, cutAt cuts: [Int] = []) {
        guard let line = lines[connection], line.isOpen else { return }
        let places = [0] + cuts.filter { $0 > 0 && $0 < bytes.count } + [bytes.count]
        for (start, end) in zip(places, places.dropFirst()) where start < end {
            let part = Array(bytes[start..<end])
            toBox(line) { network in
                guard line.isOpen, !line.isClosing else { return }
                network.loop.post(.network(.received(connection, part)))
            }
        }
    }

    /// All that the box sent and that has come, oldest first; it is taken away.
    package func takeSent(on connection: ConnectionID) -> [UInt8] {
        guard let line = lines[connection] else { return [] }
        let bytes = line.inbox
        line.inbox = []
        return bytes
    }

    /// The peer closes in good manners: the box gets all that was delivered before, then the end.
    package func finish(_ connection: ConnectionID) {
        guard let line = lines[connection], line.isOpen else { return }
        toBox(line) { $0.end(connection, line, line.isClosing ? "closed" : "closed by the other side") }
    }

    /// The connection is reset; what was on its way is lost.
    package func cut(_ connection: ConnectionID) {
        guard let line = lines[connection], line.isOpen else { return }
        end(connection, line, "reset by the other side")
    }

    /// The cable is pulled: nothing comes any more either way, and no side is told.
    package func goSilent(_ connection: ConnectionID) { lines[connection]?.isSilent = true }

    /// A peer that does not read lets the box's output pile up; reading again, it gets what is there.
    package func setReading(_ isReading: Bool, on connection: ConnectionID) {
        guard let line = lines[connection] else { return }
        line.isReading = isReading
        guard isReading else { return }
        let unread = line.unread
        line.unread = []
        if !unread.isEmpty { arrive(unread, connection, line) }
        transmit(connection, line)
    }

    package func isOpen(_ connection: ConnectionID) -> Bool { lines[connection]?.isOpen ?? false }

    /// The peer has got all that the box sent, and then the end.
    package func hasSeenEnd(_ connection: ConnectionID) -> Bool { lines[connection]?.hasSeenEnd ?? false }

    // MARK: - The wire

    private func toBox(_ line: Line, _ arrive: @escaping (SimulatedNetwork) -> Void) {
        guard !line.isSilent else { return }
        travel(line, \.toBox) { [weak self] in
            guard let self, line.isOpen, !line.isSilent else { return }
            arrive(self)
        }
    }

    private func travel(
        _ line: Line, _ direction: ReferenceWritableKeyPath<Line, Direction>, _ arrive: @escaping () -> Void
    ) {
        guard latency > .zero || line[keyPath: direction].underWay > 0 else { return arrive() }
        line[keyPath: direction].last = max(line[keyPath: direction].last, loop.now + latency)
        line[keyPath: direction].underWay += 1
        loop.schedule(at: line[keyPath: direction].last) {
            line[keyPath: direction].underWay -= 1
            arrive()
        }
    }

    /// Puts on the wire what it takes; after the last byte of a closing connection, the end.
    private func transmit(_ id: ConnectionID, _ line: Line) {
        guard line.isOpen else { return }
        let part = Array(line.queued.prefix(Self.mostInFlight - line.inFlight))
        line.queued.removeFirst(part.count)
        if !part.isEmpty {
            line.inFlight += part.count
            toPeer(line) { $0.arrive(part, id, line) }
        }
        if line.isClosing && line.inFlight == 0 && line.queued.isEmpty {
            toPeer(line) { $0.arriveEnd(id, line) }
        }
    }

    private func toPeer(_ line: Line, _ arrive: @escaping (SimulatedNetwork) -> Void) {
        guard !line.isSilent else { return }
        travel(line, \.toPeer) { [weak self] in
            guard let self, !line.isSilent else { return }
            arrive(self)
        }
    }

    private func arrive(_ bytes: [UInt8], _ id: ConnectionID, _ line: Line) {
        guard line.isReading else {
            line.unread += bytes
            return
        }
        line.inFlight -= bytes.count
        line.inbox += bytes
        onArrival?(id, bytes)
        transmit(id, line)
    }

    /// A peer that reads closes its own side on the end of the stream.
    private func arriveEnd(_ id: ConnectionID, _ line: Line) {
        guard !line.hasSeenEnd else { return }
        line.hasSeenEnd = true
        onEnd?(id)
        toBox(line) { $0.end(id, line, "closed") }
    }

    private func end(_ id: ConnectionID, _ line: Line, _ cause: String) {
        guard line.isOpen else { return }
        line.isOpen = false
        loop.post(.network(.closed(id, cause)))
        guard !line.isSilent, !line.hasSeenEnd else { return }
        line.hasSeenEnd = true
        onEnd?(id)
    }
}
