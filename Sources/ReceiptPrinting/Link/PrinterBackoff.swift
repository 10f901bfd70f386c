// How long to wait before a printer is tried again.

import BoxFoundation

/// Full jitter: the n-th wait in a row is uniform between 0.5 s and min(60, 2^n) s, so that printers and boxes that lost
/// each other together do not meet again together.
package struct PrinterBackoff: Sendable {
    package static let least = Interval.milliseconds(500)
    package static let most = Interval.seconds(60)

    private var attempt = 0
    private var random: SeededRandom

    package init(random: SeededRandom) { self.random = random }

    package mutating func next() -> Interval {
        attempt = min(attempt + 1, 6)
        return random.interval(in: Self.least...min(Self.most, .seconds(1 << attempt)))
    }

    package mutating func reset() { attempt = 0 }
}
