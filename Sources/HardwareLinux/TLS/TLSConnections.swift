// TLS over a carrier's connections: its bytes in, plain bytes out, under the same numbers. A handshake costs milliseconds
// of arithmetic, so the loop gets at most one step of one handshake a turn.

import BoxFoundation
import HardwareInterface

/// What TLSListener and TLSClient have in common.
final class TLSConnections {
    /// From the connection to the end of its handshake.
    static let handshakeLimit = Interval.seconds(10)

    private enum Phase {
        case handshake
        case open
        /// Nothing more is received.
        case closing
    }

    private final class Entry {
        let stream: TLSStream
        let peer: NetworkPeer
        var phase = Phase.handshake
        /// Came during the handshake and waits for its turn.
        var unread: [UInt8] = []
        var isWaiting = false
        /// Why it ends, where that is known better than by the carrier.
        var cause: String?
        /// `opened` was reported.
        var wasOpened = false

        init(_ stream: TLSStream, _ peer: NetworkPeer) {
            self.stream = stream
            self.peer = peer
        }
    }

    private let loop: any DescriptorLoop
    private let report: (NetworkEvent) -> Void
    private let makeStream: (ConnectionID) -> Result<TLSStream, TLSSetupFault>
    /// Of connections that never opened: nil where whoever dialled them waits for their end.
    private let onRefused: ((NetworkPeer, String) -> Void)?
    /// Handshakes under way at most: for a further one the oldest makes room.
    private let mostHandshakes: Int
    private var entries: [ConnectionID: Entry] = [:]
    /// Of connections that have no stream, why they end.
    private var causes: [ConnectionID: String] = [:]
    /// In the order they began.
    private var handshakes: [ConnectionID] = []
    /// Those with something unread, in the order it came.
    private var turns: [ConnectionID] = []
    private var isTurnDue = false
    /// Set by its owner, which owns this too.
    weak var carrier: (any NetworkDevice)?

    init(
        on loop: any DescriptorLoop, mostHandshakes: Int = .max, report: ((NetworkEvent) -> Void)?,
        onRefused: ((NetworkPeer, String) -> Void)? = nil,
        makeStream: @escaping (ConnectionID) -> Result<TLSStream, TLSSetupFault>
    ) {
        self.loop = loop
        self.mostHandshakes = mostHandshakes
        self.report = report ?? { [unowned loop] in loop.post(.network($0)) }
        self.onRefused = onRefused
        self.makeStream = makeStream
    }

    // MARK: - NetworkDevice

    func send(_ bytes: [UInt8], on id: ConnectionID) {
        guard let entry = entries[id], entry.phase == .open else { return }
        take(entry.stream.send(bytes), id, entry)
    }

    func close(_ id: ConnectionID) {
        guard let entry = entries[id], entry.phase != .closing else { return carrier?.close(id) ?? () }
        if entry.phase == .open { carrier?.send(entry.stream.close().cipher, on: id) }
        beginToClose(id, entry)
    }

    // MARK: - The carrier's events

    func take(_ event: NetworkEvent) {
        switch event {
        case .opened(let id, let peer): opened(id, peer)
        case .received(let id, let bytes): received(id, bytes)
        case .closed(let id, let cause): closed(id, cause)
        case .distrusted: report(event)
        }
    }

    private func opened(_ id: ConnectionID, _ peer: NetworkPeer) {
        switch makeStream(id) {
        case .success(let stream):
            makeRoom()
            let entry = Entry(stream, peer)
            entries[id] = entry
            handshakes.append(id)
            loop.schedule(at: loop.now + Self.handshakeLimit) { [weak self, weak entry] in
                guard let self, let entry, entry.phase == .handshake else { return }
                fail(id, entry, "its TLS handshake took longer than \(Self.handshakeLimit.seconds) s")
            }
            take(stream.start(), id, entry)
        case .failure(let fault):
            if let onRefused { onRefused(peer, fault.message) } else { causes[id] = fault.message }
            carrier?.close(id)
        }
    }

    /// A dial that cannot lead to anything ends with its cause.
    func refuse(_ id: ConnectionID, _ cause: String) {
        causes[id] = cause
        carrier?.close(id)
    }

    private func makeRoom() {
        guard handshakes.count >= mostHandshakes, let oldest = handshakes.first, let entry = entries[oldest] else {
            return
        }
        fail(oldest, entry, "too many handshakes are under way")
    }

    private func received(_ id: ConnectionID, _ bytes: [UInt8]) {
        guard let entry = entries[id] else { return }
        switch entry.phase {
        case .open: take(entry.stream.receive(bytes), id, entry)
        case .handshake:
            entry.unread += bytes
            guard !entry.isWaiting else { return }
            entry.isWaiting = true
            turns.append(id)
            setTurn()
        case .closing: break
        }
    }

    private func closed(_ id: ConnectionID, _ cause: String) {
        guard let entry = entries[id] else {
            if onRefused == nil { report(.closed(id, causes.removeValue(forKey: id) ?? cause)) }
            return
        }
        // Its last word may say why.
        if entry.phase == .handshake, !entry.unread.isEmpty { advance(id, entry) }
        entries[id] = nil
        endHandshake(id)
        let cause = entry.cause ?? (entry.phase == .handshake ? "its TLS handshake was broken off: \(cause)" : cause)
        if let onRefused, !entry.wasOpened { onRefused(entry.peer, cause) } else { report(.closed(id, cause)) }
    }

    // MARK: - Turns

    private func setTurn() {
        guard !isTurnDue, !turns.isEmpty else { return }
        isTurnDue = true
        loop.schedule(at: loop.now) { [weak self] in self?.takeTurn() }
    }

    private func takeTurn() {
        isTurnDue = false
        guard !turns.isEmpty else { return }
        let id = turns.removeFirst()
        if let entry = entries[id] { advance(id, entry) }
        setTurn()
    }

    private func advance(_ id: ConnectionID, _ entry: Entry) {
        entry.isWaiting = false
        let bytes = entry.unread
        entry.unread = []
        guard entry.phase == .handshake else { return }
        take(entry.stream.receive(bytes), id, entry)
    }

    // MARK: - What comes of a step

    private func take(_ progress: TLSProgress, _ id: ConnectionID, _ entry: Entry) {
        if !progress.cipher.isEmpty { carrier?.send(progress.cipher, on: id) }
        if entry.phase == .handshake, let channel = entry.stream.channel {
            entry.phase = .open
            entry.wasOpened = true
            endHandshake(id)
            report(.opened(id, NetworkPeer(address: entry.peer.address, channel: channel)))
        }
        if !progress.plain.isEmpty { report(.received(id, progress.plain)) }
        switch progress.end {
        case .finished?: fail(id, entry, "closed by the other side")
        case .failed(let text)?: fail(id, entry, "TLS failed: \(text)")
        case .distrusted(let fault, let text)?:
            report(.distrusted(id, fault))
            fail(id, entry, "\(fault.message) (\(text))")
        case nil: break
        }
    }

    private func fail(_ id: ConnectionID, _ entry: Entry, _ cause: String) {
        entry.cause = entry.cause ?? cause
        beginToClose(id, entry)
    }

    private func beginToClose(_ id: ConnectionID, _ entry: Entry) {
        entry.phase = .closing
        endHandshake(id)
        carrier?.close(id)
    }

    private func endHandshake(_ id: ConnectionID) { handshakes.removeAll { $0 == id } }
}
