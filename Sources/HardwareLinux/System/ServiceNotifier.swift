// Tells systemd how the service is (`Type=notify`, sd_notify(3)), over its datagram socket.

import BoxFoundation
import Glibc
import HardwareInterface

/// Without systemd it does nothing. A message that cannot be sent is lost: systemd then does what it does with a
/// service that is silent.
package final class ServiceNotifier: ServiceSupervisor {
    /// systemd kills the service when nothing was heard for this long (WATCHDOG_USEC); nil: no watchdog.
    package let watchdogLimit: Interval?

    private let address: UnixAddress?
    private var socket: Descriptor?
    private var lastStatus = ""

    /// - Parameter environment: looks a variable up; the process's own by default.
    package init(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        address = environment("NOTIFY_SOCKET").flatMap(UnixAddress.init)
        watchdogLimit = Self.watchdog(environment)
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        if address != nil { socket = try? Descriptor("socket") { Glibc.socket(AF_UNIX, type, 0) } }
    }

    package var isUnderSystemd: Bool { address != nil }

    /// How often `stillTurning` is due: half the limit, as systemd advises.
    package var watchdogPeriod: Interval? { watchdogLimit.map { $0 / 2 } }

    /// The loop turns and the devices were tried.
    package func ready() { send("READY=1") }

    package func stopping() { send("STOPPING=1") }

    /// Feeds the watchdog. Only the loop itself calls it, after a turn.
    package func stillTurning() { send("WATCHDOG=1") }

    /// A line for people in `systemctl status`; the same one again is not sent.
    package func status(_ text: String) {
        let line = String(text.map { $0.isNewline ? " " : $0 })
        guard line != lastStatus else { return }
        lastStatus = line
        send("STATUS=\(line)")
    }

    private func send(_ message: String) {
        guard let address, let number = socket?.number else { return }
        let bytes = Array(message.utf8)
        _ = retrying {
            address.withSockaddr { sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, $1) }
        }
    }

    /// The limit is for the process named in WATCHDOG_PID, where one is.
    private static func watchdog(_ environment: (String) -> String?) -> Interval? {
        guard let microseconds = environment("WATCHDOG_USEC").flatMap({ Int($0) }), microseconds > 0 else { return nil }
        if let process = environment("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
        return .microseconds(microseconds)
    }
}

/// The address of a local socket: a file, or a name in the abstract space, written with an `@` before it.
private struct UnixAddress {
    private let name: [UInt8]

    init?(_ path: String) {
        var name = Array(path.utf8)
        guard name.count > 1, name.count < MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size else {
            return nil
        }
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        self.name = name
    }

    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
