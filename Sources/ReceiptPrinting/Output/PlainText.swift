// A receipt as plain text: what the paper shows, a character a column, wide characters followed by the space they take.

/// A receipt as plain text, equal to the ReceiptLine reference's.
package enum PlainText {
    /// - Parameter columns: of the paper, 1 to 255.
    package static func text(of markup: String, columns: Int, encoding: PrinterEncoding) throws(ReceiptFault) -> String
    {
        var sink = PlainTextSink()
        try ReceiptSetter.set(Array(markup.utf8), columns: columns, encoding: encoding, into: &sink)
        return String(decoding: sink.bytes, as: UTF8.self)
    }
}

struct PlainTextSink: PaperSink {
    private(set) var bytes: [UInt8] = []

    mutating func row(_ glyphs: UnsafeBufferPointer<Glyph>) {
        for glyph in glyphs { Self.append(glyph, to: &bytes) }
        bytes.append(Sign.lineFeed)
    }

    /// A character and, where it is drawn wider, the spaces that fill its columns.
    static func append(_ glyph: Glyph, to bytes: inout [UInt8]) {
        UTF8Scalar.append(glyph.scalar, to: &bytes)
        for _ in 0..<Int(glyph.width) * (glyph.style.across - 1) { bytes.append(Sign.space) }
    }

    mutating func picture(base64: [UInt8], at place: PaperPlace) {}
    mutating func code(_ data: [UInt8], _ options: CodeOptions, at place: PaperPlace) {}
    mutating func command(_ bytes: [UInt8]) {}
    mutating func cut() {}
}
