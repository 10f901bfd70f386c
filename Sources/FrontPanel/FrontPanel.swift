// One light and one button: a press is answered by the light at once, whatever it will turn out to mean.

import BoxFoundation

/// The light and the button of the box, together: a press is answered by the light at once.
package struct FrontPanel: Sendable {
    private var button = ButtonGestures()
    private var light: Light

    package init(brightness: Int = 100, at now: Moment) { light = Light(brightness: brightness, at: now) }

    /// For `button` and `led` of the console.
    package var status: PanelStatus {
        PanelStatus(
            isPressed: button.isPressed, isStuck: button.isStuck, state: light.state, pattern: light.pattern)
    }

    /// - Parameter isPressed: the key's level at the start; nil where there is no key or it is not known.
    package mutating func start(isPressed: Bool?, at now: Moment) -> [PanelOutput] {
        light.start(at: now) + (isPressed.map { button.started(isPressed: $0, at: now) } ?? [])
    }

    package mutating func edge(isPressed: Bool, at moment: Moment, now: Moment) -> [PanelOutput] {
        answered(button.edge(isPressed: isPressed, at: moment), at: now)
    }

    package mutating func timer(_ timer: PanelTimer, at now: Moment) -> [PanelOutput] {
        switch timer {
        case .button: answered(button.timer(at: now), at: now)
        case .light: light.timer(at: now)
        }
    }

    package mutating func set(_ state: LightState, _ isSo: Bool, at now: Moment) -> [PanelOutput] {
        light.set(state, isSo, at: now)
    }

    package mutating func set(brightness: Int, at now: Moment) -> [PanelOutput] {
        light.set(brightness: brightness, at: now)
    }

    package mutating func identify(at now: Moment) -> [PanelOutput] { light.identify(at: now) }

    private mutating func answered(_ outputs: [PanelOutput], at now: Moment) -> [PanelOutput] {
        outputs.contains(.acknowledge) ? light.acknowledge(at: now) + outputs : outputs
    }
}

/// How the panel is, for the console's `led` and `button`.
package struct PanelStatus: Equatable, Sendable {
    package var isPressed: Bool
    package var isStuck: Bool
    package var state: LightState
    /// The pattern's name in the README's page.
    package var pattern: String

    package init(isPressed: Bool, isStuck: Bool, state: LightState, pattern: String) {
        self.isPressed = isPressed
        self.isStuck = isStuck
        self.state = state
        self.pattern = pattern
    }
}
