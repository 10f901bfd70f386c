// The one place where the real monotonic clock is read.

import BoxFoundation
import Glibc

/// CLOCK_BOOTTIME: CLOCK_MONOTONIC plus the time asleep. A box that is put to sleep and wakes an hour later must take
/// its payments as an hour old, and its connections as silent.
package enum MonotonicClock {
    package static let id = CLOCK_BOOTTIME

    package static var now: Moment { read(id) }

    /// Converts a kernel timestamp of CLOCK_MONOTONIC, such as a GPIO edge's. Right unless the system slept between.
    package static func moment(monotonic nanoseconds: UInt64) -> Moment {
        let asleep = read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC)
        return Moment(nanoseconds: nanoseconds) + asleep
    }

    private static func read(_ clock: clockid_t) -> Moment {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else {
            // Every Linux that the box runs on has these clocks; without time nothing it does is right.
            fatalError(SystemError.last("clock_gettime").message)
        }
        return Moment(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}

extension timespec {
    init(_ moment: Moment) {
        self.init(
            tv_sec: Int(moment.nanoseconds / 1_000_000_000), tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
    }
}
