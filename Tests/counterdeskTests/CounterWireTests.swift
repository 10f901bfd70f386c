// The wire between box and hubs, and the counter's own hub on it.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol
import Testing
import counterdesk

@Suite("The counter's wire")
struct CounterWireTests {
    private let bench = WireBench()

    @Test("A push of the counter's hub reaches the box, and its outcome comes back; every frame is a line")
    func push() throws {
        bench.hub.attach(bench.wire)
        #expect(bench.hub.push(OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))))
        bench.run()
        #expect(bench.taken == ["a"])
        #expect(bench.results.map(\.state) == [.accepted, .done])
        let types = bench.frames.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            types.prefix(6) == ["< 1 HELLO", "> 1 HELLO", "< 2 WELCOME", "< 3 PUSH", "> 2 RESULT", "> 3 RESULT"])
        #expect(!bench.frames.contains { $0.contains(bench.key.hex) })
    }

    @Test(
        "A cut wire resets every connection and lets none be; the hub comes back by itself with what was not answered")
    func cut() {
        bench.hub.attach(bench.wire)
        bench.run()
        bench.wire.faults.isCut = true
        #expect(bench.hub.push(OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))))
        bench.run(for: .seconds(5))
        #expect(bench.closed == 1 && bench.opened == 1 && bench.taken.isEmpty)
        bench.wire.faults.isCut = false
        bench.run(for: .seconds(2))
        #expect(bench.opened == 2 && bench.taken == ["a"])
    }

    @Test("On a dead wire nobody is told until somebody finds out by silence")
    func dead() {
        bench.hub.attach(bench.wire)
        bench.run()
        bench.wire.faults.isDead = true
        #expect(bench.hub.push(OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))))
        bench.run(for: .seconds(20))
        #expect(bench.closed == 0 && bench.taken.isEmpty)
        bench.run(for: .seconds(10))
        #expect(bench.closed == 1)
        bench.wire.faults.isDead = false
        bench.run(for: .seconds(2))
        #expect(bench.opened == 2 && bench.taken == ["a"])
    }

    @Test("A delay stretches the way, and what is sent later never overtakes")
    func delay() {
        bench.wire.faults.delay = .seconds(2)
        bench.hub.attach(bench.wire)
        bench.run(for: .milliseconds(1900))
        #expect(bench.opened == 0)
        bench.run(for: .milliseconds(200))
        #expect(bench.opened == 1)
        bench.wire.faults.delay = .zero
        #expect(bench.hub.push(OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))))
        bench.run(for: .seconds(10))
        #expect(bench.taken == ["a"] && bench.ends.isEmpty)
    }

    @Test("A connection that is cut before the box heard of it never was")
    func cutOnTheWay() {
        bench.wire.faults.delay = .seconds(2)
        bench.hub.attach(bench.wire)
        bench.run(for: .seconds(1))
        bench.wire.faults.isCut = true
        bench.run(for: .seconds(5))
        #expect(bench.opened == 0 && bench.closed == 0)
    }

    @Test("A box that loses power takes its wire along; the next one gets what waits")
    func power() {
        bench.hub.attach(bench.wire)
        bench.run()
        bench.hub.attach(nil)
        #expect(bench.hub.push(OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))))
        bench.plugIn()
        bench.hub.attach(bench.wire)
        bench.run()
        #expect(bench.taken == ["a"])
    }

    @Test("An id that waits already is not taken twice")
    func twice() {
        let push = OutgoingPush(id: "a", body: .object(["kind": "notice", "say": "x"]))
        #expect(bench.hub.push(push) && !bench.hub.push(push))
    }
}

/// A box's side of the wire, by hand: one session that says done to all it gets.
private final class WireBench {
    let loop = SimulatedLoop()
    let key: BoxKey
    let hub: CounterHub
    private(set) var wire: CounterWire
    private(set) var frames: [String] = []
    private(set) var results: [PushResult] = []
    private(set) var taken: [String] = []
    private(set) var opened = 0
    private(set) var closed = 0
    private(set) var ends: [SessionEnd] = []
    private var sessions: [ConnectionID: BoxSession] = [:]

    init() {
        var random = SeededRandom(seed: 1)
        key = BoxKey(using: &random)
        hub = CounterHub(key: key, on: loop)
        wire = CounterWire(on: loop) { _ in }
        plugIn()
        hub.onResult = { [unowned self] in results.append($0) }
    }

    func plugIn() {
        sessions = [:]
        wire = CounterWire(on: loop) { [unowned self] in frames.append($0) }
    }

    func run(for time: Interval = .seconds(1)) {
        let end = loop.now + time
        while loop.now < end {
            while let event = loop.next() { if case .network(let event) = event { take(event) } }
            loop.advance(to: min(end, loop.now + .milliseconds(10)))
        }
    }

    private func take(_ event: NetworkEvent) {
        switch event {
        case .opened(let id, let peer):
            opened += 1
            let identity = BoxSession.Identity(box: "box", key: key, firmware: "1")
            sessions[id] = BoxSession(identity, channel: peer.channel, nonce: String(repeating: "0", count: 64))
            drive(id) { $0.start(at: $1) }
        case .received(let id, let bytes): drive(id) { $0.received(bytes, at: $1) }
        case .closed(let id, _):
            closed += 1
            sessions[id] = nil
        case .distrusted: break
        }
    }

    private func drive(_ id: ConnectionID, _ event: (inout BoxSession, Moment) -> [BoxSessionOutput]) {
        guard var session = sessions[id] else { return }
        let outputs = event(&session, loop.now)
        sessions[id] = session
        for output in outputs { perform(output, id) }
    }

    private func perform(_ output: BoxSessionOutput, _ id: ConnectionID) {
        switch output {
        case .send(let bytes): wire.send(bytes, on: id)
        case .close: wire.close(id)
        case .ended(let end): ends.append(end)
        case .timer(let timer, let moment):
            guard let moment else { return }
            loop.schedule(at: moment) { [weak self] in self?.drive(id) { $0.timer(timer, at: $1) } }
        case .push(let push):
            taken.append(push.id)
            drive(id) { $0.answer(push.sequence, .accepted, at: $1) }
            let outcome = PushOutcome(
                id: push.id, voice: .silent, paper: .none, token: OutcomeToken(Int64(taken.count)))
            drive(id) { $0.outcome(outcome, at: $1) }
        case .welcomed, .command, .log, .trace, .told, .fleet, .fleetFault: break
        }
    }
}
