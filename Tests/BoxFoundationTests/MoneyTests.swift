import BoxFoundation
import Testing

@Suite("Money")
struct MoneyTests {
    @Test(
        "An amount is read from its text",
        arguments: [
            ("0", 0), ("0.0", 0), ("0.00", 0), ("0.01", 1), ("0.1", 10), ("0.10", 10), ("1", 100), ("12.5", 1250),
            ("12.50", 1250), ("19.90", 1990), ("37.8", 3780), ("5.99", 599),
            ("10.30", 1030), ("64.99", 6499), ("9999999999.99", 999_999_999_999), ("9999999999", 999_999_999_900),
        ])
    func read(text: String, minor: Int64) {
        #expect(Money(text)?.minor == minor)
    }

    @Test(
        "Anything else is none (field rows 5 and 17 among them)",
        arguments: [
            "", ".", "0.003", "0.30000000000000004", "1719.9999999999998", "12.505", "-1", "+1", "1.", ".5", "00", "01",
            "01.5", "1,000", "1 000", " 1", "1 ", "1e2", "0x1", "10000000000",
            "99999999999999999999999", "1.5.5", "１２", "12.5０", "12元", "￥5", "NaN", "--", "1\n", "1\0",
        ])
    func refused(text: String) {
        #expect(Money(text) == nil)
    }

    @Test("Every fen from 0.00 to 999.99 is read back exactly as it is written (field rows 14, 15, 18)")
    func everyFen() {
        for fen in Int64(0)...99_999 {
            let money = Money(minor: fen)
            let (yuan, rest) = (fen / 100, fen % 100)
            let text = "\(yuan)." + (rest < 10 ? "0\(rest)" : "\(rest)")
            guard money.decimal == text, Money(text) == money else {
                Issue.record("\(fen) is written \(money.decimal), read \(String(describing: Money(text)))")
                return
            }
            if rest % 10 == 0, Money("\(yuan).\(rest / 10)") != money { Issue.record("\(yuan).\(rest / 10)") }
            if rest == 0, Money("\(yuan)") != money { Issue.record("\(yuan)") }
        }
    }

    @Test(
        "The decimals are the currency's",
        arguments: [
            ("JPY", "500", 500, "500"), ("KWD", "1.5", 1500, "1.500"), ("KWD", "0.001", 1, "0.001"),
            ("CLF", "0.0001", 1, "0.0001"), ("USD", "3", 300, "3.00"),
            ("VND", "9999999999", 9_999_999_999, "9999999999"),
        ])
    func exponents(code: String, text: String, minor: Int64, decimal: String) throws {
        let currency = try #require(Currency(code: code))
        let money = try #require(Money(text, currency: currency))
        #expect(money.minor == minor)
        #expect(money.decimal == decimal)
    }

    @Test(
        "More decimals than the currency has are none",
        arguments: [("JPY", "5.0"), ("JPY", "5."), ("CNY", "5.000"), ("KWD", "5.0000"), ("CLF", "5.00000")])
    func tooManyDecimals(code: String, text: String) throws {
        #expect(Money(text, currency: try #require(Currency(code: code))) == nil)
    }

    @Test(
        "Only the standard's codes are currencies",
        arguments: ["", "CN", "CNYY", "cny", "RMB", "XXX", "XAU", "¥", "K\u{301}Y", "\u{212A}WD", "ＣＮＹ"])
    func noCurrency(code: String) {
        #expect(Currency(code: code) == nil)
    }

    @Test("The unit goes with the exponent", arguments: ["CNY", "JPY", "KWD", "CLF", "ISK", "TND"])
    func unit(code: String) throws {
        let currency = try #require(Currency(code: code))
        #expect(currency.minorPerMajor == (0..<currency.exponent).reduce(Int64(1)) { product, _ in product * 10 })
    }
}
