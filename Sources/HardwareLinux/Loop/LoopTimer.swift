// The one timer of a loop: armed for whatever comes first, to the nanosecond.

import BoxFoundation
import CLinux
import Glibc

/// A timerfd that is set anew only when its moment changes.
struct LoopTimer: ~Copyable {
    private let descriptor: Descriptor
    private var armed: Moment?

    init() throws(SystemError) {
        descriptor = try Descriptor("timerfd_create") {
            timerfd_create(MonotonicClock.id, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        }
    }

    var number: Int32 { descriptor.number }

    /// - Parameter moment: nil stops the timer.
    mutating func arm(_ moment: Moment?) {
        guard moment != armed else { return }
        armed = moment
        var setting = itimerspec()
        // All zero would stop it.
        if let moment { setting.it_value = timespec(max(moment, Moment(nanoseconds: 1))) }
        guard timerfd_settime(descriptor.number, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            // It cannot be: the descriptor is ours and the time is in form. A loop without time would wait for ever.
            fatalError(SystemError.last("timerfd_settime").message)
        }
    }

    /// Takes what made the descriptor readable.
    mutating func takeExpiry() {
        var expiries: UInt64 = 0
        let number = descriptor.number
        guard read(number, &expiries, MemoryLayout<UInt64>.size) > 0 else { return }
        armed = nil
    }
}
