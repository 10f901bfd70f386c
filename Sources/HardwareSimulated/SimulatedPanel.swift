// A light that remembers how it shone, and a key that can be pressed by hand, bouncing as real ones do.

import BoxFoundation
import HardwareInterface

package final class SimulatedLight: LightDevice {
    package struct Change: Equatable, Sendable {
        package var brightness: Int
        package var at: Moment
    }

    private let loop: any EventLoop
    package private(set) var changes: [Change] = []
    /// Called at every change.
    package var onChange: ((Int) -> Void)?

    package init(on loop: any EventLoop) { self.loop = loop }

    package var brightness: Int { changes.last?.brightness ?? 0 }

    package func set(brightness: Int) {
        changes.append(Change(brightness: brightness, at: loop.now))
        onChange?(brightness)
    }
}

package final class SimulatedButton {
    private let loop: any EventLoop
    package private(set) var isPressed = false
    /// How long the contact bounces after each move; zero: not at all.
    package var bounce = Interval.zero

    package init(on loop: any EventLoop) { self.loop = loop }

    package func press() { move(isPressed: true) }
    package func release() { move(isPressed: false) }

    /// Down now, and up after a time of the loop.
    package func press(for time: Interval) {
        press()
        loop.schedule(at: loop.now + time) { [weak self] in self?.release() }
    }

    private func move(isPressed: Bool) {
        self.isPressed = isPressed
        post(isPressed, at: loop.now)
        guard bounce > .zero else { return }
        post(!isPressed, at: loop.now + bounce / 3)
        post(isPressed, at: loop.now + bounce)
    }

    private func post(_ isPressed: Bool, at moment: Moment) {
        loop.schedule(at: moment) { [loop] in loop.post(.button(ButtonEvent(isPressed: isPressed, at: moment))) }
    }
}
