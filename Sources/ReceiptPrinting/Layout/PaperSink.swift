// What receives the lines that a receipt is set in. The setter knows columns; a sink knows one kind of output.

/// Where on the paper a picture or code stands: within these columns, drawn to a side of them.
struct PaperPlace: Equatable {
    var left: Int
    var width: Int
    var alignment: HorizontalAlignment
}

protocol PaperSink: ~Copyable {
    /// One printed line, from the left edge, margins and borders as characters. Nothing follows its last character.
    mutating func row(_ glyphs: UnsafeBufferPointer<Glyph>)
    /// - Parameter base64: of a PNG.
    mutating func picture(base64: [UInt8], at place: PaperPlace) throws(SinkFault)
    mutating func code(_ data: [UInt8], _ options: CodeOptions, at place: PaperPlace) throws(SinkFault)
    mutating func command(_ bytes: [UInt8])
    mutating func cut()
}

extension PaperSink where Self: ~Copyable {
    mutating func row(_ glyphs: [Glyph]) { glyphs.withUnsafeBufferPointer { row($0) } }
}

/// What a sink can't take; the setter adds the place.
struct SinkFault: Error {
    var kind: ReceiptFault.Kind
}
