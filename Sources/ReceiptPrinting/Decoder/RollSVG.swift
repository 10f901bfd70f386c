// A paper roll as a picture: SVG, one unit a dot, every character at its own place and width.

extension PaperRoll {
    /// White around the paper, in dots.
    private static let margin = 24

    /// A whole SVG document. Fonts are the reader's; places and widths are the printer's.
    package func svg() -> String {
        var svg = SVGText()
        let (width, height) = (width + 2 * Self.margin, max(length, 24) + 2 * Self.margin)
        svg.line(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
                + "viewBox=\"0 0 \(width) \(height)\">")
        svg.line("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")
        svg.line(
            "<g transform=\"translate(\(Self.margin) \(Self.margin))\" font-family=\"\(Self.fonts)\" font-size=\"20\">")
        for item in items { draw(item, &svg) }
        for caption in captions { drawCaption(caption, &svg) }
        svg.line("</g>")
        svg.line("</svg>")
        return svg.text
    }

    private static let fonts =
        "'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', 'Source Han Mono', 'WenQuanYi Zen Hei Mono', 'Courier New', monospace"

    private func draw(_ item: PaperItem, _ svg: inout SVGText) {
        switch item {
        case .line(let glyphs, let y, let height): draw(glyphs, y, height, &svg)
        case .picture(let bitmap, let x, let y), .code(_, _, let bitmap, let x, let y): draw(bitmap, x, y, &svg)
        case .cut(let y, let isFull):
            let dashes = isFull ? "12 6" : "3 9"
            svg.line(
                "<path d=\"M\(-Self.margin) \(y)H\(width + Self.margin)\" stroke=\"#888\" stroke-dasharray=\"\(dashes)\"/>"
            )
        case .feed, .note: break
        }
    }

    // MARK: Text

    /// Runs of one style share an element; each of their characters has its own x.
    private func draw(_ glyphs: [PrintedGlyph], _ y: Int, _ height: Int, _ svg: inout SVGText) {
        var rest = glyphs[...]
        while let first = rest.first {
            let run = rest.prefix { $0.style == first.style && $0.isWide == first.isWide && $0.column == first.column }
            drawRun(Array(run), bottom: y + height, &svg)
            rest = rest.dropFirst(run.count)
        }
    }

    private func drawRun(_ run: [PrintedGlyph], bottom: Int, _ svg: inout SVGText) {
        guard let first = run.first, let last = run.last else { return }
        let style = first.style
        let (left, right) = (first.x, last.x + last.width)
        let top = bottom - first.height
        if style.isInverted {
            svg.line("<rect x=\"\(left)\" y=\"\(top)\" width=\"\(right - left)\" height=\"\(first.height)\"/>")
        }
        drawText(run, bottom: bottom, &svg)
        if style.isUnderlined {
            let stroke = style.isInverted ? "#fff" : "#000"
            svg.line(
                "<path d=\"M\(left) \(bottom - 1)H\(right)\" stroke=\"\(stroke)\" stroke-width=\"\(max(1, style.down))\"/>"
            )
        }
    }

    private func drawText(_ run: [PrintedGlyph], bottom: Int, _ svg: inout SVGText) {
        guard let first = run.first, run.contains(where: { $0.scalar != 0x20 }) else { return }
        let style = first.style
        let across = SVGText.decimal(style.across * first.column, over: 12)
        let down = SVGText.decimal(first.height, over: 24)
        // In the units of one character of normal size, from the run's left end.
        let places = run.map { SVGText.decimal(($0.x - first.x) * 12, over: style.across * first.column) }
        let size = first.isWide ? " font-size=\"24\"" : ""
        let weight = style.isEmphasized ? " font-weight=\"bold\"" : ""
        let fill = style.isInverted ? " fill=\"#fff\"" : ""
        let baseline = first.isWide ? -4 : -5
        svg.start(
            "<text transform=\"translate(\(first.x) \(bottom)) scale(\(across) \(down))\" y=\"\(baseline)\" "
                + "x=\"\(places.joined(separator: " "))\" xml:space=\"preserve\"\(size)\(weight)\(fill)>")
        for glyph in run { svg.append(glyph.scalar) }
        svg.line("</text>")
    }

    private func drawCaption(_ caption: Caption, _ svg: inout SVGText) {
        let places = (0..<caption.text.unicodeScalars.count).map { "\(caption.x + 12 * $0)" }
        svg.start("<text y=\"\(caption.y + 19)\" x=\"\(places.joined(separator: " "))\" xml:space=\"preserve\">")
        for scalar in caption.text.unicodeScalars { svg.append(scalar.value) }
        svg.line("</text>")
    }

    // MARK: Dots

    /// Black runs of each row; a row like the one above it makes the run taller.
    private func draw(_ bitmap: Bitmap, _ x: Int, _ y: Int, _ svg: inout SVGText) {
        var path = ""
        var top = 0
        while top < bitmap.height {
            var bottom = top + 1
            while bottom < bitmap.height, bitmap.rows(bottom..<bottom + 1).elementsEqual(bitmap.rows(top..<top + 1)) {
                bottom += 1
            }
            for run in bitmap.blackRuns(top) {
                path += "M\(x + run.lowerBound) \(y + top)h\(run.count)v\(bottom - top)h-\(run.count)z"
            }
            top = bottom
        }
        if !path.isEmpty { svg.line("<path d=\"\(path)\" shape-rendering=\"crispEdges\"/>") }
    }
}

/// SVG as it is written.
private struct SVGText {
    private(set) var text = ""

    mutating func start(_ part: String) { text += part }

    mutating func line(_ part: String) {
        text += part
        text += "\n"
    }

    /// One character of the receipt; what XML has no place for is left blank.
    mutating func append(_ scalar: UInt32) {
        switch scalar {
        case 0x26: text += "&amp;"
        case 0x3C: text += "&lt;"
        case 0x3E: text += "&gt;"
        case 0x20..<0x7F, 0xA0..<0xFFFE, 0x10000...:
            text.unicodeScalars.append(Unicode.Scalar(scalar) ?? "\u{FFFD}")
        default: text += " "
        }
    }

    /// A quotient with two decimals, without trailing zeros.
    static func decimal(_ value: Int, over divisor: Int) -> String {
        let hundredths = (value * 100 + divisor / 2) / divisor
        if hundredths % 100 == 0 { return "\(hundredths / 100)" }
        let decimals = hundredths % 100
        return "\(hundredths / 100)."
            + (decimals % 10 == 0 ? "\(decimals / 10)" : decimals < 10 ? "0\(decimals)" : "\(decimals)")
    }
}

extension Bitmap {
    fileprivate func blackRuns(_ y: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var x = 0
        while x < width {
            if !self[x, y] {
                x += 1
                continue
            }
            let start = x
            while x < width, self[x, y] { x += 1 }
            runs.append(start..<x)
        }
        return runs
    }
}
