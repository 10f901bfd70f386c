// Many seeds, one process a core: a seed that brings the program down ends its own process alone, and is named.

import BoxAssembly
import BoxFoundation
import CounterSimulation
import Glibc
import HardwareLinux

final class SeedWorkers {
    private struct Worker {
        var child: pid_t
        var output: Int32
        var text: [UInt8] = []
        /// The seed that it is at.
        var seed: UInt64?
    }

    private let order: SimulateOrder
    private let resources: String
    private let jobs: Int
    private let untilFailure: Bool
    private var workers: [Worker] = []
    private var summary = SimulationSummary()

    init(_ order: SimulateOrder, resources: String, jobs: Int?, untilFailure: Bool) {
        self.order = order
        self.untilFailure = untilFailure
        self.resources = resources
        self.jobs = max(1, min(jobs ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)), Int(order.count)))
    }

    func run() throws(VerbFailure) -> ExitStatus {
        for i in 0..<jobs { try start(from: order.first + UInt64(i)) }
        while !workers.isEmpty {
            try readSome()
            if untilFailure, summary.failed > 0 { stop() }
        }
        Terminal.showProgress("")
        Terminal.print(summary.text)
        return summary.failed == 0 ? .success : .failure
    }

    private func start(from seed: UInt64) throws(VerbFailure) {
        guard seed < order.first + order.count else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .failure("no pipe: errno \(errno)") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var words: [UnsafeMutablePointer<CChar>?] =
            (["counterdesk"] + order.words(from: seed, step: jobs)).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child: pid_t = 0
        let variable = strdup("COUNTERBOX_RESOURCES=\(resources)")
        defer { free(variable) }
        let error = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, [variable, nil])
        close(ends[1])
        guard error == 0 else { throw .failure("a process cannot be started: errno \(error)") }
        workers.append(Worker(child: child, output: ends[0]))
    }

    private func readSome() throws(VerbFailure) {
        var polls = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        guard poll(&polls, nfds_t(polls.count), -1) > 0 else { return }
        var block = [UInt8](repeating: 0, count: 1 << 16)
        for i in polls.indices.reversed() where polls[i].revents != 0 {
            let count = read(workers[i].output, &block, block.count)
            if count > 0 {
                workers[i].text += block[..<count]
                takeLines(i)
            } else if count == 0 {
                try ended(i)
            }
        }
    }

    private func stop() {
        for worker in workers {
            kill(worker.child, SIGTERM)
            close(worker.output)
            while waitpid(worker.child, nil, 0) < 0, errno == EINTR {}
        }
        workers = []
    }

    private func takeLines(_ i: Int) {
        while let end = workers[i].text.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: workers[i].text[..<end], as: UTF8.self)
            workers[i].text.removeFirst(end + 1)
            if line.hasPrefix("begins ") {
                workers[i].seed = UInt64(line.dropFirst(7))
            } else if line.hasPrefix("ended ") {
                workers[i].seed = nil
                summary.add(line: line.dropFirst(6))
                Terminal.showProgress("\(summary.seeds) of \(order.count) seeds, \(summary.failed) failed")
            } else if line.hasPrefix("! ") {
                Terminal.print(String(line.dropFirst(2)))
            }
        }
    }

    private func ended(_ i: Int) throws(VerbFailure) {
        let worker = workers.remove(at: i)
        close(worker.output)
        var status: Int32 = 0
        while waitpid(worker.child, &status, 0) < 0, errno == EINTR {}
        guard let seed = worker.seed else {
            guard status == 0 else { throw .failure("a process of the simulation ended with status \(status >> 8)") }
            return
        }
        let commit = order.commit.map { " at \($0)" } ?? ""
        Terminal.print("seed \(seed)\(commit) brought the program down (signal \(status & 0x7F))")
        Terminal.print("  again: counterdesk simulate --seed \(seed) --hours \(order.hours) --trace")
        summary.addCrash()
        try start(from: seed + UInt64(jobs))
    }
}
