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

extension String {
    /// What follows a prefix; nil where it is not there.
    func after(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
