// One push connection, seen from the box, from its first byte to its last. Who opened it makes no difference.

import BoxFoundation
import HardwareInterface

/// What a `BoxSession` asks for, to be done in order. What comes of doing one (an answer, a PONG) is handed over after
/// all of them: frames are numbered when they are asked for.
package enum BoxSessionOutput: Equatable, Sendable, SessionOutput {
    case send([UInt8])
    /// Close once what was to be sent is sent; the session takes and gives nothing more.
    case close
    /// Comes before `close`.
    case ended(SessionEnd)
    case timer(SessionTimer, at: Moment?)
    case log(LogEntry)
    /// A frame as a line, without secrets; only while `isTraced`.
    case trace(String)

    /// The hub's proof was right. Now `status` is due, and the outcomes that this hub's name waits for.
    case welcomed(HubHello)
    /// To be journaled, then answered.
    case push(ReceivedPush)
    /// To be done, then replied.
    case command(ReceivedCommand)
    /// The hub has kept these outcomes.
    case told([OutcomeToken])

    // Of a fleet's box alone.
    case fleet(FleetCall)
    /// What the fleet's server lacks, for whoever asks the doctor; nil when it is mended.
    case fleetFault(FleetFault?)
}

/// One connection, seen from the box: bytes in; frames, pushes and the connection's end out (`docs/push-protocol.md`).
package struct BoxSession: Sendable {
    /// Who the box says that it is.
    package struct Identity: Sendable {
        /// 1 to 64 of `A-Z a-z 0-9 - _`.
        package var box: String
        package var key: BoxKey
        package var firmware: String
        /// The box's own, where it is to be shorter than the hub's; 10 s at least.
        package var heartbeat: Interval?

        package init(box: String, key: BoxKey, firmware: String, heartbeat: Interval? = nil) {
            self.box = box
            self.key = key
            self.firmware = firmware
            self.heartbeat = heartbeat
        }
    }

    /// COMMANDs without a REPLY at most; one more is replied `busy`.
    package static let mostCommands = 16
    /// Outcomes on their way at most: `outcomeRoom` counts what is left.
    package static let mostOutcomes = 1000

    enum Phase: Sendable {
        case new
        case awaitsHello
        case awaitsWelcome(HubHello, HandshakeProof)
        case welcomed(HubHello)
    }

    let identity: Identity
    let channel: String
    let nonce: String
    var phase = Phase.new
    var wire: SessionWire<BoxSessionOutput>
    var window = PushWindow()
    var ledger = OutcomeLedger()
    var commands: [ExactText] = []
    private var tellDue: Moment?
    private var status: JSONObject?

    /// - Parameters:
    ///   - channel: what the proofs bind to: the SHA-256 in hex of the TLS server's certificate, or `plain`.
    ///   - nonce: 64 lower-case hex digits, new for every connection (`Nonce.random`).
    ///   - firstSequence: another than 1 only to test a connection near its end.
    package init(_ identity: Identity, channel: String, nonce: String, firstSequence: UInt32 = 1) {
        precondition(BoxHello.isGoodID(identity.box) && WireName.isDigest(nonce), "a box id or a nonce out of form")
        self.identity = identity
        self.channel = channel
        self.nonce = nonce
        wire = SessionWire(firstSequence: firstSequence)
    }

    /// Whose connection this is; nil before WELCOME and after the end.
    package var hub: HubHello? {
        if case .welcomed(let hello) = phase, wire.isOpen { hello } else { nil }
    }

    /// Whose pushes and commands come out of it, after its end as well: what was read before the end is not lost.
    package var hubName: String? {
        if case .welcomed(let hello) = phase { hello.hub } else { nil }
    }

    /// Whether every frame is told as a line (`trace on`).
    package var isTraced: Bool {
        get { wire.isTraced }
        set { wire.isTraced = newValue }
    }

    /// How many more outcomes may be handed over now. Whoever has a long list of them waits for `told`.
    package var outcomeRoom: Int { hub == nil ? 0 : max(0, Self.mostOutcomes - ledger.count) }

    // MARK: Events

    /// The connection stands. The hub speaks first.
    package mutating func start(at now: Moment) -> [BoxSessionOutput] {
        guard case .new = phase else { return [] }
        phase = .awaitsHello
        wire.begin(at: now)
        return wire.drain()
    }

    /// Bytes came, in any split.
    package mutating func received(_ bytes: [UInt8], at now: Moment) -> [BoxSessionOutput] {
        guard wire.isOpen else { return [] }
        wire.receive(bytes, at: now)
        do throws(ProtocolFault) {
            while let frame = try wire.next() { try take(frame, at: now) }
        } catch {
            wire.emit(.log(LogEntry(.warning, "push", "the hub broke the protocol: \(error.rawValue)")))
            wire.bye(ByeReason(error), at: now)
        }
        return wire.drain()
    }

    /// Answers a push. One that is not un-answered on this connection is passed over.
    package mutating func answer(_ sequence: UInt32, _ answer: PushAnswer, at now: Moment) -> [BoxSessionOutput] {
        self.answer([(sequence, answer)], at: now)
    }

    /// Answers pushes in one go.
    package mutating func answer(
        _ answers: [(sequence: UInt32, answer: PushAnswer)], at now: Moment
    ) -> [BoxSessionOutput] {
        for (sequence, answer) in answers { give(answer, to: sequence, at: now) }
        sendPongs(at: now)
        return wire.drain()
    }

    /// A push of this hub's name has ended, on this connection or on an earlier one.
    package mutating func outcome(_ outcome: PushOutcome, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil else { return [] }
        window.end(id: outcome.id)
        wire.send(.result, PushResult(outcome).json.bytes, at: now)
        if let token = outcome.token { ledger.sent(token) }
        setTell(at: now)
        return wire.drain()
    }

    /// How the box is now: the first time all of it is sent, then what changed.
    package mutating func status(_ status: BoxStatus, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil, let changes = status.object.changes(since: self.status) else { return [] }
        self.status = status.object
        wire.send(.status, JSON.object(changes).bytes, at: now)
        return wire.drain()
    }

    /// Replies to a command; a second reply is passed over.
    package mutating func reply(_ reply: CommandReply, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil, let i = commands.firstIndex(where: { $0.text.utf8.elementsEqual((reply.id ?? "").utf8) })
        else { return [] }
        commands.remove(at: i)
        send(reply, at: now)
        return wire.drain()
    }

    package mutating func timer(_ timer: SessionTimer, at now: Moment) -> [BoxSessionOutput] {
        switch timer {
        case .handshake: wire.handshakeFired(at: now)
        case .heartbeat: if let ping = wire.heartbeatFired(at: now) { ledger.pinged(ping) }
        case .tell: tell(at: now)
        case .resume: break
        }
        return wire.drain()
    }

    /// Says why and ends: `closing` when the program stops, `replaced` when a newer connection of this hub's name was
    /// welcomed.
    package mutating func close(_ reason: ByeReason, at now: Moment) -> [BoxSessionOutput] {
        wire.bye(reason, at: now)
        return wire.drain()
    }

    // MARK: Answers

    mutating func give(_ answer: PushAnswer, to sequence: UInt32, at now: Moment) {
        guard hub != nil, let id = window.answer(sequence, answer) else { return }
        guard let result = PushResult(answer, id: id) else { return }
        wire.send(.result, result.json.bytes, at: now)
        if result.isFinal, case .duplicate(let known) = answer, let token = known.token {
            ledger.sent(token)
            setTell(at: now)
        }
    }

    mutating func sendPongs(at now: Moment) {
        for ping in window.pongs() { wire.pong(ping, at: now) }
    }

    mutating func send(_ reply: CommandReply, at now: Moment) {
        var bytes = reply.json.bytes
        if bytes.count > Frame.mostPayload {
            bytes = CommandReply(id: reply.id, isOK: false, reason: ProtocolFault.tooLong.rawValue).json.bytes
        }
        wire.send(.reply, bytes, at: now)
    }

    // MARK: Outcomes told

    mutating func setTell(at now: Moment) {
        guard wire.isOpen else { return }
        if ledger.isFilling {
            ask(at: now)
            return
        }
        guard ledger.needsPing, tellDue == nil else { return }
        let due = now + OutcomeLedger.wait
        tellDue = due
        wire.emit(.timer(.tell, at: due))
    }

    private mutating func tell(at now: Moment) {
        guard wire.isOpen, let due = tellDue else { return }
        guard now >= due else {
            wire.emit(.timer(.tell, at: due))
            return
        }
        tellDue = nil
        if ledger.needsPing { ask(at: now) }
    }

    /// Asks whether the outcomes sent so far are kept.
    private mutating func ask(at now: Moment) {
        guard hub != nil, let ping = wire.ping(at: now) else { return }
        ledger.pinged(ping)
    }
}
