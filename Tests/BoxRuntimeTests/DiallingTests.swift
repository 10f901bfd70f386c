// A box that opens the connection to its hub itself, and one whose clock nobody has set.

import BoxCore
import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol
import Testing

@Suite("A box that dials")
struct DiallingTests {
    @Test("It dials at once, takes a payment and answers it; the light is slow until the hub is there")
    func whole() throws {
        let counter = try TestCounter(dials: true)
        let hub = counter.hub(connects: false)
        #expect(counter.lights.last == "slow blink")
        counter.onDial = { [unowned hub] in hub.answer($0) }
        #expect(counter.advance(until: { hub.isWelcomed }))
        counter.advance(.milliseconds(50))
        #expect(!counter.isListening)
        #expect(counter.lights.last == "steady")
        hub.push("a", PaymentTests.payment("12.50"))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(counter.phrases == ["微信收款，十二点五元"])
        #expect(hub.states(of: "a") == [.accepted, .done])
    }

    @Test("A hub that falls silent is left within 2.5 heartbeats, the light says so, and it is dialled again")
    func silent() throws {
        let counter = try TestCounter(dials: true)
        let hub = counter.dialledHub()
        let calls = counter.calls.count
        let start = counter.loop.now
        counter.run.network.goSilent(try #require(hub.connection))
        #expect(counter.advance(until: { counter.lights.last == "slow blink" }, within: .seconds(120)))
        #expect(counter.loop.now - start <= HubHello.defaultHeartbeat * 5 / 2 + .milliseconds(10))
        #expect(counter.advance(until: { counter.calls.count > calls && hub.isWelcomed }))
        counter.advance(.milliseconds(50))
        #expect(counter.lights.last == "steady")
    }

    @Test("The box's own shorter heartbeat counts")
    func ownHeartbeat() throws {
        let counter = try TestCounter(dials: true, heartbeat: .seconds(10))
        let hub = counter.dialledHub()
        let start = counter.loop.now
        counter.run.network.goSilent(try #require(hub.connection))
        #expect(counter.advance(until: { counter.lights.last == "slow blink" }, within: .seconds(60)))
        #expect(counter.loop.now - start <= .milliseconds(25_010))
    }

    @Test("A hub that cannot be reached is dialled again, each time in its window, for as long as it takes")
    func unreachable() throws {
        let counter = try TestCounter(dials: true)
        counter.onDial = { _ in .refused }
        counter.advance(.minutes(10), step: .milliseconds(100))
        let waits = zip(counter.calls.dropFirst(), counter.calls).map { $0.at - $1.at }
        #expect(waits.count > 12)
        for (i, wait) in waits.enumerated() {
            let end = ReconnectBackoff.upperEnd(attempt: i + 1, spread: .zero)
            #expect((.milliseconds(500)...(end + .milliseconds(100))).contains(wait))
        }
        let hub = counter.hub(connects: false)
        counter.onDial = { [unowned hub] in hub.answer($0) }
        #expect(counter.advance(until: { hub.isWelcomed }, within: .seconds(70)))
    }

    @Test("After an outage the first wait is spread as the hub asked for")
    func spread() throws {
        var waits: [Interval] = []
        for seed in 1...20 {
            let counter = try TestCounter(dials: true, seed: UInt64(seed))
            let hub = counter.dialledHub(spread: .seconds(300))
            counter.advance(ReconnectBackoff.proven, step: .milliseconds(500))
            counter.onDial = { _ in .refused }
            let calls = counter.calls.count
            let start = counter.loop.now
            counter.run.network.cut(try #require(hub.connection))
            #expect(
                counter.advance(until: { counter.calls.count > calls }, within: .seconds(301), step: .milliseconds(500))
            )
            waits.append(counter.loop.now - start)
        }
        #expect(waits.contains { $0 < .seconds(100) } && waits.contains { $0 > .seconds(200) })
    }

    @Test("What nobody answers and what is not believed is dialled again, and the box still stops at once")
    func noAnswer() throws {
        let counter = try TestCounter(dials: true)
        counter.onDial = { _ in .silence }
        counter.advance(.seconds(13))
        counter.onDial = { _ in .distrusted(.wrongCA) }
        counter.advance(.seconds(60))
        #expect(counter.calls.count > 3)
        #expect(counter.lights.last == "slow blink")
        #expect(counter.log.entries.contains { $0.text.contains(CertificateFault.wrongCA.message) })
        counter.loop.post(.signal(.terminate))
        #expect(counter.advance(until: { counter.run.runtime.isStopped }, within: .seconds(5)))
    }

    @Test("What doctor says of a certificate goes with the dial that it was of")
    func certificateOfBefore() throws {
        let counter = try TestCounter(dials: true)
        counter.onDial = { _ in .distrusted(.wrongCA) }
        counter.advance(.seconds(5))
        #expect(counter.ask("doctor").contains("FAULT hub: ") && counter.ask("doctor").contains("not trusted"))
        counter.onDial = { _ in .refused }
        counter.advance(.seconds(90))
        let text = counter.ask("doctor")
        #expect(text.contains("FAULT hub: ") && !text.contains("not trusted"), "\(text)")
    }

    @Test("Payments of an outage are told as one when the hub is back")
    func outage() throws {
        let counter = try TestCounter(dials: true)
        let hub = counter.dialledHub()
        counter.onDial = { _ in .refused }
        counter.run.network.cut(try #require(hub.connection))
        counter.advance(.seconds(5))
        for i in 1...3 { hub.push("p\(i)", PaymentTests.payment("\(i).00")) }
        counter.onDial = { [unowned hub] in hub.answer($0) }
        #expect(counter.advance(until: { (1...3).allSatisfy { hub.done("p\($0)") != nil } }, within: .seconds(120)))
        #expect((1...3).map { hub.done("p\($0)")?.voice } == [.merged, .merged, .merged])
    }

    // MARK: - No clock

    @Test("Without a clock the hub's certificate is judged by the build date, the receipt shows the hub's time")
    func noClock() throws {
        let counter = try TestCounter(dials: true, clock: WallTime(milliseconds: 0))
        let hub = counter.dialledHub()
        #expect(counter.calls.first?.judgedBy == Firmware.released)
        // 2027-03-04 05:06 UTC.
        let time: Int64 = 1_804_136_760_000
        hub.clockOffset = time - Int64(counter.loop.now.nanoseconds / 1_000_000)
        counter.run.network.cut(try #require(hub.connection))
        #expect(counter.advance(until: { hub.end == nil && hub.isWelcomed && counter.calls.count > 1 }))
        counter.advance(.milliseconds(50))
        hub.push("a", .object(["kind": "payment", "amount": "1.00"]))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        let paper = counter.takePaper()
        #expect(paper.filter { $0 != " " }.contains("2027-03-0413:06"), "\(paper)")
        let saved = try #require(counter.savedClock)
        #expect(saved - WallTime(milliseconds: time) < .seconds(10))
    }

    @Test("The time that a hub told is the floor of the next start, and goes on over hours")
    func floor() throws {
        let counter = try TestCounter(dials: true, clock: WallTime(milliseconds: 0))
        let hub = counter.dialledHub()
        let first = try #require(counter.savedClock)
        #expect(first.milliseconds / 1000 == hub.clock / 1000)
        counter.advance(.minutes(125), step: .milliseconds(500))
        let second = try #require(counter.savedClock)
        #expect(second - first >= .minutes(115))
        counter.pullPlug()
        counter.clock.epoch = WallTime(milliseconds: 0)
        let calls = counter.calls.count
        counter.plug()
        #expect(counter.advance(until: { counter.calls.count > calls }))
        #expect(counter.calls[calls].judgedBy - second < .seconds(1))
    }

    @Test("A certificate that has expired by a time that a hub told is judged again by the build date")
    func expired() throws {
        let counter = try TestCounter(dials: true, clock: WallTime(milliseconds: 0))
        let liar = counter.dialledHub(clockOffset: Firmware.released.milliseconds + 9 * 365 * 86_400_000)
        var judged: [WallTime] = []
        counter.onDial = { [unowned counter] _ in
            judged.append(counter.calls.last!.judgedBy)
            return .distrusted(.expired)
        }
        counter.run.network.cut(try #require(liar.connection))
        #expect(counter.advance(until: { judged.count == 2 }))
        #expect(judged[0] - Firmware.released > .seconds(8 * 365 * 86_400))
        #expect(judged[1] == Firmware.released)
        #expect(counter.savedClock == Firmware.released)
    }

    @Test("A clock that somebody set is left as it is")
    func synchronised() throws {
        let counter = try TestCounter(dials: true)
        _ = counter.dialledHub(clockOffset: Firmware.released.milliseconds + 86_400_000)
        counter.advance(.seconds(1))
        #expect(counter.savedClock == nil)
    }
}

@Suite("Strangers at a listening box")
struct StrangerTests {
    @Test("Whoever only connects makes room, so that the hub is heard")
    func unproven() throws {
        let counter = try TestCounter()
        counter.advance(.milliseconds(50))
        let strangers = (0..<BoxCore.mostUnproven).map { _ in counter.run.network.connect() }
        counter.advance(.milliseconds(50))
        #expect(strangers.allSatisfy { counter.run.network.isOpen($0) })
        let hub = counter.hub()
        #expect(hub.isWelcomed)
        #expect(!counter.run.network.isOpen(strangers[0]))
        #expect(strangers.dropFirst().allSatisfy { counter.run.network.isOpen($0) })
    }
}

extension TestCounter {
    /// A hub that takes the box's dials, and is welcomed.
    func dialledHub(spread: Interval = .zero, clockOffset: Int64? = nil) -> TestHub {
        let hub = hub(connects: false)
        if let clockOffset { hub.clockOffset = clockOffset }
        onDial = { [unowned hub] in hub.answer($0, spread: spread) }
        #expect(advance(until: { hub.isWelcomed }))
        advance(.milliseconds(50))
        return hub
    }
}

@Suite("The dialler")
struct HubDiallerTests {
    private static func connected(_ connection: ConnectionID) -> HubDialler {
        var dialler = HubDialler(random: SeededRandom(seed: 1))
        _ = dialler.start()
        _ = dialler.opened(connection)
        return dialler
    }

    @Test("A connection that is left and does not end is not waited for, and its late end is not the next one's")
    func leaving() {
        let (old, new) = (ConnectionID(1), ConnectionID(2))
        var dialler = Self.connected(old)
        var now = Moment.zero
        #expect(dialler.ended(old, at: now) == [.timer(at: now + HubDialler.leavingLimit)])
        #expect(dialler.fired(at: now + .seconds(1)) == [.timer(at: now + HubDialler.leavingLimit)])
        now = now + HubDialler.leavingLimit
        #expect(dialler.fired(at: now).contains { if case .timer(at: .some) = $0 { true } else { false } })
        now = now + .minutes(2)
        #expect(dialler.fired(at: now) == [.dial])
        #expect(dialler.closed(old, "late", at: now) == [])
        _ = dialler.opened(new)
        _ = dialler.welcomed(new, spread: .zero, at: now)
        #expect(dialler.isWelcomed)
    }

    @Test("One that ends in time is dialled again after its wait")
    func ends() {
        var dialler = Self.connected(ConnectionID(1))
        _ = dialler.ended(ConnectionID(1), at: .zero)
        #expect(!dialler.closed(ConnectionID(1), "closed", at: .zero).isEmpty)
        #expect(dialler.fired(at: .zero + .minutes(2)) == [.dial])
    }
}
