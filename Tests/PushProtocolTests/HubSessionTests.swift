// The hub's side (`docs/push-protocol.md`, Handshake and Delivery).

import BoxFoundation
import PushProtocol
import Testing

/// A hub in conversation with a box of the test's own making.
private struct HubTable {
    var hub: HubSession
    var box = RawPeer()
    private(set) var lines: [String] = []
    private(set) var outputs: [HubSessionOutput] = []

    init(outbox: PushOutbox = PushOutbox(), key known: BoxKey? = key(), proof: String? = nil) throws {
        hub = HubSession(HubHello(hub: "till", nonce: hubNonce, time: nil, spread: .seconds(60)), channel: "plain")
        try act { $0.start(time: hubTime, at: start) }
        let right = HandshakeProof(box: "counter-1", hubNonce: hubNonce, boxNonce: boxNonce, channel: "plain")
        let given = proof ?? right.text(of: .box, key: key())
        try hears(
            .hello, #"{"role":"box","box":"counter-1","nonce":"\#(boxNonce)","firmware":"1","proof":"\#(given)"}"#)
        try act { $0.admit(known, outbox: outbox, at: start) }
    }

    mutating func act(_ event: (inout HubSession) -> [HubSessionOutput]) throws {
        outputs = event(&hub)
        lines += try box.frames(outputs).map(\.line)
    }

    mutating func hears(_ type: FrameType, _ payload: String = "", at now: Moment = start) throws {
        let frame = box.frame(type, payload)
        try act { $0.received(frame, at: now) }
    }

    mutating func push(_ id: String) throws {
        try act { $0.push(OutgoingPush(id: id, body: .object([:])), at: start) ?? [] }
    }

    mutating func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }
}

@Suite("The hub's side of a connection")
struct HubSessionTests {
    @Test("The hub greets, checks the box and welcomes it with its own proof")
    func handshake() throws {
        var table = try HubTable()
        #expect(
            table.takeLines() == [
                #"hello {"role":"hub","hub":"till","nonce":"\#(hubNonce)","time":1795946700000,"heartbeat":30,"spread":60}"#,
                #"welcome {"proof":"a16e1bc46667a86ed5fb7e9adf2a75a127f2badea79e065b41e09f14c15a2a4a"}"#,
            ])
        #expect(table.hub.box?.box == "counter-1")
    }

    @Test("A wrong proof and an unknown box hear the same")
    func unauthorized() throws {
        var wrong = try HubTable(proof: String(repeating: "0", count: 64))
        var unknown = try HubTable(key: nil)
        #expect(wrong.outputs == unknown.outputs)
        #expect(wrong.outputs.end == .byUs(.unauthorized))
        #expect(wrong.takeLines().last == #"bye {"reason":"unauthorized"}"#)
        #expect(unknown.takeLines().last == #"bye {"reason":"unauthorized"}"#)
    }

    @Test("A push carries when it was taken, the hub's clock now, and its ttl")
    func push() throws {
        var table = try HubTable()
        _ = table.takeLines()
        let push = OutgoingPush(
            id: "a", sent: WallTime(milliseconds: 1000), ttl: 5, body: .object(["kind": "notice", "say": "x"]))
        try table.act { $0.push(push, at: start + .seconds(2)) ?? [] }
        #expect(
            table.takeLines() == [
                #"push {"id":"a","sent":1000,"time":1795946702000,"ttl":5,"body":{"kind":"notice","say":"x"}}"#
            ])
    }

    @Test(
        "A push that breaks the page's limits, or waits already, is not taken",
        arguments: [
            OutgoingPush(id: "", body: .null), OutgoingPush(id: "a\n", body: .null),
            OutgoingPush(id: String(repeating: "a", count: 129), body: .null),
            OutgoingPush(id: "long", body: .string(String(repeating: "a", count: 65_536))),
            OutgoingPush(id: "waits", body: .null),
        ])
    func badPush(push: OutgoingPush) throws {
        var table = try HubTable()
        try table.push("waits")
        #expect(table.hub.push(push, at: start) == nil)
        #expect(table.hub.outbox?.count == 1)
    }

    @Test("At most 256 pushes are un-answered; an answer lets the next one out, in order")
    func window() throws {
        var table = try HubTable()
        _ = table.takeLines()
        for n in 0..<300 { try table.push("p\(n)") }
        #expect(table.takeLines().count == 256)
        try table.hears(.result, #"{"id":"p5","state":"accepted"}"#)
        #expect(table.takeLines().map { $0.contains(#""id":"p256""#) } == [true])
        try table.hears(.result, #"{"id":"p5","state":"done","voice":"silent","paper":"none"}"#)
        #expect(table.takeLines() == [])
        try table.hears(.result, #"{"push":3,"state":"refused","reason":"bad-id"}"#)
        #expect(table.takeLines().map { $0.contains(#""id":"p257""#) } == [true])
        #expect(table.hub.outbox?.count == 298)
    }

    @Test("After `later` the push and all after it wait for the next `done`, in order", arguments: [true, false])
    func later(done: Bool) throws {
        var table = try HubTable()
        for id in ["a", "b", "c", "d"] { try table.push(id) }
        try table.hears(.result, #"{"id":"a","state":"accepted"}"#)
        try table.hears(.result, #"{"id":"b","state":"later"}"#)
        let due = try #require(table.outputs.timer(.resume))
        #expect(due == start + .seconds(30))
        _ = table.takeLines()
        try table.push("e")
        #expect(table.takeLines() == [])
        if done {
            try table.hears(.result, #"{"id":"a","state":"done","voice":"silent","paper":"none"}"#)
            #expect(table.takeLines() == [], "c and d may be put off too: e must not overtake them")
        }
        try table.hears(.result, #"{"id":"c","state":"later"}"#)
        #expect(table.takeLines() == [])
        try table.hears(.result, #"{"id":"d","state":"later"}"#)
        if !done {
            #expect(table.takeLines() == [])
            try table.act { $0.timer(.resume, at: due + .seconds(-1)) }
            #expect(table.takeLines() == [])
            try table.act { $0.timer(.resume, at: due) }
        }
        let ids = table.takeLines().map { $0.split(separator: "\"")[3] }
        #expect(ids == ["b", "c", "d", "e"])
    }

    @Test("A new connection begins with what was not answered, in the first order, with a new `time`")
    func resend() throws {
        var table = try HubTable()
        for id in ["a", "b", "c", "d"] { try table.push(id) }
        try table.hears(.result, #"{"id":"b","state":"accepted"}"#)
        try table.hears(.result, #"{"id":"c","state":"later"}"#)
        var next = try HubTable(outbox: #require(table.hub.outbox))
        let ids = next.takeLines().dropFirst(2).map { $0.split(separator: "\"")[3] }
        #expect(ids == ["a", "c", "d"])
    }

    @Test(
        "A box may send neither HELLO again nor what is the hub's",
        arguments: [
            FrameType.hello, .welcome, .push, .command,
        ])
    func outOfTurn(type: FrameType) throws {
        var table = try HubTable()
        try table.hears(type)
        #expect(table.outputs.end == .byUs(.outOfTurn))
    }

    @Test(
        "Before the box has said who it is, all but HELLO and BYE is out of turn",
        arguments: [
            FrameType.welcome, .result, .ping, .pong, .status, .reply,
        ])
    func tooEarly(type: FrameType) throws {
        var hub = HubSession(HubHello(hub: "", nonce: hubNonce, time: nil), channel: "plain")
        var box = RawPeer()
        _ = hub.start(time: nil, at: start)
        #expect(hub.received(box.frame(type), at: start).end == .byUs(.outOfTurn))
    }

    @Test(
        "A box's HELLO out of form is a bad payload",
        arguments: [
            #"{"role":"hub","box":"b","nonce":"\#(boxNonce)","proof":"\#(boxNonce)"}"#,
            #"{"role":"box","nonce":"\#(boxNonce)","proof":"\#(boxNonce)"}"#,
            #"{"role":"box","box":"","nonce":"\#(boxNonce)","proof":"\#(boxNonce)"}"#,
            #"{"role":"box","box":"a.b","nonce":"\#(boxNonce)","proof":"\#(boxNonce)"}"#,
            #"{"role":"box","box":"b","nonce":"00","proof":"\#(boxNonce)"}"#,
            #"{"role":"box","box":"b","nonce":"\#(boxNonce)"}"#,
            #"{"role":"box","box":"b","nonce":"\#(boxNonce)","proof":"\#(boxNonce.uppercased())"}"#,
        ])
    func badHello(payload: String) throws {
        var hub = HubSession(HubHello(hub: "", nonce: hubNonce, time: nil), channel: "plain")
        var box = RawPeer()
        _ = hub.start(time: nil, at: start)
        #expect(hub.received(box.frame(.hello, payload), at: start).end == .byUs(.badPayload))
    }

    @Test("PONG is sent when the shell says that all is kept")
    func pong() throws {
        var table = try HubTable()
        _ = table.takeLines()
        try table.hears(.result, #"{"id":"a","state":"accepted"}"#)
        #expect(table.outputs == [.result(PushResult(id: "a", state: .accepted))])
        try table.hears(.ping)
        #expect(table.outputs == [.pinged(3)])
        try table.act { $0.pong(3, at: start) }
        #expect(table.takeLines() == [#"pong {"ping":3}"#])
    }

    @Test("STATUS and REPLY come out, a RESULT that is none is passed over")
    func others() throws {
        var table = try HubTable()
        try table.hears(.status, #"{"printer":"ready"}"#)
        guard case .status(let status) = table.outputs.first else {
            Issue.record("no status")
            return
        }
        #expect(status["printer"] == "ready")
        try table.hears(.reply, #"{"id":"c","ok":false,"reason":"busy","n":1}"#)
        guard case .reply(let reply) = table.outputs.first else {
            Issue.record("no reply")
            return
        }
        #expect(reply.reason == "busy" && !reply.isOK && reply.more["n"] == 1)
        for bad in [#"{"state":"accepted"}"#, #"{"id":"a"}"#, #"{"id":"a","state":"lost"}"#] {
            try table.hears(.result, bad)
            #expect(table.outputs.results.isEmpty && table.outputs.end == nil)
        }
    }

    @Test(
        "A result is final, and good, as the page says",
        arguments: [
            (PushResult(id: "a", state: .accepted), false, false),
            (PushResult(id: "a", state: .later), false, false),
            (PushResult(id: "a", state: .refused), true, false),
            (PushResult(id: "a", state: .duplicate, voice: .announced), false, false),
            (PushResult(id: "a", state: .duplicate, voice: .announced, paper: .sent), true, true),
            (PushResult(id: "a", state: .done, voice: .expired, paper: PaperEnd.none), true, true),
            (PushResult(id: "a", state: .done, voice: .failed, paper: .printed), true, false),
            (PushResult(id: "a", state: .done, voice: .announced, paper: .failed), true, false),
            (PushResult(id: "a", state: .done, voice: .announced, paper: .printed, journalFailed: true), true, false),
        ])
    func finality(result: PushResult, isFinal: Bool, isGood: Bool) {
        #expect(result.isFinal == isFinal)
        #expect(result.isGood == isGood)
    }

    @Test("A silent box is left after 2.5 heartbeats")
    func silent() throws {
        var table = try HubTable()
        try table.act { $0.timer(.heartbeat, at: start + .seconds(30)) }
        #expect(table.takeLines().last == "ping ")
        try table.act { $0.timer(.heartbeat, at: start + .seconds(75)) }
        #expect(table.outputs.end == .byUs(.silent))
    }

    @Test("Three thousand pushes pass through an outbox whose answers come in any order")
    func longOutbox() throws {
        var random = SeededRandom(seed: 6)
        var table = try HubTable()
        var sent: [String] = []
        for n in 0..<3000 { try table.push("p\(n)") }
        while table.hub.outbox?.isEmpty == false {
            sent += table.takeLines().filter { $0.hasPrefix("push") }.map { String($0.split(separator: "\"")[3]) }
            let place = Int.random(in: max(0, sent.count - 200)..<sent.count, using: &random)
            for i in [place, sent.firstIndex { !$0.isEmpty } ?? 0] where !sent[i].isEmpty {
                try table.hears(.result, #"{"id":"\#(sent[i])","state":"accepted"}"#)
                sent[i] = ""
            }
        }
        #expect(sent.count == 3000)
    }
}
