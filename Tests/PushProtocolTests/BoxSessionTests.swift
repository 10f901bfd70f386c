// Delivery and heartbeat as the box does them (`docs/push-protocol.md`, Delivery and Heartbeat).

import BoxFoundation
import PushProtocol
import Testing

@Suite("The box's side of a connection")
struct BoxSessionTests {
    @Test("A push comes out with its body, and its answer goes back")
    func pushAndAnswer() throws {
        var table = try BoxTable()
        let push = try #require(table.push("20261129-1").pushes.first)
        #expect(push.id == "20261129-1")
        #expect(push.body == .object(["amount": "1.00", "kind": "payment"]))
        #expect(push.payment == .success(Payment(kind: .payment, amount: Money(minor: 100))))
        let outputs = table.box.answer(push.sequence, .accepted, at: start)
        #expect(try table.lines(outputs) == [#"result {"id":"20261129-1","state":"accepted"}"#])
        #expect(table.box.answer(push.sequence, .accepted, at: start) == [])
    }

    @Test(
        "Every answer is written as the page says",
        arguments: [
            (PushAnswer.accepted, #"{"id":"a","state":"accepted"}"#),
            (
                .accepted(badReceipt: "line 3"),
                #"{"id":"a","state":"accepted","reason":"bad-receipt","detail":"line 3"}"#
            ),
            (.duplicate(PushDuplicate()), #"{"id":"a","state":"duplicate"}"#),
            (.duplicate(PushDuplicate(voice: .merged)), #"{"id":"a","state":"duplicate","voice":"merged"}"#),
            (
                .duplicate(PushDuplicate(voice: .expired, paper: .sent, isOtherBody: true)),
                #"{"id":"a","state":"duplicate","voice":"expired","paper":"sent","reason":"other-body"}"#
            ),
            (.duplicate(PushDuplicate(journalFailed: true)), #"{"id":"a","state":"duplicate","journal":"failed"}"#),
            (.refused(.badAmount, detail: nil), #"{"id":"a","state":"refused","reason":"bad-amount"}"#),
            (.refused(.badBody, detail: "why"), #"{"id":"a","state":"refused","reason":"bad-body","detail":"why"}"#),
            (.later, #"{"id":"a","state":"later"}"#),
        ])
    func answers(answer: PushAnswer, payload: String) throws {
        var table = try BoxTable()
        let push = try #require(table.push("a").pushes.first)
        #expect(try table.lines(table.box.answer(push.sequence, answer, at: start)) == ["result \(payload)"])
    }

    @Test(
        "Every outcome is written as the page says, and read back",
        arguments: [
            (
                PushOutcome(id: "a", voice: .announced, paper: .printed),
                #"{"id":"a","state":"done","voice":"announced","paper":"printed"}"#
            ),
            (
                PushOutcome(id: "a", voice: .failed, paper: .none, badReceipt: "no such template", journalFailed: true),
                #"{"id":"a","state":"done","voice":"failed","paper":"none","reason":"bad-receipt","#
                    + #""detail":"no such template","journal":"failed"}"#
            ),
        ])
    func outcomes(outcome: PushOutcome, payload: String) throws {
        var table = try BoxTable()
        let frames = try table.hub.frames(table.box.outcome(outcome, at: start))
        #expect(frames.map(\.line) == ["result \(payload)"])
        #expect(PushResult(try frames[0].object()) == PushResult(outcome))
    }

    @Test(
        "An id that is none is refused at once by the frame's sequence, and the next push goes on",
        arguments: [
            #"{"body":{}}"#, #"{"id":"","body":{}}"#, #"{"id":5,"body":{}}"#, #"{"id":null}"#,
            #"{"id":"a\u0000b"}"#, #"{"id":"a\nb"}"#, #"{"id":"\u007f"}"#, #"{"id":"\u0085"}"#,
            #"{"id":""# + String(repeating: "a", count: 129) + #""}"#,
            #"{"id":""# + String(repeating: "号", count: 43) + #""}"#,
        ])
    func badID(payload: String) throws {
        var table = try BoxTable()
        let outputs = table.hears(.push, payload)
        #expect(outputs.pushes.isEmpty)
        #expect(try table.lines(outputs) == [#"result {"push":3,"state":"refused","reason":"bad-id"}"#])
        #expect(table.push("a").pushes.map(\.id) == ["a"])
    }

    @Test("Ids of 1 and of 128 bytes are ids, and two that differ in one byte are two")
    func goodIDs() throws {
        var table = try BoxTable()
        for id in [
            "a", String(repeating: "a", count: 128), String(repeating: "号", count: 42), "\u{E9}", "e\u{301}", " ",
        ] {
            #expect(table.push(id).pushes.count == 1)
        }
        #expect(ExactText("\u{E9}") != ExactText("e\u{301}"))
        #expect(Set([ExactText("\u{E9}"), ExactText("e\u{301}"), ExactText("a")]).count == 3)
    }

    @Test("A body that can't be taken comes with its refusal: the journal is asked first")
    func refusals() throws {
        var table = try BoxTable()
        for (body, refusal) in [
            (#"[]"#, PushRefusal.badBody), (#"null"#, .badBody), (#"{}"#, .badKind),
            (#"{"kind":"payment","amount":"0.003"}"#, .badAmount),
            (#"{"kind":"payment","amount":"1","currency":"XXX"}"#, .badCurrency),
        ] {
            let push = table.hears(.push, #"{"id":"a","body":\#(body)}"#).pushes.first
            #expect(push?.payment == .failure(refusal), "\(body)")
        }
        #expect(table.hears(.push, #"{"id":"a"}"#).pushes.first?.payment == .failure(.badBody))
    }

    // MARK: The window

    @Test("256 pushes may be un-answered, one more is too many")
    func tooMany() throws {
        var table = try BoxTable()
        var sequences: [UInt32] = []
        for n in 0..<256 { sequences += table.push("p\(n)").pushes.map(\.sequence) }
        #expect(sequences.count == 256)
        _ = table.box.answer(sequences[7], .accepted, at: start)
        #expect(table.push("p256").end == nil)
        let outputs = table.push("p257")
        #expect(outputs.end == .byUs(.tooMany))
        #expect(outputs.pushes.isEmpty)
    }

    @Test("What comes behind a push answered `later` is `later` too, until that push comes again")
    func laterKeepsOrder() throws {
        var table = try BoxTable()
        let first = try #require(table.push("a").pushes.first)
        _ = try table.lines(table.box.answer(first.sequence, .later, at: start))
        let behind = table.push("b")
        #expect(behind.pushes.isEmpty)
        #expect(try table.lines(behind).last == #"result {"id":"b","state":"later"}"#)
        #expect(table.push("a").pushes.map(\.id) == ["a"])
        #expect(table.push("b").pushes.map(\.id) == ["b"])
    }

    @Test("A hub that never sends that push again is not held up for ever")
    func laterEnds() throws {
        var table = try BoxTable()
        let first = try #require(table.push("a").pushes.first)
        _ = table.box.answer(first.sequence, .later, at: start)
        var passed = 0
        for n in 0..<300 { passed += table.push("b\(n)").pushes.count }
        #expect(passed == 45)
    }

    // MARK: PING and PONG

    @Test("PONG waits until every push before the PING is answered, and for none after it")
    func pongWaits() throws {
        var table = try BoxTable()
        let first = try #require(table.push("a").pushes.first)
        let second = try #require(table.push("b").pushes.first)
        #expect(table.hears(.ping) == [])
        let third = try #require(table.push("c").pushes.first)
        #expect(try table.lines(table.box.answer(second.sequence, .accepted, at: start)).count == 1)
        #expect(
            try table.lines(table.box.answer(first.sequence, .accepted, at: start)) == [
                #"result {"id":"a","state":"accepted"}"#, #"pong {"ping":5}"#,
            ])
        #expect(try table.lines(table.box.answer(third.sequence, .accepted, at: start)).count == 1)
        #expect(try table.lines(table.hears(.ping)) == [#"pong {"ping":7}"#])
    }

    @Test("A push that the journal could not keep holds up no PONG, and its outcome answers it")
    func unkept() throws {
        var table = try BoxTable()
        let push = try #require(table.push("a").pushes.first)
        #expect(table.hears(.ping) == [])
        #expect(try table.lines(table.box.answer(push.sequence, .unkept, at: start)) == [#"pong {"ping":4}"#])
        for n in 0..<255 { _ = table.push("p\(n)") }
        let outcome = PushOutcome(id: "a", voice: .announced, paper: .printed, journalFailed: true)
        #expect(
            try table.lines(table.box.outcome(outcome, at: start)) == [
                #"result {"id":"a","state":"done","voice":"announced","paper":"printed","journal":"failed"}"#
            ])
        #expect(table.push("one-more").end == nil)
        #expect(table.push("too-many").end == .byUs(.tooMany))
    }

    // MARK: Outcomes told

    @Test("An outcome is told when the PONG of a PING sent after it has come, not by one sent before it")
    func told() throws {
        var table = try BoxTable()
        func outcome(_ n: Int64) -> PushOutcome {
            PushOutcome(id: "p\(n)", voice: .announced, paper: .printed, token: OutcomeToken(n))
        }
        var sent = table.box.outcome(outcome(1), at: start)
        let due = try #require(sent.timer(.tell))
        #expect(due - start <= .seconds(1))
        sent += table.box.outcome(outcome(2), at: start)
        #expect(sent.count { if case .timer = $0 { true } else { false } } == 1, "one timer is enough")
        #expect(try table.lines(sent).count == 2)
        #expect(table.box.timer(.tell, at: due + .nanoseconds(-1)) == [.timer(.tell, at: due)])
        let ping = try #require(try table.hub.frames(table.box.timer(.tell, at: due)).last)
        #expect(ping.type == .ping)
        sent = table.box.outcome(outcome(3), at: due)
        #expect(sent.timer(.tell) == nil, "a PING is un-answered")
        #expect(try table.lines(sent).count == 1)
        #expect(table.hears(.pong, #"{"ping":999}"#).told == [])
        let outputs = table.hears(.pong, #"{"ping":\#(ping.sequence)}"#)
        #expect(outputs.told == [OutcomeToken(1), OutcomeToken(2)])
        let next = try #require(outputs.timer(.tell))
        let second = try #require(try table.hub.frames(table.box.timer(.tell, at: next)).last)
        #expect(table.hears(.pong, #"{"ping":\#(second.sequence)}"#).told == [OutcomeToken(3)])
        #expect(table.hears(.pong, #"{"ping":\#(second.sequence)}"#).told == [])
        #expect(table.box.timer(.tell, at: next + .seconds(9)) == [])
    }

    @Test("A duplicate that carries both ends is told like `done`")
    func duplicateTold() throws {
        var table = try BoxTable()
        let push = try #require(table.push("a").pushes.first)
        let known = PushDuplicate(voice: .announced, paper: .printed, token: OutcomeToken(9))
        let sent = table.box.answer(push.sequence, .duplicate(known), at: start)
        let due = try #require(sent.timer(.tell))
        #expect(try table.lines(sent).count == 1)
        let ping = try #require(try table.hub.frames(table.box.timer(.tell, at: due)).last)
        #expect(table.hears(.pong, #"{"ping":\#(ping.sequence)}"#).told == [OutcomeToken(9)])
    }

    @Test("A heartbeat's PING tells outcomes too")
    func heartbeatTells() throws {
        var table = try BoxTable()
        let outcome = PushOutcome(id: "a", voice: .silent, paper: .none, token: OutcomeToken(1))
        _ = try table.lines(table.box.outcome(outcome, at: start))
        let ping = try #require(
            try table.hub.frames(table.box.timer(.heartbeat, at: start + .seconds(30))).last { $0.type == .ping })
        #expect(table.hears(.pong, #"{"ping":\#(ping.sequence)}"#).told == [OutcomeToken(1)])
    }

    @Test("There is room for a thousand outcomes on their way")
    func outcomeRoom() throws {
        var table = try BoxTable()
        #expect(table.box.outcomeRoom == 1000)
        var pings: [UInt32] = []
        for n in 0..<1000 {
            let outcome = PushOutcome(id: "\(n)", voice: .silent, paper: .none, token: OutcomeToken(Int64(n)))
            pings += try table.hub.frames(table.box.outcome(outcome, at: start)).filter { $0.type == .ping }
                .map(\.sequence)
        }
        #expect(table.box.outcomeRoom == 0)
        // A quarter of the room used is asked about at once: a rush waits for no timer.
        #expect(pings.count == 4)
        #expect(table.hears(.pong, #"{"ping":\#(pings[0])}"#).told == (0..<250).map { OutcomeToken($0) })
        #expect(table.box.outcomeRoom == 250)
        #expect(table.hears(.pong, #"{"ping":\#(pings[3])}"#).told == (250..<1000).map { OutcomeToken($0) })
        #expect(table.box.outcomeRoom == 1000)
    }

    // MARK: Heartbeat

    @Test("A side that has sent nothing for a heartbeat sends PING")
    func pingAfterSilence() throws {
        var table = try BoxTable()
        let due = start + .seconds(30)
        #expect(table.box.timer(.heartbeat, at: due + .seconds(-1)) == [.timer(.heartbeat, at: due)])
        #expect(try table.lines(table.box.timer(.heartbeat, at: due)) == ["ping "])
    }

    @Test("A side that has received nothing for a heartbeat sends PING although it sent much")
    func pingThoughBusy() throws {
        var table = try BoxTable()
        var pings = 0
        for second in 1...60 {
            table.now = start + .seconds(second)
            let status = BoxStatus(
                printer: .ready, queued: second, volume: 50, firmware: "1", uptime: .seconds(second))
            _ = table.box.status(status, at: table.now)
            pings += table.box.timer(.heartbeat, at: table.now).count { if case .send = $0 { true } else { false } }
        }
        #expect(pings == 2)
    }

    @Test(
        "A hub that has been silent for 2.5 heartbeats is left",
        arguments: [
            (nil as Int?, 30, 75_000), (10, 30, 25_000), (60, 30, 75_000), (1, 30, 25_000), (20, 120, 50_000),
        ])
    func silent(own: Int?, hubs: Int, milliseconds: Int) throws {
        var table = try BoxTable(
            hello: #"{"role":"hub","nonce":"\#(hubNonce)","heartbeat":\#(hubs)}"#,
            heartbeat: own.map { .seconds($0) })
        var due = start
        for _ in 0..<10 {
            let outputs = table.box.timer(.heartbeat, at: due)
            if outputs.end != nil { break }
            due = try #require(outputs.timer(.heartbeat))
        }
        #expect(due == start + .milliseconds(milliseconds))
        #expect(table.push("late") == [])
    }

    @Test("Any byte of the hub keeps it alive")
    func anyByte() throws {
        var table = try BoxTable()
        let frame = table.hub.frame(.push, #"{"id":"a"}"#)
        _ = table.box.received(Array(frame[..<5]), at: start + .seconds(60))
        #expect(table.box.timer(.heartbeat, at: start + .seconds(75)).end == nil)
        #expect(table.box.timer(.heartbeat, at: start + .seconds(135)).end == .byUs(.silent))
    }

    // MARK: Status and commands

    @Test("STATUS is all of it first, then what changed; the uptime alone is no change")
    func status() throws {
        var table = try BoxTable()
        var status = BoxStatus(printer: .paperOut, queued: 2, volume: 80, firmware: "1.0.0", uptime: .seconds(7))
        #expect(
            try table.lines(table.box.status(status, at: start)) == [
                #"status {"printer":"paper-out","queued":2,"volume":80,"firmware":"1.0.0","uptime":7}"#
            ])
        status.uptime = .seconds(8)
        #expect(table.box.status(status, at: start) == [])
        status.printer = .ready
        status.more.set("cause", "x")
        #expect(
            try table.lines(table.box.status(status, at: start)) == [
                #"status {"printer":"ready","uptime":8,"cause":"x"}"#
            ])
        status.more.set("cause", nil)
        #expect(try table.lines(table.box.status(status, at: start)) == [#"status {"cause":null}"#])
    }

    @Test(
        "Commands come out typed",
        arguments: [
            (#"{"id":"c","command":"volume","value":0}"#, ReceivedCommand.Kind.volume(0)),
            (#"{"id":"c","command":"volume","value":100,"new":1}"#, .volume(100)),
            (#"{"id":"c","command":"reprint"}"#, .reprint(push: nil)),
            (#"{"id":"c","command":"reprint","push":null}"#, .reprint(push: nil)),
            (#"{"id":"c","command":"reprint","push":"a"}"#, .reprint(push: "a")),
            (#"{"id":"c","command":"say","text":"今日打烊"}"#, .say("今日打烊")),
            (#"{"id":"c","command":"identify"}"#, .identify),
            (#"{"id":"c","command":"status"}"#, .status),
        ])
    func commands(payload: String, kind: ReceivedCommand.Kind) throws {
        var table = try BoxTable()
        #expect(table.hears(.command, payload) == [.command(ReceivedCommand(id: "c", kind: kind))])
        let reply = CommandReply(id: "c", isOK: true, more: object("n", 1))
        #expect(try table.lines(table.box.reply(reply, at: start)) == [#"reply {"id":"c","ok":true,"n":1}"#])
        #expect(table.box.reply(reply, at: start) == [])
    }

    @Test(
        "A command that is none is replied at once with what is wrong",
        arguments: [
            (#"{"command":"status"}"#, #"{"command":3,"ok":false,"reason":"bad-id"}"#),
            (#"{"id":"","command":"status"}"#, #"{"command":3,"ok":false,"reason":"bad-id"}"#),
            (#"{"id":"c"}"#, #"{"id":"c","ok":false,"reason":"bad-command"}"#),
            (#"{"id":"c","command":"dance"}"#, #"{"id":"c","ok":false,"reason":"bad-command"}"#),
            (#"{"id":"c","command":"volume"}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"volume","value":101}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"volume","value":-1}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"volume","value":"50"}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"volume","value":5.5}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"say","text":" "}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
            (#"{"id":"c","command":"reprint","push":7}"#, #"{"id":"c","ok":false,"reason":"bad-value"}"#),
        ])
    func badCommands(payload: String, reply: String) throws {
        var table = try BoxTable()
        #expect(try table.lines(table.hears(.command, payload)) == ["reply \(reply)"])
    }

    @Test("Sixteen commands may wait for their reply, one more hears busy")
    func busy() throws {
        var table = try BoxTable()
        for n in 0..<16 { #expect(table.hears(.command, #"{"id":"c\#(n)","command":"identify"}"#).count == 1) }
        let outputs = table.hears(.command, #"{"id":"c16","command":"identify"}"#)
        #expect(try table.lines(outputs) == [#"reply {"id":"c16","ok":false,"reason":"busy"}"#])
    }

    @Test("A reply over the frame's limit is no reply but the word too-long")
    func longReply() throws {
        var table = try BoxTable()
        _ = table.hears(.command, #"{"id":"c","command":"status"}"#)
        let long = JSON.string(String(repeating: "a", count: 70_000))
        let reply = CommandReply(id: "c", isOK: true, more: object("n", long))
        #expect(
            try table.lines(table.box.reply(reply, at: start)) == [#"reply {"id":"c","ok":false,"reason":"too-long"}"#])
    }

    // MARK: The end

    @Test("A connection whose last sequence is due says closing with it")
    func sequencesUsedUp() throws {
        var box = BoxSession(identity(), channel: "plain", nonce: boxNonce, firstSequence: .max)
        var hub = RawPeer()
        _ = box.start(at: start)
        let outputs = box.received(hub.frame(.hello, #"{"role":"hub","nonce":"\#(hubNonce)"}"#), at: start)
        #expect(outputs.end == .byUs(.closing))
        guard case .send(let bytes) = outputs.first else {
            Issue.record("no BYE")
            return
        }
        #expect(Array(bytes[3..<8]) == [0x7F, 0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test("After its end a session does nothing more", arguments: [ByeReason.closing, .replaced])
    func afterEnd(reason: ByeReason) throws {
        var table = try BoxTable()
        let push = try #require(table.push("a").pushes.first)
        let outputs = table.box.close(reason, at: start)
        #expect(try table.lines(outputs) == [#"bye {"reason":"\#(reason.rawValue)"}"#])
        #expect(outputs.suffix(2) == [.ended(.byUs(reason)), .close])
        #expect(table.box.close(reason, at: start) == [])
        #expect(table.box.answer(push.sequence, .accepted, at: start) == [])
        #expect(table.box.outcome(PushOutcome(id: "a", voice: .silent, paper: .none), at: start) == [])
        for timer in SessionTimer.allCases { #expect(table.box.timer(timer, at: start + .seconds(999)) == []) }
        #expect(table.push("b") == [])
        #expect(table.box.outcomeRoom == 0)
    }
}

private func object(_ name: String, _ value: JSON) -> JSONObject {
    var object = JSONObject()
    object.set(name, value)
    return object
}

extension Interval {
    static func nanoseconds(_ n: Int64) -> Interval { Interval(nanoseconds: n) }
}
