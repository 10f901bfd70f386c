// Where to reach things, read from the texts of the configuration.

import BoxFoundation

/// A name or numeric address and a port.
package struct HostAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, `[::1]:port`, or without a port where there is a usual one.
    package init?(_ text: String, usualPort: UInt16? = nil) {
        var host = text[...]
        var port = usualPort
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"),
            text[..<colon].last == "]" || !text[..<colon].contains(":")
        {
            guard let number = Self.port(text[text.index(after: colon)...]) else { return nil }
            port = number
            host = text[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        }
        guard let port, !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isHostByte) else { return nil }
        self.init(host: String(host), port: port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"),
            UInt8(ascii: "%"):
            true
        default: false
        }
    }

    /// It reaches this machine alone.
    package var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// What carries bytes to the printer.
package enum PrinterCarrier: Hashable, Sendable {
    case none
    /// The address in capitals; nil channel: asked of the printer.
    case bluetooth(address: String, channel: UInt8?)
    case tcp(HostAddress)
    case file(String)
    case serial(String, baud: Int)

    package static let usualPort: UInt16 = 9100
    package static let bauds = [1200, 2400, 4800, 9600, 19200, 38400, 57600, 115_200, 230_400]

    /// Reads `none`, `bluetooth://DC:0D:30:00:00:01[/CHANNEL]`, `tcp://host[:9100]`, `file:/dev/usb/lp0` and
    /// `serial:/dev/ttyUSB0[?baud=9600]`.
    package init?(_ text: String) {
        if text == "none" {
            self = .none
        } else if let rest = text.after("bluetooth://") {
            guard let carrier = Self.bluetooth(rest) else { return nil }
            self = carrier
        } else if let rest = text.after("tcp://") {
            guard
                let address = HostAddress(rest.last == "/" ? String(rest.dropLast()) : rest, usualPort: Self.usualPort)
            else {
                return nil
            }
            self = .tcp(address)
        } else if let rest = text.after("file:") {
            guard let path = Self.path(rest) else { return nil }
            self = .file(path)
        } else if let rest = text.after("serial:") {
            guard let carrier = Self.serial(rest) else { return nil }
            self = carrier
        } else {
            return nil
        }
    }

    private static func bluetooth(_ text: String) -> PrinterCarrier? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 && Hex.bytes($0.lowercased()) != nil }) else {
            return nil
        }
        var channel: UInt8?
        if parts.count == 2, !parts[1].isEmpty {
            // RFCOMM has the channels 1 to 30.
            guard let number = UInt8(parts[1]), (1...30).contains(number) else { return nil }
            channel = number
        }
        return .bluetooth(address: parts[0].uppercased(), channel: channel)
    }

    private static func serial(_ text: String) -> PrinterCarrier? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = path(String(parts[0])) else { return nil }
        guard parts.count == 2 else { return .serial(path, baud: 9600) }
        guard let baud = String(parts[1]).after("baud=").flatMap({ Int($0) }), bauds.contains(baud) else { return nil }
        return .serial(path, baud: baud)
    }

    private static func path(_ text: String) -> String? {
        let path = text.after("//") ?? text
        return path.hasPrefix("/") && path.utf8.count > 1 ? path : nil
    }
}

extension PrinterCarrier: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "none"
        case .bluetooth(let address, let channel): "bluetooth://\(address)" + (channel.map { "/\($0)" } ?? "")
        case .tcp(let address): "tcp://\(address)"
        case .file(let path): "file:\(path)"
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        }
    }
}

extension String {
    /// What follows a prefix; nil where it is not there.
    func after(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
