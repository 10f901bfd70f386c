// What this process has used of the machine (for figures, never for decisions), and that it is little.

import CLinux
import Glibc

/// What this process has used, for benchmarks.
package enum ProcessUsage {
    /// Seconds of the processor, all threads together: a busy machine does not spoil it.
    package static var processorSeconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Threads share one heap: the few workers seldom ask at the same time, and each heap keeps what it does not use. To be
    /// called before there is a second thread.
    package static func shareHeap() { _ = clinux_mallopt(mallocArenaMost, 1) }

    /// Gives back what was freed.
    package static func giveBackFreed() { _ = clinux_malloc_trim(0) }

    /// M_ARENA_MAX of malloc.h.
    private static let mallocArenaMost: Int32 = -8

    /// Bytes of memory that are resident, shared libraries included; what was freed is given back first.
    package static var residentBytes: Int {
        giveBackFreed()
        guard let bytes = try? Files.read("/proc/self/statm", limit: 256) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
