// Civil time that follows the loop, and small files that outlive a pulled plug.

import BoxFoundation
import HardwareInterface

package final class SimulatedClock: WallClock {
    private let loop: any EventLoop
    /// Civil time at the loop's origin.
    package var epoch: WallTime
    package var isSynchronised = true
    /// Seconds east of UTC.
    package var offset = 8 * 3600

    package init(on loop: any EventLoop, epoch: WallTime = Firmware.released) {
        self.loop = loop
        self.epoch = epoch
    }

    package func read() -> ClockReading {
        ClockReading(time: epoch + (loop.now - .zero), isSynchronised: isSynchronised, offset: offset)
    }
}

package final class SimulatedState: StateStore {
    private var files: [String: [UInt8]] = [:]
    /// The disk takes nothing.
    package var isFull = false

    package init() {}

    package func load(_ name: String) -> [UInt8]? { files[name] }

    package func save(_ bytes: [UInt8], as name: String) -> Bool {
        if isFull { return false }
        files[name] = bytes
        return true
    }
}
