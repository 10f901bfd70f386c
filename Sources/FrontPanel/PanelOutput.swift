// What the front panel wants done.

import BoxFoundation

/// What a person did with the button.
package enum ButtonGesture: String, CaseIterable, Sendable {
    /// Pressed and let go.
    case short
    /// Pressed again soon after.
    case double
    /// Held for 3 s.
    case hold
    /// Held for 10 s; a `hold` came before it.
    case longHold
}

/// The panel's timers. A timer that comes early, late or twice does no harm.
package enum PanelTimer: Hashable, Sendable, CaseIterable {
    /// A bounce may have settled, a press may have become a gesture, or a key may be stuck.
    case button
    /// The light's next step.
    case light
}

/// What the panel wants done.
package enum PanelOutput: Equatable, Sendable {
    case gesture(ButtonGesture)
    /// A press or a threshold was noticed: answer at once, before it is known what it will be.
    case acknowledge
    /// The key has been down for too long to be a finger; until it is let go it means nothing.
    case stuck
    /// A stuck key was let go.
    case freed
    /// The light's brightness from now on, 0 to 100.
    case light(Int)
    /// Sets a timer anew, or cancels it.
    case timer(PanelTimer, at: Moment?)
}
