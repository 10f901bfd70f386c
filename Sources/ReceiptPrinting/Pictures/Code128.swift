// Code 128 (ISO/IEC 15417): set C for runs of digits, B for text, A for control characters.

enum Code128 {
    static func code(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        guard data.allSatisfy({ $0 < 0x80 }) else { throw BarcodeFault(what: "Code 128 takes ASCII only") }
        let values = self.values(data)
        return Barcode(
            widths: widths(values), text: String(decoding: data.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self))
    }

    /// The bars of symbol values, the start sign first; check and stop signs are added.
    static func widths(_ values: [Int]) -> [UInt8] {
        var sum = values[0]
        for (i, value) in values.enumerated().dropFirst() { sum += i * value }
        return (values + [sum % 103]).flatMap { patterns[$0] } + [2, 3, 3, 1, 1, 1, 2]
    }

    /// The data with the code sets switched as a printer takes it in `GS k 73`.
    static func printerData(_ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts(data) {
            bytes += [0x7B, part.set == .a ? 0x41 : part.set == .b ? 0x42 : 0x43]
            if part.set == .c {
                for i in stride(from: part.range.lowerBound, to: part.range.upperBound, by: 2) {
                    bytes.append(pair(data, i))
                }
            } else {
                for byte in data[part.range] { bytes += byte == 0x7B ? [0x7B, 0x7B] : [byte] }
            }
        }
        return bytes
    }

    // MARK: Code sets

    enum CodeSet { case a, b, c }

    private struct Part {
        var set: CodeSet
        var range: Range<Int>
    }

    /// Four digits or more go in pairs.
    private static func parts(_ data: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var i = 0
        while i < data.count {
            let digits = data[i...].prefix { (0x30...0x39).contains($0) }.count / 2 * 2
            let set: CodeSet = digits >= 4 ? .c : data[i] < 0x20 ? .a : .b
            let end = set == .c ? i + digits : i + 1
            if let last = parts.last, last.set == set, set != .c {
                parts[parts.count - 1].range = last.range.lowerBound..<end
            } else {
                parts.append(Part(set: set, range: i..<end))
            }
            i = end
        }
        return parts
    }

    private static func values(_ data: [UInt8]) -> [Int] {
        var values: [Int] = []
        for part in parts(data) {
            values.append(values.isEmpty ? start(part.set) : change(part.set))
            if part.set == .c {
                for i in stride(from: part.range.lowerBound, to: part.range.upperBound, by: 2) {
                    values.append(Int(pair(data, i)))
                }
            } else {
                values += data[part.range].map { $0 < 0x20 ? Int($0) + 64 : Int($0) - 32 }
            }
        }
        return values
    }

    private static func pair(_ data: [UInt8], _ i: Int) -> UInt8 { (data[i] - 0x30) * 10 + data[i + 1] - 0x30 }

    static func start(_ set: CodeSet) -> Int { set == .a ? 103 : set == .b ? 104 : 105 }
    static func change(_ set: CodeSet) -> Int { set == .a ? 101 : set == .b ? 100 : 99 }

    private static let patterns: [[UInt8]] = [
        "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
        "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
        "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
        "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
        "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
        "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
        "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
        "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
        "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
        "113141", "114131", "311141", "411131", "211412", "211214", "211232",
    ].map { $0.utf8.map { $0 - 0x30 } }
}
