import BoxFoundation
import Glibc
import Testing
import VoiceAnnouncing

/// Our rules against ICU's, which know nothing of ours.
///
/// A million amounts a language where COUNTERBOX_LONG_TESTS is set, some thousands elsewhere.
@Suite struct ICUAgreementTests {
    static let count = getenv("COUNTERBOX_LONG_TESTS") == nil ? 10_000 : 1_000_000

    @Test("Chinese amounts agree with ICU's, 〇 as 零 and 两 as our rule says")
    func agreesInChinese() throws {
        let icu = try #require(ICUReading("zh"))
        let wording = try Fixtures.wording("zh-CN")
        #expect(Self.disagreement(wording, seed: 1) { Self.chinese($0, icu) } == nil)
    }

    /// The languages that read whole and decimals as ICU does; the currency's word stands behind.
    static let plain = [
        ("en", "en", " yuan"), ("hi", "hi", " युआन"), ("th", "th", "หยวน"), ("vi", "vi", " nhân dân tệ"),
        ("id", "id", " yuan"),
    ]

    @Test("Amounts agree with ICU's, without the marks that only a line break sees", arguments: plain)
    func agrees(_ language: String, _ locale: String, _ unit: String) throws {
        let icu = try #require(ICUReading(locale))
        let wording = try Fixtures.wording(language)
        let disagreement = Self.disagreement(wording, seed: 5) { money in
            let words = money.minor % 100 == 0 ? icu.words(money.minor / 100) : icu.words(hundredths: money.minor)
            return Self.present(Self.visible(words), language) + Array(unit.utf8)
        }
        #expect(disagreement == nil)
    }

    @Test("Spanish amounts agree with ICU's: masculine before the currency, de behind whole millions")
    func agreesInSpanish() throws {
        let counting = try #require(ICUReading("es"))
        let masculine = try #require(ICUReading("es", ruleSet: "%spellout-cardinal-masculine"))
        let wording = try Fixtures.wording("es")
        let disagreement = Self.disagreement(wording, seed: 6) { money in
            guard money.minor % 100 == 0 else {
                return Self.visible(counting.words(hundredths: money.minor)) + Array(" yuanes".utf8)
            }
            let whole = money.minor / 100
            let de = whole > 0 && whole % 1_000_000 == 0 ? " de" : ""
            return Self.visible(masculine.words(whole)) + Array((de + (whole == 1 ? " yuan" : " yuanes")).utf8)
        }
        #expect(disagreement == nil)
    }

    @Test("Cantonese amounts agree with ICU's, with two = er")
    func agreesInCantonese() throws {
        let icu = try #require(ICUReading("yue"))
        let wording = try Fixtures.wording("zh-HK", two: .er)
        let disagreement = Self.disagreement(wording, seed: 7) { money in
            let words = money.minor % 100 == 0 ? icu.words(money.minor / 100) : icu.words(hundredths: money.minor)
            return words + Array("人仔".utf8)
        }
        #expect(disagreement == nil)
    }

    /// The first amount that both read differently; nil for none.
    static func disagreement(_ wording: Wording, seed: UInt64, _ expected: (Money) -> [UInt8]) -> String? {
        var words: [UInt8] = []
        for money in amounts(seed: seed, count: count) {
            words.removeAll(keepingCapacity: true)
            wording.append(money, to: &words)
            let other = expected(money)
            if words != other {
                return
                    "\(money.decimal): \(String(decoding: words, as: UTF8.self)), not \(String(decoding: other, as: UTF8.self))"
            }
        }
        return nil
    }

    /// Older ICUs (72, Debian 12) say kosong for zero and titik for the point in Indonesian; newer ones (76) nol and koma,
    /// as people do.
    static func present(_ words: [UInt8], _ language: String) -> [UInt8] {
        guard language == "id" else { return words }
        let zero = replacing(words, Array("kosong".utf8), Array("nol".utf8))
        return replacing(zero, Array("titik".utf8), Array("koma".utf8))
    }

    /// Without soft hyphens and zero-width spaces.
    static func visible(_ text: [UInt8]) -> [UInt8] {
        replacing(replacing(text, [0xC2, 0xAD], []), [0xE2, 0x80, 0x8B], [])
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
