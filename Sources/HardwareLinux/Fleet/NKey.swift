// A NATS user's key (nkey): an Ed25519 key pair whose seed and public half are written in base 32, with a prefix that tells
// what they are and a CRC-16. The seed stays with the box; the server's configuration has the public half.

import CTLS

/// An Ed25519 key pair in NATS' writing (github.com/nats-io/nkeys): seed and public key in base 32.
package struct NKey {
    private static let userPrefix: UInt8 = 20 << 3
    private static let seedPrefix: UInt8 = 18 << 3
    /// Bytes of either half.
    private static let size = 32

    private let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// - Parameter seed: `SU…`, 58 characters; white space around it is passed over.
    package init?(seed: String) {
        let text = String(seed.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
        guard let all = Self.decoded(text), all.count == 2 + Self.size + 2,
            all[0] == Self.seedPrefix | Self.userPrefix >> 5, all[1] == (Self.userPrefix & 31) << 3,
            Self.checksum(all.dropLast(2)) == UInt16(all[34]) | UInt16(all[35]) << 8
        else { return nil }
        bytes = Array(all[2..<34])
    }

    /// The secret. Never for a log or a screen.
    package var seed: String {
        Self.text([Self.seedPrefix | Self.userPrefix >> 5, (Self.userPrefix & 31) << 3] + bytes)
    }

    /// `U…`, 56 characters, for the server's configuration.
    package var publicKey: String? {
        guard tls_load() == nil,
            let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        else { return nil }
        defer { EVP_PKEY_free(key) }
        var half = [UInt8](repeating: 0, count: Self.size)
        var count = half.count
        guard EVP_PKEY_get_raw_public_key(key, &half, &count) == 1, count == Self.size else { return nil }
        return Self.text([Self.userPrefix] + half)
    }

    // MARK: - Base 32 (RFC 4648, without padding) and CRC-16 (XMODEM)

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    private static func text(_ bytes: [UInt8]) -> String {
        let sum = checksum(bytes[...])
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)] {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> count & 31)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
        }
        return bytes
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }
}
