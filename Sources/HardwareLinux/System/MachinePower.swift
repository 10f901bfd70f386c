// Restarting the machine, where this user may: through systemd, which stops everything in order, else by the kernel.

import BoxFoundation
import CLinux
import Glibc

package struct MachinePower {
    /// How a program ended and what it wrote; nil where it could not be started or took too long.
    package typealias Program = ([String]) -> (status: Int32, output: String)?

    /// CAP_SYS_BOOT.
    private static let bootCapability = 22
    private static let programLimit = Interval.seconds(10)

    private let run: Program
    private let capabilities: UInt64
    private let hasSystemd: Bool

    package init(
        run: @escaping Program = { ChildProcess.run($0, within: programLimit) },
        capabilities: UInt64 = ownCapabilities, hasSystemd: Bool = Files.exists("/run/systemd/system")
    ) {
        self.run = run
        self.capabilities = capabilities
        self.hasSystemd = hasSystemd
    }

    /// Asks without doing anything.
    ///
    /// - Returns: why not, and what to do; nil where it is permitted.
    package func refusal() -> String? {
        if capabilities >> Self.bootCapability & 1 == 1 { return nil }
        guard hasSystemd else { return "this user may not restart the machine, and there is no systemd to ask" }
        let login = [
            "busctl", "--system", "call", "org.freedesktop.login1", "/org/freedesktop/login1",
            "org.freedesktop.login1.Manager", "CanReboot",
        ]
        guard let answer = run(login), answer.status == 0 else {
            return "systemd's login service cannot be asked whether this user may restart the machine"
        }
        if answer.output.hasPrefix("s \"yes\"") { return nil }
        return "this user may not restart the machine: a polkit rule must allow it org.freedesktop.login1.reboot"
    }

    /// - Returns: why it did not work; nil where the machine goes down now.
    package func restart() -> String? {
        if hasSystemd {
            guard let answer = run(["systemctl", "--no-ask-password", "reboot"]) else {
                return "systemctl reboot did not answer"
            }
            return answer.status == 0 ? nil : "systemctl reboot ended with \(answer.status)"
        }
        sync()
        guard reboot(Int32(RB_AUTOBOOT)) == 0 else { return SystemError.last("reboot").message }
        return nil
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
