// The codes of narrow and wide elements: Code 39 (ISO/IEC 16388), interleaved 2 of 5 (ISO/IEC 16390), Codabar
// (EN 798). A wide element is three modules.

enum TwoWidthCode {
    static func code39(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        var text = data
        if text.count > 2, text.first == star, text.last == star { text = Array(text[1..<text.count - 1]) }
        var widths: [UInt8] = []
        for sign in [star] + text + [star] {
            guard let place = sign == star ? 43 : signs39.firstIndex(of: sign) else {
                throw BarcodeFault(what: "Code 39 takes 0-9, A-Z, space and - . $ / + %")
            }
            if !widths.isEmpty { widths.append(1) }
            widths += elements(patterns39[place], 9)
        }
        guard !text.contains(star) else { throw BarcodeFault(what: "Code 39 takes * only at both ends") }
        return Barcode(widths: widths, text: "*\(String(decoding: text, as: UTF8.self))*")
    }

    static func interleaved(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        guard data.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw BarcodeFault(what: "interleaved 2 of 5 takes digits only")
        }
        let digits = (data.count % 2 == 0 ? [] : [0]) + data.map { Int($0) - 0x30 }
        var widths: [UInt8] = [1, 1, 1, 1]
        for i in stride(from: 0, to: digits.count, by: 2) {
            let bars = elements(patterns25[digits[i]], 5)
            let spaces = elements(patterns25[digits[i + 1]], 5)
            for k in 0..<5 { widths += [bars[k], spaces[k]] }
        }
        return Barcode(widths: widths + [3, 1, 1], text: digits.map(String.init).joined())
    }

    /// Without its own start and stop letters it gets A and A.
    static func codabar(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        var text = data.map { (0x61...0x64).contains($0) ? $0 - 0x20 : $0 }
        func isLetter(_ sign: UInt8?) -> Bool { sign.map { (0x41...0x44).contains($0) } ?? false }
        if !isLetter(text.first) { text = [0x41] + text + [0x41] }
        guard text.count > 1, isLetter(text.last), !text.dropFirst().dropLast().contains(where: isLetter) else {
            throw BarcodeFault(what: "Codabar takes A to D at both ends only")
        }
        var widths: [UInt8] = []
        for sign in text {
            guard let place = signsCodabar.firstIndex(of: sign) else {
                throw BarcodeFault(what: "Codabar takes 0-9 and - $ : / . + between A to D")
            }
            if !widths.isEmpty { widths.append(1) }
            widths += elements(patternsCodabar[place], 7)
        }
        return Barcode(widths: widths, text: String(decoding: text, as: UTF8.self))
    }

    /// The highest bit first; a set bit is a wide element.
    private static func elements(_ pattern: UInt16, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { pattern >> UInt16($0) & 1 == 1 ? 3 : 1 }
    }

    private static let star = UInt8(ascii: "*")
    private static let signs39 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    private static let patterns39: [UInt16] = [
        0x034, 0x121, 0x061, 0x160, 0x031, 0x130, 0x070, 0x025, 0x124, 0x064, 0x109, 0x049, 0x148, 0x019, 0x118, 0x058,
        0x00D, 0x10C, 0x04C, 0x01C, 0x103, 0x043, 0x142, 0x013, 0x112, 0x052, 0x007, 0x106, 0x046, 0x016, 0x181, 0x0C1,
        0x1C0, 0x091, 0x190, 0x0D0, 0x085, 0x184, 0x0C4, 0x0A8, 0x0A2, 0x08A, 0x02A, 0x094,
    ]
    private static let patterns25: [UInt16] = [
        0b00110, 0b10001, 0b01001, 0b11000, 0b00101, 0b10100, 0b01100, 0b00011, 0b10010, 0b01010,
    ]
    private static let signsCodabar = Array("0123456789-$:/.+ABCD".utf8)
    private static let patternsCodabar: [UInt16] = [
        0x03, 0x06, 0x09, 0x60, 0x12, 0x42, 0x21, 0x24, 0x30, 0x48, 0x0C, 0x18, 0x45, 0x51, 0x54, 0x15, 0x1A, 0x29,
        0x0B, 0x0E,
    ]
}
