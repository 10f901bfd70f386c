// One line of ReceiptLine as it was written: columns of styled characters, a rule, a cut, or a property.

/// Which way a column's content is drawn.
package enum HorizontalAlignment: Sendable {
    case left, center, right

    /// Where something begins that leaves so much room free.
    func indent(_ free: Int) -> Int {
        switch self {
        case .left: 0
        case .center: max(0, free) / 2
        case .right: max(0, free)
        }
    }
}

/// A parsed line. It is filled again for every line, so that its storage is made once a receipt.
struct MarkupLine: ~Copyable {
    enum Kind { case text, rule, cut, property }

    struct Column {
        /// Into `glyphs`.
        var glyphs: Range<Int>
        var alignment: HorizontalAlignment
        /// Columns of the paper that all of its characters take.
        var width: Int
        var hasNewLine: Bool
    }

    enum Key { case image, code, option, align, width, border, text, command, other }

    struct Member {
        var key: Key
        /// With its escapes resolved.
        var value: [UInt8]
        /// Characters from the start of the line, from 1.
        var column: Int
    }

    /// From 1.
    var number = 0
    var kind = Kind.text
    var columns = GrowingBuffer<Column>(capacity: 16)
    var glyphs = GrowingBuffer<Glyph>(capacity: 256)
    /// Of a property.
    var members: [Member] = []
}

extension MarkupLine.Key {
    /// Names are told by their bytes, long or short.
    init(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
        func isName(_ long: StaticString, _ short: Unicode.Scalar) -> Bool {
            if name.count == 1 { return name.first == UInt8(ascii: short) }
            guard name.count == long.utf8CodeUnitCount else { return false }
            return name.elementsEqual(UnsafeBufferPointer(start: long.utf8Start, count: name.count))
        }
        self =
            if isName("width", "w") { .width } else if isName("border", "b") { .border } else if isName("align", "a") {
                .align
            } else if isName("text", "t") { .text } else if isName("option", "o") {
                .option
            } else if isName("code", "c") {
                .code
            } else if isName("image", "i") { .image } else if isName("command", "x") { .command } else { .other }
    }
}
