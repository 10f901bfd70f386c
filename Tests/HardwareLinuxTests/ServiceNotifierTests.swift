import BoxFoundation
import Glibc
import HardwareLinux
import TestSupport
import Testing

@Suite("Telling systemd")
struct ServiceNotifierTests {
    @Test("Each message is one datagram of its own, a status in one line and only when it changed")
    func messages() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/notify"
        let systemd = try receiver(at: path)
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": path].lookUp)
        #expect(notifier.isUnderSystemd)
        notifier.ready()
        notifier.status("printer: paper out\n1 receipt waits")
        notifier.status("printer: paper out\n1 receipt waits")
        notifier.stillTurning()
        notifier.stopping()
        #expect(
            read(systemd.number) == [
                "READY=1", "STATUS=printer: paper out 1 receipt waits", "WATCHDOG=1", "STOPPING=1",
            ])
    }

    @Test("Without systemd, or with a socket that is gone, nothing happens")
    func nobody() {
        let folder = TemporaryFolder()
        ServiceNotifier(environment: { _ in nil }).ready()
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "\(folder.path)/none"].lookUp)
        notifier.ready()
        #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": ""].lookUp).isUnderSystemd == false)
        #expect(
            ServiceNotifier(environment: ["NOTIFY_SOCKET": String(repeating: "x", count: 200)].lookUp).isUnderSystemd
                == false)
    }

    @Test(
        "The watchdog is fed at half its limit, by the process it is meant for",
        arguments: [
            (["WATCHDOG_USEC": "500000"], 250),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": String(getpid())], 15_000),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Int64?)])
    func watchdog(environment: [String: String], milliseconds: Int64?) {
        let notifier = ServiceNotifier(environment: environment.lookUp)
        #expect(notifier.watchdogPeriod?.milliseconds == milliseconds)
    }

    private func receiver(at path: String) throws -> Descriptor {
        let made = try Descriptor("socket") { socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let number = made.number
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError.last("bind") }
        return made
    }

    private func read(_ socket: Int32) -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}

extension [String: String] {
    fileprivate var lookUp: (String) -> String? { { self[$0] } }
}
