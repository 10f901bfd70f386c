// Disk, memory, temperature, supply and network, from the files in which the kernel tells them. Reading them takes a
// millisecond mostly and may take longer (a sensor on a slow bus): not on the loop.

import BoxFoundation
import CLinux
import Glibc
import HardwareInterface

/// Reads a `MachineReading` from the kernel's files. Not for the loop: a sensor on a slow bus takes its time.
package struct MachineReader {
    private static let mostBytes = 1 << 18

    /// In front of `/proc` and `/sys`: tests put their own there.
    private let root: String
    /// Names of links with their addresses.
    private let addresses: () -> [(link: String, address: String)]

    package init(root: String = "", addresses: @escaping () -> [(link: String, address: String)] = systemAddresses) {
        self.root = root
        self.addresses = addresses
    }

    /// - Parameter state: the folder whose disk is meant.
    package func read(state: String) -> MachineReading {
        var reading = MachineReading()
        reading.diskFree = Self.diskFree(state)
        reading.memoryFree = memoryFree
        reading.temperature = temperature
        (reading.hasUnderVoltage, reading.hadUnderVoltage) = underVoltage
        reading.network = network
        return reading
    }

    private static func diskFree(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    private var memoryFree: Int64? {
        lines("/proc/meminfo").first { $0.hasPrefix("MemAvailable:") }
            .flatMap { Self.words($0).dropFirst().first.flatMap { Int64($0) } }.map { $0 << 10 }
    }

    /// Only the processor's: of a battery or a disk a counter box has nothing to say.
    private var temperature: Int? {
        names("/sys/class/thermal").filter { $0.hasPrefix("thermal_zone") }.compactMap { zone -> Int? in
            let type = text("/sys/class/thermal/\(zone)/type") ?? ""
            guard ["cpu", "soc", "x86_pkg"].contains(where: { type.hasPrefix($0) }) else { return nil }
            return text("/sys/class/thermal/\(zone)/temp").flatMap { Int($0) }
        }.max()
    }

    // MARK: Supply

    private static let voltageNow = 1
    private static let voltageSinceStart = 1 << 16

    /// The firmware's own word where the kernel passes it on, else the alarm of the supply's sensor.
    private var underVoltage: (now: Bool?, sinceStart: Bool?) {
        if let bits = throttled { return (bits & Self.voltageNow != 0, bits & Self.voltageSinceStart != 0) }
        let sensor = names("/sys/class/hwmon").first { text("/sys/class/hwmon/\($0)/name") == "rpi_volt" }
        return (sensor.flatMap { text("/sys/class/hwmon/\($0)/in0_lcrit_alarm") }.map { $0 == "1" }, nil)
    }

    private var throttled: Int? {
        let platform = "/sys/devices/platform"
        for soc in names(platform) where soc.hasPrefix("soc") {
            for device in names("\(platform)/\(soc)") where device.hasSuffix("firmware") {
                if let text = text("\(platform)/\(soc)/\(device)/get_throttled") {
                    return Int(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
                }
            }
        }
        return nil
    }

    // MARK: Network

    private var network: NetworkReading {
        var network = NetworkReading()
        let addresses = addresses()
        let signals = signals
        for name in names("/sys/class/net") where name != "lo" {
            let folder = "/sys/class/net/\(name)"
            let own = addresses.filter { $0.link == name }.map(\.address)
            // Bridges and tunnels that nothing goes through say nothing.
            guard names(folder).contains("device") || !own.isEmpty else { continue }
            network.links.append(
                NetworkLink(
                    name: name, isWireless: names(folder).contains { $0 == "wireless" || $0 == "phy80211" },
                    hasCarrier: text("\(folder)/carrier") == "1", addresses: own, signal: signals[name]))
        }
        network.gateways = gateways
        network.nameServers = nameServers
        return network
    }

    /// dBm by link.
    private var signals: [String: Int] {
        var signals: [String: Int] = [:]
        for line in lines("/proc/net/wireless").dropFirst(2) {
            let words = Self.words(line)
            guard words.count > 3, let level = Double(words[3]) else { continue }
            signals[String(words[0].dropLast())] = Int(level)
        }
        return signals
    }

    private static let isGateway = 2

    private var gateways: [String] {
        let v4 = lines("/proc/net/route").dropFirst().compactMap { line -> String? in
            let words = Self.words(line)
            guard words.count > 3, words[1] == "00000000", let flags = Int(words[3], radix: 16),
                flags & Self.isGateway != 0, let address = UInt32(words[2], radix: 16)
            else { return nil }
            return (0..<4).map { String(address >> (8 * $0) & 0xFF) }.joined(separator: ".")
        }
        let v6 = lines("/proc/net/ipv6_route").compactMap { line -> String? in
            let words = Self.words(line)
            guard words.count > 9, words[1] == "00", words[0].allSatisfy({ $0 == "0" }),
                let flags = Int(words[8], radix: 16), flags & Self.isGateway != 0,
                let bytes = Hex.bytes(String(words[4]))
            else { return nil }
            return Self.numeric(AF_INET6, bytes)
        }
        return v4 + v6
    }

    /// A resolver of this machine's own stands for those it asks.
    private var nameServers: [String] {
        let own = nameServers(of: "/etc/resolv.conf")
        guard own == ["127.0.0.53"] else { return own }
        let asked = nameServers(of: "/run/systemd/resolve/resolv.conf")
        return asked
    }

    private func nameServers(of path: String) -> [String] {
        lines(path).map { Self.words($0) }.filter { $0.count > 1 && $0[0] == "nameserver" }.map { String($0[1]) }
    }

    /// Of this machine, link-local ones left out.
    package static func systemAddresses() -> [(link: String, address: String)] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [(link: String, address: String)] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr, let text = numeric(address) else { continue }
            found.append((String(cString: entry.pointee.ifa_name), text))
        }
        return found
    }

    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
            return bytes.starts(with: [169, 254]) ? nil : numeric(AF_INET, bytes)
        case AF_INET6:
            let bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? nil : numeric(AF_INET6, bytes)
        default: return nil
        }
    }

    private static func numeric(_ family: Int32, _ bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: Files

    private func names(_ folder: String) -> [String] { Files.names(in: root + folder) }

    /// A file of one line, without its end.
    private func text(_ path: String) -> String? {
        guard let bytes = try? Files.read(root + path, limit: Self.mostBytes) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
    }

    private func lines(_ path: String) -> [Substring] {
        guard let bytes = try? Files.read(root + path, limit: Self.mostBytes) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private static func words(_ line: some StringProtocol) -> [Substring] {
        Substring(line).split { $0 == " " || $0 == "\t" }
    }
}
