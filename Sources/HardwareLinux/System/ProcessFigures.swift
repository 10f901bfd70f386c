// What this process uses, and how much it may.

import BoxFoundation
import Glibc

/// Memory in bytes and processor time of this process.
package struct ProcessFigures: Equatable, Sendable {
    /// Bytes in memory now.
    package var resident: Int
    /// Processor time so far, in user and kernel mode.
    package var cpu: Interval

    package static func read() -> ProcessFigures {
        let pages = (try? Files.read("/proc/self/statm", limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
        let resident = pages?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return ProcessFigures(
            resident: resident * sysconf(Int32(_SC_PAGESIZE)),
            cpu: .seconds(Int(seconds)) + .microseconds(Int(microseconds)))
    }
}

/// How many files this process may open.
package enum DescriptorLimit {
    /// Raises the process's limit on open files to what the system lets it have.
    ///
    /// - Returns: that limit.
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let most = limit.rlim_max
        limit.rlim_cur = most
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
