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
            case .cut:
                pending = 0
                if showsCodes { bytes += Array("[cut]\n".utf8) }
            case .picture(let bitmap, _, _):
                if showsCodes { bytes += Array("[picture \(bitmap.width)x\(bitmap.height)]\n".utf8) }
            case .code(let name, let data, _, _, _):
                if showsCodes { bytes += Array("[\(name) \(data)]\n".utf8) }
            case .note: break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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
