// Text bytes to characters, as the printer's own tables have them.

/// The code pages of a profile, and those that most printers number alike.
final class VirtualPrinterText {
    private let wide: PrinterEncoding
    private let pages: [UInt8: String]
    private var tables: [UInt8: [UInt32]] = [:]

    init?(_ profile: PrinterProfile) {
        guard let wide = PrinterEncoding(profile.encoding ?? "GB18030") else { return nil }
        self.wide = wide
        var pages = Self.usualPages
        for page in profile.codePages { pages[page.number] = page.name }
        self.pages = pages
    }

    /// Calls `put` for each character and whether it is two columns wide.
    func read(_ bytes: ArraySlice<UInt8>, isMultibyte: Bool, page: UInt8, _ put: (UInt32, Bool) -> Void) {
        var i = bytes.startIndex
        while i < bytes.endIndex {
            let byte = bytes[i]
            if isMultibyte, let (scalar, count) = multibyte(bytes[i...]) {
                put(scalar, count > 1)
                i += count
            } else {
                put(isMultibyte && byte >= 0x80 ? 0xFFFD : single(byte, page), false)
                i += 1
            }
        }
    }

    private func multibyte(_ bytes: ArraySlice<UInt8>) -> (UInt32, Int)? {
        guard let first = bytes.first else { return nil }
        if first < 0x80 { return (first == 0x5C && wide.hasYenForBackslash ? 0xA5 : UInt32(first), 1) }
        for count in [2, 4, 1] where bytes.count >= count {
            if let scalar = wide.scalar(of: bytes.prefix(count)) { return (scalar, count) }
        }
        return nil
    }

    private func single(_ byte: UInt8, _ page: UInt8) -> UInt32 {
        if byte < 0x80 { return byte == 0x7F ? 0x20 : UInt32(byte) }
        return table(page)[Int(byte) - 0x80]
    }

    private func table(_ page: UInt8) -> [UInt32] {
        if let table = tables[page] { return table }
        let table: [UInt32]
        if page == 1, pages[1] == nil || pages[1] == "CP932" {
            table = Self.katakana
        } else {
            let set = pages[page].flatMap { PrinterEncoding($0) }
            table = (0x80...0xFF).map { set?.scalar(of: [UInt8($0)]) ?? 0xFFFD }
        }
        tables[page] = table
        return table
    }

    /// Page 1: small katakana between line pieces and signs.
    private static let katakana: [UInt32] =
        "▁▂▃▄▅▆▇█▏▎▍▌▋▊▉┼┴┬┤├▔─│▕┌┐└┘╭╮╰╯".unicodeScalars.map(\.value) + [0x20] + (0xFF61...0xFF9F)
        + "═╞╪╡◢◣◥◤♠♥♦♣●○╱╲╳円年月日時分秒〒市区町村人▒ ".unicodeScalars.map(\.value)

    /// The number of a page by its name; 0, the page that every printer has, where nobody numbers it.
    static func usualNumber(of name: String) -> UInt8 {
        let name = name.lowercased()
        return usualPages.filter { $0.value.lowercased() == name }.map(\.key).min() ?? 0
    }

    /// The numbers that Epson gave and others follow.
    private static let usualPages: [UInt8: String] = [
        0: "CP437", 2: "CP850", 3: "CP860", 4: "CP863", 5: "CP865", 13: "CP857", 14: "CP737", 15: "ISO8859-7",
        16: "CP1252", 17: "CP866", 18: "CP852", 19: "CP858", 21: "CP874", 30: "TCVN", 33: "CP775", 34: "CP855",
        35: "CP861", 36: "CP862", 37: "CP864", 38: "CP869", 39: "ISO8859-2", 40: "ISO8859-15", 42: "CP774",
        43: "CP772", 44: "CP1125", 45: "CP1250", 46: "CP1251", 47: "CP1253", 48: "CP1254", 49: "CP1255",
        50: "CP1256", 51: "CP1257", 52: "CP1258", 53: "RK1048",
    ]
}

extension VirtualPrinter {
    mutating func printText(_ bytes: ArraySlice<UInt8>) {
        guard state.usesOwnCharacters, !ownCharacters.isEmpty else { return printGlyphs(bytes) }
        for i in bytes.indices where !isFull {
            if let drawn = ownCharacters[bytes[i]] {
                placeInLine(drawn.stretched(across: state.style.across, down: state.style.down))
            } else {
                printGlyphs(bytes[i...i])
            }
        }
    }

    private mutating func printGlyphs(_ bytes: ArraySlice<UInt8>) {
        var glyphs: [(UInt32, Bool)] = []
        text.read(bytes, isMultibyte: state.isMultibyte, page: state.codePage) { glyphs.append(($0, $1)) }
        for (scalar, isWide) in glyphs where !state.put(scalar, isWide: isWide) {
            endLine()
            _ = state.put(scalar, isWide: isWide)
        }
    }

    /// `ESC & y c1 c2`, then for each character its width and the dots of its columns, y bytes each.
    mutating func defineCharacters(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 3, p[1] <= p[2] else { return }
        let height = Int(p[0])
        var at = 3
        for code in p[1]...p[2] {
            guard at < p.count, at + Int(p[at]) * height < p.count else { return }
            let width = Int(p[at])
            var drawn = Bitmap(width: max(width, 1), height: max(height * 8, 1))
            for (i, byte) in p[(at + 1)...].prefix(width * height).enumerated() {
                for bit in 0..<8 where byte >> (7 - UInt8(bit)) & 1 == 1 {
                    drawn[i / height, i % height * 8 + bit] = true
                }
            }
            ownCharacters[code] = drawn
            at += 1 + width * height
        }
    }
}
