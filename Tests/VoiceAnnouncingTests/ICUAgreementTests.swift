import BoxFoundation
import Glibc
import Testing
import VoiceAnnouncing

/// Our rules against ICU's, which know nothing of ours.
///
/// A million amounts a language where COUNTERBOX_LONG_TESTS is set, a tenth of it elsewhere.
@Suite struct ICUAgreementTests {
    /// For each of four seeds.
    static let count = getenv("COUNTERBOX_LONG_TESTS") == nil ? 25_000 : 250_000

    @Test(
        "Chinese amounts agree with ICU's, 〇 as 零 and 两 as our rule says",
        arguments: 1...4 as ClosedRange<UInt64>)
    func agreesInChinese(seed: UInt64) throws {
        let icu = try #require(ICUReading("zh"))
        let wording = try Fixtures.wording("zh-CN")
        var words: [UInt8] = []
        for money in Self.amounts(seed: seed, count: Self.count) {
            words.removeAll(keepingCapacity: true)
            wording.append(money, to: &words)
            let expected = Self.chinese(money, icu)
            if words != expected {
                Issue.record(
                    "\(money.decimal): \(String(decoding: words, as: UTF8.self)), ICU \(String(decoding: expected, as: UTF8.self))"
                )
                return
            }
        }
    }

    /// Amounts of every length, so that short ones are not rare.
    static func amounts(seed: UInt64, count: Int) -> [Money] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { i in
            var limit: Int64 = 100
            for _ in 0..<(i % 11) { limit *= 10 }
            var minor = Int64.random(in: 0..<limit, using: &random)
            if i % 3 == 0 { minor -= minor % 100 }
            if i % 7 == 0 { minor -= minor % 1_000_000 }
            return Money(minor: minor)
        }
    }

    /// ICU's whole part and digits, put together as our style says.
    static func chinese(_ money: Money, _ icu: ICUReading) -> [UInt8] {
        let er = Array("二".utf8)
        let liang = Array("两".utf8)
        let whole = money.minor / 100
        var words = replacing(icu.words(whole), Array("〇".utf8), Array("零".utf8))
        let fraction = money.minor % 100
        let next = words.dropFirst(3).prefix(3)
        if words.starts(with: er), ["百", "千", "万", "亿"].contains(String(decoding: next, as: UTF8.self)) {
            words.replaceSubrange(0..<3, with: liang)
        }
        if words == er, fraction == 0 { words = liang }
        if fraction > 0 {
            words += Array("点".utf8)
            for digit in fraction % 10 == 0 ? [fraction / 10] : [fraction / 10, fraction % 10] {
                words += digit == 0 ? Array("零".utf8) : icu.words(digit)
            }
        }
        return words + Array("元".utf8)
    }

    static func replacing(_ text: [UInt8], _ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            if text[at] == old[0], text[at...].starts(with: old) {
                result += new
                at += old.count
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result
    }
}
