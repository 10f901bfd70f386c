// Restarting the machine: by the unit that started the box, which does it when the box ends with a status of its own, so
// that the box itself needs no right to; else by root's rights, where the box has them.

import BoxFoundation
import CLinux
import Glibc

/// Restarts the machine, where the box may; `docs/technician.md`, systemd.
package struct MachinePower {
    /// How a program ended and what it wrote; nil where it could not be started or took too long.
    package typealias Program = ([String]) -> (status: Int32, output: String)?

    /// What is left to do once the box has stopped.
    package enum Restart: Equatable, Sendable {
        /// End with `ExitStatus.restartMachine`: the unit does the rest.
        case byExit
        /// The machine goes down now.
        case underWay
        /// Why it did not work.
        case failed(String)
    }

    /// The unit's promise: it restarts the machine when the box ends with status 76 (`packaging/counterbox.service`).
    private static let promise = (variable: "COUNTERBOX_RESTART", value: "exit-76")
    /// CAP_SYS_BOOT.
    private static let bootCapability = 22
    private static let programLimit = Interval.seconds(10)

    private enum Way { case unit, systemd, kernel }

    private let run: Program
    private let capabilities: UInt64
    private let hasSystemd: Bool
    private let environment: (String) -> String?
    private let askKernel: () -> SystemError?

    /// - Parameters:
    ///   - environment: looks a variable up.
    ///   - askKernel: reboot(2); returns only where it failed.
    package init(
        run: @escaping Program = { ChildProcess.run($0, within: programLimit) },
        capabilities: UInt64 = ownCapabilities, hasSystemd: Bool = Files.exists("/run/systemd/system"),
        environment: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } },
        askKernel: @escaping () -> SystemError? = { restartByKernel() }
    ) {
        self.run = run
        self.capabilities = capabilities
        self.hasSystemd = hasSystemd
        self.environment = environment
        self.askKernel = askKernel
    }

    /// systemd started it.
    private var isService: Bool { environment("INVOCATION_ID") != nil || environment("NOTIFY_SOCKET") != nil }

    /// nil where there is none.
    private var way: Way? {
        // A variable alone may have come down from anybody.
        if isService, environment(Self.promise.variable) == Self.promise.value { return .unit }
        guard capabilities >> Self.bootCapability & 1 == 1 else { return nil }
        return hasSystemd ? .systemd : .kernel
    }

    /// Asks without doing anything.
    ///
    /// - Returns: why not, and what to do; nil where it is permitted.
    package func refusal() -> String? {
        guard way == nil else { return nil }
        return isService
            ? "the unit that started this box does not restart the machine for it: take over "
                + "\(Self.promise.variable)=\(Self.promise.value) and ExecStopPost= of counterbox.service"
            : "this user may not restart the machine, and no unit of systemd does it: start the box by counterbox.service"
    }

    package func restart() -> Restart {
        switch way {
        case .unit: return .byExit
        case .systemd:
            // systemd stops everything else in order, too.
            guard let answer = run(["systemctl", "--no-ask-password", "reboot"]) else {
                return .failed("systemctl reboot did not answer")
            }
            return answer.status == 0 ? .underWay : .failed("systemctl reboot ended with \(answer.status)")
        case .kernel: return askKernel().map { .failed($0.message) } ?? .underWay
        case nil: return .failed(refusal() ?? "")
        }
    }

    private static func restartByKernel() -> SystemError? {
        sync()
        return reboot(Int32(RB_AUTOBOOT)) == 0 ? nil : .last("reboot")
    }

    /// Of this process.
    package static var ownCapabilities: UInt64 {
        guard let bytes = try? Files.read("/proc/self/status", limit: 1 << 16) else { return 0 }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        return line.flatMap { UInt64($0.dropFirst(7).filter { $0 != "\t" && $0 != " " }, radix: 16) } ?? 0
    }
}

extension ChildProcess {
    private static let mostOutput = 1 << 16

    /// Starts a program without input and waits for it, for `limit` at most: not on the loop.
    static func run(_ words: [String], within limit: Interval) -> (status: Int32, output: String)? {
        guard var child = try? ChildProcess.start(words) else { return nil }
        child.closeInput()
        let deadline = MonotonicClock.now + limit
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while MonotonicClock.now < deadline {
            var ready = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
            _ = poll(&ready, 1, 10)
            let number = child.output
            let (count, error) = retrying { Glibc.read(number, &buffer, buffer.count) }
            if count > 0 {
                output += buffer[..<count].prefix(max(0, mostOutput - output.count))
            } else if count == 0 || error != EAGAIN, let end = child.takeEnd() {
                guard case .status(let status) = end else { return nil }
                return (status, String(decoding: output, as: UTF8.self))
            }
        }
        return nil
    }
}
