import BoxFoundation
import HardwareInterface
import Testing

@Suite("An event loop, simulated and real")
struct EventLoopContractTests {
    @Test("Events are taken in the order they were posted", arguments: World.allCases)
    func order(world: World) throws {
        let loop = try world.makeLoop()
        for n in 0..<600 { loop.post(.worker("\(n)")) }
        for n in 0..<300 { #expect(loop.next()?.workerName == "\(n)") }
        for n in 600..<900 { loop.post(.worker("\(n)")) }
        for n in 300..<900 { #expect(loop.next()?.workerName == "\(n)") }
        #expect(loop.next() == nil)
    }

    @Test("With an event queued, waiting returns at once and does no scheduled work", arguments: World.allCases)
    func noWait(world: World) throws {
        let loop = try world.makeLoop()
        var isWorked = false
        loop.schedule(at: loop.now) { isWorked = true }
        loop.post(.worker("a"))
        loop.wait(until: nil)
        #expect(!isWorked)
        _ = loop.next()
        loop.wait(until: nil)
        #expect(isWorked)
    }

    @Test("A wait ends at its deadline, never before with nothing done", arguments: World.allCases)
    func deadline(world: World) throws {
        let loop = try world.makeLoop()
        let deadline = loop.now + .milliseconds(5)
        loop.run(for: .milliseconds(5))
        #expect(loop.now >= deadline)
        loop.wait(until: loop.now)
        loop.wait(until: .zero)
    }

    @Test("Work is done by its moment, then in the order it was scheduled", arguments: World.allCases)
    func schedule(world: World) throws {
        let loop = try world.makeLoop()
        let start = loop.now
        var done: [Int] = []
        for (name, delay) in [(4, 3), (0, 1), (5, 3), (2, 2), (1, 1), (3, 2)] {
            loop.schedule(at: start + .milliseconds(delay)) { done.append(name) }
        }
        let result = loop.run { _ in done.count == 6 }
        #expect(result.isDone)
        #expect(done == [0, 1, 2, 3, 4, 5])
    }

    @Test("No work is done before its moment", arguments: World.allCases)
    func notEarly(world: World) throws {
        let loop = try world.makeLoop()
        let moments = [3, 1, 2, 5, 4].map { loop.now + .microseconds($0 * 700) }
        var early = 0
        var done = 0
        for moment in moments {
            loop.schedule(at: moment) {
                done += 1
                if loop.now < moment { early += 1 }
            }
        }
        loop.run { _ in done == moments.count }
        #expect(done == moments.count)
        #expect(early == 0)
    }

    @Test("Work may post, and schedule more, also for a moment that has passed", arguments: World.allCases)
    func chain(world: World) throws {
        let loop = try world.makeLoop()
        loop.schedule(at: loop.now) {
            loop.schedule(at: .zero) { loop.post(.worker("second")) }
            loop.post(.worker("first"))
        }
        let events = loop.run { $0.count == 2 }.events
        #expect(events.map(\.workerName) == ["first", "second"])
    }
}

extension DeviceEvent {
    var workerName: String? { if case .worker(let name) = self { name } else { nil } }
}
