// Bytes within bytes, and what people must not read in an address.

extension Array where Element == UInt8 {
    /// Where `part` stands for the first time, from `start` on.
    package func firstPlace(of part: some Collection<UInt8>, from start: Int = 0) -> Int? {
        indices.dropFirst(start).first { self[$0...].starts(with: part) }
    }
}

extension String {
    /// Whether `part` stands in it, byte for byte. (The standard library's own search brings in its regular expressions,
    /// a megabyte of program.)
    package func holds(_ part: String) -> Bool { Array(utf8).firstPlace(of: part.utf8) != nil }
}

/// URLs as people may see them: without user and password.
package enum AddressText {
    /// `scheme://user:word@host` without user and word, each of several with commas between. What is no address stays as
    /// it is.
    ///
    /// - Parameter mark: stands in their place.
    package static func withoutUser(_ addresses: String, mark: String = "") -> String {
        // A comma in a word begins no address: a scheme follows it.
        var each: [[UInt8]] = []
        for part in addresses.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Array.init)
        {
            if each.isEmpty || part.firstPlace(of: "://".utf8) != nil {
                each.append(part)
            } else {
                each[each.count - 1] += [UInt8(ascii: ",")] + part
            }
        }
        return each.map { withoutUser(ofOne: String(decoding: $0, as: UTF8.self), mark) }.joined(separator: ",")
    }

    private static func withoutUser(ofOne address: String, _ mark: String) -> String {
        let bytes = Array(address.utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), let scheme = bytes.firstPlace(of: "://".utf8),
            scheme < at
        else { return address }
        return String(decoding: bytes[..<(scheme + 3)], as: UTF8.self) + mark
            + String(decoding: bytes[(at + 1)...], as: UTF8.self)
    }
}
