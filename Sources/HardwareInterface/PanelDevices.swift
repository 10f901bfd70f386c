// The front panel: one light, one button.

import BoxFoundation

/// An edge of the key, with the moment that the kernel gives for it.
package struct ButtonEvent: Equatable, Sendable {
    package var isPressed: Bool
    /// When the edge happened, which may be a little before it was read.
    package var at: Moment

    package init(isPressed: Bool, at: Moment) {
        self.isPressed = isPressed
        self.at = at
    }
}

/// One light. Brightness is 0 to 100 percent.
package protocol LightDevice: AnyObject {
    /// - Parameter brightness: 0 (off) to 100; a device that cannot dim takes anything above 0 as on.
    func set(brightness: Int)

    /// What the light says from now on. A light of one colour has nothing to do.
    func show(_ meaning: LightMeaning)
}

extension LightDevice {
    package func show(_ meaning: LightMeaning) {}
}
