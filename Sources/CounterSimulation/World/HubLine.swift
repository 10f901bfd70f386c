// One connection between a hub and the box, at the hub's end: frames in and out, the handshake, heartbeats. Written from
// docs/push-protocol.md apart from the box's own session.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol

/// What a line tells its hub.
enum HubLineEvent {
    case welcomed
    case result(PushResult, raw: JSONObject)
    case status(JSONObject)
    case reply(JSONObject)
    case pinged(UInt32)
    case ponged
    case bye(String)
    /// The box broke the page's rules.
    case broken(String)
    case ended
}

final class HubLine {
    private enum Phase { case awaitsHello, welcomed, ended }

    let id: ConnectionID
    let startedAt: Moment
    private weak var run: BoxRun?
    private unowned let hub: SimulatedHub
    private var encoder = FrameEncoder()
    private var decoder = FrameDecoder()
    private var phase = Phase.awaitsHello
    private let nonce: String
    private(set) var lastReceived: Moment
    private(set) var lastSent: Moment
    private var merged: [UInt8] = []
    private var random: SeededRandom
    /// Which reason the box must give for the frame that was broken on purpose.
    var expectedBye: String?

    init(_ id: ConnectionID, on run: BoxRun, of hub: SimulatedHub, random: SeededRandom, at now: Moment) {
        self.id = id
        self.run = run
        self.hub = hub
        self.random = random
        startedAt = now
        (lastReceived, lastSent) = (now, now)
        var chance = random
        nonce = Nonce.random(using: &chance)
        _ = self.random.next()
    }

    var isWelcomed: Bool { phase == .welcomed }
    var isOpen: Bool { phase != .ended }
    /// The box at the other end has lost its power.
    var isOrphan: Bool { run == nil || run !== hub.world.run }

    func start(at now: Moment) {
        send(
            .hello,
            HubHello(
                hub: hub.name, nonce: nonce, time: hub.clock, heartbeat: .seconds(hub.heartbeat), spread: .seconds(2)
            ).json)
    }

    // MARK: - Out

    func send(_ type: FrameType, _ payload: JSON? = nil) {
        guard phase != .ended else { return }
        deliver(encoder.encode(type, payload?.bytes ?? []))
    }

    /// - Returns: the sequence of the frame.
    func sendPush(_ payload: JSON) -> UInt32 {
        var bytes: [UInt8] = []
        let sequence = encoder.append(.push, payload.bytes, to: &bytes)
        deliver(bytes)
        return sequence
    }

    /// A frame that is none.
    func sendBroken(_ kind: Int) {
        var bytes = encoder.encode(.ping)
        switch kind {
        case 0: (bytes[0], expectedBye) = (0x47, "bad-magic")
        case 1: (bytes[2], expectedBye) = (9, "bad-version")
        case 2: (bytes[3], expectedBye) = (0x99, "bad-type")
        case 3: (bytes[8], expectedBye) = (0xFF, "too-long")
        case 4: (bytes[7], expectedBye) = (bytes[7] &+ 5, "bad-sequence")
        case 5: (bytes[12], expectedBye) = (bytes[12] ^ 1, "bad-checksum")
        case 6:
            bytes.append(contentsOf: encoder.encode(.push, Array(#"{"id":"x","id":"y"}"#.utf8)))
            expectedBye = "bad-payload"
        default:
            bytes.append(contentsOf: encoder.encode(.status, Array("{}".utf8)))
            expectedBye = "out-of-turn"
        }
        deliver(bytes)
    }

    func deliver(_ bytes: [UInt8]) {
        lastSent = hub.world.loop.now
        guard hub.world.conditions.merges else { return put(bytes) }
        let isFirst = merged.isEmpty
        merged += bytes
        guard isFirst else { return }
        hub.world.loop.schedule(at: lastSent + .milliseconds(40)) { [weak self] in self?.flush() }
    }

    private func flush() {
        let bytes = merged
        merged = []
        if !bytes.isEmpty { put(bytes) }
    }

    private func put(_ bytes: [UInt8]) {
        guard let run, !isOrphan else { return hub.world.sentToNobody(self) }
        var cuts: [Int] = []
        if hub.world.conditions.splits {
            var at = 0
            while at < bytes.count, cuts.count < 200 {
                at += Int.random(in: 1...24, using: &random)
                cuts.append(at)
            }
        }
        run.network.deliver(bytes, on: id, cutAt: cuts)
    }

    /// Closes in good manners.
    func close(_ reason: String) {
        guard phase != .ended else { return }
        send(.bye, .object(["reason": .string(reason)]))
        flush()
        phase = .ended
        if let run, !isOrphan { run.network.finish(id) }
    }

    /// Nothing is said and nothing more is taken.
    func abandon() { phase = .ended }

    func reset() {
        phase = .ended
        if let run, !isOrphan { run.network.cut(id) }
    }

    func goSilent() { if let run, !isOrphan { run.network.goSilent(id) } }

    func setReading(_ isReading: Bool) { if let run, !isOrphan { run.network.setReading(isReading, on: id) } }

    // MARK: - In

    func received(_ bytes: [UInt8], at now: Moment) {
        guard phase != .ended else { return }
        lastReceived = now
        decoder.receive(bytes)
        do throws(ProtocolFault) {
            while phase != .ended, let frame = try decoder.next() { try take(frame) }
        } catch {
            hub.take(.broken(error.rawValue), from: self)
        }
    }

    func sawEnd() {
        guard phase != .ended else { return }
        phase = .ended
        // A side that sees the end of the stream closes its own.
        if let run, !isOrphan { run.network.finish(id) }
        hub.take(.ended, from: self)
    }

    private func take(_ frame: Frame) throws(ProtocolFault) {
        let payload = try frame.object()
        switch (phase, frame.type) {
        case (_, .bye): hub.take(.bye(payload["reason"]?.string ?? ""), from: self)
        case (.awaitsHello, .hello): greet(payload)
        case (.welcomed, .result):
            guard let result = PushResult(payload) else { throw .badPayload }
            hub.take(.result(result, raw: payload), from: self)
        case (.welcomed, .ping): hub.take(.pinged(frame.sequence), from: self)
        case (.welcomed, .pong): hub.take(.ponged, from: self)
        case (.welcomed, .status): hub.take(.status(payload), from: self)
        case (.welcomed, .reply): hub.take(.reply(payload), from: self)
        default: throw .outOfTurn
        }
    }

    private func greet(_ payload: JSONObject) {
        guard payload["role"] == "box", payload["box"] == .string(SimulatedWorld.boxName),
            let boxNonce = payload["nonce"]?.string, let proof = payload["proof"]?.string
        else { return hub.take(.broken("a HELLO that is none"), from: self) }
        let right = HandshakeProof(
            box: SimulatedWorld.boxName, hubNonce: nonce, boxNonce: boxNonce, channel: "plain")
        guard right.isRight(proof, of: .box, key: SimulatedWorld.key) else {
            return hub.take(.broken("a wrong proof"), from: self)
        }
        send(.welcome, .object(["proof": .string(right.text(of: .hub, key: SimulatedWorld.key))]))
        phase = .welcomed
        hub.take(.welcomed, from: self)
    }
}
