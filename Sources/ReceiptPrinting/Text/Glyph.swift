// What a line of a receipt is made of between the markup and the printer: one character, its style, its columns.

/// How characters look. Widths and heights are multiples of the normal size, 1 to 8.
package struct TextStyle: Equatable, Hashable, Sendable {
    /// Bit 0 underline, 1 emphasis, 2 inverted; bits 4 to 7 width, 8 to 11 height.
    private var bits: UInt16 = 0x110

    package init(across: Int = 1, down: Int = 1) {
        self.across = across
        self.down = down
    }

    package static let normal = TextStyle()
    /// The largest that the markup has; printers go up to 8.
    package static let mostScale = 6

    package var isUnderlined: Bool {
        get { flag(0) }
        set { setFlag(0, newValue) }
    }
    package var isEmphasized: Bool {
        get { flag(1) }
        set { setFlag(1, newValue) }
    }
    package var isInverted: Bool {
        get { flag(2) }
        set { setFlag(2, newValue) }
    }

    package var across: Int {
        get { Int(bits >> 4 & 15) }
        set { bits = bits & ~0xF0 | UInt16(newValue & 15) << 4 }
    }

    package var down: Int {
        get { Int(bits >> 8 & 15) }
        set { bits = bits & ~0xF00 | UInt16(newValue & 15) << 8 }
    }

    private func flag(_ bit: UInt16) -> Bool { bits >> bit & 1 == 1 }
    private mutating func setFlag(_ bit: UInt16, _ on: Bool) { bits = bits & ~(1 << bit) | (on ? 1 << bit : 0) }
}

/// One character of a line in eight bytes.
package struct Glyph: Equatable, Sendable {
    /// A Unicode scalar; `newLine` only between the markup and the layout.
    package var scalar: UInt32
    package var style: TextStyle
    /// Columns at normal size, 0 to 3: what the printer's encoding takes, not Unicode's guess.
    package var width: UInt8

    package init(_ scalar: UInt32, width: UInt8 = 1, style: TextStyle = .normal) {
        self.scalar = scalar
        self.style = style
        self.width = width
    }

    package static let space = Glyph(0x20)
    static let newLine: UInt32 = 0x0A

    /// Columns on paper.
    package var columns: Int { Int(width) * style.across }
}
