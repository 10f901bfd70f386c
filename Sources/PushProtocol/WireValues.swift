// How the values that many payloads share are read. A value of a wrong type or out of all reason counts as absent.

import BoxFoundation

extension JSON {
    /// Milliseconds since 1970, up to the year 9999, so that no sum of two can overflow.
    var wallTime: WallTime? {
        guard let milliseconds = wholeNumber, (0...253_402_300_799_999).contains(milliseconds) else { return nil }
        return WallTime(milliseconds: milliseconds)
    }

    /// Seconds, with or without a fraction, from 0 up to ten years; a longer time is taken as ten years.
    var seconds: Interval? {
        guard let seconds = double, seconds >= 0 else { return nil }
        return .milliseconds(Int(min(seconds, 10 * 366 * 86_400) * 1000))
    }

    /// A number without its fraction: some back ends write milliseconds as `1764410700000.0`.
    private var wholeNumber: Int64? {
        if let integer { return integer }
        guard let double, double.magnitude < 9e15 else { return nil }
        return Int64(double)
    }
}

/// What a box id and a hub name are made of.
enum WireName {
    /// Bytes.
    static let most = 64

    static func isGood(_ name: String, least: Int) -> Bool {
        (least...most).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Nonces, proofs and hashes.
    static func isDigest(_ text: String) -> Bool { text.utf8.count == 64 && Hex.bytes(text) != nil }
}
