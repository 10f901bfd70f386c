// Reads ReceiptLine (the language of receiptline.org, OFSC) line by line. The grammar: a line is columns between pipes;
// a column is text or, alone in its line, a property; a column is drawn to the pipe that it touches.

struct MarkupReader: ~Copyable {
    /// Bytes of one receipt's markup.
    static let mostBytes = 1 << 20

    let bytes: UnsafeBufferPointer<UInt8>
    private let encoding: PrinterEncoding
    private var at = 0
    private var number = 0
    /// The line that is being read.
    private var lineStart = 0
    private var ended = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ encoding: PrinterEncoding) {
        self.bytes = bytes
        self.encoding = encoding
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    /// Reads the next line.
    ///
    /// - Returns: false at the end. A line end at the end of the text begins one more line, an empty one, as the
    ///   language has it.
    mutating func next(_ line: inout MarkupLine) throws(ReceiptFault) -> Bool {
        guard !ended else { return false }
        lineStart = at
        while at < bytes.count, bytes[at] != Sign.lineFeed, bytes[at] != Sign.carriageReturn { at += 1 }
        let end = at
        ended = end == bytes.count
        if at < bytes.count, bytes[at] == Sign.carriageReturn, at + 1 < bytes.count, bytes[at + 1] == Sign.lineFeed {
            at += 1
        }
        at += 1
        number += 1
        line.number = number
        line.columns.removeAll()
        line.glyphs.removeAll()
        try read(trimmed(lineStart..<end), &line)
        return true
    }

    // MARK: Columns

    private func read(_ range: Range<Int>, _ line: inout MarkupLine) throws(ReceiptFault) {
        var start = range.lowerBound
        let first = start < range.upperBound && bytes[start] == Sign.pipe
        if first { start += 1 }
        var touchesLeft = first ? 1 : 0
        line.kind = .text
        while true {
            let end = columnEnd(from: start, to: range.upperBound)
            let piped = end < range.upperBound
            let last = !piped || end + 1 == range.upperBound
            let column = trimmed(start..<end)
            let left = touchesLeft == 0 ? 0 : (column.lowerBound > start ? -1 : 1)
            let right = !piped ? 0 : (column.upperBound < end ? -1 : 1)
            if last, line.columns.count == 0, try readWhole(column, alignment(left, right), &line) { return }
            try readText(column, alignment(left, right), &line)
            if last { return }
            start = end + 1
            touchesLeft = 1
        }
    }

    /// A text is drawn to the pipe it touches, away from one it keeps clear of, and stays in the middle between equals.
    private func alignment(_ left: Int, _ right: Int) -> HorizontalAlignment {
        left > right ? .left : left < right ? .right : .center
    }

    /// A line of one column may be a rule, a cut or a property.
    private func readWhole(
        _ column: Range<Int>, _ alignment: HorizontalAlignment, _ line: inout MarkupLine
    ) throws(ReceiptFault) -> Bool {
        guard let first = column.first.map({ bytes[$0] }) else { return false }
        switch first {
        case Sign.minus where isAll(first, column): line.kind = .rule
        case Sign.equal where isAll(first, column): line.kind = .cut
        case Sign.openBrace:
            line.kind = .property
            try readProperty(column, &line)
        default: return false
        }
        line.columns.append(MarkupLine.Column(glyphs: 0..<0, alignment: alignment, width: 0, hasNewLine: false))
        return true
    }

    private func isAll(_ sign: UInt8, _ range: Range<Int>) -> Bool {
        for i in range where bytes[i] != sign { return false }
        return true
    }

    private func columnEnd(from start: Int, to end: Int) -> Int {
        var i = start
        while i < end, bytes[i] != Sign.pipe { i += bytes[i] == Sign.backslash ? 2 : 1 }
        return min(i, end)
    }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, bytes[low] == Sign.space || bytes[low] == Sign.tab { low += 1 }
        while high > low, bytes[high - 1] == Sign.space || bytes[high - 1] == Sign.tab { high -= 1 }
        return low..<high
    }

    // MARK: Text

    private func readText(
        _ column: Range<Int>, _ alignment: HorizontalAlignment, _ line: inout MarkupLine
    ) throws(ReceiptFault) {
        let start = line.glyphs.count
        var style = TextStyle.normal
        var i = column.lowerBound
        let end = column.upperBound
        while i < end {
            let byte = bytes[i]
            switch byte {
            case Sign.backslash: i = readEscape(i, end, style, &line.glyphs)
            case Sign.tilde:
                line.glyphs.append(Glyph(0x20, style: style))
                i += 1
            case Sign.caret:
                var carets = 0
                // Control characters are as good as not there.
                while i < end, bytes[i] == Sign.caret || bytes[i] < 0x20 {
                    if bytes[i] == Sign.caret { carets += 1 }
                    i += 1
                }
                Self.scale(&style, by: carets)
            case Sign.underscore, Sign.quote, Sign.backquote:
                Self.toggle(&style, byte)
                i += 1
            case Sign.openBrace:
                throw fault(hasBrace(Sign.closeBrace, i..<end) ? .propertyBeside : .brace("{"), at: i)
            case Sign.closeBrace: throw fault(.brace("}"), at: i)
            case 0x20..<0x7F:
                line.glyphs.append(Glyph(UInt32(byte), style: style))
                i += 1
            default: i = readSign(i, end, style, &line.glyphs)
            }
        }
        appendColumn(from: start, alignment, &line)
    }

    private func appendColumn(from start: Int, _ alignment: HorizontalAlignment, _ line: inout MarkupLine) {
        var column = MarkupLine.Column(
            glyphs: start..<line.glyphs.count, alignment: alignment, width: 0, hasNewLine: false)
        for glyph in line.glyphs.elements(column.glyphs) {
            column.width += glyph.columns
            if glyph.scalar == Glyph.newLine { column.hasNewLine = true }
        }
        line.columns.append(column)
    }

    private static func toggle(_ style: inout TextStyle, _ sign: UInt8) {
        switch sign {
        case Sign.underscore: style.isUnderlined.toggle()
        case Sign.quote: style.isEmphasized.toggle()
        default: style.isInverted.toggle()
        }
    }

    /// A run of carets sets a size; the run of the size in force takes it back.
    private static func scale(_ style: inout TextStyle, by carets: Int) {
        let size: (Int, Int)
        switch carets {
        case 1: size = (2, 1)
        case 2: size = (1, 2)
        default: size = (min(carets - 1, TextStyle.mostScale), min(carets - 1, TextStyle.mostScale))
        }
        let same = style.across == size.0 && style.down == size.1
        style.across = same ? 1 : size.0
        style.down = same ? 1 : size.1
    }

    /// - Returns: the place after the escape at `i`.
    private func readEscape(_ i: Int, _ end: Int, _ style: TextStyle, _ glyphs: inout GrowingBuffer<Glyph>) -> Int {
        guard i + 1 < end else { return end }
        switch bytes[i + 1] {
        case Sign.backslash where encoding.hasYenForBackslash:
            glyphs.append(Glyph(0xA5, style: style))
            return i + 2
        case Sign.backslash, Sign.pipe, Sign.openBrace, Sign.closeBrace, Sign.minus, Sign.equal, Sign.tilde,
            Sign.underscore, Sign.quote, Sign.backquote, Sign.caret:
            glyphs.append(Glyph(UInt32(bytes[i + 1]), style: style))
            return i + 2
        case UInt8(ascii: "n"):
            glyphs.append(Glyph(Glyph.newLine, width: 0, style: style))
            return i + 2
        case UInt8(ascii: "x"):
            // One that is none is ignored whole: its two digits too.
            guard let (value, next) = hexadecimal(i + 2, end) else { return skip(2, from: i + 2, end) }
            append(value, style, &glyphs)
            return next
        default: return skip(1, from: i + 1, end)
        }
    }

    /// - Returns: the place after so many characters.
    func skip(_ characters: Int, from start: Int, _ end: Int) -> Int {
        var i = start
        for _ in 0..<characters where i < end { _ = UTF8Scalar.next(bytes, &i, end) }
        return i
    }

    func hexadecimal(_ i: Int, _ end: Int) -> (UInt32, Int)? {
        guard i + 1 < end, let high = Sign.hexValue(bytes[i]), let low = Sign.hexValue(bytes[i + 1]) else { return nil }
        return (high << 4 | low, i + 2)
    }

    private func readSign(_ i: Int, _ end: Int, _ style: TextStyle, _ glyphs: inout GrowingBuffer<Glyph>) -> Int {
        var next = i
        append(UTF8Scalar.next(bytes, &next, end), style, &glyphs)
        return next
    }

    /// Control characters are ignored: nothing in a text commands the printer.
    private func append(_ scalar: UInt32, _ style: TextStyle, _ glyphs: inout GrowingBuffer<Glyph>) {
        guard scalar >= 0x20, !(0x7F...0x9F).contains(scalar) else { return }
        glyphs.append(Glyph(scalar, width: encoding.columns(of: scalar), style: style))
    }

    // MARK: Faults

    private func hasBrace(_ brace: UInt8, _ range: Range<Int>) -> Bool { range.contains { bytes[$0] == brace } }

    func fault(_ kind: ReceiptFault.Kind, at place: Int) -> ReceiptFault {
        ReceiptFault(kind, line: number, column: characters(to: place) + 1)
    }

    func characters(to place: Int) -> Int {
        var count = 0
        for i in lineStart..<max(place, lineStart) where bytes[i] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
