// The signals that mean something to the box, as values read from a descriptor.

import CLinux
import Glibc
import HardwareInterface

/// Blocks SIGTERM, SIGINT and SIGHUP in the calling thread and reads them from a signalfd; ignores SIGPIPE, whose
/// errno says the same. The mask stays when the reader goes: a signal that came in between must not kill.
struct SignalReader: ~Copyable {
    private static let taken = [SIGTERM, SIGINT, SIGHUP]

    private let descriptor: Descriptor

    init() throws(SystemError) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in Self.taken { sigaddset(&mask, signal) }
        let error = pthread_sigmask(SIG_BLOCK, &mask, nil)
        guard error == 0 else { throw SystemError("pthread_sigmask", errno: error) }
        _ = signal(SIGPIPE, SIG_IGN)
        descriptor = try Descriptor("signalfd") {
            signalfd(-1, &mask, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        }
    }

    var number: Int32 { descriptor.number }

    mutating func take() -> [SignalEvent] {
        var events: [SignalEvent] = []
        var info = signalfd_siginfo()
        while read(descriptor.number, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            events.append(Int32(bitPattern: info.ssi_signo) == SIGHUP ? .reload : .terminate)
        }
        return events
    }
}
