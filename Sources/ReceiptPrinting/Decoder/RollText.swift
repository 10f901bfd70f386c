// A paper roll as plain text, the way PlainText writes a receipt.

extension PaperRoll {
    /// A line of text a printed line; a wide character is followed by the spaces that fill its columns. Paper fed before a
    /// cut or at the end shows as nothing.
    ///
    /// - Parameter showsCodes: codes, pictures and cuts get a line of their own in brackets.
    package func text(showsCodes: Bool = false) -> String {
        var bytes: [UInt8] = []
        var pending = 0
        for item in items {
            switch item {
            case .line(let glyphs, _, _):
                bytes += Array(repeating: Sign.lineFeed, count: pending)
                pending = 0
                Self.append(glyphs, to: &bytes)
            case .feed(let lines): pending += lines
            case .cut: pending = 0
            case .picture, .code, .note: break
            }
            if showsCodes, let words = words(for: item) { bytes += Array("[\(words)]\n".utf8) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func words(for item: PaperItem) -> String? {
        switch item {
        case .picture(let bitmap, let x, let y):
            // A picture that came in strips is told once, at its first.
            isStrip(x, y, bitmap.width) ? nil : "picture \(bitmap.width)x\(height(from: x, y, bitmap))"
        case .code(let name, let data, _, _, _): "\(name) \(data)"
        case .cut: "cut"
        case .line, .feed, .note: nil
        }
    }

    private func isStrip(_ x: Int, _ y: Int, _ width: Int) -> Bool {
        items.contains { item in
            guard case .picture(let above, x, let top) = item, above.width == width else { return false }
            return top + above.height == y
        }
    }

    private func height(from x: Int, _ y: Int, _ first: Bitmap) -> Int {
        var bottom = y + first.height
        for item in items {
            if case .picture(let strip, x, bottom) = item, strip.width == first.width { bottom += strip.height }
        }
        return bottom - y
    }

    private static func append(_ glyphs: [PrintedGlyph], to bytes: inout [UInt8]) {
        let column = glyphs.map(\.column).min() ?? 12
        var place = 0
        for glyph in glyphs.sorted(by: { $0.x < $1.x }) {
            let start = (glyph.x + column / 2) / column
            while place < start {
                bytes.append(Sign.space)
                place += 1
            }
            UTF8Scalar.append(glyph.scalar, to: &bytes)
            let columns = max(1, (glyph.width + column / 2) / column)
            for _ in 0..<max(0, columns - (glyph.isWide ? 2 : 1)) { bytes.append(Sign.space) }
            place += columns
        }
        bytes.append(Sign.lineFeed)
    }
}
