// The box's main job, from a push to what is heard, printed and answered.

import BoxFoundation
import PushProtocol
import Testing

@Suite("A payment at the counter")
struct PaymentTests {
    static func payment(_ amount: String, channel: String = "wechat", order: String = "A-1") -> JSON {
        .object([
            "kind": "payment", "amount": .string(amount), "channel": .string(channel), "order": .string(order),
            "time": "2026-11-29T18:05:00+08:00",
        ])
    }

    @Test("It is spoken, printed and answered")
    func whole() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        #expect(hub.isWelcomed)
        hub.push("a", Self.payment("12.50"))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(counter.phrases == ["微信收款，十二点五元"])
        #expect(!counter.run.speaker.heard.isEmpty)
        let paper = counter.takePaper()
        #expect(paper.contains("微信收款") && paper.contains("￥12.50") && paper.contains("A-1"))
        #expect(!paper.contains("补打"))
        #expect(hub.states(of: "a") == [.accepted, .done])
        #expect(hub.done("a")?.voice == .announced)
        #expect(hub.done("a")?.paper == .sent)
    }

    @Test("The light is steady, fast while it is busy, and steady again")
    func light() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        counter.advance(.seconds(2))
        #expect(counter.lights.last == "steady")
        hub.push("a", Self.payment("12.50"))
        counter.advance(.milliseconds(500))
        #expect(counter.lights.last == "fast")
        counter.advance(.seconds(10))
        #expect(counter.lights.last == "steady")
    }

    @Test("Five at once are five phrases and five receipts, in order")
    func five() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        for i in 1...5 { hub.push("p\(i)", Self.payment("\(i).00", order: "N\(i)")) }
        #expect(counter.advance(until: { (1...5).allSatisfy { hub.done("p\($0)") != nil } }))
        #expect(
            counter.phrases == ["微信收款，一元", "微信收款，两元", "微信收款，三元", "微信收款，四元", "微信收款，五元"])
        let paper = counter.takePaper()
        let places = (1...5).compactMap { paper.range(of: "N\($0)")?.lowerBound }
        #expect(places.count == 5 && places == places.sorted())
    }

    @Test("The same id is spoken and printed once, over connections and a pulled plug")
    func duplicate() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        hub.push("a", Self.payment("12.50"))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        counter.pullPlug()
        counter.plug()
        counter.advance(.milliseconds(100))
        hub.connect(seed: 2)
        counter.advance(.milliseconds(100))
        hub.push("a", Self.payment("12.50"))
        counter.advance(.seconds(10))
        #expect(counter.phrases.count == 1)
        #expect(hub.results.last { $0.id == "a" && $0.state == .duplicate }?.voice == .announced)
        #expect(counter.takePaper().components(of: "微信收款") == 1)
    }

    @Test(
        "What is no amount is refused, and the next push is not held up",
        arguments: ["12.505", "0.003", "-1", "1e3", "", "01", "12,50", "１２"])
    func badAmount(amount: String) throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        hub.push("bad", Self.payment(amount))
        hub.push("good", Self.payment("1.00"))
        #expect(counter.advance(until: { hub.done("good") != nil }))
        #expect(hub.results.first { $0.id == "bad" }?.state == .refused)
        #expect(hub.results.first { $0.id == "bad" }?.reason == "bad-amount")
        #expect(counter.phrases == ["微信收款，一元"])
    }

    @Test("A push older than its ttl is printed and not shouted")
    func expired() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        hub.push("old", Self.payment("12.50"), ttl: 60, age: 61)
        #expect(counter.advance(until: { hub.done("old") != nil }))
        #expect(hub.done("old")?.voice == .expired)
        #expect(hub.done("old")?.paper == .sent)
        #expect(counter.phrases.isEmpty)
    }

    @Test("A receipt at fault costs the receipt and not the payment")
    func badReceipt() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        var body = Self.payment("3.00").object!
        body.set("receipt", .object(["template": "no-such-template"]))
        hub.push("a", .object(body))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(hub.results.first?.state == .accepted)
        #expect(hub.results.first?.reason == "bad-receipt")
        #expect(hub.done("a")?.reason == "bad-receipt")
        #expect(hub.done("a")?.detail?.isEmpty == false)
        #expect(counter.phrases == ["微信收款，三元"])
        #expect(counter.takePaper().contains("3.00"))
    }
}

extension String {
    /// How often another text stands in it.
    func components(of other: String) -> Int {
        var count = 0
        var rest = self[...]
        while let found = rest.range(of: other) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }

    func range(of other: String) -> Range<String.Index>? { self[...].range(of: other) }
}

extension Substring {
    func range(of other: String) -> Range<String.Index>? { ranges(of: other).first }
}

@Suite("Many pushes")
struct ManyPushesTests {
    @Test("Two thousand silent pushes over one connection are all kept and answered, in order")
    func flood() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        for i in 0..<2000 {
            hub.push(
                "p\(i)", .object(["kind": "payment", "amount": "1.00", "say": false, "print": 0, "order": "\(i)"]))
        }
        #expect(counter.advance(until: { hub.done("p1999") != nil }, within: .minutes(2)))
        let accepted = hub.results.filter { $0.state == .accepted }.compactMap(\.id)
        #expect(accepted == (0..<2000).map { "p\($0)" })
        #expect(hub.results.filter { $0.state == .done }.count == 2000)
        #expect(hub.end == nil)
    }
}
