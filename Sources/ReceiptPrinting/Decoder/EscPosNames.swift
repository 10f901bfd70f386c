// Commands as people name them.

enum EscPosNames {
    static func control(_ byte: UInt8) -> String {
        let names = [
            "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
            "DLE",
            "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
        ]
        return Int(byte) < names.count ? names[Int(byte)] : hex(byte)
    }

    /// `ESC @`; with the function's letter where there is one: `GS ( k`, `GS v 0`.
    static func command(_ prefix: UInt8, _ code: UInt8, _ parameters: ArraySlice<UInt8>) -> String {
        let name = control(prefix) + " " + letter(code)
        let hasFunction =
            code == UInt8(ascii: "(") || (prefix == 0x1D && (code == UInt8(ascii: "v") || code == UInt8(ascii: "8")))
        guard hasFunction, let function = parameters.first else { return name }
        return name + " " + letter(function)
    }

    private static func letter(_ byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: String(UnicodeScalar(byte))
        case 0x20: "SP"
        case 0..<0x20: control(byte)
        default: hex(byte)
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return "0x" + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
