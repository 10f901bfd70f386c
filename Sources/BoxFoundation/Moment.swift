// Time as the box uses it. No code below HardwareLinux reads a clock: a moment always comes in as an argument.

/// A point on the monotonic clock, in nanoseconds since an origin that means nothing (boot, or a simulation's start).
/// It never jumps and never goes back, so every timer and every age is counted in it.
package struct Moment: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static let zero = Moment(nanoseconds: 0)

    package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates at the clock's origin and its far end.
    package static func + (moment: Moment, interval: Interval) -> Moment {
        let step = interval.nanoseconds
        guard step < 0 else {
            let (sum, over) = moment.nanoseconds.addingReportingOverflow(UInt64(step))
            return Moment(nanoseconds: over ? .max : sum)
        }
        let (sum, under) = moment.nanoseconds.subtractingReportingOverflow(step.magnitude)
        return under ? .zero : Moment(nanoseconds: sum)
    }

    /// The interval from `b` to `a`; negative where `a` is the earlier. Two moments of one process never lie 292 years
    /// apart.
    package static func - (a: Moment, b: Moment) -> Interval {
        Interval(nanoseconds: Int64(truncatingIfNeeded: a.nanoseconds &- b.nanoseconds))
    }
}

/// A length of time in nanoseconds; may be negative.
package struct Interval: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Interval(nanoseconds: 0)

    package static func microseconds(_ n: Int) -> Interval { Interval(nanoseconds: scaled(n, by: 1000)) }
    package static func milliseconds(_ n: Int) -> Interval { Interval(nanoseconds: scaled(n, by: 1_000_000)) }
    package static func seconds(_ n: Int) -> Interval { Interval(nanoseconds: scaled(n, by: 1_000_000_000)) }
    package static func minutes(_ n: Int) -> Interval { Interval(nanoseconds: scaled(n, by: 60_000_000_000)) }

    /// The time that `count` items take at `perSecond` items a second, rounded up. A rate of 0 counts as 1.
    package static func forCount(_ count: Int, perSecond: Int) -> Interval {
        let rate = Int64(max(1, perSecond))
        let (whole, part) = Int64(count).quotientAndRemainder(dividingBy: rate)
        let scaled = part.magnitude.multipliedFullWidth(by: 1_000_000_000)
        let (nanoseconds, rest) = rate.magnitude.dividingFullWidth(scaled)
        let fraction = Interval(nanoseconds: Int64(nanoseconds) + (rest > 0 ? 1 : 0))
        return .seconds(Int(whole)) + (count < 0 ? .zero - fraction : fraction)
    }

    /// Whole milliseconds, rounded toward zero.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Whole seconds, rounded toward zero.
    package var seconds: Int64 { nanoseconds / 1_000_000_000 }

    package static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }
    // Sums and products saturate at the ends of the range, 292 years away.
    package static func + (a: Interval, b: Interval) -> Interval {
        let (sum, over) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
        return Interval(nanoseconds: over ? (b.nanoseconds < 0 ? .min : .max) : sum)
    }
    package static func - (a: Interval, b: Interval) -> Interval {
        let (difference, over) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
        return Interval(nanoseconds: over ? (b.nanoseconds < 0 ? .max : .min) : difference)
    }
    package static func * (a: Interval, n: Int) -> Interval { Interval(nanoseconds: scaled(n, by: a.nanoseconds)) }
    package static func / (a: Interval, n: Int) -> Interval { Interval(nanoseconds: a.nanoseconds / Int64(n)) }

    private static func scaled(_ n: Int, by unit: Int64) -> Int64 {
        let (product, over) = Int64(n).multipliedReportingOverflow(by: unit)
        return over ? ((n < 0) == (unit < 0) ? .max : .min) : product
    }
}

/// A point in civil time: milliseconds since 1970-01-01T00:00:00Z, as frames carry it.
package struct WallTime: Comparable, Hashable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
    /// Saturates at the ends of the range.
    package static func + (a: WallTime, b: Interval) -> WallTime {
        let (sum, over) = a.milliseconds.addingReportingOverflow(b.milliseconds)
        return WallTime(milliseconds: over ? (b.nanoseconds < 0 ? .min : .max) : sum)
    }
    /// Saturates where they lie more than 292 years apart: a peer may send any number as its time.
    package static func - (a: WallTime, b: WallTime) -> Interval {
        let (difference, over) = a.milliseconds.subtractingReportingOverflow(b.milliseconds)
        return over ? Interval(nanoseconds: a < b ? .min : .max) : .milliseconds(Int(difference))
    }
}

/// A civil date and time of day at an offset from UTC, for receipts and day totals.
package struct CivilTime: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    /// - Parameter offset: seconds east of UTC.
    package init(_ time: WallTime, offset: Int) {
        let seconds = Self.floorDivide(time.milliseconds, 1000) + Int64(offset)
        let days = Self.floorDivide(seconds, 86_400)
        let rest = Int(seconds - days * 86_400)
        (year, month, day) = Self.date(daysSinceEpoch: Int(days))
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// `2026-11-29`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }
    /// `18:05:00`.
    package var time: String { "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))" }

    /// The proleptic Gregorian calendar over 400-year eras that begin on 1 March.
    private static func date(daysSinceEpoch: Int) -> (Int, Int, Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = Int(floorDivide(Int64(shifted), 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a / b - (a % b < 0 ? 1 : 0) }

    private static func padded(_ n: Int, _ width: Int) -> String {
        let digits = String(n.magnitude)
        return (n < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
