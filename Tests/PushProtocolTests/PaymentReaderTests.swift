// The box's own form of a body (`docs/push-protocol.md`, Body of a PUSH; field reports 5, 14, 15, 17, 18, 39).

import BoxFoundation
import PushProtocol
import Testing

func read(_ body: String) throws -> Result<Payment, PushRefusal> { PaymentReader.read(try JSONReader.read(body)) }

@Suite("The box's own form")
struct PaymentReaderTests {
    @Test("The page's example is read whole")
    func example() throws {
        let body = #"""
            {"kind":"payment", "amount":"12.50", "currency":"CNY", "channel":"wechat",
             "order":"20261129-0017", "time":"2026-11-29T18:05:00+08:00",
             "say":true, "print":1, "language":"zh-CN",
             "receipt":{"template":"payment","data":{"shop":"…","items":[{"name":"…","qty":2,"price":"3.00"}]}}}
            """#
        let data = try JSONReader.read(#"{"shop":"…","items":[{"name":"…","qty":2,"price":"3.00"}]}"#)
        #expect(
            try read(body)
                == .success(
                    Payment(
                        kind: .payment, amount: Money(minor: 1250), channel: .wechat, speech: .amount, copies: 1,
                        receipt: .template("payment", data: data), order: "20261129-0017",
                        time: "2026-11-29T18:05:00+08:00", language: "zh-CN")))
    }

    @Test("What is left out has the page's default")
    func defaults() throws {
        #expect(
            try read(#"{"kind":"refund","amount":"0"}"#)
                == .success(
                    Payment(kind: .refund, amount: Money(minor: 0), channel: .other, speech: .amount, copies: 1)))
        #expect(
            try read(#"{"kind":"notice","say":"打烊了"}"#)
                == .success(Payment(kind: .notice, speech: .text("打烊了"), copies: 0)))
    }

    @Test(
        "Amounts are read from their text, as string or number",
        arguments: [
            (#""amount":"12.50""#, 1250), (#""amount":12.50"#, 1250), (#""amount":"0""#, 0), (#""amount":0.00"#, 0),
            (#""amount":"19.90""#, 1990), (#""amount":"37.8""#, 3780), (#""amount":5.99"#, 599),
            (#""amount":10.30"#, 1030),
            (#""amount":"0.05""#, 5), (#""amount":"9999999999.99""#, 999_999_999_999), (#""amount":64.99"#, 6499),
            (#""fen":0"#, 0), (#""fen":999999999999"#, 999_999_999_999), (#""fen":1250,"amount":"12.5""#, 1250),
            (#""fen":1250,"amount":null"#, 1250), (#""fen":null,"amount":12.5"#, 1250),
            (#""currency":"JPY","amount":"500""#, 500), (#""currency":"KWD","amount":"1.234""#, 1234),
            (#""currency":"JPY","fen":500"#, 500), (#""currency":null,"amount":"1""#, 100),
            (#""currency":9,"amount":"1""#, 100),
        ])
    func amounts(names: String, minor: Int64) throws {
        let payment = try read(#"{"kind":"payment",\#(names)}"#).get()
        #expect(payment.amount?.minor == minor)
    }

    @Test(
        "What is no amount is a bad amount, never rounded",
        arguments: [
            #""x":1"#, #""amount":"""#, #""amount":"0.003""#, #""amount":"1.""#, #""amount":".5""#, #""amount":"01""#,
            #""amount":"-1""#, #""amount":-1"#, #""amount":"+1""#, #""amount":" 1""#, #""amount":"1 ""#,
            #""amount":"1,000""#,
            #""amount":"12.50元""#, #""amount":"１２""#, #""amount":"1e2""#, #""amount":1e2"#, #""amount":12.5E0"#,
            #""amount":0.30000000000000004"#, #""amount":1719.9999999999998"#, #""amount":"10000000000""#,
            #""amount":true"#, #""amount":null"#, #""amount":[1]"#, #""amount":{}"#, #""amount":"NaN""#,
            #""amount":-0"#,
            #""fen":-1"#, #""fen":1.0"#, #""fen":1e2"#, #""fen":"1250""#, #""fen":1000000000000"#, #""fen":true"#,
            #""fen":99999999999999999999999"#, #""fen":1251,"amount":"12.50""#, #""fen":1250,"amount":"x""#,
            #""fen":"x","amount":"12.50""#, #""currency":"JPY","amount":"1.0""#, #""currency":"KWD","amount":"1.2345""#,
            #""currency":"JPY","fen":10000000000"#,
        ])
    func badAmounts(names: String) throws {
        #expect(try read(#"{"kind":"payment",\#(names)}"#) == .failure(.badAmount))
    }

    @Test("No such currency is a bad currency", arguments: ["XXX", "cny", "", "CN", "RMB", "CNY ", "CN\u{59}\u{301}"])
    func badCurrencies(code: String) throws {
        #expect(try read(#"{"kind":"payment","amount":"1","currency":"\#(code)"}"#) == .failure(.badCurrency))
    }

    @Test(
        "A kind that is missing or another is a bad kind",
        arguments: [
            "{}", #"{"amount":"1"}"#, #"{"kind":null}"#, #"{"kind":"Payment"}"#, #"{"kind":1}"#, #"{"kind":""}"#,
            #"{"kind":"sale","aps":{}}"#,
        ])
    func badKinds(body: String) throws {
        #expect(try read(body) == .failure(.badKind))
    }

    @Test(
        "What is no object is a bad body", arguments: ["null", "[]", "\"{}\"", "1", "true", #"[{"kind":"payment"}]"#])
    func badBodies(body: String) throws {
        #expect(try read(body) == .failure(.badBody))
    }

    @Test(
        "A known channel is taken, any other is `other`",
        arguments: [
            (#""wechat""#, PaymentChannel.wechat), (#""alipay""#, .alipay), (#""unionpay""#, .unionpay),
            (#""card""#, .card),
            (#""cash""#, .cash), (#""member""#, .member), (#""other""#, .other), (#""bitcoin""#, .other),
            (#""WeChat""#, .other), ("7", .other), ("null", .other),
        ])
    func channels(value: String, channel: PaymentChannel) throws {
        #expect(try read(#"{"kind":"payment","amount":"1","channel":\#(value)}"#).get().channel == channel)
    }

    @Test(
        "`say` is an amount, silence or a text",
        arguments: [
            ("true", Payment.Speech.amount), ("false", .silent), (#""您好""#, .text("您好")), ("1", .amount),
            ("null", .amount),
            (#""""#, .amount), (#"" ""#, .amount), ("{}", .amount),
        ])
    func speech(value: String, speech: Payment.Speech) throws {
        #expect(try read(#"{"kind":"payment","amount":"1","say":\#(value)}"#).get().speech == speech)
    }

    @Test(
        "`print` is a number of copies, at most 5",
        arguments: [
            ("0", 0), ("1", 1), ("5", 5), ("6", 5), ("1e9", 5), ("99999999999999999999", 5), ("true", 1), ("false", 0),
            ("2.0", 2), ("1.5", 1), ("-1", 1), (#""3""#, 1), ("null", 1), ("[]", 1),
        ])
    func copies(value: String, copies: Int) throws {
        #expect(try read(#"{"kind":"payment","amount":"1","print":\#(value)}"#).get().copies == copies)
    }

    @Test(
        "A receipt is markup, a template with data, or a slip",
        arguments: [
            (#"{"markup":"^^^x"}"#, Payment.Receipt.markup("^^^x")),
            (#"{"template":"t","data":{"a":1}}"#, .template("t", data: .object(["a": 1]))),
            (#"{"template":"t"}"#, .template("t", data: .object([:]))),
            (#"{"template":"t","data":[1]}"#, .template("t", data: .object([:]))),
            (#"{"template":5}"#, .slip), ("{}", .slip), ("null", .slip), (#""x""#, .slip), ("[]", .slip),
            (#"{"markup":1}"#, .slip),
        ])
    func receipts(value: String, receipt: Payment.Receipt) throws {
        #expect(try read(#"{"kind":"payment","amount":"1","receipt":\#(value)}"#).get().receipt == receipt)
    }

    @Test("Names of a wrong type count as absent")
    func wrongTypes() throws {
        let payment = try read(
            #"{"kind":"payment","amount":"1","order":5,"time":17,"language":[],"channel":{},"say":2,"print":"x"}"#)
        #expect(payment == .success(Payment(kind: .payment, amount: Money(minor: 100))))
    }

    @Test(
        "A notice needs a text or a receipt, and no amount",
        arguments: [
            (#""say":"x""#, Result<Payment.Speech, PushRefusal>.success(.text("x"))),
            (#""say":"x","amount":"nonsense""#, .success(.text("x"))),
            (#""receipt":{"markup":"x"}"#, .success(.silent)),
            (#""receipt":{"markup":"x"},"say":true"#, .success(.silent)),
            (#""receipt":{"markup":"x"},"say":false"#, .success(.silent)),
            (#""say":true"#, .failure(.badBody)), (#""say":false"#, .failure(.badBody)),
            (#""say":"""#, .failure(.badBody)),
            (#""receipt":{},"amount":"1""#, .failure(.badBody)), (#""x":1"#, .failure(.badBody)),
        ])
    func notices(names: String, speech: Result<Payment.Speech, PushRefusal>) throws {
        let payment = try read(#"{"kind":"notice",\#(names)}"#)
        #expect(payment.map(\.speech) == speech)
        if case .success(let payment) = payment { #expect(payment.amount == nil && payment.copies == 0) }
    }

    @Test("An own `kind` decides over an `aps` beside it")
    func kindFirst() throws {
        let payment = try read(#"{"kind":"payment","fen":1,"aps":{"alert":"x"},"isVoice":"1","data":"{}"}"#)
        #expect(payment == .success(Payment(kind: .payment, amount: Money(minor: 1))))
    }
}
