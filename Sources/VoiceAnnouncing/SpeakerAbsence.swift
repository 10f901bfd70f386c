// A device that can't be opened: since when, how often it was tried, and when it is tried again.

import BoxFoundation

struct SpeakerAbsence {
    /// The waits between attempts to open, doubled from the first to the last.
    static let firstWait = Interval.milliseconds(250)
    static let lastWait = Interval.seconds(5)
    /// A phrase waits this long, counted from when the device was first missed.
    static let mostWait = Interval.seconds(20)

    private var since: Moment?
    private var lastAttempt: Moment?
    private var waits = 0

    /// - Returns: true where it was not missed before.
    mutating func begins(at now: Moment) -> Bool {
        guard since == nil else { return false }
        since = now
        return true
    }

    mutating func tries(at now: Moment) { lastAttempt = now }

    /// - Returns: how long it was missed; nil where it was not.
    mutating func ends(at now: Moment) -> Interval? {
        defer {
            since = nil
            waits = 0
        }
        return since.map { now - $0 }
    }

    mutating func nextAttempt(from now: Moment) -> Moment {
        let wait = min(Self.lastWait, Self.firstWait * (1 << min(waits, 10)))
        waits += 1
        return min(now + wait, (since ?? now) + Self.mostWait)
    }

    func isTooLong(at now: Moment) -> Bool { since.map { now - $0 >= Self.mostWait } ?? false }

    /// Missed for too long, and tried just now.
    func isHopeless(at now: Moment) -> Bool {
        isTooLong(at: now) && lastAttempt.map { now - $0 < Self.lastWait } ?? false
    }
}
