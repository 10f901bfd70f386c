// A numeric address and port, as it stands in a configuration and in the log.

import Glibc

/// An IPv4 or IPv6 address with its port.
package struct SocketAddress: Equatable, Hashable, Sendable {
    /// The address's bytes, in the network's order.
    package enum Host: Equatable, Hashable, Sendable {
        /// 4 bytes.
        case v4([UInt8])
        /// 16 bytes, and the interface of a link-local address (0 for none).
        case v6([UInt8], scope: UInt32)
    }

    package var host: Host
    package var port: UInt16

    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:7788`, `[::1]:7788` or `[fe80::1%eth0]:7788`; nil for anything else, names included.
    package init?(_ text: String) {
        guard let place = HostAndPort(text), let host = Host(place.host) else { return nil }
        self.init(host: host, port: place.port)
    }

    package var isLoopback: Bool {
        switch host {
        case .v4(let bytes): bytes[0] == 127
        case .v6(let bytes, _):
            bytes == [UInt8](repeating: 0, count: 15) + [1]
                || bytes.starts(with: Self.v4Mapped) && bytes[12] == 127
        }
    }

    /// `::ffff:0:0/96`: how a v6 socket shows a v4 peer.
    fileprivate static let v4Mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:7788`, `[::1]:7788`. A v4 peer of a v6 socket is shown as v4.
    package var description: String {
        switch host {
        case .v4(let bytes): "\(Host.text(AF_INET, bytes)):\(port)"
        case .v6(let bytes, _) where bytes.starts(with: Self.v4Mapped):
            "\(Host.text(AF_INET, Array(bytes[12...]))):\(port)"
        case .v6(let bytes, let scope):
            "[\(Host.text(AF_INET6, bytes))\(scope == 0 ? "" : "%\(Host.interface(scope))")]:\(port)"
        }
    }
}

/// What stands in an address before it is known to be a number or a name.
package struct HostAndPort: Equatable, Sendable {
    package var host: String
    package var port: UInt16

    /// Reads `host:port` and `[v6]:port`. A host is not empty and holds no white space.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace), !host.contains(where: { "[]".contains($0) }),
            !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        self.host = String(host)
        self.port = port
    }
}

extension SocketAddress.Host {
    /// A number in text; nil for a name.
    package init?(_ text: String) {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        if parts.count == 1, let bytes = Self.bytes(AF_INET, text, count: 4) {
            self = .v4(bytes)
            return
        }
        guard parts.count <= 2, let first = parts.first, let bytes = Self.bytes(AF_INET6, String(first), count: 16)
        else { return nil }
        let scope = parts.count == 2 ? if_nametoindex(String(parts[1])) : 0
        guard parts.count == 1 || scope != 0 else { return nil }
        self = .v6(bytes, scope: scope)
    }

    private static func bytes(_ family: Int32, _ text: String, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    fileprivate static func text(_ family: Int32, _ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    fileprivate static func interface(_ index: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return String(index) }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

// MARK: - As the kernel wants it

extension SocketAddress {
    package var family: Int32 {
        switch host {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Calls `body` with the address as the socket calls take it.
    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .v4(let bytes):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return Self.call(&address, body)
        case .v6(let bytes, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            return Self.call(&address, body)
        }
    }

    /// Calls `fill` (getsockname, accept …) for an address.
    ///
    /// - Returns: nil where it failed or gave another family than v4 and v6.
    package static func filled(by fill: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { raw in
            guard let base = raw.baseAddress,
                fill(base.assumingMemoryBound(to: sockaddr.self), &length)
            else { return nil }
            return SocketAddress(UnsafeRawBufferPointer(raw))
        }
    }

    /// - Parameter raw: at least a `sockaddr_in6`.
    package init?(_ raw: UnsafeRawBufferPointer) {
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where raw.count >= MemoryLayout<sockaddr_in>.size:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            let bytes = withUnsafeBytes(of: address.sin_addr) { Array($0) }
            self.init(host: .v4(bytes), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6 where raw.count >= MemoryLayout<sockaddr_in6>.size:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            let bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
            self.init(host: .v6(bytes, scope: address.sin6_scope_id), port: UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }

    private static func call<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeBytes(of: &address) { raw in
            // A local of a sockaddr type: aligned, bound for the call, never empty.
            raw.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress.unsafelyUnwrapped, socklen_t(raw.count)) }
        }
    }
}
