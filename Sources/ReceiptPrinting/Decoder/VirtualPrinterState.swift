// What a printer remembers: styles, positions, margins, the line that it has not printed yet.

struct VirtualPrinterState {
    static let cellHeight = 24

    private let dots: Int
    private(set) var style = TextStyle.normal
    private var isSmallFont = false
    /// Dots added to the right of each character.
    private var characterSpacing = 0
    private(set) var lineSpacing = 30
    private(set) var alignment = HorizontalAlignment.left
    private(set) var leftMargin = 0
    private var areaWidth: Int
    private var tabs: [Int] = Array(stride(from: 8, through: 248, by: 8))
    /// Whether bytes from 80 on are pairs.
    private(set) var isMultibyte: Bool
    private(set) var codePage: UInt8 = 0
    /// Whether characters that the job has drawn itself stand for those of the printer.
    private(set) var usesOwnCharacters = false
    /// Dots of a barcode's height and of its narrowest bar; where its data stands.
    private(set) var barHeight = 162
    private(set) var barWidth = 3
    private(set) var barText: UInt8 = 0

    /// Dots from the top of the roll.
    var y: Int
    private(set) var line: [PrintedGlyph] = []
    /// From the left margin.
    private var x = 0
    /// Of the pictures in the line.
    var lineHeight = 0

    init(_ profile: PrinterProfile, y: Int = 0) {
        dots = profile.dots
        areaWidth = profile.dots
        isMultibyte = profile.encoding != nil
        self.y = y
    }

    // MARK: The line

    /// Dots that a line may take from its left margin.
    var area: Int { max(columnDots, min(areaWidth, dots - leftMargin)) }

    /// Whether something waits to be printed.
    var isPending: Bool { !line.isEmpty || lineHeight > 0 }

    var columnDots: Int { isSmallFont ? 9 : 12 }

    /// Puts a character into the line.
    ///
    /// - Returns: false, and nothing is done, where it does not fit any more.
    mutating func put(_ scalar: UInt32, isWide: Bool) -> Bool {
        let width = (columnDots * (isWide ? 2 : 1) + characterSpacing) * style.across
        if x + width > area, x > 0 { return false }
        let height = (isSmallFont && !isWide ? 17 : Self.cellHeight) * style.down
        line.append(
            PrintedGlyph(
                scalar: scalar, x: x, width: width, height: height, style: style, column: columnDots, isWide: isWide))
        x += width
        return true
    }

    /// - Returns: the characters at their places on the paper, and the line's height.
    mutating func takeLine() -> ([PrintedGlyph], Int) {
        defer { (line, x, lineHeight) = ([], 0, 0) }
        let shift = leftMargin + indent(line.map { $0.x + $0.width }.max() ?? 0)
        let glyphs = line.map { glyph in
            var glyph = glyph
            glyph.x += shift
            return glyph
        }
        return (glyphs, glyphs.map(\.height).max() ?? (lineHeight > 0 ? lineHeight : Self.cellHeight))
    }

    /// Where something `width` dots wide begins, from the left margin.
    func indent(_ width: Int) -> Int { alignment.indent(area - width) }

    /// - Returns: where something `width` dots wide stands in the line, from the left edge of the paper.
    mutating func advance(by width: Int) -> Int {
        defer { x += width }
        return leftMargin + (x == 0 ? indent(width) : x)
    }

    mutating func tab() {
        if let stop = tabs.first(where: { $0 * columnDots > x }) { x = min(stop * columnDots, area) }
    }

    // MARK: Commands

    mutating func escape(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        let n = p.first ?? 0
        switch code {
        case UInt8(ascii: "!"): modes(n)
        case UInt8(ascii: "E"), UInt8(ascii: "G"): style.isEmphasized = n & 1 == 1
        case UInt8(ascii: "-"): style.isUnderlined = n != 0 && n != 48
        case UInt8(ascii: "M"): isSmallFont = n & 1 == 1
        case UInt8(ascii: "a"): alignment = n & 3 == 1 ? .center : n & 3 == 2 ? .right : .left
        case UInt8(ascii: "2"): lineSpacing = 30
        case UInt8(ascii: "3"): lineSpacing = Int(n)
        case UInt8(ascii: " "): characterSpacing = Int(n)
        case UInt8(ascii: "t"): codePage = n
        case UInt8(ascii: "%"): usesOwnCharacters = n & 1 == 1
        case UInt8(ascii: "$"): x = min(Self.word(p), area)
        case UInt8(ascii: "\\"): x = max(0, min(area, x + Int(Int16(truncatingIfNeeded: Self.word(p)))))
        case UInt8(ascii: "D"): tabs = p.prefix { $0 != 0 }.map(Int.init)
        default: break
        }
    }

    /// `ESC !`: several modes in one byte.
    private mutating func modes(_ n: UInt8) {
        isSmallFont = n & 1 == 1
        style.isEmphasized = n & 8 != 0
        style.down = n & 16 != 0 ? 2 : 1
        style.across = n & 32 != 0 ? 2 : 1
        style.isUnderlined = n & 128 != 0
    }

    mutating func group(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        let n = p.first ?? 0
        switch code {
        case UInt8(ascii: "!"):
            style.across = Int(n >> 4 & 7) + 1
            style.down = Int(n & 7) + 1
        case UInt8(ascii: "B"): style.isInverted = n & 1 == 1
        case UInt8(ascii: "L"): if line.isEmpty { leftMargin = min(Self.word(p), dots - columnDots) }
        case UInt8(ascii: "W"): if line.isEmpty { areaWidth = max(columnDots, Self.word(p)) }
        case UInt8(ascii: "h"): barHeight = max(1, Int(n))
        case UInt8(ascii: "w"): barWidth = min(max(1, Int(n)), 6)
        case UInt8(ascii: "H"): barText = n & 3
        default: break
        }
    }

    mutating func file(_ code: UInt8, _ p: ArraySlice<UInt8>) {
        let n = p.first ?? 0
        switch code {
        case UInt8(ascii: "&"): isMultibyte = true
        case UInt8(ascii: "."): isMultibyte = false
        case UInt8(ascii: "-"): style.isUnderlined = n != 0 && n != 48
        case UInt8(ascii: "!"):
            style.across = n & 4 != 0 ? 2 : 1
            style.down = n & 8 != 0 ? 2 : 1
            style.isUnderlined = n & 128 != 0
        default: break
        }
    }

    static func word(_ p: ArraySlice<UInt8>) -> Int {
        guard p.count >= 2 else { return 0 }
        return Int(p[p.startIndex]) | Int(p[p.startIndex + 1]) << 8
    }
}
