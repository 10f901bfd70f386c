// Samples for the page, whose JSON holds no bytes.

enum Base64Text {
    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// RFC 4648, padded; the lower byte of a sample first.
    static func of(_ samples: [Int16]) -> String {
        of(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    static func of(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            var quad = [UInt8](repeating: UInt8(ascii: "="), count: 4)
            for place in (0..<4).reversed() {
                if place <= group.count { quad[place] = signs[Int(bits & 63)] }
                bits >>= 6
            }
            text += quad
        }
        return String(decoding: text, as: UTF8.self)
    }
}
