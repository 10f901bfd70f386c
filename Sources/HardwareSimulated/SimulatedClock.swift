// Civil time that runs with the loop, and can be wrong.

import BoxFoundation
import HardwareInterface

/// A civil time that moves with the loop, with knobs to be wrong by.
package final class SimulatedClock: WallClock {
    /// Civil time at the loop's origin; change it to set the clock, forward or back.
    package var epoch: WallTime
    package var isSynchronised = true
    /// Seconds east of UTC.
    package var offset = 8 * 3600

    private let loop: any EventLoop

    package init(on loop: any EventLoop, epoch: WallTime = Firmware.released) {
        self.loop = loop
        self.epoch = epoch
    }

    package func read() -> ClockReading {
        ClockReading(time: epoch + (loop.now - .zero), isSynchronised: isSynchronised, offset: offset)
    }
}
