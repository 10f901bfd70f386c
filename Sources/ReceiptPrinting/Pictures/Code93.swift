// Code 93 with its two check signs and the pairs that make it hold all of ASCII (AIM BC5).

enum Code93 {
    static func code(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        var values: [Int] = []
        for byte in data {
            guard byte < 0x80 else { throw BarcodeFault(what: "Code 93 takes ASCII only") }
            values += self.values(of: byte)
        }
        values.append(check(values, most: 20))
        values.append(check(values, most: 15))
        var widths: [UInt8] = []
        for value in [start] + values + [start] { widths += Barcode.runs(of: patterns[value], bits: 9) }
        return Barcode(
            widths: widths + [1], text: String(decoding: data.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self))
    }

    private static func check(_ values: [Int], most: Int) -> Int {
        var sum = 0
        for (i, value) in values.reversed().enumerated() { sum += value * (i % most + 1) }
        return sum % 47
    }

    /// The shift signs: ($) 43, (%) 44, (/) 45, (+) 46.
    private static func values(of byte: UInt8) -> [Int] {
        if let place = signs.firstIndex(of: byte) { return [place] }
        let code = Int(byte)
        switch byte {
        case 0: return [44, letter(20)]
        case 1...26: return [43, letter(code - 1)]
        case 27...31: return [44, letter(code - 27)]
        case 33...44: return [45, letter(code - 33)]
        case 58: return [45, letter(25)]
        case 59...63: return [44, letter(code - 59 + 5)]
        case 64: return [44, letter(21)]
        case 91...95: return [44, letter(code - 91 + 10)]
        case 96: return [44, letter(22)]
        case 97...122: return [46, letter(code - 97)]
        default: return [44, letter(code - 123 + 15)]
        }
    }

    private static func letter(_ n: Int) -> Int { 10 + n }

    private static let start = 47
    private static let signs = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    private static let patterns: [UInt16] = [
        0x114, 0x148, 0x144, 0x142, 0x128, 0x124, 0x122, 0x150, 0x112, 0x10A, 0x1A8, 0x1A4, 0x1A2, 0x194, 0x192, 0x18A,
        0x168, 0x164, 0x162, 0x134, 0x11A, 0x158, 0x14C, 0x146, 0x12C, 0x116, 0x1B4, 0x1B2, 0x1AC, 0x1A6, 0x196, 0x19A,
        0x16C, 0x166, 0x136, 0x13A, 0x12E, 0x1D4, 0x1D2, 0x1CA, 0x16E, 0x176, 0x1AE, 0x126, 0x1DA, 0x1D6, 0x132, 0x15E,
    ]
}
