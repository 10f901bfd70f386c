// One line of ReceiptLine as it was written: columns of styled characters, a rule, a cut, or a property.

/// Which way a column's content is drawn.
package enum HorizontalAlignment: Sendable { case left, center, right }

/// A parsed line. It is filled again for every line, so that its storage is made once a receipt.
struct MarkupLine {
    enum Kind { case text, rule, cut, property }

    struct Column {
        /// Into `glyphs`.
        var glyphs: Range<Int>
        var alignment: HorizontalAlignment
    }

    struct Member {
        var key: [UInt8]
        /// With its escapes resolved.
        var value: [UInt8]
        /// Characters from the start of the line, from 1.
        var column: Int
    }

    /// From 1.
    var number = 0
    var kind = Kind.text
    var columns: [Column] = []
    var glyphs: [Glyph] = []
    /// Of a property.
    var members: [Member] = []
}
