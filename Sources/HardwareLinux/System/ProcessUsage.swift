// What this process has used of the machine: for figures, never for decisions.

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

    /// Bytes of memory that are resident, shared libraries included; what was freed is given back first.
    package static var residentBytes: Int {
        _ = clinux_malloc_trim(0)
        guard let bytes = try? Files.read("/proc/self/statm", limit: 256) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
