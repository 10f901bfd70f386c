// Another program that runs beside this one, for the desk and for tests: a server that is measured, or stopped and started.

import Glibc

/// A child of this process that runs until it is stopped or killed.
package final class RunningProgram {
    private var child: ChildProcess
    package let id: Int32

    /// - Parameter words: the program, looked for on PATH, and its arguments. What it prints is not read.
    /// - Throws: ENOENT where there is no such program.
    package init(_ words: [String]) throws(SystemError) {
        child = try ChildProcess.start(words)
        id = child.id
    }

    /// - Returns: false once it has ended.
    package var isRunning: Bool { child.takeEnd() == nil }

    /// Asks it to end, and waits until it has.
    package func stop() {
        Glibc.kill(id, SIGTERM)
        for _ in 0..<500 where isRunning { usleep(10_000) }
        child.end()
    }

    /// As a power cut would.
    package func kill() { child.end() }

    /// Bytes of its memory that are resident, and seconds of the processor so far; nil once it is gone.
    package var usage: (resident: Int, processor: Double)? {
        guard let statm = try? Files.read("/proc/\(id)/statm", limit: 256),
            let stat = try? Files.read("/proc/\(id)/stat", limit: 4096)
        else { return nil }
        let pages = String(decoding: statm, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        // Behind the name, which may hold anything, the 12th and 13th fields are ticks in user and kernel mode.
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard let pages, fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return nil
        }
        return (pages * sysconf(Int32(_SC_PAGESIZE)), (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
}
