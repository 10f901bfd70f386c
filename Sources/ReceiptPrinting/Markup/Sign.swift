// The signs of the markup as bytes, and UTF-8 read scalar by scalar.

enum Sign {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let minus: UInt8 = 0x2D
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equal: UInt8 = 0x3D
    static let backslash: UInt8 = 0x5C
    static let caret: UInt8 = 0x5E
    static let underscore: UInt8 = 0x5F
    static let backquote: UInt8 = 0x60
    static let openBrace: UInt8 = 0x7B
    static let pipe: UInt8 = 0x7C
    static let closeBrace: UInt8 = 0x7D
    static let tilde: UInt8 = 0x7E

    static func hexValue(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

enum UTF8Scalar {
    /// Reads one scalar and moves `at` past it, at most to `end`. What is not UTF-8 is U+FFFD, a byte at a time.
    static func next(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, _ end: Int) -> UInt32 {
        let first = UInt32(bytes[at])
        at += 1
        let (more, start): (Int, UInt32)
        switch first {
        case 0..<0x80: return first
        case 0xC2..<0xE0: (more, start) = (1, first & 0x1F)
        case 0xE0..<0xF0: (more, start) = (2, first & 0x0F)
        case 0xF0..<0xF5: (more, start) = (3, first & 0x07)
        default: return 0xFFFD
        }
        guard at + more <= end else { return 0xFFFD }
        var scalar = start
        for i in 0..<more {
            let byte = UInt32(bytes[at + i])
            guard byte & 0xC0 == 0x80 else { return 0xFFFD }
            scalar = scalar << 6 | byte & 0x3F
        }
        let least: UInt32 = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return 0xFFFD }
        at += more
        return scalar
    }

    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        switch scalar {
        case 0..<0x80: bytes.append(UInt8(scalar))
        case 0x80..<0x800:
            bytes.append(0xC0 | UInt8(scalar >> 6))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        case 0x800..<0x10000:
            bytes.append(0xE0 | UInt8(scalar >> 12))
            bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        default:
            bytes.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18 & 7))
            bytes.append(0x80 | UInt8(scalar >> 12 & 0x3F))
            bytes.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(scalar & 0x3F))
        }
    }
}
