// A box without a clock takes the time from its hub (`docs/push-protocol.md`, Handshake, `time`). Only the box's own idea
// of the time moves: the system's clock is not set, and no timer is driven by it.

import BoxFoundation

/// The box's own idea of the time, moved forward by hubs whose proof was right, never more than ten years past the
/// build.
package struct HubClock: Sendable {
    /// How far past the firmware's build date a hub is believed.
    package static let mostAhead = Interval.seconds(10 * 365 * 86_400)

    /// How far the time goes on before it is kept again: by so much, and by how long it was off, a box without a clock is
    /// behind at its next start.
    package static let keepStep = Interval.seconds(3600)

    private let buildDate: WallTime
    /// The box's time is never before this one.
    private var floor: WallTime
    /// The box's time less the system's, while the system's is not synchronised.
    private var offset = Interval.zero
    /// Whether a hub, of this run or an earlier one, moved the clock.
    private var isHinted: Bool

    /// - Parameter saved: the floor that an earlier run kept; nil where there is none.
    package init(buildDate: WallTime, saved: WallTime?) {
        self.buildDate = buildDate
        let most = buildDate + Self.mostAhead
        floor = max(buildDate, min(saved ?? buildDate, most))
        isHinted = floor > buildDate
    }

    /// The time to print, and to judge certificates by.
    ///
    /// - Parameters:
    ///   - system: the system's clock.
    ///   - isSynchronised: a time source has set it; then it is right.
    package func time(system: WallTime, isSynchronised: Bool) -> WallTime {
        isSynchronised ? system : max(floor, system + offset)
    }

    /// A welcomed hub told its time. The clock only ever moves forward.
    ///
    /// - Returns: the floor to keep for the next start; nil where nothing moved.
    package mutating func hint(_ time: WallTime, system: WallTime, isSynchronised: Bool) -> WallTime? {
        guard !isSynchronised else { return nil }
        let time = min(time, buildDate + Self.mostAhead)
        guard time > self.time(system: system, isSynchronised: false) else { return nil }
        offset = time - system
        floor = time
        isHinted = true
        return time
    }

    /// Asked now and then: a time that is believed becomes the floor of the next start.
    ///
    /// - Returns: the floor to keep; nil where the last one is young enough, or the time is only the system's own idea.
    package mutating func keep(system: WallTime, isSynchronised: Bool) -> WallTime? {
        let time = min(self.time(system: system, isSynchronised: isSynchronised), buildDate + Self.mostAhead)
        guard isSynchronised || isHinted, time - floor >= Self.keepStep else { return nil }
        floor = time
        isHinted = true
        return time
    }

    /// TLS failed because a certificate has expired: a hub, or what an earlier one told, may have led the clock too far.
    ///
    /// - Returns: the floor to keep instead; nil where no hub had moved the clock.
    package mutating func certificateExpired() -> WallTime? {
        guard isHinted else { return nil }
        offset = .zero
        floor = buildDate
        isHinted = false
        return buildDate
    }
}
