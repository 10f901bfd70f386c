// A hub on the simulated network: the hub's own session, and a memory of all that the box said.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol

final class TestHub {
    let name: String
    private let key: BoxKey
    /// The box's present one: another after each plug.
    private let currentNetwork: () -> SimulatedNetwork
    private let loop: SimulatedLoop
    private var session: HubSession
    /// What waits for the box, over connections.
    private var outbox = PushOutbox()
    private var timers: [SessionTimer: Moment] = [:]
    private(set) var connection: ConnectionID?
    /// What is gathered for one read, while it is.
    private var held: [UInt8]?
    private var network: SimulatedNetwork { currentNetwork() }

    /// Of the call under way.
    private var outputs = FirstComeQueue<HubSessionOutput>()

    private(set) var results: [PushResult] = []
    private(set) var statuses: [JSONObject] = []
    private(set) var replies: [CommandReply] = []
    private(set) var end: SessionEnd?
    /// The hub's clock less the loop's.
    var clockOffset: Int64 = 1_796_000_000_000
    /// A hub that keeps nothing does not answer PINGs.
    var answersPings = true

    init(_ name: String, key: BoxKey, network: @escaping () -> SimulatedNetwork, loop: SimulatedLoop) {
        self.name = name
        self.key = key
        currentNetwork = network
        self.loop = loop
        session = HubSession(HubHello(hub: name, nonce: String(repeating: "0", count: 64), time: nil), channel: "plain")
    }

    func connect(seed: UInt64 = 1) {
        begin(seed: seed)
        connection = network.connect()
        take(session.start(time: WallTime(milliseconds: clock), at: loop.now))
    }

    /// Takes the box's dial: to be called from `onDial`.
    func answer(_ connection: ConnectionID, spread: Interval = .zero) -> SimulatedNetwork.DialAnswer {
        begin(seed: UInt64(connection.number), spread: spread)
        self.connection = connection
        loop.schedule(at: loop.now) { [unowned self] in
            take(session.start(time: WallTime(milliseconds: clock), at: loop.now))
        }
        return .accepted(channel: "plain")
    }

    private func begin(seed: UInt64, spread: Interval = .zero) {
        if let kept = session.outbox { outbox = kept }
        var random = SeededRandom(seed: seed)
        let hello = HubHello(hub: name, nonce: Nonce.random(using: &random), time: nil, spread: spread)
        session = HubSession(hello, channel: "plain")
        end = nil
    }

    var clock: Int64 { Int64(loop.now.nanoseconds / 1_000_000) + clockOffset }
    var isWelcomed: Bool { session.box != nil }

    func push(_ id: String, _ body: JSON, ttl: Int? = nil, age: Int64 = 0) {
        let push = OutgoingPush(id: id, sent: WallTime(milliseconds: clock - age * 1000), ttl: ttl, body: body)
        if session.outbox == nil {
            _ = outbox.add(push)
        } else if let outputs = session.push(push, at: loop.now) {
            take(outputs)
        }
    }

    func command(_ kind: ReceivedCommand.Kind, id: String) {
        take(session.command(ReceivedCommand(id: id, kind: kind), at: loop.now))
    }

    /// Bytes that no session would send.
    func send(raw bytes: [UInt8]) { deliver(bytes) }

    /// Lets all that is sent meanwhile come to the box in one read.
    func sendAtOnce(_ sends: () -> Void) {
        held = []
        sends()
        deliverHeld()
    }

    private func deliverHeld() {
        guard let bytes = held else { return }
        held = nil
        deliver(bytes)
    }

    private func deliver(_ bytes: [UInt8]) {
        if held != nil {
            held? += bytes
        } else if let connection {
            network.deliver(bytes, on: connection)
        }
    }

    func say(goodbye reason: ByeReason) { take(session.close(reason, at: loop.now)) }

    /// Reads what has come and fires what is due.
    func run() {
        guard let connection else { return }
        let bytes = network.takeSent(on: connection)
        if !bytes.isEmpty { take(session.received(bytes, at: loop.now)) }
        for timer in SessionTimer.allCases {
            if let at = timers[timer], at <= loop.now {
                timers[timer] = nil
                take(session.timer(timer, at: loop.now))
            }
        }
    }

    func states(of id: String) -> [PushResult.State] { results.filter { $0.id == id }.map(\.state) }
    func done(_ id: String) -> PushResult? { results.last { $0.id == id && $0.state == .done } }

    private func take(_ more: [HubSessionOutput]) {
        guard outputs.add(more) else { return }
        while let output = outputs.next() { perform(output) }
    }

    private func perform(_ output: HubSessionOutput) {
        switch output {
        case .send(let bytes): deliver(bytes)
        case .close:
            deliverHeld()
            if let connection { network.finish(connection) }
        case .ended(let end): self.end = end
        case .timer(let timer, let moment): timers[timer] = moment
        case .greeted: take(session.admit(key, outbox: outbox, at: loop.now))
        case .welcomed, .log, .trace: break
        case .result(let result): results.append(result)
        case .pinged(let ping): if answersPings { take(session.pong(ping, at: loop.now)) }
        case .status(let status): statuses.append(status)
        case .reply(let reply): replies.append(reply)
        }
    }
}
