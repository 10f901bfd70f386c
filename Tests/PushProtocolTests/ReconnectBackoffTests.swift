// A thousand boxes after an outage (`docs/push-protocol.md`, Heartbeat; field report 87).

import BoxFoundation
import PushProtocol
import Testing

@Suite("Reconnecting")
struct ReconnectBackoffTests {
    @Test(
        "The upper end doubles to a minute; the first is at least the hub's spread",
        arguments: [
            (1, 0, 2), (2, 0, 4), (3, 0, 8), (4, 0, 16), (5, 0, 32), (6, 0, 60), (7, 0, 60), (1_000_000, 0, 60),
            (1, 1, 2), (1, 600, 600), (2, 600, 4),
        ])
    func upperEnds(attempt: Int, spread: Int, seconds: Int) {
        #expect(ReconnectBackoff.upperEnd(attempt: attempt, spread: .seconds(spread)) == .seconds(seconds))
    }

    @Test(
        "A thousand boxes spread over the whole window at every step, the first and the capped ones too",
        arguments: [0, 300])
    func spread(spread: Int) {
        var backoff = ReconnectBackoff()
        backoff.welcomed(spread: .seconds(spread), at: start)
        var boxes = [ReconnectBackoff](repeating: backoff, count: 1000)
        var random = (0..<1000).map { SeededRandom(seed: $0) }
        for attempt in 1...12 {
            let end = ReconnectBackoff.upperEnd(attempt: attempt, spread: .seconds(spread))
            var tenths = [Int](repeating: 0, count: 10)
            for i in boxes.indices {
                let wait = boxes[i].lost(at: start + .seconds(1), using: &random[i])
                #expect((.milliseconds(500)...end).contains(wait))
                let place = (wait - .milliseconds(500)).nanoseconds * 10 / (end - .milliseconds(500)).nanoseconds
                tenths[min(9, Int(place))] += 1
            }
            // 100 are due in each tenth; 60 is more than four standard deviations away.
            #expect(tenths.allSatisfy { (60...140).contains($0) }, "wait \(attempt): \(tenths)")
        }
    }

    @Test("The count starts again only after a minute of a welcomed connection")
    func startsAgain() {
        var random = SeededRandom(seed: 1)
        var backoff = ReconnectBackoff()
        for n in 1...5 {
            _ = backoff.lost(at: start, using: &random)
            #expect(backoff.attempt == n)
        }
        backoff.welcomed(spread: .zero, at: start)
        _ = backoff.lost(at: start + .seconds(59), using: &random)
        #expect(backoff.attempt == 6)
        // Not welcomed in between: the minute is not counted from the last one.
        _ = backoff.lost(at: start + .seconds(200), using: &random)
        #expect(backoff.attempt == 7)
        backoff.welcomed(spread: .zero, at: start + .seconds(300))
        _ = backoff.lost(at: start + .seconds(360), using: &random)
        #expect(backoff.attempt == 1)
    }
}
