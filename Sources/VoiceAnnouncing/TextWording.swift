// Digits in free text become words by our own grammar: a speech program reads 500 as 五零零 and 28,000 as anything.

import BoxFoundation

extension Wording {
    /// Digits of a text read as one number at most; longer ones, and those that begin with 0, are told one by one.
    package static let mostDigits = 10

    /// The text with every number in words. `￥500` and `500元` are amounts (五百元), `28,000` is one number, `12.50` is
    /// read by the point.
    package func text(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var words: [UInt8] = []
        var at = 0
        while at < bytes.count {
            let sign = Self.yen(in: bytes, at: at)
            if let number = TextNumber(bytes, at: at + (sign ?? 0)), sign == nil || number.isMoney {
                append(number, isYuan: sign != nil, to: &words)
                at = number.end
            } else {
                words.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: words, as: UTF8.self)
    }

    private func append(_ number: TextNumber, isYuan: Bool, to words: inout [UInt8]) {
        if isYuan, let money = Money(number.text) { return append(money, to: &words) }
        let grammar = phrasebook.grammar
        let currency = phrasebook.words(of: .cny)
        guard number.isOneNumber else {
            for digit in number.whole { grammar.append(Int64(digit - 0x30), by: phrasebook.digits, to: &words) }
            return
        }
        let whole = Int64(String(decoding: number.whole, as: UTF8.self)) ?? 0
        let decimals = number.decimals.reversed().drop { $0 == UInt8(ascii: "0") }.reversed() as [UInt8]
        let set = (decimals.isEmpty ? currency.whole : currency.point).set(style.two)
        let value = Int64(String(decoding: decimals, as: UTF8.self)) ?? 0
        grammar.append(whole, decimals: value, count: decimals.count, by: set, to: &words)
    }

    /// ¥, ￥: the length of the sign.
    private static func yen(in bytes: [UInt8], at place: Int) -> Int? {
        bytes[place...].starts(with: [0xC2, 0xA5]) ? 2 : bytes[place...].starts(with: [0xEF, 0xBF, 0xA5]) ? 3 : nil
    }
}

/// Digits, grouped by thousands or not, with decimals or not.
private struct TextNumber {
    /// Digits alone.
    var whole: [UInt8] = []
    var decimals: [UInt8] = []
    /// Behind the last digit.
    var end: Int

    init?(_ bytes: [UInt8], at start: Int) {
        end = start
        func digits(at place: Int) -> ArraySlice<UInt8> {
            bytes[min(place, bytes.count)...].prefix { (0x30...0x39).contains($0) }
        }
        whole = Array(digits(at: end))
        guard !whole.isEmpty else { return nil }
        end += whole.count
        if whole.count <= 3 {
            while end < bytes.count, bytes[end] == UInt8(ascii: ","), digits(at: end + 1).count == 3 {
                whole += digits(at: end + 1)
                end += 4
            }
        }
        if isOneNumber, end < bytes.count, bytes[end] == UInt8(ascii: "."), (1...6).contains(digits(at: end + 1).count)
        {
            decimals = Array(digits(at: end + 1))
            end += 1 + decimals.count
        }
    }

    var isOneNumber: Bool {
        whole.count <= Wording.mostDigits && (whole.count == 1 || whole.first != UInt8(ascii: "0"))
    }

    var text: String {
        String(decoding: whole, as: UTF8.self)
            + (decimals.isEmpty ? "" : "." + String(decoding: decimals, as: UTF8.self))
    }

    var isMoney: Bool { Money(text) != nil }
}
