// The front panel of the simulator and of tests.

import BoxFoundation
import HardwareInterface

/// A light that remembers what it showed.
package final class SimulatedLight: LightDevice {
    /// A brightness and when it was set.
    package struct Change: Equatable, Sendable {
        package var brightness: Int
        package var at: Moment

        package init(brightness: Int, at: Moment) {
            self.brightness = brightness
            self.at = at
        }
    }

    /// Changes kept; the oldest go.
    package static let mostChanges = 10_000

    package private(set) var brightness = 0
    /// Oldest first; setting what is already shown is no change.
    package private(set) var changes: [Change] = []

    /// Called at every change.
    package var onChange: ((Int) -> Void)?

    private let loop: any EventLoop

    package init(on loop: any EventLoop) { self.loop = loop }

    package func set(brightness: Int) {
        let brightness = min(100, max(0, brightness))
        guard brightness != self.brightness else { return }
        self.brightness = brightness
        // In large steps, so that a year of blinking costs no copy a change.
        if changes.count >= 2 * Self.mostChanges { changes.removeFirst(Self.mostChanges) }
        changes.append(Change(brightness: brightness, at: loop.now))
        onChange?(brightness)
    }
}

/// A key, good or worn.
package final class SimulatedButton {
    /// How long the contact swings after each move; zero: not at all.
    package var bounce = Interval.zero

    package private(set) var isPressed = false

    private let loop: any EventLoop

    package init(on loop: any EventLoop) { self.loop = loop }

    package func press() { move(to: true) }

    package func release() { move(to: false) }

    /// Presses now and releases after `duration`.
    package func press(for duration: Interval) {
        press()
        loop.schedule(at: loop.now + duration) { [weak self] in self?.release() }
    }

    private func move(to isPressed: Bool) {
        guard isPressed != self.isPressed else { return }
        self.isPressed = isPressed
        loop.post(.button(ButtonEvent(isPressed: isPressed, at: loop.now)))
        guard bounce > .zero else { return }
        post(!isPressed, at: loop.now + bounce / 2)
        post(isPressed, at: loop.now + bounce)
    }

    private func post(_ isPressed: Bool, at moment: Moment) {
        loop.schedule(at: moment) { [loop] in loop.post(.button(ButtonEvent(isPressed: isPressed, at: moment))) }
    }
}
