// The property `option`: how barcodes and 2D codes look.

/// Options that are not named have their default.
package struct CodeOptions: Equatable, Sendable {
    /// The kinds of codes that ReceiptLine knows.
    package enum Symbology: String, CaseIterable, Sendable {
        case upc, ean, code39, itf, codabar, code93, code128, qrcode
    }

    /// A QR code's error correction, from 7 to 30 percent.
    package enum Level: String, CaseIterable, Sendable { case l, m, q, h }

    package var symbology = Symbology.code128
    /// Dots of the narrowest bar, 2 to 4.
    package var barWidth = 2
    /// Dots, 24 to 240.
    package var barHeight = 72
    /// Whether the data is printed under the bars.
    package var isReadable = false
    /// Dots of a module of a 2D code, 3 to 8.
    package var cell = 3
    /// Error correction of a 2D code.
    package var level = Level.l

    package init() {}

    init(_ value: [UInt8]) {
        for word in PropertyWords(value) { take(word) }
    }

    private mutating func take(_ word: PropertyWords.Word) {
        if let number = word.number(most: 1000) { return take(number) }
        for (name, symbology) in Self.symbologies where word.is(name) { self.symbology = symbology }
        for (name, level) in Self.levels where word.is(name) { self.level = level }
        if word.is("hri") { isReadable = true }
        if word.is("nohri") { isReadable = false }
    }

    private mutating func take(_ number: Int) {
        if (2...4).contains(number) { barWidth = number }
        if (24...240).contains(number) { barHeight = number }
        if (3...8).contains(number) { cell = number }
    }

    private static let symbologies: [(StaticString, Symbology)] = [
        ("upc", .upc), ("ean", .ean), ("jan", .ean), ("code39", .code39), ("itf", .itf), ("codabar", .codabar),
        ("nw7", .codabar), ("code93", .code93), ("code128", .code128), ("qrcode", .qrcode),
    ]
    private static let levels: [(StaticString, Level)] = [("l", .l), ("m", .m), ("q", .q), ("h", .h)]
}
