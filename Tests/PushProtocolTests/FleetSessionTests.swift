// The session of a fleet's box, driven by hand: what a server of a test would not do at the right moment.

import BoxFoundation
import HardwareInterface
import PushProtocol
import Testing

/// A session that is welcomed, and what it asked for.
private struct Rig {
    var session = FleetSession(FleetSubjects(box: "b"), firstNumber: 0)
    var now = Moment.zero + .seconds(100)
    var outputs: [BoxSessionOutput] = []
    private var place = 10

    private static let status = BoxStatus(printer: .none, queued: 0, volume: 1, firmware: "1", uptime: .zero)

    init() {
        outputs = session.start(Self.status, at: now)
        answer("counterbox.status.b", #"{"stream":"COUNTERBOX_STATUS","seq":3}"#)
        answer("$JS.API.CONSUMER.INFO.COUNTERBOX_PUSH.b", #"{"name":"b"}"#)
        let stamp = [
            FleetMessage.Header("Nats-Sequence", "3"), FleetMessage.Header("Nats-Time-Stamp", "2026-11-30T06:00:00Z"),
        ]
        answer("$JS.API.DIRECT.GET.COUNTERBOX_STATUS.counterbox.status.b", "{}", headers: stamp)
    }

    var published: [FleetMessage] {
        outputs.compactMap { if case .fleet(.publish(let message)) = $0 { message } else { nil } }
    }
    var words: [String] { published.map { String(decoding: $0.payload, as: UTF8.self) } }
    var offered: [ReceivedPush] { outputs.compactMap { if case .push(let push) = $0 { push } else { nil } } }
    var told: [OutcomeToken] {
        outputs.flatMap { if case .told(let tokens) = $0 { tokens } else { [OutcomeToken]() } }
    }
    var faults: [FleetFault?] {
        outputs.compactMap { if case .fleetFault(let fault) = $0 { .some(fault) } else { nil } }
    }
    var isEnded: Bool { outputs.contains { if case .ended = $0 { true } else { false } } }

    /// Answers the last publication to a subject.
    mutating func answer(_ subject: String, _ text: String, headers: [FleetMessage.Header] = [], status: Int? = nil) {
        guard let reply = published.last(where: { $0.subject == subject })?.reply else { return }
        receive(FleetMessage(reply, status: status, headers: headers, payload: Array(text.utf8)))
    }

    mutating func receive(_ message: FleetMessage) { outputs += session.received(message, at: now) }

    mutating func push(_ id: String) {
        place += 1
        receive(
            FleetMessage(
                "counterbox.push.b", reply: "$JS.ACK.COUNTERBOX_PUSH.b.1.\(place).1.1796018400000000000.0",
                headers: [FleetMessage.Header("Counterbox-Id", id)],
                payload: Array(#"{"kind":"payment","amount":"1"}"#.utf8)))
    }

    mutating func answer(_ push: Int, with answer: PushAnswer) {
        let sequence = offered[push].sequence
        outputs += session.answer(sequence, answer, at: now)
    }

    mutating func fire(_ timer: SessionTimer, after time: Interval) {
        now = now + time
        outputs += session.timer(timer, at: now)
    }

    mutating func end(_ id: String, token: Int64) {
        let outcome = PushOutcome(id: id, voice: .silent, paper: .none, token: OutcomeToken(token))
        outputs += session.outcome(outcome, at: now)
    }
}

@Suite("The session of a fleet's box")
struct FleetSessionTests {
    @Test("It is welcomed with the server's clock, then pulls")
    func welcome() {
        let rig = Rig()
        #expect(rig.session.hub?.time == WallTime(stamp: "2026-11-30T06:00:00Z"))
        #expect(rig.published.last?.subject == "$JS.API.CONSUMER.MSG.NEXT.COUNTERBOX_PUSH.b")
        #expect(rig.outputs.filter { if case .welcomed = $0 { true } else { false } }.count == 1)
    }

    @Test("A status that another server of the cluster has not yet is asked for again")
    func staleStatus() {
        var session = FleetSession(FleetSubjects(box: "b"), firstNumber: 0)
        let status = BoxStatus(printer: .none, queued: 0, volume: 1, firmware: "1", uptime: .zero)
        var outputs = session.start(status, at: .zero)
        func reply(_ subject: String) -> String? {
            outputs.compactMap { if case .fleet(.publish(let message)) = $0 { message } else { nil } }
                .last { $0.subject == subject }?.reply
        }
        let kept = FleetMessage(reply("counterbox.status.b") ?? "", payload: Array(#"{"stream":"S","seq":9}"#.utf8))
        outputs += session.received(kept, at: .zero)
        let read = "$JS.API.DIRECT.GET.COUNTERBOX_STATUS.counterbox.status.b"
        let old = FleetMessage(
            reply(read) ?? "",
            headers: [
                FleetMessage.Header("Nats-Sequence", "8"),
                FleetMessage.Header("Nats-Time-Stamp", "2020-01-01T00:00:00Z"),
            ],
            payload: Array("{}".utf8))
        let first = reply(read)
        outputs += session.received(old, at: .zero)
        #expect(session.hub == nil)
        #expect(reply(read) != first)
    }

    @Test("A push that was put off is kept with the server, and offered again at the next outcome, before what follows")
    func later() {
        var rig = Rig()
        rig.push("a")
        rig.answer(0, with: .later)
        rig.push("b")
        #expect(rig.offered.map(\.id) == ["a"])
        rig.fire(.heartbeat, after: FleetSession.keepEvery)
        #expect(rig.words.filter { $0 == "+WPI" }.count == 2)
        rig.end("x", token: 1)
        #expect(rig.offered.map(\.id) == ["a", "a", "b"])
        rig.answer(1, with: .accepted)
        #expect(rig.words.filter { $0 == "+ACK" }.count == 1)
    }

    @Test("A push that was put off is offered again after a while without any outcome")
    func laterAlone() {
        var rig = Rig()
        rig.push("a")
        rig.answer(0, with: .later)
        rig.fire(.resume, after: .seconds(1))
        #expect(rig.offered.count == 1)
        rig.fire(.resume, after: FleetSession.laterRest)
        #expect(rig.offered.count == 2)
    }

    @Test("What is given again while it is in hand is not offered again, and is acknowledged once")
    func inHand() {
        var rig = Rig()
        rig.push("a")
        let place = FleetMessage(
            "counterbox.push.b", reply: "$JS.ACK.COUNTERBOX_PUSH.b.2.11.2.1796018400000000000.0",
            headers: [FleetMessage.Header("Counterbox-Id", "a")], payload: [])
        rig.receive(place)
        #expect(rig.offered.count == 1)
        rig.answer(0, with: .accepted)
        #expect(rig.published.last?.subject == "$JS.ACK.COUNTERBOX_PUSH.b.2.11.2.1796018400000000000.0")
    }

    @Test("A push that the journal could not keep is acknowledged when its outcome is kept, not before")
    func unkept() {
        var rig = Rig()
        rig.push("a")
        rig.answer(0, with: .unkept)
        rig.end("a", token: 7)
        #expect(!rig.words.contains("+ACK"))
        rig.answer("counterbox.result.b", "", status: 503)
        #expect(!rig.words.contains("+ACK"))
        rig.fire(.tell, after: FleetSession.laterRest)
        rig.answer("counterbox.result.b", #"{"stream":"COUNTERBOX_RESULT","seq":1}"#)
        #expect(rig.told == [OutcomeToken(7)])
        #expect(rig.words.last == "+ACK")
    }

    @Test("A pull of which nothing is heard is looked after; a consumer that does not answer ends the connection")
    func silence() {
        var rig = Rig()
        rig.fire(.heartbeat, after: FleetSession.pullLimit)
        #expect(rig.published.last?.subject == "$JS.API.CONSUMER.INFO.COUNTERBOX_PUSH.b")
        #expect(!rig.isEnded)
        rig.fire(.tell, after: FleetSession.publishAgain)
        #expect(rig.isEnded)
    }

    @Test("Answers to an earlier connection are passed over")
    func stale() {
        var rig = Rig()
        rig.end("a", token: 1)
        rig.receive(
            FleetMessage("_INBOX.b.answer.4000", payload: Array(#"{"stream":"COUNTERBOX_RESULT","seq":1}"#.utf8)))
        rig.receive(FleetMessage("_INBOX.b.pull.4000", status: 409))
        #expect(rig.told.isEmpty)
        #expect(rig.published.last?.subject == "counterbox.result.b")
    }

    @Test(
        "A denial that leaves the box deaf ends the connection; one of an outcome is told and the light stays",
        arguments: [
            ("$JS.ACK.COUNTERBOX_PUSH.b.1.11.1.1796018400000000000.0", true),
            ("$JS.API.CONSUMER.MSG.NEXT.COUNTERBOX_PUSH.b", true), ("counterbox.result.b", false),
        ])
    func denied(subject: String, ends: Bool) {
        var rig = Rig()
        let words = "Permissions Violation for Publish to \"\(subject)\""
        rig.outputs += rig.session.denied(words, at: rig.now)
        #expect(rig.isEnded == ends)
        #expect(rig.faults.last == .some(.notAllowed(words)))
    }

    @Test("A welcome takes back what was said of the server on an earlier connection")
    func faultIsOver() {
        #expect(Rig().faults == [nil])
    }

    @Test("A traced push is named as a body")
    func trace() {
        var rig = Rig()
        rig.session.isTraced = true
        rig.push("a")
        let lines = rig.outputs.compactMap { if case .trace(let line) = $0 { line } else { nil } }
        #expect(lines.first == #"< counterbox.push.b {"body":{"kind":"payment","amount":"1"}}"#)
    }
}
