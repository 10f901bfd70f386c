// The front panel of the simulator and of tests.

import BoxFoundation
import HardwareInterface

/// A light that remembers what it showed.
package final class SimulatedLight: LightDevice {
    package struct Change: Equatable, Sendable {
        package var at: Moment
        package var brightness: Int

        package init(at: Moment, brightness: Int) {
            self.at = at
            self.brightness = brightness
        }
    }

    /// Changes kept; the oldest go.
    package static let mostChanges = 10_000

    package private(set) var brightness = 0
    /// Oldest first; setting what is already shown is no change.
    package private(set) var changes: [Change] = []

    private let loop: any EventLoop

    package init(on loop: any EventLoop) { self.loop = loop }

    package func set(brightness: Int) {
        let brightness = min(100, max(0, brightness))
        guard brightness != self.brightness else { return }
        self.brightness = brightness
        // In large steps, so that a year of blinking costs no copy a change.
        if changes.count >= 2 * Self.mostChanges { changes.removeFirst(Self.mostChanges) }
        changes.append(Change(at: loop.now, brightness: brightness))
    }
}

/// A key, good or worn.
package final class SimulatedButton {
    /// Edges after a press or release that a worn contact adds, as times after it. The level swings and ends where it
    /// should: an odd count has one more edge added at its end.
    package var bounce: [Interval] = []

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
        post(isPressed)
        let times = bounce + (bounce.count % 2 == 1 ? bounce.suffix(1).map { $0 + .milliseconds(1) } : [])
        for (number, time) in times.enumerated() {
            let level = number % 2 == 0 ? !isPressed : isPressed
            loop.schedule(at: loop.now + time) { [weak self] in self?.post(level) }
        }
    }

    private func post(_ isPressed: Bool) { loop.post(.button(ButtonEvent(isPressed: isPressed, at: loop.now))) }
}
