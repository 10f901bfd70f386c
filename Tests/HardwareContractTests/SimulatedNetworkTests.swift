import BoxFoundation
import HardwareInterface
import HardwareSimulated
import Testing

@Suite("The simulated network's own knobs")
struct SimulatedNetworkTests {
    private let loop = SimulatedLoop()
    private let network: SimulatedNetwork

    init() { network = SimulatedNetwork(on: loop) }

    private func open() -> ConnectionID {
        let id = network.connect()
        loop.run { !$0.isEmpty }
        return id
    }

    private func events() -> [NetworkEvent] {
        var events: [NetworkEvent] = []
        while let event = loop.next() { if let event = event.network { events.append(event) } }
        return events
    }

    @Test("What is delivered is cut where the test says, and is whole together")
    func cuts() {
        let id = open()
        network.deliver([1, 2, 3, 4, 5], on: id, cutAt: [0, 1, 4, 5, 9])
        #expect(events() == [.received(id, [1]), .received(id, [2, 3, 4]), .received(id, [5])])
    }

    @Test("Latency delays both ways, and shortened it lets nothing overtake")
    func latency() {
        let id = open()
        network.latency = .milliseconds(30)
        network.deliver([1], on: id)
        network.latency = .zero
        network.deliver([2], on: id)
        loop.advance(by: .milliseconds(29))
        #expect(events() == [])
        loop.advance(by: .milliseconds(1))
        #expect(events() == [.received(id, [1]), .received(id, [2])])
        network.latency = .milliseconds(10)
        network.send([9], on: id)
        #expect(network.takeSent(on: id) == [])
        loop.advance(by: .milliseconds(10))
        #expect(network.takeSent(on: id) == [9])
    }

    @Test("A cut loses what was on its way")
    func cut() {
        let id = open()
        network.latency = .milliseconds(5)
        network.deliver([1], on: id)
        network.send([2], on: id)
        network.cut(id)
        loop.advance(by: .seconds(1))
        #expect(events() == [.closed(id, "reset by the other side")])
        #expect(!network.isOpen(id))
    }

    @Test("A silent line tells nobody: sending goes on, nothing comes, and only closing ends it")
    func silent() {
        let id = open()
        network.goSilent(id)
        network.send([1], on: id)
        network.deliver([2], on: id)
        network.finish(id)
        loop.advance(by: .seconds(100))
        #expect(events() == [])
        #expect(network.takeSent(on: id) == [])
        network.close(id)
        loop.advance(by: .milliseconds(1999))
        #expect(events() == [])
        loop.advance(by: .milliseconds(1))
        #expect(events().map(\.isClosed) == [true])
        #expect(!network.hasSeenEnd(id))
    }

    @Test("A peer may answer from within the arrival, and sees the box's end after its last byte")
    func answer() {
        let id = open()
        var seen: [String] = []
        network.onArrival = { [unowned network] connection, bytes in
            seen.append("\(bytes)")
            if bytes == [1] { network.deliver([7], on: connection) }
        }
        network.onEnd = { _ in seen.append("end") }
        network.send([1], on: id)
        network.send([2], on: id)
        network.close(id)
        #expect(seen == ["[1]", "[2]", "end"])
        #expect(events() == [.received(id, [7]), .closed(id, "closed")])
        #expect(network.hasSeenEnd(id))
    }
}

@Suite("The simulated loop's own time")
struct SimulatedLoopTests {
    @Test("Time stands still until it is moved, and each piece of work sees its own moment")
    func moments() {
        let loop = SimulatedLoop(startingAt: .zero)
        var seen: [Int64] = []
        for delay in [300, 100, 200] {
            loop.schedule(at: .zero + .milliseconds(delay)) { [unowned loop] in
                seen.append((loop.now - .zero).milliseconds)
            }
        }
        #expect(loop.now == .zero)
        #expect(loop.nextScheduled == .zero + .milliseconds(100))
        loop.advance(to: .zero + .milliseconds(250))
        #expect(seen == [100, 200])
        #expect(loop.now == .zero + .milliseconds(250))
        loop.advance(to: .zero)
        #expect(loop.now == .zero + .milliseconds(250))
    }

    @Test("With nothing to come, waiting returns and says so")
    func still() {
        let loop = SimulatedLoop()
        let start = loop.now
        loop.wait(until: nil)
        #expect(loop.isStill)
        #expect(loop.now == start)
        loop.wait(until: start + .seconds(5))
        #expect(loop.now == start + .seconds(5))
    }

    @Test("A year of steps passes at once and in order")
    func year() {
        let loop = SimulatedLoop(startingAt: .zero)
        // The loop holds its work: the work must not hold the loop.
        unowned let itself = loop
        var hours = 0
        func tick() {
            hours += 1
            itself.schedule(at: itself.now + .seconds(3600), tick)
        }
        loop.schedule(at: .zero + .seconds(3600), tick)
        loop.advance(by: .seconds(365 * 24 * 3600))
        #expect(hours == 365 * 24)
    }
}
