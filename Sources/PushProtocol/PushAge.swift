// How old a push is, so that a stale one is not shouted; right without a clock, and over restarts
// (`docs/push-protocol.md`, Delivery, `ttl`).

import BoxFoundation

/// How old a push is, counted without the box's clock (`docs/push-protocol.md`, Delivery, `ttl`).
package struct PushAge: Equatable, Sendable {
    /// What the journal keeps.
    package struct Record: Equatable, Sendable {
        /// The age when it was read, by the hub's clock.
        package var onArrival: Interval
        /// The hub's clock when it was read; nil where the hub did not say.
        package var hubTime: WallTime?
        package var ttl: Interval

        package init(onArrival: Interval, hubTime: WallTime?, ttl: Interval = PushAge.defaultTTL) {
            self.onArrival = onArrival
            self.hubTime = hubTime
            self.ttl = ttl
        }
    }

    /// Whether it may still be shouted.
    package enum State: Equatable, Sendable {
        case fresh
        /// Older than its `ttl`, or of an age that nobody told in time.
        case expired
        /// The box was off for an unknown while: the next WELCOME tells, or at this moment it counts as expired.
        case unknown(until: Moment)
    }

    package static let defaultTTL = Interval.seconds(600)
    /// How long after a restart the box waits for a WELCOME.
    package static let mostWait = Interval.seconds(60)

    private struct Point: Equatable, Sendable {
        var age: Interval
        var at: Moment
    }

    package let record: Record
    /// An age that it had at least, at some moment of this run.
    private var least: Point
    /// Until when it may still be learned that it is older; nil where `least` is the age.
    private var waitsUntil: Moment?

    /// A push that was read just now.
    package init(arrived record: Record, at now: Moment) {
        self.record = record
        least = Point(age: record.onArrival, at: now)
    }

    /// A push that the journal kept over a restart.
    package init(restored record: Record, at now: Moment) {
        self.record = record
        least = Point(age: record.onArrival, at: now)
        waitsUntil = record.hubTime == nil ? now : now + Self.mostWait
    }

    /// A hub of the same name was welcomed.
    ///
    /// - Parameter hubTime: its clock now, `HubHello.clock`.
    package mutating func learn(hubTime: WallTime?, at now: Moment) {
        guard waitsUntil != nil, let hubTime, let then = record.hubTime else { return }
        least = Point(age: record.onArrival + Self.difference(hubTime, then), at: now)
        waitsUntil = nil
    }

    /// How old it is at least, by what is known now.
    package func age(at now: Moment) -> Interval { least.age + (now - least.at) }

    /// The moment at which it has been fresh for the last time, by what is known now.
    package var expires: Moment { least.at + (record.ttl - least.age) }

    package func state(at now: Moment) -> State {
        if age(at: now) > record.ttl { return .expired }
        guard let waitsUntil else { return .fresh }
        return now < waitsUntil ? .unknown(until: waitsUntil) : .expired
    }

    /// From `earlier` to `later`; 0 where a clock went back, ten years where they lie further apart.
    static func difference(_ later: WallTime, _ earlier: WallTime) -> Interval {
        .milliseconds(Int(min(max(later.milliseconds - earlier.milliseconds, 0), 10 * 366 * 86_400_000)))
    }
}
