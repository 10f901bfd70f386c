import BoxCore
import BoxFoundation

/// The timers that are set, each kind once. They are few (a handful a connection and a handful for the rest), so a list
/// that is searched is the fastest table; equal moments fire in the order in which they were set.
struct TimerTable {
    private var entries: [(timer: BoxTimer, at: Moment)] = []

    /// Sets a timer anew, or cancels it with nil.
    mutating func set(_ timer: BoxTimer, at moment: Moment?) {
        entries.removeAll { $0.timer == timer }
        if let moment { entries.append((timer, moment)) }
    }

    var earliest: Moment? { entries.lazy.map(\.at).min() }

    /// Takes the earliest timer that is due.
    mutating func takeDue(at now: Moment) -> BoxTimer? {
        guard let earliest, earliest <= now, let place = entries.firstIndex(where: { $0.at == earliest }) else {
            return nil
        }
        return entries.remove(at: place).timer
    }
}
