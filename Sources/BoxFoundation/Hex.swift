// Bytes as lower-case hexadecimal digits, the way keys, nonces and hashes are written.

/// Bytes as lower-case hexadecimal digits, and back.
package enum Hex {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(digit[Int(byte >> 4)])
            digits.append(digit[Int(byte & 15)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// - Returns: nil unless `text` is an even number of lower-case hex digits and nothing else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for i in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[i]), let low = value(digits[i + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static let digit = Array("0123456789abcdef".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
