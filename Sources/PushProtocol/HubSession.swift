// One push connection, seen from the hub: `counterbox push`, the small hub, tests.

import BoxFoundation

/// What a `HubSession` asks for, to be done in order. What comes of doing one (an answer, a PONG) is handed over after
/// all of them: frames are numbered when they are asked for.
package enum HubSessionOutput: Equatable, Sendable, SessionOutput {
    case send([UInt8])
    /// Close once what was to be sent is sent; the session takes and gives nothing more.
    case close
    /// Comes before `close`.
    case ended(SessionEnd)
    case timer(SessionTimer, at: Moment?)
    case log(LogEntry)
    /// A frame as a line, without secrets; only while `isTraced`.
    case trace(String)

    /// A box says who it is; `admit` answers.
    case greeted(BoxHello)
    /// The box's proof was right, and it was told so.
    case welcomed(BoxHello)
    /// To be kept.
    case result(PushResult)
    /// To be answered with `pong` once every result before it is kept.
    case pinged(UInt32)
    case status(JSONObject)
    case reply(CommandReply)
}

/// One connection, seen from the hub.
package struct HubSession: Sendable {
    /// How long pushes are held back after a `later` without a `done`.
    package static let resumeWait = Interval.seconds(30)

    private enum Phase {
        case new
        case awaitsHello
        case awaitsKey(BoxHello)
        case welcomed(BoxHello)
    }

    private var hello: HubHello
    private let channel: String
    private var phase = Phase.new
    private var wire: SessionWire<HubSessionOutput>
    private var resumeDue: Moment?

    /// What the box has not answered, after the end too: the next connection of the same box begins with it. nil before
    /// `admit`.
    package private(set) var outbox: PushOutbox?

    /// - Parameters:
    ///   - hello: what the hub says first; its `time` and `received` are set at `start`.
    ///   - channel: what the proofs bind to: the SHA-256 in hex of the TLS server's certificate, or `plain`.
    package init(_ hello: HubHello, channel: String, firstSequence: UInt32 = 1) {
        self.hello = hello
        self.channel = channel
        wire = SessionWire(firstSequence: firstSequence)
    }

    /// Who is there; nil before WELCOME.
    package var box: BoxHello? {
        if case .welcomed(let box) = phase, wire.isOpen { box } else { nil }
    }

    /// Whether every frame is told as a line (`trace on`).
    package var isTraced: Bool {
        get { wire.isTraced }
        set { wire.isTraced = newValue }
    }

    // MARK: Events

    /// The connection stands.
    ///
    /// - Parameter time: the hub's clock.
    package mutating func start(time: WallTime?, at now: Moment) -> [HubSessionOutput] {
        guard case .new = phase else { return [] }
        phase = .awaitsHello
        hello.time = time
        hello.received = now
        wire.send(.hello, hello.json.bytes, at: now)
        wire.begin(at: now)
        return wire.drain()
    }

    package mutating func received(_ bytes: [UInt8], at now: Moment) -> [HubSessionOutput] {
        guard wire.isOpen else { return [] }
        wire.receive(bytes, at: now)
        do throws(ProtocolFault) {
            while let frame = try wire.next() { try take(frame, at: now) }
        } catch {
            wire.emit(.log(LogEntry(.warning, "push", "the box broke the protocol: \(error.rawValue)")))
            wire.bye(ByeReason(error), at: now)
        }
        pump(at: now)
        return wire.drain()
    }

    /// Answers `greeted`.
    ///
    /// - Parameters:
    ///   - key: nil for a box that is not known; it hears the same as one whose proof is wrong.
    ///   - outbox: what waits for this box.
    package mutating func admit(_ key: BoxKey?, outbox: PushOutbox, at now: Moment) -> [HubSessionOutput] {
        guard case .awaitsKey(let box) = phase, wire.isOpen else { return [] }
        self.outbox = outbox
        let proof = HandshakeProof(box: box.box, hubNonce: hello.nonce, boxNonce: box.nonce, channel: channel)
        // An unknown box costs the same time as a known one with a wrong proof.
        var noChance = SeededRandom(seed: 0)
        let isRight = proof.isRight(box.proof, of: .box, key: key ?? BoxKey(using: &noChance))
        guard let key, isRight else {
            wire.bye(.unauthorized, at: now)
            return wire.drain()
        }
        wire.send(.welcome, JSON.object(["proof": .string(proof.text(of: .hub, key: key))]).bytes, at: now)
        phase = .welcomed(box)
        wire.welcome(heartbeat: hello.heartbeat, at: now)
        wire.emit(.welcomed(box))
        self.outbox?.restart()
        pump(at: now)
        return wire.drain()
    }

    /// Takes a push to be sent as soon as the window allows.
    ///
    /// - Returns: nil before `admit`, and where it is not good or its id waits already (`PushOutbox.add`).
    package mutating func push(_ push: OutgoingPush, at now: Moment) -> [HubSessionOutput]? {
        guard outbox?.add(push) == true else { return nil }
        pump(at: now)
        return wire.drain()
    }

    /// Everything that came before this PING is kept.
    package mutating func pong(_ ping: UInt32, at now: Moment) -> [HubSessionOutput] {
        guard box != nil else { return [] }
        wire.pong(ping, at: now)
        return wire.drain()
    }

    /// Sends a PING of the hub's own: its PONG tells that the box has kept every push before it.
    package mutating func ping(at now: Moment) -> [HubSessionOutput] {
        guard box != nil else { return [] }
        _ = wire.ping(at: now)
        return wire.drain()
    }

    /// A command is never sent again; one whose REPLY is lost has an unknown end.
    package mutating func command(_ command: ReceivedCommand, at now: Moment) -> [HubSessionOutput] {
        let payload = command.json.bytes
        guard box != nil, payload.count <= Frame.mostPayload else { return [] }
        wire.send(.command, payload, at: now)
        return wire.drain()
    }

    package mutating func timer(_ timer: SessionTimer, at now: Moment) -> [HubSessionOutput] {
        switch timer {
        case .handshake: wire.handshakeFired(at: now)
        case .heartbeat: _ = wire.heartbeatFired(at: now)
        case .resume: resume(at: now)
        case .tell: break
        }
        pump(at: now)
        return wire.drain()
    }

    package mutating func close(_ reason: ByeReason, at now: Moment) -> [HubSessionOutput] {
        wire.bye(reason, at: now)
        return wire.drain()
    }

    // MARK: Frames

    private mutating func take(_ frame: Frame, at now: Moment) throws(ProtocolFault) {
        let payload = try frame.object()
        switch (phase, frame.type) {
        case (_, .bye): wire.taken(bye: payload)
        case (.awaitsHello, .hello):
            let box = try BoxHello(payload)
            phase = .awaitsKey(box)
            wire.emit(.greeted(box))
        case (.welcomed, .result): take(result: payload, at: now)
        case (.welcomed, .ping): wire.emit(.pinged(frame.sequence))
        case (.welcomed, .pong): break
        case (.welcomed, .status): wire.emit(.status(payload))
        case (.welcomed, .reply):
            if let reply = CommandReply(payload) { wire.emit(.reply(reply)) }
        default: throw .outOfTurn
        }
    }

    private mutating func take(result payload: JSONObject, at now: Moment) {
        guard let result = PushResult(payload) else {
            wire.emit(.log(LogEntry(.warning, "push", "the box sent a RESULT that is none")))
            return
        }
        wire.emit(.result(result))
        if outbox?.take(result) == true {
            let due = now + Self.resumeWait
            resumeDue = due
            wire.emit(.timer(.resume, at: due))
        } else if result.state == .done {
            resume(atOnce: false)
        }
    }

    private mutating func resume(at now: Moment) {
        guard wire.isOpen, let due = resumeDue else { return }
        if now >= due { resume(atOnce: true) } else { wire.emit(.timer(.resume, at: due)) }
    }

    private mutating func resume(atOnce: Bool) {
        guard resumeDue != nil else { return }
        if atOnce { resumeDue = nil }
        outbox?.resume(atOnce: atOnce)
    }

    private mutating func pump(at now: Moment) {
        while box != nil, let place = outbox?.next(), let push = outbox?.push(at: place),
            let sequence = wire.send(.push, push.json(time: hello.clock(at: now)).bytes, at: now)
        {
            outbox?.sent(place, as: sequence)
        }
    }
}
