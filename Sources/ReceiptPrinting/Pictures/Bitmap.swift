// Black dots on white paper, as printers take them.

/// Rows of dots, each padded to whole bytes, the leftmost dot in the highest bit; 1 is black.
package struct Bitmap: Equatable, Sendable {
    package let width: Int
    package let height: Int
    package let bytesPerRow: Int
    package private(set) var bits: [UInt8]

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytesPerRow = (width + 7) / 8
        bits = Array(repeating: 0, count: bytesPerRow * height)
    }

    /// - Parameter bits: `height` rows of `(width + 7) / 8` bytes; what is missing is white.
    package init(width: Int, height: Int, bits: some Collection<UInt8>) {
        self.init(width: width, height: height)
        for (i, byte) in bits.prefix(self.bits.count).enumerated() { self.bits[i] = byte }
    }

    package subscript(x: Int, y: Int) -> Bool {
        get { bits[y * bytesPerRow + x >> 3] >> (7 - UInt8(x & 7)) & 1 == 1 }
        set {
            let bit: UInt8 = 0x80 >> UInt8(x & 7)
            let place = y * bytesPerRow + x >> 3
            bits[place] = newValue ? bits[place] | bit : bits[place] & ~bit
        }
    }

    /// The same picture with `left` white dots before each row.
    package func indented(by left: Int) -> Bitmap {
        if left == 0 { return self }
        var wide = Bitmap(width: left + width, height: height)
        let (bytes, shift) = (left / 8, UInt16(left % 8))
        for y in 0..<height {
            for i in 0..<bytesPerRow {
                let pair = UInt16(bits[y * bytesPerRow + i]) << (8 - shift)
                let place = y * wide.bytesPerRow + bytes + i
                wide.bits[place] |= UInt8(pair >> 8)
                if pair & 0xFF != 0 { wide.bits[place + 1] |= UInt8(pair & 0xFF) }
            }
        }
        return wide
    }

    /// Each dot drawn as a square of `scale` dots.
    package func enlarged(by scale: Int) -> Bitmap {
        var large = Bitmap(width: width * scale, height: height * scale)
        for y in 0..<height {
            for x in 0..<width where self[x, y] {
                for i in 0..<scale { large[x * scale + i, y * scale] = true }
            }
            let row = y * scale * large.bytesPerRow
            for copy in 1..<max(scale, 1) {
                for i in 0..<large.bytesPerRow { large.bits[row + copy * large.bytesPerRow + i] = large.bits[row + i] }
            }
        }
        return large
    }

    /// The bytes of some rows.
    package func rows(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bits[range.lowerBound * bytesPerRow..<range.upperBound * bytesPerRow]
    }
}
