// Text as a terminal shows it.

enum TerminalText {
    /// A terminal's line end.
    static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Columns that a scalar takes. Terminals agree on these ranges; of the rest most take one.
    static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x0300...0x036F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }

    static func width(_ scalars: some Sequence<Unicode.Scalar>) -> Int { scalars.reduce(0) { $0 + width($1) } }

    /// A line of ours in UTF-8. Control characters in it (a hub's texts may hold any) become U+FFFD, so that nothing that
    /// came over the wire can steer the technician's terminal.
    static func line(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            bytes += Array(String(Character(isControl ? "\u{FFFD}" : scalar)).utf8)
        }
        return bytes + lineEnd
    }

    static func bytes(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }
}
