// A paper roll as plain text, the way PlainText writes a receipt.

extension PaperRoll {
    /// A line of text a printed line; a wide character is followed by the spaces that fill its columns. Paper fed before a
    /// cut or at the end shows as nothing.
    ///
    /// - Parameter showsCodes: codes, pictures and cuts get a line of their own in brackets.
    package func text(showsCodes: Bool = false) -> String {
        var bytes: [UInt8] = []
        var pending = 0
        let heights = pictureHeights
        for (i, item) in items.enumerated() {
            switch item {
            case .line(let glyphs, _, _):
                bytes += Array(repeating: Sign.lineFeed, count: pending)
                pending = 0
                Self.append(glyphs, to: &bytes)
            case .feed(let lines): pending += lines
            case .cut: pending = 0
            case .picture, .code, .note: break
            }
            if showsCodes, let words = words(for: item, height: heights[i]) { bytes += Array("[\(words)]\n".utf8) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter height: of a picture, its strips joined; nil for a strip that is not the first.
    private func words(for item: PaperItem, height: Int?) -> String? {
        switch item {
        case .picture(let bitmap, _, _): height.map { "picture \(bitmap.width)x\($0)" }
        case .code(let name, let data, _, _, _): "\(name) \(data)"
        case .cut: "cut"
        case .line, .feed, .note: nil
        }
    }

    /// Where a strip ends, and the next of the same picture begins.
    private struct StripEdge: Hashable {
        var x: Int
        var width: Int
        var y: Int
    }

    /// The whole height of each picture, by the place of its first strip.
    private var pictureHeights: [Int: Int] {
        var heights: [Int: Int] = [:]
        var firsts: [StripEdge: Int] = [:]
        for (i, item) in items.enumerated() {
            guard case .picture(let bitmap, let x, let y) = item else { continue }
            let first = firsts.removeValue(forKey: StripEdge(x: x, width: bitmap.width, y: y)) ?? i
            heights[first, default: 0] += bitmap.height
            firsts[StripEdge(x: x, width: bitmap.width, y: y + bitmap.height)] = first
        }
        return heights
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
