// So many boxes of a fleet in one process, each with its own connection and the box's own session; pushes for them at a
// rate, and how long each takes. Nothing speaks, prints or journals here: it is the server that is measured.

import BoxAssembly
import BoxFoundation
import HardwareInterface
import HardwareLinux
import PushProtocol

/// What one run showed.
struct FleetFigures {
    var boxes: Int
    /// Seconds from the first dial until all boxes were welcomed.
    var welcome: Double
    var pushes: Int
    /// Seconds from the first publication to the last outcome that was kept.
    var span: Double
    /// Milliseconds from a push's publication until the box had it.
    var taken: [Double]
    /// Milliseconds from a push's publication until its outcome was kept.
    var told: [Double]
    var lost: Int
    var repeated: Int
    /// Connections that broke.
    var broken: Int
    /// Of the server: bytes resident, and microseconds of a processor that a push took. A busy machine spoils neither.
    var resident: Int?
    var processor: Double?

    var rate: Double { span > 0 ? Double(pushes - lost) / span : 0 }

    static func percentile(_ values: [Double], _ part: Double) -> Double {
        values.isEmpty ? 0 : values[min(values.count - 1, Int(Double(values.count) * part))]
    }
}

final class FleetLoad {
    struct Plan {
        var boxes: Int
        var pushes: Int
        /// Pushes a second; nil publishes all at once.
        var rate: Int?
        /// Boxes that begin to dial a second.
        var dials: Int
    }

    /// Between two handfuls of dials or pushes.
    private static let step = Interval.milliseconds(10)
    /// Seconds: until all boxes are welcomed, and from the last thing that happened to a push.
    private static let welcomeLimit = 120
    private static let quietLimit = 30
    private static let body = Array(
        #"{"kind":"payment","amount":"12.50","channel":"wechat","order":"20261129-0017"}"#.utf8)

    private final class Box {
        let subjects: FleetSubjects
        var session: FleetSession?
        var connection: ConnectionID?
        var backoff = ReconnectBackoff()

        init(_ number: Int) { subjects = FleetSubjects(box: "box-\(number)") }
    }

    private let plan: Plan
    private let loop: EpollLoop
    private let boxes: [Box]
    private var network: PlainNATS?
    private var backEnd: PlainNATS?
    private var asker: ConnectionID?
    private var byConnection: [ConnectionID: Box] = [:]
    private var random = SystemRandomNumberGenerator()
    private var dialled = 0
    private var welcomed = 0
    private var broken = 0
    private var streams = 0
    private var streamFault: String?
    // Of each push, by its number.
    private var sentAt: [Moment] = []
    private var takenAfter: [Interval?] = []
    private var toldAfter: [Interval?] = []
    private var told = 0
    private var repeated = 0
    private var lastNews = Moment.zero
    // Of the call under way.
    private var outputs = FirstComeQueue<(Box, ConnectionID, BoxSessionOutput)>()

    init(_ plan: Plan, at place: HostAndPort) throws(SystemError) {
        self.plan = plan
        loop = try EpollLoop(takingSignals: true)
        boxes = (0..<plan.boxes).map { Box($0) }
        network = PlainNATS(place, name: "counterdesk fleet", on: loop) { [unowned self] in handle($0) }
        backEnd = PlainNATS(place, name: "counterdesk back end", on: loop) { [unowned self] in asked($0) }
    }

    /// - Parameter usage: the server's, where it is this run's own.
    func run(usage: () -> (resident: Int, processor: Double)?) throws(VerbFailure) -> FleetFigures {
        asker = backEnd?.dial()
        try wait(seconds: 20, "the server does not answer") {
            streams == FleetStreams.all().count || streamFault != nil
        }
        if let streamFault { throw .failure(streamFault) }
        let began = loop.now
        dialMore()
        try wait(seconds: Self.welcomeLimit, "only \(welcomed) boxes were welcomed") { welcomed == boxes.count }
        let welcome = Self.seconds(loop.now - began)
        let before = usage()
        let start = loop.now
        lastNews = start
        publishMore()
        while told < plan.pushes, loop.now - lastNews < .seconds(Self.quietLimit) { try turn() }
        let span = Self.seconds(lastNews - start)
        let after = usage()
        let processor = before.flatMap { before in
            after.map { ($0.processor - before.processor) * 1e6 / Double(max(told, 1)) }
        }
        return FleetFigures(
            boxes: boxes.count, welcome: welcome, pushes: plan.pushes, span: span, taken: Self.sorted(takenAfter),
            told: Self.sorted(toldAfter), lost: plan.pushes - told, repeated: repeated, broken: broken,
            resident: after?.resident, processor: processor)
    }

    private func wait(seconds: Int, _ words: @autoclosure () -> String, until isDone: () -> Bool) throws(VerbFailure) {
        let limit = loop.now + .seconds(seconds)
        while !isDone() {
            guard loop.now < limit else { throw .failure(words()) }
            try turn()
        }
    }

    private func turn() throws(VerbFailure) {
        loop.wait(until: loop.now + .seconds(1))
        while let event = loop.next() {
            if case .signal(.terminate) = event { throw .failure("stopped") }
        }
    }

    private static func seconds(_ interval: Interval) -> Double { Double(interval.nanoseconds) / 1e9 }

    private static func sorted(_ times: [Interval?]) -> [Double] {
        times.compactMap { $0.map { Double($0.nanoseconds) / 1e6 } }.sorted()
    }

    // MARK: - The back end

    private func asked(_ event: FleetEvent) {
        switch event {
        case .opened(let id, _):
            backEnd?.perform(.subscribe("_INBOX.desk.>"), on: id)
            for stream in FleetStreams.all() {
                let subject = "$JS.API.STREAM.CREATE.\(stream["name"]?.string ?? "")"
                let message = FleetMessage(subject, reply: "_INBOX.desk.stream", payload: stream.bytes)
                backEnd?.perform(.publish(message), on: id)
            }
        case .message(_, let message): made(message)
        case .denied(_, let words): streamFault = words
        case .closed(_, let words): streamFault = words
        }
    }

    private func made(_ message: FleetMessage) {
        guard message.subject == "_INBOX.desk.stream" else { return }
        let answer = try? JSONReader.read(message.payload)
        if let words = answer?["error"]?["description"]?.string { streamFault = words } else { streams += 1 }
        if message.status != nil { streamFault = "JetStream is not on" }
    }

    private func publishMore() {
        let share = plan.rate.map { max(1, $0 * Int(Self.step.milliseconds) / 1000) } ?? plan.pushes
        for _ in 0..<min(share, plan.pushes - sentAt.count) { publish() }
        guard sentAt.count < plan.pushes else { return }
        loop.schedule(at: loop.now + Self.step) { [weak self] in self?.publishMore() }
    }

    private func publish() {
        guard let asker else { return }
        let number = sentAt.count
        let subjects = boxes[number % boxes.count].subjects
        let message = FleetMessage(
            subjects.push,
            headers: [
                FleetMessage.Header("Nats-Msg-Id", "\(subjects.box).\(number)"),
                FleetMessage.Header("Counterbox-Id", "\(number)"),
            ], payload: Self.body)
        sentAt.append(loop.now)
        takenAfter.append(nil)
        toldAfter.append(nil)
        backEnd?.perform(.publish(message), on: asker)
    }

    // MARK: - The boxes

    private func dialMore() {
        let end = min(boxes.count, dialled + max(1, plan.dials * Int(Self.step.milliseconds) / 1000))
        for box in boxes[dialled..<end] { dial(box) }
        dialled = end
        guard dialled < boxes.count else { return }
        loop.schedule(at: loop.now + Self.step) { [weak self] in self?.dialMore() }
    }

    private func dial(_ box: Box) {
        guard let id = network?.dial() else { return }
        box.connection = id
        byConnection[id] = box
    }

    private func handle(_ event: FleetEvent) {
        switch event {
        case .opened(let id, _):
            guard let box = byConnection[id] else { return }
            box.session = FleetSession(box.subjects, firstNumber: UInt32.random(in: 0 ... .max, using: &random))
            drive(box) { [status] in $0.start(status, at: $1) }
        case .message(let id, let message):
            if let box = byConnection[id] { drive(box) { $0.received(message, at: $1) } }
        case .denied(let id, let words): if let box = byConnection[id] { drive(box) { $0.denied(words, at: $1) } }
        case .closed(let id, _): closed(id)
        }
    }

    private var status: BoxStatus {
        BoxStatus(printer: .none, queued: 0, volume: 0, firmware: Firmware.version, uptime: .zero)
    }

    private func closed(_ id: ConnectionID) {
        guard let box = byConnection.removeValue(forKey: id) else { return }
        if box.session?.hub != nil { welcomed -= 1 }
        (box.session, box.connection) = (nil, nil)
        broken += 1
        let wait = box.backoff.lost(at: loop.now, using: &random)
        loop.schedule(at: loop.now + wait) { [weak self] in self?.dial(box) }
    }

    private func drive(_ box: Box, _ event: (inout FleetSession, Moment) -> [BoxSessionOutput]) {
        guard let id = box.connection, box.session != nil else { return }
        let more = event(&box.session!, loop.now)
        guard outputs.add(more.map { (box, id, $0) }) else { return }
        while let (box, id, output) = outputs.next() { perform(output, of: box, id) }
    }

    private func perform(_ output: BoxSessionOutput, of box: Box, _ id: ConnectionID) {
        switch output {
        case .fleet(let call): network?.perform(call, on: id)
        case .timer(let timer, let moment):
            guard let moment else { return }
            loop.schedule(at: moment) { [weak self, weak box] in
                guard let self, let box, box.connection == id else { return }
                drive(box) { $0.timer(timer, at: $1) }
            }
        case .welcomed: welcomed += 1
        case .push(let push): take(push, box)
        case .told(let tokens): for token in tokens { isTold(Int(token.number)) }
        case .send, .close, .ended, .log, .trace, .command, .fleetFault: break
        }
    }

    private func take(_ push: ReceivedPush, _ box: Box) {
        guard let number = Int(push.id), takenAfter.indices.contains(number) else { return }
        if takenAfter[number] == nil { takenAfter[number] = loop.now - sentAt[number] } else { repeated += 1 }
        drive(box) { $0.answer(push.sequence, .accepted, at: $1) }
        let outcome = PushOutcome(id: push.id, voice: .silent, paper: .none, token: OutcomeToken(Int64(number)))
        drive(box) { $0.outcome(outcome, at: $1) }
    }

    private func isTold(_ number: Int) {
        guard toldAfter.indices.contains(number), toldAfter[number] == nil else { return }
        lastNews = loop.now
        toldAfter[number] = loop.now - sentAt[number]
        told += 1
    }
}
