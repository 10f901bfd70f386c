import BoxFoundation
import ReceiptPrinting
import Testing

@Suite struct ReceiptMakerTests {
    @Test func aPaymentSlipShowsChannelAmountOrderTimeAndCurrency() throws {
        let made = try ReceiptFixtures.maker().receipt(
            for: ReceiptFixtures.payment(), shop: "街角小店", mark: .none, at: ReceiptFixtures.now)
        #expect(made.fault == nil)
        #expect(
            ReceiptFixtures.paper(made.bytes) == """
                            街角小店
                            微信收款
                         ￥  1 2 . 5 0 
                --------------------------------
                单号               20261129-0017
                时间         2026-11-29 18:05:00
                币种                         CNY

                """)
    }

    /// Field reports 41 and 42.
    @Test func theFirstLineOfAJobIsTheSameBytesAsTheSameLineLater() throws {
        let maker = try ReceiptFixtures.maker()
        let bytes = try maker.receipt(markup: Array("|微信收款\n|微信收款".utf8))
        let line: [UInt8] = [0xCE, 0xA2, 0xD0, 0xC5, 0xCA, 0xD5, 0xBF, 0xEE, 0x0A]
        // ESC @, FS &, the lines, ESC d 3.
        #expect(bytes == [0x1B, 0x40, 0x1C, 0x26] + line + line + [0x1B, 0x64, 3])
    }

    @Test func aRepeatedReceiptBeginsWithItsMark() throws {
        let maker = try ReceiptFixtures.maker()
        let first = maker.receipt(for: ReceiptFixtures.payment(), shop: nil, mark: .none, at: ReceiptFixtures.now)
        let again = maker.receipt(for: ReceiptFixtures.payment(), shop: nil, mark: .repeated, at: ReceiptFixtures.now)
        let mark = "            补  打  \n"
        #expect(ReceiptFixtures.paper(again.bytes) == mark + ReceiptFixtures.paper(first.bytes))
    }

    @Test func aRefundSaysSo() throws {
        let payment = ReceiptFixtures.payment(kind: .refund, channel: .alipay)
        let made = try ReceiptFixtures.maker().receipt(for: payment, shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(ReceiptFixtures.paper(made.bytes).contains("支付宝退款\n"))
    }

    @Test(arguments: [("zh-CN", "2026-11-29 18:05:00"), ("en", "29 Nov 2026 18:05:00")])
    func theBoxsOwnTimeIsPrintedWhereThePaymentBringsNone(language: String, time: String) throws {
        let made = try ReceiptFixtures.maker(language: language).receipt(
            for: ReceiptFixtures.payment(time: nil), shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(ReceiptFixtures.paper(made.bytes).contains(time + "\n"))
    }

    @Test func aPaymentsOwnTimeIsPrintedAsGiven() throws {
        let given = "2026-11-29T18:05:00+08:00"
        let made = try ReceiptFixtures.maker().receipt(
            for: ReceiptFixtures.payment(time: given), shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(ReceiptFixtures.paper(made.bytes).contains("时间   2026-11-29T18:05:00+08:00\n"))
    }

    @Test(arguments: PaymentChannel.allCases, Payment.Kind.allCases)
    func everyChannelAndKindHasWordsInBothLanguages(channel: PaymentChannel, kind: Payment.Kind) throws {
        for language in ["zh-CN", "en"] {
            let words = try #require(ReceiptWords(language: language, from: ReceiptFixtures.resource))
            #expect(!words.title(channel, kind).contains("_"))
        }
    }

    @Test(arguments: [
        ("zh-CN", "1234.50", Currency.cny, "¥1234.50"), ("en", "1234.50", .cny, "¥1,234.50"),
        ("en", "9999999999.99", .cny, "¥9,999,999,999.99"), ("zh-CN", "0", .cny, "¥0.00"),
        ("zh-CN", "5.00", Currency(code: "USD")!, "USD 5.00"), ("en", "1000", Currency(code: "JPY")!, "¥1,000"),
        ("en", "999", Currency(code: "JPY")!, "¥999"),
    ])
    func moneyIsWrittenByTheLanguage(language: String, amount: String, currency: Currency, text: String) throws {
        let words = try #require(ReceiptWords(language: language, from: ReceiptFixtures.resource))
        let money = try #require(Money(amount, currency: currency))
        #expect(words.money(money) == text)
    }

    @Test func theLargestAmountFitsItsLine() throws {
        let made = try ReceiptFixtures.maker().receipt(
            for: ReceiptFixtures.payment("9999999999.99"), shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(ReceiptFixtures.paper(made.bytes).contains("￥  9 9 9 9 9 9 9 9 9 9 . 9 9 \n"))
    }

    @Test func aTemplatesDataCannotSayWhatWasPaid() throws {
        let data: JSON = .object(["amount": "999.00", "currency": "USD", "shop": "Its own", "title": "Ours"])
        let payment = ReceiptFixtures.payment(receipt: .template("payment", data: data))
        let made = try ReceiptFixtures.maker().receipt(for: payment, shop: "Shop", mark: .none, at: ReceiptFixtures.now)
        let paper = ReceiptFixtures.paper(made.bytes)
        #expect(paper.contains("￥  1 2 . 5 0 \n"))
        #expect(paper.contains(" CNY\n"))
        #expect(paper.contains("Its own\n"))
        #expect(paper.contains("Ours\n"))
    }

    // MARK: Faults

    @Test(arguments: [
        (Payment.Receipt.markup("合计 | 1\n{code"), ReceiptFault(.brace("{"), line: 2, column: 1)),
        (.markup("ab {width:3}"), ReceiptFault(.propertyBeside, line: 1, column: 4)),
        (
            .markup("{code:12x;option:ean}"),
            ReceiptFault(
                .code("an EAN has 13 or 8 digits, its last one may be left out"), line: 1, column: 2)
        ),
        (.markup("a\n{image:????}"), ReceiptFault(.picture("it is not base64"), line: 2, column: 2)),
        (.template("nowhere", data: .null), ReceiptFault(.noTemplate("nowhere"), line: 0, column: 0)),
        (.template("../printers/x", data: .null), ReceiptFault(.noTemplate("../printers/x"), line: 0, column: 0)),
    ])
    func aReceiptAtFaultCostsTheReceiptAndNotThePayment(receipt: Payment.Receipt, fault: ReceiptFault) throws {
        let payment = ReceiptFixtures.payment(receipt: receipt)
        let made = try ReceiptFixtures.maker().receipt(for: payment, shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(made.fault == fault)
        #expect(
            ReceiptFixtures.paper(made.bytes) == "微信收款\n￥  1 2 . 5 0 \n20261129-0017\n2026-11-29 18:05:00\n")
    }

    /// Five white pictures of 384 by 5400 dots are 1.3 MB for the printer, and 3 kB of markup.
    @Test(arguments: [
        ("{image:\(PNGFixture.white384x5400)}\n", 5, 5, 2), ("{image:\(PNGFixture.white384x5400)}\n", 4, nil, 0),
        ("-\n", 40_000, 0, 0), ("-\n", 20_000, nil, 0),
    ])
    func aReceiptOfMetresOfPaperIsTooLong(line: String, count: Int, faultLine: Int?, column: Int) throws {
        let payment = ReceiptFixtures.payment(receipt: .markup(String(repeating: line, count: count)))
        let made = try ReceiptFixtures.maker().receipt(for: payment, shop: nil, mark: .none, at: ReceiptFixtures.now)
        let kind = ReceiptFault.Kind.tooLong("the receipt is over 1048576 bytes for the printer")
        #expect(made.fault == faultLine.map { ReceiptFault(kind, line: $0, column: column) })
    }

    @Test func aFaultSaysWhatAndWhere() {
        let fault = ReceiptFault(.brace("{"), line: 2, column: 7)
        #expect(fault.message == "line 2, column 7: { stands alone; write \\{ for the sign itself")
    }

    @Test func aNoticePrintsItsText() throws {
        let notice = ReceiptFixtures.payment(nil, kind: .notice, order: nil, speech: .text("打烊了 {x}"))
        let made = try ReceiptFixtures.maker().receipt(for: notice, shop: nil, mark: .none, at: ReceiptFixtures.now)
        #expect(made.fault == nil)
        #expect(ReceiptFixtures.paper(made.bytes).contains("打烊了 {x}\n"))
    }

    @Test func aWesternPrinterGetsEnglish() throws {
        let made = try ReceiptFixtures.maker("generic-80mm", language: "en").receipt(
            for: ReceiptFixtures.payment(), shop: nil, mark: .repeated, at: ReceiptFixtures.now)
        let paper = ReceiptFixtures.paper(made.bytes, ReceiptFixtures.profile("generic-80mm"))
        #expect(paper.contains("WeChat payment\n"))
        #expect(paper.contains("R E P R I N T"))
    }

    @Test(
        "The drawer opens for the payments that are wanted, and never for a receipt that comes again",
        arguments: [
            (ReceiptSignals.Drawer.never, PaymentChannel.cash, false), (.cash, .cash, true), (.cash, .wechat, false),
            (.always, .wechat, true),
        ])
    func drawer(drawer: ReceiptSignals.Drawer, channel: PaymentChannel, opens: Bool) throws {
        let profile = ReceiptFixtures.profile("xprinter-xp-n160ii")
        let maker = try ReceiptMaker(
            profile: profile, language: "zh-CN", signals: ReceiptSignals(drawer: drawer, buzzer: true),
            resources: ReceiptFixtures.resource)
        let plain = try ReceiptMaker(profile: profile, language: "zh-CN", resources: ReceiptFixtures.resource)
        for kind in [Payment.Kind.payment, .refund] {
            let payment = ReceiptFixtures.payment(kind: kind, channel: channel)
            let made = { (maker: ReceiptMaker, mark: ReceiptMark) in
                maker.receipt(for: payment, shop: nil, mark: mark, at: ReceiptFixtures.now).bytes
            }
            let signals = (opens ? profile.drawerCommand : []) + profile.buzzerCommand
            #expect(made(maker, .none) == signals + made(plain, .none))
            #expect(made(maker, .repeated) == made(plain, .repeated))
        }
    }

    @Test("A notice opens no drawer, and a printer without one is sent nothing for it")
    func noDrawer() throws {
        let all = ReceiptSignals(drawer: .always, buzzer: false)
        for (id, kind) in [("xprinter-xp-n160ii", Payment.Kind.notice), ("generic-58mm", .payment)] {
            let profile = ReceiptFixtures.profile(id)
            let makers = try [all, ReceiptSignals()].map {
                try ReceiptMaker(profile: profile, language: "zh-CN", signals: $0, resources: ReceiptFixtures.resource)
            }
            let payment = ReceiptFixtures.payment(kind: kind, speech: .text("x"))
            let bytes = makers.map { $0.receipt(for: payment, shop: nil, mark: .none, at: ReceiptFixtures.now).bytes }
            #expect(bytes[0] == bytes[1])
        }
    }
}
