// What the system around the box offers besides devices.

import BoxFoundation

/// Civil time and whether it can be believed.
package struct ClockReading: Equatable, Sendable {
    package var time: WallTime
    /// A time source has set the system's clock since boot.
    package var isSynchronised: Bool
    /// Seconds east of UTC at this time, by the box's time zone.
    package var offset: Int

    package init(time: WallTime, isSynchronised: Bool, offset: Int) {
        self.time = time
        self.isSynchronised = isSynchronised
        self.offset = offset
    }
}

/// The civil time of the system, and whether anybody has set it. Timers never ask it.
package protocol WallClock: AnyObject {
    func read() -> ClockReading
}

/// Takes small files to be kept over a restart, as the running box needs it.
package protocol StateWriter: AnyObject {
    /// Never waits for a disk.
    ///
    /// - Parameter failed: called where it could not be kept, at once or later from the loop; the old content then stands.
    func write(_ bytes: [UInt8], as name: String, failed: @escaping () -> Void)
}

/// Small files that are replaced whole: written, synced, renamed, the folder synced.
package protocol StateStore: AnyObject {
    /// - Returns: nil where there is no such file or it cannot be read.
    func load(_ name: String) -> [UInt8]?

    /// - Returns: false where it could not be kept; the old content then stands.
    func save(_ bytes: [UInt8], as name: String) -> Bool
}

/// Where log lines go. It never makes its caller wait.
package protocol LogSink: AnyObject {
    func log(_ entry: LogEntry)
}
