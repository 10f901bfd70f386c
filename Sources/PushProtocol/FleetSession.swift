// One connection to a fleet's server, seen from the box: the same events and outputs as `BoxSession`, over NATS JetStream
// in place of frames (`docs/fleet.md`).
//
// It opens in two steps that go on side by side: the status is published and read back with the server's time, and the
// box's consumer is looked up (and made where it is not there). Then it is welcomed and pulls. What cannot be mended here
// ends it: the dialler tries again, later and later.

import BoxFoundation
import HardwareInterface

/// One connection to a fleet's server, seen from the box (`docs/fleet.md`).
package struct FleetSession: Sendable {
    /// From the start of the connection to `welcomed`.
    package static let openingLimit = Interval.seconds(10)
    /// How often the server says that a pull stands; it is lost when nothing came for `pullLimit`. A false alarm costs a
    /// look and a second pull, a late one costs a payment its time: so it is little more.
    package static let pullHeartbeat = Interval.seconds(30)
    package static let pullLimit = Interval.seconds(35)
    /// A pull asks for so many pushes, one after the other, and stands so long.
    package static let pullBatch = 100
    package static let pullTime = Interval.seconds(300)
    /// A push that is not answered is asked to be left here so often; the consumer gives it again after 10 s.
    package static let keepEvery = Interval.seconds(5)
    /// What has no PubAck is published again, and the stream takes it once; after `laterRest` where it was told why not.
    package static let publishAgain = Interval.seconds(5)
    /// After a `later` the push is offered again at the next outcome, or after this.
    package static let laterRest = Interval.seconds(30)
    /// Between two looks at the consumer.
    static let lookRest = Interval.seconds(1)
    /// Pushes un-answered at most. The consumer gives one at a time; more are left to be given again.
    static let mostHeld = 16
    /// Outcomes remembered, so that a push given again does not have its own published again.
    static let mostTold = 256
    /// Bytes of a push's body at most.
    package static let mostBody = Frame.mostPayload

    enum Phase: Sendable {
        case new
        case opening(until: Moment)
        case welcomed(HubHello)
        case ended
    }

    /// What an answer is awaited for.
    enum Purpose: Sendable {
        case status
        /// The status at this place or a later one, with its time. It was kept at this moment.
        case time(place: Int64, keptAt: Moment)
        case look
        case creation
        /// - Parameter pushes: what is acknowledged only with the outcome.
        case outcome(OutcomeToken?, ExactText, pushes: [UInt32])
        case refusal(UInt32)
    }

    struct Request: Sendable {
        var purpose: Purpose
        var message: FleetMessage
        var due: Moment
    }

    struct HeldPush: Sendable {
        enum State: Sendable { case offered, later, unkept, refused }

        var reply: String
        var place: UInt64
        var push: ReceivedPush?
        var state = State.offered
    }

    struct Pull: Sendable {
        var number: UInt32
        /// Pushes that it will still bring.
        var left: Int
        var isLostAt: Moment
    }

    struct Command: Sendable {
        var id: ExactText
        var reply: String?
    }

    package let subjects: FleetSubjects
    var phase = Phase.new
    var outputs: [BoxSessionOutput] = []
    private var armed: [SessionTimer: Moment] = [:]
    /// Of requests and pulls; those of an earlier connection are others.
    private var lastNumber: UInt32
    var requests: [UInt32: Request] = [:]
    var held: [UInt32: HeldPush] = [:]
    private var lastPush: UInt32 = 0
    var commands: [Command] = []
    /// Pushes whose outcome the stream has, the last ones of this connection.
    var toldIDs: [ExactText] = []
    var pull: Pull?
    var lookDue: Moment?
    private var lastLook: Moment?
    var keepDue: Moment?
    var laterDue: Moment?
    var status: JSONObject?
    /// The server's clock and when it said so.
    var time: (time: WallTime, at: Moment)?
    var hasConsumer = false
    private var fault: FleetFault?
    /// Whether every message is told as a line (`trace on`).
    package var isTraced = false

    /// - Parameter firstNumber: by chance, so that answers to an earlier connection are not taken for this one's.
    package init(_ subjects: FleetSubjects, firstNumber: UInt32) {
        self.subjects = subjects
        lastNumber = firstNumber & 0x7FFF_FFFF
    }

    /// As of a hub; nil before `welcomed` and after the end.
    package var hub: HubHello? { if case .welcomed(let hello) = phase { hello } else { nil } }

    var isOpen: Bool {
        switch phase {
        case .opening, .welcomed: true
        case .new, .ended: false
        }
    }

    /// How many more outcomes may be handed over now.
    package var outcomeRoom: Int { hub == nil ? 0 : max(0, BoxSession.mostOutcomes - requests.count) }

    // MARK: - Events

    /// The connection stands.
    package mutating func start(_ status: BoxStatus, at now: Moment) -> [BoxSessionOutput] {
        guard case .new = phase else { return [] }
        phase = .opening(until: now + Self.openingLimit)
        call(.subscribe(subjects.inboxes))
        call(.subscribe(subjects.command))
        publish(status.object, at: now)
        look(at: now)
        return drain(at: now)
    }

    package mutating func received(_ message: FleetMessage, at now: Moment) -> [BoxSessionOutput] {
        guard isOpen else { return [] }
        trace("<", message)
        if let reply = message.reply, reply.hasPrefix(FleetSubjects.acknowledge) {
            take(push: message, reply, at: now)
        } else if message.subject == subjects.command {
            take(command: message, at: now)
        } else if let number = message.subject.split(separator: ".").last.flatMap({ UInt32($0) }) {
            answered(number, message, at: now)
        }
        return drain(at: now)
    }

    /// The server did not let something pass.
    package mutating func denied(_ words: String, at now: Moment) -> [BoxSessionOutput] {
        guard isOpen else { return [] }
        // Without its own requests and acknowledgements a box is deaf; that an outcome or an answer finds no way is bad
        // enough to be told.
        if words.holds(subjects.create) {
            fail(.noConsumer("it is not there, and the box is not allowed to make it"))
        } else if hub == nil || words.holds("$JS.") {
            fail(.notAllowed(words))
        } else {
            report(.notAllowed(words))
        }
        return drain(at: now)
    }

    /// Answers a push. One that is not un-answered on this connection is passed over.
    package mutating func answer(_ sequence: UInt32, _ answer: PushAnswer, at now: Moment) -> [BoxSessionOutput] {
        guard isOpen, held[sequence]?.state == .offered else { return [] }
        give(answer, to: sequence, at: now)
        return drain(at: now)
    }

    /// A push has ended, on this connection or on an earlier one.
    package mutating func outcome(_ outcome: PushOutcome, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil else { return [] }
        let id = ExactText(outcome.id)
        let waiting = held.filter { $0.value.state == .unkept && $0.value.push.map { ExactText($0.id) } == id }
        tell(outcome, pushes: waiting.keys.sorted(), at: now)
        offerLater(at: now)
        return drain(at: now)
    }

    /// How the box is now: all of it, since only the last one is kept.
    package mutating func status(_ status: BoxStatus, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil, status.object.changes(since: self.status) != nil else { return [] }
        publish(status.object, at: now)
        return drain(at: now)
    }

    /// Replies to a command; a second reply is passed over.
    package mutating func reply(_ reply: CommandReply, at now: Moment) -> [BoxSessionOutput] {
        guard hub != nil, let i = commands.firstIndex(where: { $0.id == ExactText(reply.id ?? "") }) else { return [] }
        send(reply, to: commands.remove(at: i).reply)
        return drain(at: now)
    }

    package mutating func timer(_ timer: SessionTimer, at now: Moment) -> [BoxSessionOutput] {
        guard isOpen else { return [] }
        armed[timer] = nil
        switch timer {
        case .handshake: if case .opening(let until) = phase, now >= until { fail(.silent) }
        case .heartbeat: fireHeartbeat(at: now)
        case .tell: publishAgain(at: now)
        case .resume: if let laterDue, now >= laterDue { offerLater(at: now) }
        }
        return drain(at: now)
    }

    /// Ends it: `closing` when the program stops.
    package mutating func close(_ reason: ByeReason, at now: Moment) -> [BoxSessionOutput] {
        guard isOpen else { return [] }
        end(.byUs(reason), because: reason.rawValue)
        return drain(at: now)
    }

    // MARK: - The end

    /// Nothing comes to the box as it is: the dialler tries again.
    mutating func fail(_ fault: FleetFault) {
        note(fault)
        end(.byUs(fault == .silent ? .silent : .closing), because: fault.message)
    }

    private mutating func end(_ end: SessionEnd, because words: String) {
        phase = .ended
        outputs.append(.ended(end))
        call(.close(because: words))
    }

    /// Tells a fault that the connection outlives once, and that it is over.
    mutating func report(_ fault: FleetFault?) {
        guard fault != self.fault else { return }
        note(fault)
        if let fault { outputs.append(.log(LogEntry(.warning, "push", fault.message))) }
    }

    private mutating func note(_ fault: FleetFault?) {
        self.fault = fault
        outputs.append(.fleetFault(fault))
    }

    // MARK: - Out

    mutating func call(_ call: FleetCall) {
        if case .publish(let message) = call { trace(">", message) }
        outputs.append(.fleet(call))
    }

    /// Publishes what an answer is awaited for.
    mutating func ask(_ purpose: Purpose, _ message: FleetMessage, at now: Moment) {
        let number = nextNumber()
        var message = message
        message.reply = subjects.inbox("answer", number)
        requests[number] = Request(purpose: purpose, message: message, due: now + Self.publishAgain)
        call(.publish(message))
    }

    mutating func nextNumber() -> UInt32 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func nextPush() -> UInt32 {
        lastPush &+= 1
        return lastPush
    }

    private mutating func trace(_ direction: String, _ message: FleetMessage) {
        guard isTraced else { return }
        let text = String(decoding: message.payload.prefix(FrameTrace.most), as: UTF8.self)
        // A push is its body: named as in a hub's frame, so that a support file leaves it out.
        let isPush = message.reply?.hasPrefix(FleetSubjects.acknowledge) ?? false
        let named = isPush ? "{\"body\":\(text)}" : text
        let shown = named.unicodeScalars.map { ReceivedPush.isControl($0) ? "·" : String($0) }.joined()
        let status = message.status.map { " \($0)" } ?? ""
        outputs.append(.trace("\(direction) \(message.subject)\(status) \(shown)"))
    }

    /// Sets the timers anew where they changed, and hands out what was asked for.
    private mutating func drain(at now: Moment) -> [BoxSessionOutput] {
        var due: [SessionTimer: Moment] = [:]
        if case .opening(let until) = phase { due[.handshake] = until }
        if isOpen {
            due[.heartbeat] = [pull?.isLostAt, lookDue, keepDue].compactMap { $0 }.min()
            due[.tell] = requests.values.map(\.due).min()
            due[.resume] = laterDue
        }
        for timer in SessionTimer.allCases where armed[timer] != due[timer] {
            armed[timer] = due[timer]
            outputs.append(.timer(timer, at: due[timer]))
        }
        defer { outputs = [] }
        return outputs
    }
}

// MARK: - The consumer

extension FleetSession {
    /// Looks whether the box's consumer is there.
    mutating func look(at now: Moment) {
        lookDue = nil
        lastLook = now
        ask(.look, FleetMessage(subjects.info), at: now)
    }

    /// The pull is lost: what became of the consumer is looked up first, at most once a second.
    mutating func lost(at now: Moment) {
        pull = nil
        let earliest = lastLook.map { $0 + Self.lookRest } ?? now
        if earliest <= now { look(at: now) } else { lookDue = earliest }
    }

    mutating func looked(_ answer: FleetAnswer, at now: Moment) {
        switch answer {
        case .fine, .kept: consumerIsThere(at: now)
        case .failed(FleetAnswer.noConsumer, _): create(at: now)
        case .failed(FleetAnswer.noStream, _): fail(.noPushStream(subjects.pushStream))
        case .failed(_, let words): fail(.noConsumer(words))
        case .nobody: fail(.silent)
        }
    }

    private mutating func create(at now: Moment) {
        ask(.creation, FleetMessage(subjects.create, payload: subjects.consumer.bytes), at: now)
    }

    mutating func created(_ answer: FleetAnswer, at now: Moment) {
        switch answer {
        case .fine, .kept:
            outputs.append(.log(LogEntry(.notice, "push", "the box's consumer is made")))
            consumerIsThere(at: now)
        case .failed(FleetAnswer.noStream, _): fail(.noPushStream(subjects.pushStream))
        case .failed, .nobody: fail(.noConsumer(answer.words))
        }
    }

    private mutating func consumerIsThere(at now: Moment) {
        hasConsumer = true
        welcome(at: now)
        if hub != nil, pull == nil { startPull(at: now) }
    }

    mutating func welcome(at now: Moment) {
        guard case .opening = phase, hasConsumer, let time else { return }
        let hello = HubHello(hub: FleetSubjects.hub, nonce: "", time: time.time, received: time.at)
        phase = .welcomed(hello)
        // Of an earlier connection too.
        note(nil)
        outputs.append(.welcomed(hello))
    }

    mutating func startPull(at now: Moment) {
        let number = nextNumber()
        pull = Pull(number: number, left: Self.pullBatch, isLostAt: now + Self.pullLimit)
        let wish = JSON.object([
            "batch": .integer(Self.pullBatch), "expires": .integer(Self.pullTime.nanoseconds),
            "idle_heartbeat": .integer(Self.pullHeartbeat.nanoseconds),
        ])
        call(.publish(FleetMessage(subjects.next, reply: subjects.inbox("pull", number), payload: wish.bytes)))
    }

    /// The server says something of a pull.
    mutating func pullSays(_ number: UInt32, _ status: Int, at now: Moment) {
        guard number == pull?.number else { return }
        switch status {
        case 100: pull?.isLostAt = now + Self.pullLimit
        // Its time is over.
        case 408: startPull(at: now)
        default: lost(at: now)
        }
    }

    private mutating func fireHeartbeat(at now: Moment) {
        if let lost = pull?.isLostAt, now >= lost { self.lost(at: now) }
        if let lookDue, now >= lookDue { look(at: now) }
        if let keepDue, now >= keepDue { keepHeld(at: now) }
    }
}

extension FleetSubjects {
    /// How the box makes its consumer; the page gives the reason of each value.
    package var consumer: JSON {
        .object([
            "stream_name": .string(pushStream),
            "config": .object([
                "name": .string(box), "durable_name": .string(box), "filter_subject": .string(kept),
                "deliver_policy": "all", "ack_policy": "explicit", "replay_policy": "instant",
                "ack_wait": .integer(Self.ackWait.nanoseconds), "max_deliver": -1, "max_ack_pending": 1,
            ]),
        ])
    }

    /// The consumer gives a push again when nothing was heard of it for so long.
    package static let ackWait = Interval.seconds(10)
}
