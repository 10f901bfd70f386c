// How full the printer's buffer must be taken to be. Printers of this kind have no flow control that can be trusted, and
// a byte too many is half a receipt (`docs/field-reports.md` 57, 67, 68).

import BoxFoundation

/// Bytes sent less the bytes that the printer has had time to print.
package struct PrinterPace: Equatable, Sendable {
    /// Bytes a second.
    package let rate: Int
    /// Bytes.
    package let buffer: Int

    /// When all bytes in flight will have been printed.
    private var emptyAt = Moment.zero
    /// Bytes in flight while the printer prints nothing.
    private var stoppedLevel: Int?

    package init(rate: Int, buffer: Int) {
        self.rate = rate
        self.buffer = buffer
    }

    /// Bytes in flight, rounded up; never more than were added.
    package func level(at now: Moment) -> Int {
        if let stoppedLevel { return stoppedLevel }
        let left = max(.zero, emptyAt - now).nanoseconds
        let (whole, rest) = left.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(whole) * rate + Int((rest * Int64(rate) + 999_999_999) / 1_000_000_000)
    }

    package func room(at now: Moment) -> Int { max(0, buffer - level(at: now)) }

    /// When there will be room for `count` bytes; nil while the printer has stopped.
    package func moment(ofRoomFor count: Int) -> Moment? {
        guard stoppedLevel == nil else { return nil }
        // Rounded down: at that moment there is room, not a nanosecond later.
        let left = Int64(max(0, buffer - count))
        let (whole, rest) = left.quotientAndRemainder(dividingBy: Int64(rate))
        return emptyAt + Interval(nanoseconds: -(whole * 1_000_000_000 + rest * 1_000_000_000 / Int64(rate)))
    }

    /// When the printer will have printed all; nil while it has stopped.
    package var momentOfEmpty: Moment? { stoppedLevel == nil ? emptyAt : nil }

    package mutating func add(_ count: Int, at now: Moment) {
        if let level = stoppedLevel {
            stoppedLevel = level + count
        } else {
            emptyAt = max(emptyAt, now) + .forCount(count, perSecond: rate)
        }
    }

    /// At least so many bytes are in flight, whatever time has passed.
    package mutating func raise(to count: Int, at now: Moment) {
        let level = level(at: now)
        if count > level { add(count - level, at: now) }
    }

    /// The printer prints nothing until `resume`.
    package mutating func stop(at now: Moment) {
        if stoppedLevel == nil { stoppedLevel = level(at: now) }
    }

    package mutating func resume(at now: Moment) {
        guard let level = stoppedLevel else { return }
        stoppedLevel = nil
        emptyAt = now + .forCount(level, perSecond: rate)
    }

    /// Nothing is in flight: a new link, or the printer said so.
    package mutating func clear() {
        emptyAt = .zero
        if stoppedLevel != nil { stoppedLevel = 0 }
    }
}
