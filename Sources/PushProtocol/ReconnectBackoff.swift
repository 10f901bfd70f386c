// How long a dialling side waits before it tries again (`docs/push-protocol.md`, Heartbeat): full jitter, the cap first
// and the jitter after it, so that a thousand boxes never meet, at the cap neither.

import BoxFoundation

/// The wait before the next try: full jitter, 0.5 s to 60 s (`docs/push-protocol.md`, Heartbeat).
package struct ReconnectBackoff: Sendable {
    package static let least = Interval.milliseconds(500)
    package static let most = Interval.seconds(60)
    /// A welcomed connection that lasted so long starts the count again.
    package static let proven = Interval.seconds(60)

    /// Waits in a row so far.
    package private(set) var attempt = 0
    private var spread = Interval.zero
    private var welcomedAt: Moment?

    package init() {}

    /// A hub was welcomed: now its HELLO takes effect.
    ///
    /// - Parameter spread: `HubHello.spread`.
    package mutating func welcomed(spread: Interval, at now: Moment) {
        self.spread = spread
        welcomedAt = now
    }

    /// The connection is lost, or could not be made.
    ///
    /// - Returns: how long to wait.
    package mutating func lost(at now: Moment, using generator: inout some RandomNumberGenerator) -> Interval {
        if let welcomedAt, now - welcomedAt >= Self.proven { attempt = 0 }
        welcomedAt = nil
        attempt += 1
        let end = Self.upperEnd(attempt: attempt, spread: spread)
        return Interval(
            nanoseconds: Int64.random(in: Self.least.nanoseconds...end.nanoseconds, using: &generator))
    }

    /// - Parameter attempt: from 1.
    package static func upperEnd(attempt: Int, spread: Interval) -> Interval {
        let end = min(most, .seconds(1 << min(attempt, 6)))
        return attempt == 1 ? max(end, spread) : end
    }
}
