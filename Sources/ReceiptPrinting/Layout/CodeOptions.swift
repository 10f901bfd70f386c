// The property `option`: how barcodes and 2D codes look.

/// Options that are not named have their default.
package struct CodeOptions: Equatable, Sendable {
    package enum Symbology: String, CaseIterable, Sendable {
        case upc, ean, code39, itf, codabar, code93, code128, qrcode
    }

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

    init(words: [String]) {
        for word in words { take(word) }
    }

    private mutating func take(_ word: String) {
        switch word {
        case "jan": symbology = .ean
        case "nw7": symbology = .codabar
        case "hri": isReadable = true
        case "nohri": isReadable = false
        default:
            if let symbology = Symbology(rawValue: word) { self.symbology = symbology }
            if let level = Level(rawValue: word) { self.level = level }
            if let number = Int(word) { take(number) }
        }
    }

    private mutating func take(_ number: Int) {
        if (2...4).contains(number) { barWidth = number }
        if (24...240).contains(number) { barHeight = number }
        if (3...8).contains(number) { cell = number }
    }
}
