// How old a push is (`docs/push-protocol.md`, Delivery, `ttl`; field report 95).

import BoxFoundation
import PushProtocol
import Testing

@Suite("The age of a push")
struct PushAgeTests {
    @Test(
        "The age on arrival is `time` less `sent`, with the page's fallbacks",
        arguments: [
            (#""time":1795946700000,"sent":1795946695000"#, 5000),
            (#""time":1795946695000,"sent":1795946700000"#, 0),
            (#""time":1795946700000"#, 0),
            // Without `time`: HELLO's, and the monotonic time since.
            (#""sent":1795946640000"#, 67_000),
            (#""sent":0"#, 10 * 366 * 86_400_000),
            (#""sent":"1795946640000""#, 0), (#""sent":null"#, 0), (#""sent":-1"#, 0), (#""sent":1e300"#, 0),
            (#""sent":9223372036854775807,"time":-9223372036854775808"#, 0),
            (#""time":1795946700000.5,"sent":1795946699000.0"#, 1000),
        ])
    func onArrival(names: String, milliseconds: Int64) throws {
        var table = try BoxTable()
        table.now = start + .seconds(7)
        let push = try #require(table.hears(.push, #"{"id":"a",\#(names),"body":{}}"#).pushes.first)
        #expect(push.age.record.onArrival.milliseconds == milliseconds)
    }

    @Test("Where the hub tells no time, the age counts from receipt")
    func noTime() throws {
        var table = try BoxTable(hello: #"{"role":"hub","nonce":"\#(hubNonce)"}"#)
        let push = try #require(table.hears(.push, #"{"id":"a","sent":1000,"body":{}}"#).pushes.first)
        #expect(push.age.record == PushAge.Record(onArrival: .zero, hubTime: nil))
    }

    @Test(
        "The `ttl` is 600 s unless the hub says otherwise",
        arguments: [
            (#""x":1"#, 600_000), (#""ttl":0"#, 0), (#""ttl":30"#, 30_000), (#""ttl":0.5"#, 500),
            (#""ttl":"9""#, 600_000),
            (#""ttl":-1"#, 600_000), (#""ttl":1e99"#, 10 * 366 * 86_400_000), (#""ttl":null"#, 600_000),
        ])
    func ttl(names: String, milliseconds: Int64) throws {
        var table = try BoxTable()
        let push = try #require(table.hears(.push, #"{"id":"a",\#(names),"body":{}}"#).pushes.first)
        #expect(push.age.record.ttl.milliseconds == milliseconds)
    }

    @Test("A push is fresh up to its ttl and expired beyond, by the box's monotonic clock")
    func expiry() {
        let age = PushAge(
            arrived: .init(onArrival: .seconds(100), hubTime: nil, ttl: .seconds(600)), at: start)
        #expect(age.state(at: start) == .fresh)
        #expect(age.state(at: start + .seconds(500)) == .fresh)
        #expect(age.state(at: start + .seconds(500) + .milliseconds(1)) == .expired)
    }

    @Test("Over a restart the age is unknown until the next WELCOME, 60 s at most")
    func restart() {
        let record = PushAge.Record(onArrival: .seconds(10), hubTime: hubTime, ttl: .seconds(600))
        var age = PushAge(restored: record, at: start)
        #expect(age.state(at: start) == .unknown(until: start + .seconds(60)))
        #expect(age.state(at: start + .seconds(60)) == .expired)

        // It was off for 300 s: 310 s old at this WELCOME.
        age.learn(hubTime: hubTime + .seconds(300), at: start + .seconds(5))
        #expect(age.state(at: start + .seconds(5)) == .fresh)
        #expect(age.state(at: start + .seconds(295)) == .fresh)
        #expect(age.state(at: start + .seconds(296)) == .expired)

        // A later WELCOME, of a hub whose clock is wrong, changes nothing.
        age.learn(hubTime: hubTime + .seconds(9999), at: start + .seconds(6))
        #expect(age.state(at: start + .seconds(295)) == .fresh)
    }

    @Test("A box that was off for longer than the ttl does not shout the push")
    func offForLong() {
        var age = PushAge(restored: .init(onArrival: .zero, hubTime: hubTime), at: start)
        age.learn(hubTime: hubTime + .seconds(601), at: start)
        #expect(age.state(at: start) == .expired)
    }

    @Test("What nobody can tell counts as expired")
    func unknowable() {
        var age = PushAge(restored: .init(onArrival: .zero, hubTime: nil), at: start)
        #expect(age.state(at: start) == .expired)
        age.learn(hubTime: hubTime, at: start)
        #expect(age.state(at: start) == .expired)

        age = PushAge(restored: .init(onArrival: .zero, hubTime: hubTime), at: start)
        age.learn(hubTime: nil, at: start)
        #expect(age.state(at: start) == .unknown(until: start + .seconds(60)))
    }

    @Test("What was too old before the restart needs no WELCOME")
    func oldBefore() {
        let age = PushAge(
            restored: .init(onArrival: .seconds(20), hubTime: hubTime, ttl: .seconds(30)), at: start)
        #expect(age.state(at: start + .seconds(10)) == .unknown(until: start + .seconds(60)))
        #expect(age.state(at: start + .seconds(11)) == .expired)
    }

    @Test("A hub's clock that went back makes nothing younger")
    func clockBack() {
        var age = PushAge(
            restored: .init(onArrival: .seconds(20), hubTime: hubTime, ttl: .seconds(30)), at: start)
        age.learn(hubTime: hubTime + .seconds(-500), at: start)
        #expect(age.state(at: start + .seconds(10)) == .fresh)
        #expect(age.state(at: start + .seconds(11)) == .expired)
    }
}
