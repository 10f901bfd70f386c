// Civil time that runs with the loop, and can be wrong.

import BoxFoundation
import HardwareInterface

package final class SimulatedClock: WallClock {
    package var isSynchronised: Bool
    /// Seconds east of UTC.
    package var offset: Int

    private let loop: any EventLoop
    /// What the clock showed at `setAt`.
    private var time: WallTime
    private var setAt: Moment

    /// - Parameter time: what it shows now; `WallTime(milliseconds: 0)` is a box without a battery.
    package init(on loop: any EventLoop, at time: WallTime, isSynchronised: Bool = true, offset: Int = 8 * 3600) {
        self.loop = loop
        self.time = time
        self.isSynchronised = isSynchronised
        self.offset = offset
        setAt = loop.now
    }

    package func read() -> ClockReading {
        ClockReading(time: time + (loop.now - setAt), isSynchronised: isSynchronised, offset: offset)
    }

    /// Somebody sets the clock, forward or back.
    package func set(to time: WallTime) {
        self.time = time
        setAt = loop.now
    }
}
