// EAN-13, EAN-8, UPC-A and UPC-E (ISO/IEC 15420).

enum EANCode {
    static func ean(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        switch data.count {
        case 12, 13: return thirteen(try digits(data, 12))
        case 7, 8: return eight(try digits(data, 7))
        default: throw BarcodeFault(what: "an EAN has 13 or 8 digits, its last one may be left out")
        }
    }

    static func upc(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        switch data.count {
        case 11, 12:
            var code = thirteen([0] + (try digits(data, 11)))
            code.text.removeFirst()
            return code
        case 6, 7, 8: return try compressed(data)
        default: throw BarcodeFault(what: "a UPC has 12 or 8 digits, its last one may be left out")
        }
    }

    // MARK: Digits

    /// - Returns: `count` digits and their check digit, which the data may have or lack.
    private static func digits(_ data: [UInt8], _ count: Int) throws(BarcodeFault) -> [Int] {
        let given = try numbers(data)
        let digits = Array(given.prefix(count))
        let check = checkDigit(digits)
        guard given.count == count || given[count] == check else {
            throw BarcodeFault(what: "the check digit is \(check), not \(given[count])")
        }
        return digits + [check]
    }

    private static func numbers(_ data: [UInt8]) throws(BarcodeFault) -> [Int] {
        guard data.allSatisfy({ (0x30...0x39).contains($0) }) else { throw BarcodeFault(what: "it takes digits only") }
        return data.map { Int($0) - 0x30 }
    }

    private static func checkDigit(_ digits: [Int]) -> Int {
        var sum = 0
        for (i, digit) in digits.reversed().enumerated() { sum += i % 2 == 0 ? 3 * digit : digit }
        return (10 - sum % 10) % 10
    }

    // MARK: Bars

    private static func thirteen(_ digits: [Int]) -> Barcode {
        var widths: [UInt8] = [1, 1, 1]
        for i in 0..<6 { widths += side(digits[i + 1], isEven: parity[digits[0]][i]) }
        widths += [1, 1, 1, 1, 1]
        for digit in digits[7...12] { widths += side(digit, isEven: false) }
        return Barcode(widths: widths + [1, 1, 1], text: text(digits))
    }

    private static func eight(_ digits: [Int]) -> Barcode {
        var widths: [UInt8] = [1, 1, 1]
        for digit in digits[0..<4] { widths += side(digit, isEven: false) }
        widths += [1, 1, 1, 1, 1]
        for digit in digits[4..<8] { widths += side(digit, isEven: false) }
        return Barcode(widths: widths + [1, 1, 1], text: text(digits))
    }

    /// UPC-E: six digits that stand for a UPC-A with zeros inside; 7 digits begin with the number system 0, 8 end with
    /// the check digit.
    private static func compressed(_ data: [UInt8]) throws(BarcodeFault) -> Barcode {
        let given = try numbers(data)
        guard given.count == 6 || given[0] == 0 else { throw BarcodeFault(what: "a UPC-E begins with 0") }
        let six = given.count == 6 ? given : Array(given[1...6])
        let check = checkDigit(expanded(six))
        guard given.count < 8 || given[7] == check else {
            throw BarcodeFault(what: "the check digit is \(check), not \(given[7])")
        }
        var widths: [UInt8] = [1, 1, 1]
        for i in 0..<6 { widths += side(six[i], isEven: !compressedParity[check][i]) }
        return Barcode(widths: widths + [1, 1, 1, 1, 1, 1], text: text([0] + six + [check]))
    }

    /// The eleven digits of the UPC-A that six stand for.
    private static func expanded(_ six: [Int]) -> [Int] {
        switch six[5] {
        case 0...2: [0, six[0], six[1], six[5], 0, 0, 0, 0, six[2], six[3], six[4]]
        case 3: [0, six[0], six[1], six[2], 0, 0, 0, 0, 0, six[3], six[4]]
        case 4: [0, six[0], six[1], six[2], six[3], 0, 0, 0, 0, 0, six[4]]
        default: [0, six[0], six[1], six[2], six[3], six[4], 0, 0, 0, 0, six[5]]
        }
    }

    private static func side(_ digit: Int, isEven: Bool) -> [UInt8] {
        isEven ? odd[digit].reversed() : odd[digit]
    }

    private static func text(_ digits: [Int]) -> String { digits.map(String.init).joined() }

    private static let odd: [[UInt8]] = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2],
        [1, 2, 3, 1], [1, 1, 1, 4], [1, 3, 1, 2], [1, 2, 1, 3], [3, 1, 1, 2],
    ]

    /// Which of the left six digits are drawn with even parity, by the first digit.
    private static let parity: [[Bool]] = [
        "000000", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110", "011010",
    ].map { $0.map { $0 == "1" } }

    /// Which of the six are odd in UPC-E, by the check digit, for number system 0.
    private static let compressedParity: [[Bool]] = [
        "000111", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110", "011010",
    ].map { $0.map { $0 == "1" } }
}
