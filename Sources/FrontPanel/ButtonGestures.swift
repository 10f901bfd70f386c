// Edges of a key become gestures. Each gesture is told at its threshold, not after the key is let go. Edges may bounce: a
// level counts once it has stood for `settling`, and then from its own edge on, so that a kernel which has already
// debounced the line changes nothing.

import BoxFoundation

/// A key's edges become gestures, each told at its threshold: a short press, two within 400 ms, 3 s, 10 s.
package struct ButtonGestures: Sendable {
    /// How long a level stands before it counts.
    package static let settling = Interval.milliseconds(20)
    /// From one press to the next, at most, for the two to be a double press. A short press is certain only then.
    package static let doubleWindow = Interval.milliseconds(400)
    package static let holdTime = Interval.seconds(3)
    package static let longHoldTime = Interval.seconds(10)
    /// A key that is down since the start is stuck after this; until then it is a finger too early.
    package static let stuckAtStart = Interval.seconds(10)
    /// A key that went down later is stuck after this.
    package static let stuckTime = Interval.seconds(60)

    private enum Phase: Equatable {
        case up
        /// Down, and not for long enough yet.
        case down(since: Moment)
        /// Down for 3 s and more.
        case held(since: Moment)
        /// Let go in time for a second press.
        case between(pressed: Moment)
        /// Down, and nothing more will come of it but being stuck.
        case spent(since: Moment, stuckAfter: Interval)
        case stuck
    }

    private var phase = Phase.up
    /// The level that counts.
    private var isDown = false
    /// The level of the last edge and when it came. While it differs from `isDown` it may be a bounce.
    private var lastIsDown = false
    private var lastEdge = Moment.zero
    private var timer: Moment?

    package init() {}

    /// The key is down, bounces left out.
    package var isPressed: Bool { isDown }
    package var isStuck: Bool { phase == .stuck }

    /// The key's level when the box starts.
    package mutating func started(isPressed: Bool, at now: Moment) -> [PanelOutput] {
        isDown = isPressed
        lastIsDown = isPressed
        lastEdge = now
        phase = isPressed ? .spent(since: now, stuckAfter: Self.stuckAtStart) : .up
        return timerChange()
    }

    /// An edge, in the order of their moments.
    package mutating func edge(isPressed: Bool, at moment: Moment) -> [PanelOutput] {
        var outputs = advance(to: moment, edgeComes: true)
        if isPressed != lastIsDown {
            lastIsDown = isPressed
            lastEdge = moment
        }
        outputs += timerChange()
        return outputs
    }

    package mutating func timer(at now: Moment) -> [PanelOutput] {
        let outputs = advance(to: now)
        // The one that came is over: it is set anew even for the same moment, should it have come early.
        timer = nil
        return outputs + timerChange()
    }

    // MARK: Deciding

    /// Does what is due by `now`, the earliest first. An edge at the very moment of a threshold is in time.
    private mutating func advance(to now: Moment, edgeComes: Bool = false) -> [PanelOutput] {
        var outputs: [PanelOutput] = []
        while let due, due <= now {
            if let settles, settles <= due {
                outputs += settle()
            } else {
                if edgeComes, due == now { break }
                outputs += pass(due)
            }
        }
        return outputs
    }

    /// When the last edge's level counts; nil where it is the one that does already.
    private var settles: Moment? { isDown == lastIsDown ? nil : lastEdge + Self.settling }

    /// When the present phase ends by itself.
    private var threshold: Moment? {
        switch phase {
        case .up, .stuck: nil
        case .down(let since): since + Self.holdTime
        case .held(let since): since + Self.longHoldTime
        case .between(let pressed): pressed + Self.doubleWindow
        case .spent(let since, let stuckAfter): since + stuckAfter
        }
    }

    private var due: Moment? {
        guard let settles else { return threshold }
        // An edge before the threshold may turn out to have been in time: it settles first.
        guard let threshold, threshold < lastEdge else { return settles }
        return threshold
    }

    private mutating func settle() -> [PanelOutput] {
        isDown = lastIsDown
        return isDown ? pressed(at: lastEdge) : released(at: lastEdge)
    }

    private mutating func pressed(at moment: Moment) -> [PanelOutput] {
        if case .between = phase {
            phase = .spent(since: moment, stuckAfter: Self.stuckTime)
            return [.acknowledge, .gesture(.double)]
        }
        phase = .down(since: moment)
        return [.acknowledge]
    }

    private mutating func released(at moment: Moment) -> [PanelOutput] {
        switch phase {
        case .down(let since) where moment < since + Self.doubleWindow:
            phase = .between(pressed: since)
            return []
        case .down:
            phase = .up
            return [.gesture(.short)]
        case .stuck:
            phase = .up
            return [.freed]
        case .up, .held, .between, .spent:
            phase = .up
            return []
        }
    }

    /// A threshold was reached.
    private mutating func pass(_ moment: Moment) -> [PanelOutput] {
        switch phase {
        case .down(let since):
            phase = .held(since: since)
            return [.acknowledge, .gesture(.hold)]
        case .held(let since):
            phase = .spent(since: since, stuckAfter: Self.stuckTime)
            return [.acknowledge, .gesture(.longHold)]
        case .between:
            phase = .up
            return [.gesture(.short)]
        case .spent:
            phase = .stuck
            return [.stuck]
        case .up, .stuck:
            return []
        }
    }

    private mutating func timerChange() -> [PanelOutput] {
        guard due != timer else { return [] }
        timer = due
        return [.timer(.button, at: due)]
    }
}
