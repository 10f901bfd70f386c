// A box of a fleet: pushes from a work queue of NATS JetStream, over all that may befall server, consumer and box.

import BoxCore
import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol
import Testing

@Suite("A box of a fleet")
struct FleetTests {
    private static let payment = JSON.object(["kind": "payment", "amount": "12.50", "channel": "wechat"])

    /// A box that is welcomed.
    private static func counter(commitTime: Interval = .milliseconds(2), clock: WallTime? = nil) throws -> TestCounter {
        let counter = try TestCounter(commitTime: commitTime, isInFleet: true, clock: clock)
        #expect(counter.advance(until: { counter.lights.last == "steady" }))
        return counter
    }

    @Test("A payment is spoken, printed, acknowledged once it is on disk and answered; the light is steady")
    func whole() throws {
        let counter = try TestCounter(isInFleet: true)
        let server = try #require(counter.server)
        #expect(counter.lights.last == "slow blink")
        #expect(counter.advance(until: { counter.lights.last == "steady" }, within: .seconds(2)))
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.waiting == 0 }, within: .seconds(1)))
        #expect(server.results.isEmpty)
        #expect(counter.advance(until: { !server.results.isEmpty }))
        #expect(counter.phrases == ["微信收款，十二点五元"])
        #expect(counter.takePaper().contains("12.50"))
        let result = try #require(server.results.first)
        #expect(result.header("Nats-Msg-Id") == "counter-1.a.done")
        #expect(server.result("a")?["voice"] == "announced")
        #expect(server.result("a")?["paper"] == "sent")
    }

    @Test("What came while the box was off is all there, once, in order; what is too old is printed and not shouted")
    func off() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        counter.pullPlug()
        server.push("old", Self.payment, to: "counter-1")
        counter.loop.advance(by: .minutes(60))
        for i in 1...3 { server.push("p\(i)", Self.payment.amount("\(i).00"), to: "counter-1") }
        counter.plug()
        #expect(counter.advance(until: { server.results.count == 4 }, within: .minutes(5)))
        #expect(server.order == ["old", "p1", "p2", "p3"])
        #expect(server.result("old")?["voice"] == "expired")
        #expect(counter.phraseEnds.filter { $0 == .announced || $0 == .merged }.count == 3)
        #expect(counter.takePaper().matches("12.50") == 1)
    }

    @Test("A box without a clock takes the server's, and headers say when a push was sent and how long it is good")
    func clock() throws {
        let counter = try Self.counter(clock: WallTime(milliseconds: 0))
        let server = try #require(counter.server)
        let now = server.clock.milliseconds
        func push(_ id: String, age: Int64, ttl: String?) {
            let ttl = ttl.map { [FleetMessage.Header("Counterbox-Ttl", $0)] } ?? []
            let sent = FleetMessage.Header("Counterbox-Sent", "\(now - age * 1000)")
            server.push(id, Self.payment, to: "counter-1", headers: [sent] + ttl)
        }
        push("late", age: 700, ttl: nil)
        push("good", age: 700, ttl: "900")
        push("short", age: 60, ttl: "30")
        #expect(counter.advance(until: { server.results.count == 3 }))
        #expect(server.result("late")?["voice"] == "expired")
        #expect(server.result("good")?["voice"] == "announced")
        #expect(server.result("short")?["voice"] == "expired")
        let saved = try #require(counter.savedClock)
        #expect(abs((saved - server.clock).seconds) < 60)
    }

    @Test("A refused push is published, then given up, and the next one is spoken")
    func refused() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.push("bad", .object(["kind": "payment", "amount": "1.234"]), to: "counter-1")
        server.push("noise", bytes: [0xFF, 0x00], to: "counter-1")
        server.push(nil, Self.payment, to: "counter-1")
        server.push("good", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("good") != nil }))
        #expect(server.result("bad")?["reason"] == "bad-amount")
        #expect(server.result("noise")?["reason"] == "bad-body")
        let nameless = server.objects.first { $0["reason"] == "bad-id" }
        #expect(nameless?["push"]?.integer != nil)
        #expect(server.waiting == 0)
        #expect(counter.phrases.count == 1)
    }

    @Test("A push that comes again after the journal has it is acknowledged in silence")
    func redelivered() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.losesAcknowledgements = true
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }))
        #expect(server.waiting == 1)
        server.losesAcknowledgements = false
        #expect(counter.advance(until: { server.waiting == 0 }, within: .seconds(30)))
        counter.advance(.seconds(5))
        #expect(counter.phrases.count == 1)
        #expect(server.results.count == 1)
        #expect(counter.takePaper().matches("12.50") == 1)
    }

    @Test("A power cut between the journal and the acknowledgement costs nothing and repeats nothing")
    func cutBeforeAcknowledgement() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.losesAcknowledgements = true
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }))
        counter.pullPlug()
        server.losesAcknowledgements = false
        counter.plug()
        #expect(counter.advance(until: { server.waiting == 0 }, within: .seconds(30)))
        counter.advance(.seconds(5))
        #expect(counter.phrases.count == 1)
        #expect(server.results.count == 1)
    }

    @Test("An outcome is published again until the stream has it, and then once")
    func lostPubAcks() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.losesPubAcks = true
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.repeats > 1 }))
        server.losesPubAcks = false
        counter.advance(.seconds(10))
        let repeats = server.repeats
        counter.advance(.seconds(60))
        #expect(server.repeats == repeats)
        #expect(server.results.count == 1)
    }

    @Test("An outcome not told when the plug was pulled is told after the next start")
    func outcomeOverRestart() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.streams.remove(SimulatedFleetServer.resultStream)
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { counter.phraseEnds.count == 1 }))
        counter.advance(.seconds(10))
        #expect(counter.lights.last == "steady")
        counter.pullPlug()
        server.streams.insert(SimulatedFleetServer.resultStream)
        counter.plug()
        #expect(counter.advance(until: { server.result("a") != nil }))
        #expect(counter.phrases.count == 1)
    }

    @Test("Where the journal fails, the push stays on the server until its outcome is kept")
    func journalFails() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        counter.disk.isFailing = true
        server.losesPubAcks = true
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { counter.phraseEnds.count == 1 }))
        counter.advance(.seconds(30))
        #expect(server.waiting == 1)
        server.losesPubAcks = false
        #expect(counter.advance(until: { server.waiting == 0 }, within: .seconds(10)))
        #expect(server.result("a")?["journal"] == "failed")
        counter.advance(.seconds(30))
        #expect(counter.phrases.count == 1)
    }

    @Test("A journal slower than the consumer's patience makes nothing come twice")
    func slowDisk() throws {
        let counter = try Self.counter(commitTime: .seconds(14))
        let server = try #require(counter.server)
        for id in ["a", "b"] { server.push(id, Self.payment, to: "counter-1") }
        #expect(counter.advance(until: { server.results.count == 2 }, within: .minutes(5)))
        #expect(counter.phrases.count == 2)
        #expect(server.repeats == 0)
    }

    @Test("A server that restarts is dialled again and goes on where it was; the light says so meanwhile")
    func restart() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.stop()
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { counter.lights.last == "slow blink" }, within: .seconds(1)))
        counter.advance(.seconds(20))
        server.start()
        #expect(counter.advance(until: { server.result("a") != nil }))
        #expect(counter.lights.contains("steady"))
        #expect(counter.phrases.count == 1)
    }

    @Test("A leader that changes, told or not, costs no push", arguments: [true, false])
    func leader(isTold: Bool) throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        counter.advance(.seconds(1))
        server.changeLeader(tellingBoxes: isTold)
        server.push("a", Self.payment, to: "counter-1")
        let limit = isTold ? Interval.seconds(5) : FleetSession.pullLimit + .seconds(5)
        #expect(counter.advance(until: { server.result("a") != nil }, within: limit))
        #expect(counter.phrases.count == 1)
    }

    @Test("A consumer that is gone is made again, with all that waits")
    func consumerGone() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        #expect(server.creations == 1)
        server.deleteConsumers()
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }, within: .seconds(10)))
        #expect(server.creations == 2)
        #expect(counter.lights.suffix(1) == ["steady"])
    }

    @Test(
        "A fleet that is not set up leaves the light slow, says what is missing, and works once it is there",
        arguments: [
            (SimulatedFleetServer.pushStream, "the stream COUNTERBOX_PUSH is missing"),
            (SimulatedFleetServer.statusStream, "the stream COUNTERBOX_STATUS is missing"),
        ])
    func notSetUp(stream: String, words: String) throws {
        let counter = try TestCounter(isInFleet: true)
        let server = try #require(counter.server)
        server.streams.remove(stream)
        counter.advance(.minutes(3), step: .milliseconds(100))
        #expect(counter.lights.last == "slow blink")
        #expect(counter.log.entries.contains { $0.text.contains(words) })
        server.streams.insert(stream)
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }, within: .minutes(3)))
    }

    @Test("Credentials that are revoked, permissions that lack something and a JetStream that is deaf: each is told")
    func shutOut() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.refuse("Authorization Violation")
        counter.advance(.seconds(10))
        #expect(counter.lights.last == "slow blink")
        #expect(counter.log.entries.contains { $0.text.contains("Authorization Violation") })
        server.denied = ["$JS.API.CONSUMER.INFO"]
        server.refusal = nil
        counter.advance(.minutes(2), step: .milliseconds(100))
        #expect(counter.lights.last == "slow blink")
        #expect(counter.log.entries.contains { $0.text.contains("permissions lack something: Permissions Violation") })
        server.denied = []
        server.isDeaf = true
        counter.advance(.minutes(3), step: .milliseconds(100))
        #expect(counter.log.entries.contains { $0.text.contains("JetStream does not answer") })
        server.isDeaf = false
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }, within: .minutes(3)))
    }

    @Test("A result stream that is gone keeps no push from being spoken; outcomes wait and come when it is there")
    func resultsGone() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.streams.remove(SimulatedFleetServer.resultStream)
        for i in 1...3 { server.push("p\(i)", Self.payment, to: "counter-1") }
        #expect(counter.advance(until: { counter.phraseEnds.count == 3 }))
        #expect(counter.log.entries.contains { $0.text.contains("COUNTERBOX_RESULT is missing or full") })
        server.streams.insert(SimulatedFleetServer.resultStream)
        #expect(counter.advance(until: { server.results.count == 3 }, within: .seconds(40)))
        #expect(server.order.sorted() == ["p1", "p2", "p3"])
    }

    @Test("The last status is kept whole, and a command is done and answered")
    func commands() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        server.command(.object(["id": "v", "command": "volume", "value": 30]), to: "counter-1")
        #expect(counter.advance(until: { !server.replies.isEmpty }, within: .seconds(1)))
        #expect(server.replies.first?.subject == "_INBOX.asker.1")
        #expect(server.replies.first?.payload == Array(#"{"id":"v","ok":true}"#.utf8))
        counter.advance(.seconds(2))
        let status = try JSONReader.read(#require(server.statuses["counterbox.status.counter-1"]))
        #expect(status["volume"] == 30)
        #expect(status["firmware"]?.string == Firmware.version)
        server.command(.object(["id": "x", "command": "dance"]), to: "counter-1")
        #expect(counter.advance(until: { server.replies.count == 2 }, within: .seconds(1)))
        #expect(server.replies.last?.payload == Array(#"{"id":"x","ok":false,"reason":"bad-command"}"#.utf8))
    }

    @Test("A support file has no amount of a push, unless it is asked for")
    func bundle() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        _ = counter.ask("trace on")
        server.push("a", Self.payment, to: "counter-1")
        #expect(counter.advance(until: { server.result("a") != nil }))
        _ = counter.ask("trace off")
        let text = counter.ask("bundle", for: .seconds(60))
        #expect(text.contains(#"counterbox.push.counter-1 {"body":…"#), "\(text)")
        #expect(!text.contains("12.50"))
        #expect(counter.ask("bundle amounts", for: .seconds(60)).contains("12.50"))
    }

    @Test("The doctor names what the server lacks and how to mend it, and is content once it is there")
    func doctor() throws {
        let counter = try TestCounter(isInFleet: true)
        let server = try #require(counter.server)
        server.streams.remove(SimulatedFleetServer.pushStream)
        counter.advance(.seconds(30))
        let text = counter.ask("doctor")
        #expect(text.contains("FAULT hub: the stream COUNTERBOX_PUSH is missing"), "\(text)")
        #expect(text.contains("counterdesk fleet --setup"))
        #expect(text.components(of: "hub:") == 1)
        server.streams.insert(SimulatedFleetServer.pushStream)
        #expect(counter.advance(until: { counter.lights.last == "steady" }, within: .minutes(3)))
        #expect(counter.ask("doctor").contains("ok    hub: nats is connected"))
        #expect(!counter.ask("doctor").contains("COUNTERBOX_PUSH"))
    }

    @Test("Everything at once for an hour: what is pushed is spoken once, printed once and answered once")
    func storm() throws {
        let counter = try Self.counter()
        let server = try #require(counter.server)
        var random = SeededRandom(seed: 11)
        var pushed = 0
        for _ in 0..<120 {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                pushed += 1
                server.push("p\(pushed)", Self.payment.amount("\(pushed).00"), to: "counter-1")
            }
            switch Int.random(in: 0...7, using: &random) {
            case 0: server.stop()
            case 1: server.changeLeader(tellingBoxes: Bool.random(using: &random))
            case 2: server.deleteConsumers()
            case 3: server.giveAgain()
            case 4: server.losesAcknowledgements.toggle()
            case 5: server.losesPubAcks.toggle()
            default: break
            }
            counter.advance(.seconds(30), step: .milliseconds(50))
            server.start()
        }
        server.losesAcknowledgements = false
        server.losesPubAcks = false
        #expect(
            counter.advance(
                until: { server.results.count == pushed && server.waiting == 0 }, within: .minutes(10),
                step: .milliseconds(50)))
        #expect(server.results.count == pushed)
        let paper = counter.takePaper()
        #expect((1...pushed).allSatisfy { paper.matches("¥\($0).00") + paper.matches("￥\($0).00") == 1 })
        #expect(!paper.contains("补打"))
    }
}

extension SimulatedFleetServer {
    var objects: [JSONObject] { results.compactMap { (try? JSONReader.read($0.payload))?.object } }
    func result(_ id: String) -> JSONObject? { objects.first { $0["id"]?.string == id } }
    var order: [String] { objects.compactMap { $0["id"]?.string } }
}

extension JSON {
    fileprivate func amount(_ text: String) -> JSON {
        var object = object ?? JSONObject()
        object.set("amount", .string(text))
        return .object(object)
    }
}

extension String {
    fileprivate func matches(_ part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}
