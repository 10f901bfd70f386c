// Sets markup in printed lines: shares the width among columns, wraps and aligns, draws borders and rules.

/// Sets one receipt into one sink. Lines are handed over as soon as they are set; a fault may come after some of them.
struct ReceiptSetter<Sink: PaperSink & ~Copyable>: ~Copyable {
    private let encoding: PrinterEncoding
    /// The width of the paper in characters of normal size.
    private let paper: Int
    private var settings = LineSettings()
    private var table: Table
    private var frame = Frame()
    /// One printed line, kept to be filled again.
    private var row = GrowingBuffer<Glyph>(capacity: 256)
    /// The printed lines of each column, one column's after the other's, and where each column's begin.
    private var pieces = GrowingBuffer<Range<Int>>(capacity: 32)
    private var firstPiece = GrowingBuffer<Int>(capacity: 32)

    private init(encoding: PrinterEncoding, columns: Int) {
        self.encoding = encoding
        paper = columns
        table = Table(plan: ColumnPlan(), count: 1, paper: columns, alignment: .center)
    }

    /// - Parameter columns: 1 to 255.
    static func set(
        _ markup: [UInt8], columns: Int, encoding: PrinterEncoding, into sink: inout Sink
    ) throws(ReceiptFault) {
        guard markup.count <= MarkupReader.mostBytes else {
            throw ReceiptFault(.tooLong("the markup is over \(MarkupReader.mostBytes) bytes"), line: 1, column: 1)
        }
        let result = markup.withUnsafeBufferPointer { buffer in
            Result { () throws(ReceiptFault) in
                var setter = ReceiptSetter(encoding: encoding, columns: columns)
                try setter.run(buffer, &sink)
            }
        }
        try result.get()
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout Sink) throws(ReceiptFault) {
        var reader = MarkupReader(bytes, encoding)
        var line = MarkupLine()
        while try reader.next(&line) {
            switch line.kind {
            case .text: setText(line, &sink)
            case .rule: setRule(&sink)
            case .cut:
                closeFrame(&sink)
                sink.cut()
            case .property: try setProperty(line, &sink)
            }
        }
        closeFrame(&sink)
    }

    // MARK: Properties

    private mutating func setProperty(_ line: borrowing MarkupLine, _ sink: inout Sink) throws(ReceiptFault) {
        let wasFramed = settings.plan.isFramed
        for member in line.members { _ = settings.take(member) }
        if wasFramed, !settings.plan.isFramed { closeFrame(&sink) }
        for member in line.members {
            do throws(SinkFault) {
                try setThing(member, line.columns[0].alignment, &sink)
            } catch {
                throw ReceiptFault(error.kind, line: line.number, column: member.column)
            }
        }
    }

    private mutating func setThing(
        _ member: MarkupLine.Member, _ alignment: HorizontalAlignment, _ sink: inout Sink
    ) throws(SinkFault) {
        switch member.key {
        case .image: try sink.picture(base64: member.value, at: place(alignment))
        case .code: try sink.code(member.value, settings.code, at: place(alignment))
        case .command: sink.command(member.value)
        default: break
        }
    }

    private mutating func place(_ alignment: HorizontalAlignment) -> PaperPlace {
        useTable(1)
        return PaperPlace(left: table.left, width: table.width, alignment: alignment)
    }

    // MARK: Rules and frames

    private mutating func setRule(_ sink: inout Sink) {
        useTable(1)
        if settings.plan.isFramed {
            frame.rule()
        } else {
            row.removeAll()
            row.append(.space, times: table.left)
            row.append(Glyph(UInt32(Sign.minus)), times: table.width)
            sink.row(row.elements)
        }
    }

    private mutating func closeFrame(_ sink: inout Sink) {
        if let rule = frame.close() { sink.row(rule) }
    }

    // MARK: Text

    private mutating func setText(_ line: borrowing MarkupLine, _ sink: inout Sink) {
        useTable(line.columns.count)
        if settings.plan.isFramed, let rule = frame.row(table.borders) { sink.row(rule) }
        let rows = breakColumns(line)
        for i in 0..<rows {
            composeRow(i, line)
            sink.row(row.elements)
        }
    }

    private mutating func useTable(_ count: Int) {
        if table.fits(settings.plan, count, settings.alignment) { return }
        table = Table(plan: settings.plan, count: count, paper: paper, alignment: settings.alignment)
    }

    /// - Returns: how many printed lines the columns need.
    private mutating func breakColumns(_ line: borrowing MarkupLine) -> Int {
        pieces.removeAll()
        firstPiece.removeAll()
        var rows = 1
        for column in table.columns {
            let first = pieces.count
            firstPiece.append(first)
            guard column.index < line.columns.count else { continue }
            let text = line.columns[column.index]
            if text.width <= column.width, !text.hasNewLine {
                if text.width > 0 { pieces.append(text.glyphs) }
            } else {
                breakColumn(text.glyphs, line.glyphs.elements, column.width)
            }
            rows = max(rows, pieces.count - first)
        }
        firstPiece.append(pieces.count)
        return rows
    }

    /// Breaks between any two characters. A character wider than the column is left out; without wrapping the first
    /// piece is all that prints.
    private mutating func breakColumn(_ range: Range<Int>, _ glyphs: UnsafeBufferPointer<Glyph>, _ width: Int) {
        var start = range.lowerBound
        var used = 0
        for i in range {
            let columns = glyphs[i].columns
            let isNewLine = glyphs[i].scalar == Glyph.newLine
            if columns > width { continue }
            if isNewLine || used + columns > width { endPiece(&start, &used, at: i) }
            if isNewLine { start = i + 1 }
            used += columns
            // A full line ends at once: a line end that follows makes an empty one, as the language has it.
            if used == width { endPiece(&start, &used, at: i + 1) }
            if !settings.wraps, start > range.lowerBound { return }
        }
        if used > 0 { pieces.append(start..<range.upperBound) }
    }

    private mutating func endPiece(_ start: inout Int, _ used: inout Int, at place: Int) {
        pieces.append(start..<place)
        start = place
        used = 0
    }

    /// Fills `row` with the `number`th printed line of a line.
    private mutating func composeRow(_ number: Int, _ line: borrowing MarkupLine) {
        row.removeAll()
        var place = 0
        let pipe = settings.plan.isFramed ? pipe(number, line) : .space
        for i in 0..<table.columns.count {
            let column = table.columns[i]
            if settings.plan.isFramed { place = border(pipe, place, column.start - 1) }
            let piece = firstPiece[i] + number
            if piece < firstPiece[i + 1] {
                place = compose(pieces[piece], column, line.columns[column.index], line.glyphs.elements, place)
            } else {
                // A column with nothing more to say still begins: the language's plain text shows a space there.
                place = pad(place, to: column.start) + 1
                row.append(.space)
            }
        }
        if settings.plan.isFramed { _ = border(pipe, place, table.left + table.width - 1) }
    }

    /// - Returns: the place after the piece.
    private mutating func compose(
        _ piece: Range<Int>, _ column: Table.Column, _ text: MarkupLine.Column, _ glyphs: UnsafeBufferPointer<Glyph>,
        _ place: Int
    ) -> Int {
        if text.width <= column.width, piece == text.glyphs {
            let start = pad(place, to: column.start + Self.indent(column.width - text.width, text.alignment))
            row.append(UnsafeBufferPointer(rebasing: glyphs[piece]))
            return start + text.width
        }
        if piece.isEmpty { return place }
        var used = 0
        for i in piece where glyphs[i].columns <= column.width { used += glyphs[i].columns }
        let start = pad(place, to: column.start + Self.indent(column.width - used, text.alignment))
        for i in piece where glyphs[i].columns <= column.width { row.append(glyphs[i]) }
        return start + used
    }

    /// In the middle an odd column goes to the left, as the language has it.
    private static func indent(_ free: Int, _ alignment: HorizontalAlignment) -> Int {
        alignment.indent(alignment == .center ? free + 1 : free)
    }

    /// The sign of a vertical line, as high as the highest character of the printed line.
    private func pipe(_ number: Int, _ line: borrowing MarkupLine) -> Glyph {
        var down = 1
        for i in 0..<table.columns.count where firstPiece[i] + number < firstPiece[i + 1] {
            for glyph in line.glyphs.elements(pieces[firstPiece[i] + number]) { down = max(down, glyph.style.down) }
        }
        return Glyph(UInt32(Sign.pipe), style: TextStyle(down: down))
    }

    private mutating func border(_ pipe: Glyph, _ place: Int, _ column: Int) -> Int {
        _ = pad(place, to: column)
        row.append(pipe)
        return column + 1
    }

    private mutating func pad(_ place: Int, to column: Int) -> Int {
        row.append(.space, times: column - place)
        return max(place, column)
    }
}
