// The system's civil time, and whether anybody has set it.

import BoxFoundation
import CLinux
import Glibc
import HardwareInterface

/// The kernel's clock, and whether it is synchronised.
package final class SystemClock: WallClock {
    package init() {}

    package func read() -> ClockReading {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
        var seconds = now.tv_sec
        var local = tm()
        localtime_r(&seconds, &local)
        return ClockReading(
            time: WallTime(milliseconds: milliseconds), isSynchronised: Self.isSynchronised, offset: local.tm_gmtoff)
    }

    /// The kernel's own word (adjtimex): the flag is taken away by whatever sets the clock, ntpd, chrony or timesyncd.
    private static var isSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}
