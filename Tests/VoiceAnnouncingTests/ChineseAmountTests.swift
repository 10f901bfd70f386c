import BoxFoundation
import Testing
import VoiceAnnouncing

/// Amounts as a Mandarin speaker says them (field reports, part 1).
@Suite struct ChineseAmountTests {
    static let liang: [(String, String)] = [
        ("0", "零元"), ("0.05", "零点零五元"), ("0.01", "零点零一元"), ("0.10", "零点一元"), ("0.20", "零点二元"),
        ("1", "一元"), ("2", "两元"), ("2.00", "两元"), ("2.2", "二点二元"), ("2.02", "二点零二元"), ("9.60", "九点六元"),
        ("10.00", "十元"), ("11", "十一元"), ("12", "十二元"), ("12.50", "十二点五元"), ("19.90", "十九点九元"),
        ("20", "二十元"), ("22", "二十二元"), ("30", "三十元"), ("5.99", "五点九九元"), ("10.30", "十点三元"),
        ("37.8", "三十七点八元"), ("64.99", "六十四点九九元"), ("12.3", "十二点三元"), ("100", "一百元"),
        ("101", "一百零一元"), ("110", "一百一十元"), ("115", "一百一十五元"), ("200", "两百元"), ("202", "两百零二元"),
        ("222", "两百二十二元"), ("300", "三百元"), ("300.30", "三百点三元"), ("500", "五百元"), ("1000", "一千元"),
        ("1001", "一千零一元"), ("1010", "一千零一十元"), ("1100", "一千一百元"), ("1200", "一千二百元"),
        ("1719.99", "一千七百一十九点九九元"), ("2000", "两千元"), ("2000.50", "两千点五元"), ("2002", "两千零二元"),
        ("2200", "两千二百元"), ("2350", "两千三百五十元"), ("10000", "一万元"), ("10003", "一万零三元"),
        ("10010", "一万零一十元"), ("12000", "一万二千元"), ("12000.01", "一万二千点零一元"), ("20000", "两万元"),
        ("20002", "两万零二元"), ("22000", "两万二千元"), ("28000", "两万八千元"), ("100000", "十万元"),
        ("100001", "十万零一元"), ("103453", "十万三千四百五十三元"), ("110110", "十一万零一百一十元"),
        ("120000", "十二万元"), ("200000", "二十万元"), ("1903971", "一百九十万三千九百七十一元"),
        ("2000000", "两百万元"), ("2200000", "两百二十万元"), ("20000000", "两千万元"), ("100000000", "一亿元"),
        ("200000000", "两亿元"), ("222222222", "两亿二千二百二十二万二千二百二十二元"), ("1000000000", "十亿元"),
        ("9999999999.99", "九十九亿九千九百九十九万九千九百九十九点九九元"), ("2.5", "二点五元"),
        ("200.02", "两百点零二元"), ("20000.20", "两万点二元"),
    ]

    @Test("An amount is read with 两 where it belongs", arguments: liang)
    func readsLiang(_ amount: String, _ words: String) throws {
        let money = try #require(Money(amount))
        let read = try Fixtures.wording("zh-CN").amount(money)
        #expect(read == words)
    }

    @Test("With two = er every 2 is 二", arguments: liang)
    func readsEr(_ amount: String, _ words: String) throws {
        let er = words.split(separator: "两", omittingEmptySubsequences: false).joined(separator: "二")
        let money = try #require(Money(amount))
        let read = try Fixtures.wording("zh-CN", two: .er).amount(money)
        #expect(read == er)
    }

    @Test(
        "In jiaofen decimals are 角 and 分",
        arguments: [
            ("0", "零元"), ("0.01", "一分"), ("0.02", "二分"), ("0.05", "五分"), ("0.10", "一角"), ("0.20", "二角"),
            ("0.50", "五角"), ("0.55", "五角五分"), ("0.22", "二角二分"), ("1", "一元"), ("2", "两元"), ("2.20", "两元二角"),
            ("2.02", "两元零二分"), ("2.22", "两元二角二分"), ("12.5", "十二元五角"), ("12.05", "十二元零五分"),
            ("10.10", "十元一角"), ("200.02", "两百元零二分"), ("12000.01", "一万二千元零一分"),
            ("9999999999.99", "九十九亿九千九百九十九万九千九百九十九元九角九分"),
        ])
    func readsJiaofen(_ amount: String, _ words: String) throws {
        let money = try #require(Money(amount))
        let read = try Fixtures.wording("zh-CN", decimals: .jiaofen).amount(money)
        #expect(read == words)
    }

    @Test(
        "Other currencies keep their decimals by the point",
        arguments: [
            ("2", "USD", "两美元"), ("2.5", "USD", "二点五美元"), ("0", "HKD", "零港币"), ("1200", "EUR", "一千二百欧元"),
            ("20000", "VND", "两万越南盾"), ("99.09", "INR", "九十九点零九卢比"), ("20", "THB", "二十泰铢"),
            ("150000", "IDR", "十五万印尼盾"), ("1.234", "KWD", "一点二三四外币"), ("1.200", "KWD", "一点二外币"),
            ("7", "XOF", "七外币"),
        ])
    func readsCurrencies(_ amount: String, _ code: String, _ words: String) throws {
        let currency = try #require(Currency(code: code))
        let money = try #require(Money(amount, currency: currency))
        for decimals in VoiceStyle.Decimals.allCases {
            let read = try Fixtures.wording("zh-CN", decimals: decimals).amount(money)
            #expect(read == words)
        }
    }

    @Test("A phrase is mark, prefix, amount and currency")
    func saysPhrases() throws {
        let wording = try Fixtures.wording("zh-CN")
        let money = try #require(Money("12.50"))
        #expect(wording.payment(money, channel: .wechat) == "微信收款，十二点五元")
        #expect(wording.payment(money, channel: .alipay, isRefund: true) == "支付宝退款，十二点五元")
        #expect(wording.payment(money, channel: .other) == "收款，十二点五元")
        #expect(wording.payment(money, channel: .card, isRepeated: true) == "补报，刷卡收款，十二点五元")
        #expect(wording.merged(7, Money(minor: 12350)) == "又收款七笔，共一百二十三点五元")
        #expect(wording.merged(2, Money(minor: 200)) == "又收款两笔，共两元")
        #expect(wording.today(0, []) == "今日收款零笔")
        #expect(wording.today(3, [Money(minor: 5600)]) == "今日收款三笔，共五十六元")
        #expect(wording.volume(60) == "音量六十")
    }

    @Test("Every fen up to 999.99, and amounts of every size, come back from their words")
    func comesBack() throws {
        let wording = try Fixtures.wording("zh-CN")
        var random = SeededRandom(seed: 12)
        var amounts: [Int64] = Array(0...99_999) + [1, 10, 11, 100_001, 10_000_000, 10_000_000_000]
        for digits in 3...12 {
            let limit = (0..<digits).reduce(Int64(1)) { n, _ in n * 10 }
            amounts += (0..<2000).map { _ in Int64.random(in: 0..<limit, using: &random) }
        }
        var words: [UInt8] = []
        for minor in amounts {
            words.removeAll(keepingCapacity: true)
            wording.append(Money(minor: minor), to: &words)
            if ChineseNumber.fen(words) != minor {
                Issue.record("\(minor) is read \(String(decoding: words, as: UTF8.self))")
                return
            }
        }
    }
}

/// Reads Chinese words back by themselves, knowing nothing of the rules that made them.
enum ChineseNumber {
    private static let digits = Array("零一二三四五六七八九".unicodeScalars)

    static func fen(_ words: [UInt8]) -> Int64? {
        var whole: Int64 = 0
        var wan: Int64 = 0
        var digit: Int64?
        var decimals: [Int64]?
        var yi: Int64 = 0
        for scalar in String(decoding: words, as: UTF8.self).unicodeScalars {
            if let n = digits.firstIndex(of: scalar) {
                if decimals != nil { decimals?.append(Int64(n)) } else { digit = Int64(n) }
                continue
            }
            switch scalar {
            case "两": digit = 2
            case "十": (whole, digit) = (whole + (digit == nil || digit == 0 ? 1 : digit!) * 10, nil)
            case "百": (whole, digit) = (whole + (digit ?? 0) * 100, nil)
            case "千": (whole, digit) = (whole + (digit ?? 0) * 1000, nil)
            case "万": (wan, whole, digit) = ((whole + (digit ?? 0)) * 10_000, 0, nil)
            case "亿": (yi, wan, whole, digit) = ((wan + whole + (digit ?? 0)) * 100_000_000, 0, 0, nil)
            case "点": (whole, digit, decimals) = (whole + (digit ?? 0), nil, [])
            case "元": break
            default: return nil
            }
        }
        let yuan = yi + wan + whole + (digit ?? 0)
        let tenths = decimals?.first ?? 0
        let hundredths = (decimals?.count ?? 0) > 1 ? decimals![1] : 0
        return yuan * 100 + tenths * 10 + hundredths
    }
}
