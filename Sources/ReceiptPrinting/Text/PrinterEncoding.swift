// Characters to the bytes of a printer's own encoding and back, by iconv; what the encoding lacks degrades here and
// nowhere else. Widths follow from the bytes: a sign of two or more bytes is two columns wide.

import CIconv

/// A character set of a printer: one of the CJK encodings, or the code pages that a Western printer can switch between.
///
/// Not Sendable: it holds iconv's state and remembers what it has converted.
package final class PrinterEncoding {
    /// What one character becomes, packed in eight bytes: bytes (32 bits), their count (3), columns (3), page (8), and
    /// whether they only stand in for it (1).
    struct Code {
        fileprivate(set) var bits: UInt64

        init(_ bytes: some Collection<UInt8>, columns: Int, page: Int = 0, isStandIn: Bool = false) {
            var packed: UInt64 = 0
            for byte in bytes.reversed() { packed = packed << 8 | UInt64(byte) }
            bits =
                packed | UInt64(bytes.count) << 32 | UInt64(columns) << 35 | UInt64(page) << 40
                | (isStandIn ? 1 << 48 : 0)
        }

        fileprivate init(bits: UInt64) { self.bits = bits }

        var count: Int { Int(bits >> 32 & 7) }
        var columns: UInt8 { UInt8(bits >> 35 & 7) }
        /// The index into `pages`; only where the encoding has pages.
        var page: Int { Int(bits >> 40 & 0xFF) }
        /// Letters or ? in place of a sign that the printer lacks.
        var isStandIn: Bool { bits >> 48 & 1 == 1 }
        func byte(_ i: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (8 * UInt64(i))) }
    }

    /// A code page that the printer selects by `ESC t number`.
    package struct Page: Equatable, Sendable {
        package var number: UInt8
        package var name: String

        package init(number: UInt8, name: String) {
            self.number = number
            self.name = name
        }
    }

    package let name: String
    /// The pages of a Western printer in the order of preference; none where `name` is one CJK encoding.
    package let pages: [Page]
    private let sets: [CharacterSet]
    /// 256 rows of 256 characters, each row made when first asked for, each character converted once.
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
    private static let rowLength = 256

    /// - Returns: nil where iconv does not know the encoding.
    package convenience init?(_ name: String) {
        guard let set = CharacterSet(name) else { return nil }
        self.init(name, [], [set])
    }

    /// - Returns: nil where there is no page or iconv does not know one.
    package convenience init?(pages: [Page]) {
        var sets: [CharacterSet] = []
        for page in pages {
            guard let set = CharacterSet(page.name) else { return nil }
            sets.append(set)
        }
        guard let first = pages.first else { return nil }
        self.init(first.name, pages, sets)
    }

    private init(_ name: String, _ pages: [Page], _ sets: [CharacterSet]) {
        self.name = name
        self.pages = pages
        self.sets = sets
        isMultibyte = sets[0].isMultibyte
        hasYenForBackslash = sets[0].isMultibyte && sets[0].decode([0x5C]) == 0xA5
        rows = .allocate(capacity: Self.rowLength)
        rows.initialize(repeating: nil, count: Self.rowLength)
    }

    deinit {
        for i in 0..<Self.rowLength { rows[i]?.deallocate() }
        rows.deallocate()
    }

    /// Whether characters are of one or more bytes and Chinese, Japanese or Korean signs are two columns wide.
    package let isMultibyte: Bool

    /// Whether the byte of `\` prints as ¥ (Shift_JIS).
    let hasYenForBackslash: Bool

    /// The columns of a character at normal size.
    func columns(of scalar: UInt32) -> UInt8 { scalar < 0x80 ? 1 : code(for: scalar).columns }

    /// The bytes of any character from U+0080 on.
    func code(for scalar: UInt32) -> Code {
        guard scalar < 0x10000 else { return convert(scalar) }
        let row = rows[Int(scalar >> 8)] ?? makeRow(Int(scalar >> 8))
        let known = row[Int(scalar & 0xFF)]
        if known != 0 { return Code(bits: known) }
        let code = convert(scalar)
        row[Int(scalar & 0xFF)] = code.bits
        return code
    }

    private func makeRow(_ i: Int) -> UnsafeMutablePointer<UInt64> {
        let row = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.rowLength)
        row.initialize(repeating: 0, count: Self.rowLength)
        rows[i] = row
        return row
    }

    // MARK: Degrading

    private func convert(_ scalar: UInt32) -> Code {
        let own = direct(scalar)
        // Of the four-byte signs of GB18030 counter printers draw Chinese at most: U+00A5 is one (field report 49).
        if let own, own.count < 4 { return own }
        if let other = Self.substitutes[scalar] {
            if let code = direct(other.sign), code.count < 4 { return code }
            if own == nil, let text = other.text { return Code(text.utf8, columns: text.utf8.count, isStandIn: true) }
        }
        if let own, Self.hasChinese(plane: scalar >> 16) { return own }
        let sign = isMultibyte ? [UInt8(ascii: "?"), 0x20] : [UInt8(ascii: "?")]
        return Code(sign, columns: sign.count, isStandIn: true)
    }

    /// GB18030 has bytes for emoji, but no counter printer has their pictures.
    private static func hasChinese(plane: UInt32) -> Bool { plane == 0 || plane == 2 || plane == 3 }

    private func direct(_ scalar: UInt32) -> Code? {
        for (page, set) in sets.enumerated() {
            guard let bytes = set.encode(scalar), (1...4).contains(bytes.count) else { continue }
            // Of single bytes from 80 on only Shift_JIS has signs that printers draw, the small kana.
            if isMultibyte, bytes.count == 1, bytes[0] >= 0x80, !hasYenForBackslash { continue }
            return Code(bytes, columns: bytes.count == 1 ? 1 : 2, page: page)
        }
        return nil
    }

    /// What stands in for a sign that a character set lacks: another sign first, then letters.
    private static let substitutes: [UInt32: (sign: UInt32, text: String?)] = [
        0xA5: (0xFFE5, "Y"), 0xFFE5: (0xA5, "Y"), 0x20AC: (0x20AC, "EUR"), 0xA3: (0xFFE1, "GBP"),
        0x20A9: (0xFFE6, "KRW"),
        0xB7: (0x30FB, "."), 0x2014: (0x2015, "-"), 0x2015: (0x2014, "-"), 0x2013: (0x2013, "-"), 0x2022: (0xB7, "*"),
        0x2018: (0x2018, "'"), 0x2019: (0x2019, "'"), 0x201C: (0x201C, "\""), 0x201D: (0x201D, "\""), 0xA0: (0x20, " "),
        0x2026: (0x22EF, "..."), 0xFF5E: (0x301C, "~"), 0x301C: (0xFF5E, "~"), 0x2212: (0xFF0D, "-"), 0xD7: (0xD7, "x"),
    ]

    // MARK: Back

    /// The character that a byte of page `page` (an index into `pages`) or of the encoding itself stands for.
    func scalar(of bytes: some Collection<UInt8>, page: Int = 0) -> UInt32? { sets[page].decode(bytes) }
}

/// One character set of iconv, in both directions.
private final class CharacterSet {
    let isMultibyte: Bool
    private let into: iconv_t
    private let from: iconv_t

    init?(_ name: String) {
        guard let into = Self.open(to: name, from: "UTF-32LE") else { return nil }
        guard let from = Self.open(to: "UTF-32LE", from: name) else {
            iconv_close(into)
            return nil
        }
        self.into = into
        self.from = from
        // 一 is in every CJK encoding and on no Western page.
        isMultibyte = Self.encode(0x4E00, into) != nil
    }

    deinit {
        iconv_close(into)
        iconv_close(from)
    }

    func encode(_ scalar: UInt32) -> [UInt8]? { Self.encode(scalar, into) }

    func decode(_ bytes: some Collection<UInt8>) -> UInt32? {
        guard let result = Self.convert(Array(bytes), from), result.count == 4 else { return nil }
        return result.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func open(to: String, from: String) -> iconv_t? {
        guard let handle = iconv_open(to, from), Int(bitPattern: handle) != -1 else { return nil }
        return handle
    }

    private static func encode(_ scalar: UInt32, _ handle: iconv_t) -> [UInt8]? {
        convert((0..<4).map { UInt8(truncatingIfNeeded: scalar >> (8 * $0)) }, handle)
    }

    /// - Returns: nil for anything that is not wholly and exactly converted.
    private static func convert(_ bytes: [UInt8], _ handle: iconv_t) -> [UInt8]? {
        var bytes = bytes.map { CChar(bitPattern: $0) }
        var out = [CChar](repeating: 0, count: 8)
        _ = iconv(handle, nil, nil, nil, nil)
        var room = out.count
        let inexact = bytes.withUnsafeMutableBufferPointer { source in
            out.withUnsafeMutableBufferPointer { target in
                var from = source.baseAddress
                var left = source.count
                var to = target.baseAddress
                let inexact = iconv(handle, &from, &left, &to, &room)
                // Vietnamese and Hebrew pages hold a letter back until they know that no accent follows it.
                guard left == 0, iconv(handle, nil, nil, &to, &room) == 0 else { return 1 }
                return inexact
            }
        }
        guard inexact == 0, room < out.count else { return nil }
        return out.prefix(out.count - room).map { UInt8(bitPattern: $0) }
    }
}
