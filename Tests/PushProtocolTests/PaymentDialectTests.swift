// Bodies as merchants' back ends send them to phones (`docs/push-protocol.md`, Body of a PUSH).

import BoxFoundation
import PushProtocol
import Testing

/// A payment or refund as a dialect gives it.
private func paid(
    _ minor: Int64, _ channel: PaymentChannel = .other, _ kind: Payment.Kind = .payment,
    _ speech: Payment.Speech = .amount
) -> Payment {
    Payment(kind: kind, amount: Money(minor: minor), channel: channel, speech: speech, copies: 1)
}

private func notice(_ text: String) -> Payment { Payment(kind: .notice, speech: .text(text), copies: 0) }

private let silent = Payment(kind: .notice, speech: .silent, copies: 0)

@Suite("Dialects")
struct PaymentDialectTests {
    // MARK: Aggregator

    /// - Parameter data: the JSON inside the string.
    static func aggregator(_ data: String, type: String = "2", aps: String = #"{"alert":"收款成功","sound":"default"}"#)
        -> String
    {
        #"{"aps":\#(aps),"type":\#(type),"data":\#(JSON.string(data).text)}"#
    }

    @Test("The page's aggregator example has no sound, so it is printed and not spoken")
    func aggregatorExample() throws {
        #expect(
            try read(#"{"aps":{"alert":"…","sound":"…"},"type":2,"data":"{\"pay_type\":1,\"sum_amount\":\"0.01\"}"}"#)
                == .success(paid(1, .wechat)))
    }

    @Test(
        "An aggregator's pay_type gives the channel, in number or text",
        arguments: [
            ("1", PaymentChannel.wechat), ("3", .wechat), ("2", .alipay), ("4", .alipay), ("5", .member),
            (#""1""#, .wechat),
            (#""04""#, .alipay), (#""5""#, .member),
        ])
    func payTypes(payType: String, channel: PaymentChannel) throws {
        for type in ["2", "3", #""2""#, #""3""#] {
            let body = Self.aggregator(#"{"pay_type":\#(payType),"sum_amount":"128.00"}"#, type: type)
            #expect(try read(body) == .success(paid(12_800, channel)), "type \(type)")
        }
    }

    @Test(
        "Any other pay_type is spoken by the alert, and the amount is printed",
        arguments: ["6", "0", #""x""#, "null", "true", "{}"])
    func otherPayTypes(payType: String) throws {
        let body = Self.aggregator(#"{"pay_type":\#(payType),"sum_amount":8.5}"#)
        #expect(try read(body) == .success(paid(850, .other, .payment, .text("收款成功"))))
    }

    @Test(
        "An aggregator's other types are a silent notice",
        arguments: ["1", "4", "0", #""1""#, "null", #""""#, "true", "2.5"])
    func otherTypes(type: String) throws {
        #expect(try read(Self.aggregator(#"{"pay_type":1,"sum_amount":"1"}"#, type: type)) == .success(silent))
    }

    @Test(
        "Without a sound an aggregator's payment is silent and still printed",
        arguments: [
            #"{"alert":"x"}"#, #"{"alert":"x","sound":""}"#, #"{"alert":"x","sound":null}"#,
        ])
    func soundless(aps: String) throws {
        let body = Self.aggregator(#"{"pay_type":2,"sum_amount":"6.66"}"#, aps: aps)
        #expect(try read(body) == .success(paid(666, .alipay, .payment, .silent)))
    }

    @Test(
        "Data that is no JSON, or has no amount, leaves the alert as a notice",
        arguments: [
            "", "hello", "[]", "{", "null", "{}", #"{"pay_type":1}"#, #"{"pay_type":1,"sum_amount":null}"#,
            #"{"pay_type":1,"sum_amount":""}"#, #"{"pay_type":1,"pay_type":2,"sum_amount":"1"}"#,
        ])
    func emptyData(data: String) throws {
        #expect(try read(Self.aggregator(data)) == .success(notice("收款成功")))
    }

    @Test("JSON inside a text inside a text is read too")
    func twiceNested() throws {
        let data = JSON.string(#"{"pay_type":"3","sum_amount":"0.10"}"#).text
        #expect(try read(Self.aggregator(data)) == .success(paid(10, .wechat)))
    }

    @Test("An alert that speaks of 退款 is never announced as money received")
    func aggregatorRefund() throws {
        let body = Self.aggregator(
            #"{"pay_type":1,"sum_amount":"3"}"#, aps: #"{"alert":{"title":"退款通知","body":"已退"},"sound":"a.caf"}"#)
        #expect(try read(body) == .success(paid(300, .wechat, .refund)))
    }

    @Test("Data that is no text is not an aggregator's")
    func dataObject() throws {
        let body = #"{"aps":{"alert":"微信收款8元"},"type":2,"data":{"pay_type":1,"sum_amount":"9"}}"#
        #expect(try read(body) == .success(paid(800, .wechat)))
    }

    // MARK: Sound command

    @Test(
        "A sound command names clips, separated by commas or spaces",
        arguments: [
            ("alipay_received,12,dot,5,yuan", ["alipay_received", "12", "dot", "5", "yuan"]),
            ("a b  c", ["a", "b", "c"]), (" a, b ,c, ", ["a", "b", "c"]), ("one", ["one"]),
            ("收款，十、元", ["收款", "十", "元"]),
        ])
    func soundCommand(command: String, clips: [String]) throws {
        let body = #"{"aps":{"alert":"您有一笔新订单","soundCommand":"\#(command)"}}"#
        #expect(
            try read(body)
                == .success(Payment(kind: .notice, speech: .clips(clips, otherwise: "您有一笔新订单"), copies: 0)))
    }

    @Test("An amount in a sound command's alert is printed")
    func soundCommandAmount() throws {
        #expect(
            try read(#"{"aps":{"alert":"支付宝到账12.50元","soundCommand":"a,b"}}"#)
                == .success(paid(1250, .alipay, .payment, .clips(["a", "b"], otherwise: "支付宝到账12.50元"))))
    }

    @Test(
        "A command that names nothing, or too much, is spoken by its alert",
        arguments: [
            "", " , ,", Array(repeating: "a", count: 101).joined(separator: ","),
        ])
    func emptyCommand(command: String) throws {
        #expect(try read(#"{"aps":{"alert":"新订单","soundCommand":"\#(command)"}}"#) == .success(notice("新订单")))
    }

    // MARK: Voice flag

    @Test(
        "A voice flag's amount is announced, from a name or from the text",
        arguments: [
            (#"{"aps":{"alert":{"title":"收款通知","body":"收款12.50元"}},"isVoice":"1"}"#, paid(1250)),
            (#"{"aps":{"alert":{"title":"收款通知","body":"微信支付收款100元"}},"isVoice":1}"#, paid(10_000, .wechat)),
            (#"{"aps":{"alert":{"title":"支付宝","body":"到账 0.01 元"}},"isVoice":true}"#, paid(1, .alipay)),
            (#"{"aps":{"alert":{"title":"收款"}},"isVoice":"1","amount":"88.80"}"#, paid(8880)),
            (#"{"aps":{"alert":{"title":"收款"},"amount":88.8},"isVoice":"1"}"#, paid(8880)),
            (#"{"aps":{"alert":"x","amount":null},"isVoice":"1","amount":"5"}"#, paid(500)),
            (#"{"aps":{"alert":"收款6元"},"isVoice":"1","amount":""}"#, paid(600)),
            (#"{"aps":{"alert":{"body":"订单退款30.00元"}},"isVoice":"1"}"#, paid(3000, .other, .refund)),
            (#"{"aps":{"alert":{"title":"微信退款","body":null}},"isVoice":"1","amount":3}"#, paid(300, .wechat, .refund)),
            (#"{"aps":{"alert":"收款0元"},"isVoice":"1"}"#, paid(0)),
            (#"{"aps":{"alert":"收款1,234.50元"},"isVoice":"1"}"#, paid(123_450)),
            (#"{"aps":{"alert":"收款１２．５元"},"isVoice":"1"}"#, paid(1250)),
            (#"{"aps":{"alert":"收款￥9.90元"},"isVoice":"1"}"#, paid(990)),
            (#"{"aps":{"alert":"尾号12收款9元"},"isVoice":"1"}"#, paid(900)),
            (#"{"aps":{"alert":{"title":"尾号12","body":"9元已收"}},"isVoice":"1"}"#, paid(900)),
        ])
    func voiceFlag(body: String, payment: Payment) throws {
        #expect(try read(body) == .success(payment))
    }

    @Test(
        "Where it can't be told which number is the amount, the text is spoken",
        arguments: [
            "满100元减10元", "收款成功", "收款12.345元", "收款012元", "收款1，234元", "收款1,23元", "收款1万2000元", "收款12元5角",
            "收款12元五角", "收款-5元", "收款十元", "收款1.2.3元", "2026元旦快乐", "收款12美元", "收款12345678901元", "收款.元",
        ])
    func ambiguous(text: String) throws {
        #expect(try read(#"{"aps":{"alert":"\#(text)"},"isVoice":"1"}"#) == .success(notice(text)))
    }

    @Test(
        "A voice flag of 0 is a silent notice, whatever it carries",
        arguments: ["0", #""0""#, "false", #""false""#, "0.0"])
    func voiceOff(flag: String) throws {
        #expect(try read(#"{"aps":{"alert":"收款5元"},"isVoice":\#(flag),"amount":"x"}"#) == .success(silent))
    }

    @Test("Any other voice flag speaks", arguments: ["1", #""1""#, "true", #""Y""#, "2", #""""#])
    func voiceOn(flag: String) throws {
        #expect(try read(#"{"aps":{"alert":"微信收款5元"},"isVoice":\#(flag)}"#) == .success(paid(500, .wechat)))
    }

    // MARK: Title and body

    @Test(
        "Title, subtitle and body are joined where both flags are Y",
        arguments: [
            (#"{"title":"收款","subtitle":"一号店","body":"成功"}"#, "收款一号店成功"),
            (#"{"title":"收款","subtitle":null,"body":"成功"}"#, "收款成功"),
            (#"{"title":"收款","subtitle":"","body":"成功"}"#, "收款成功"),
            (#"{"title":"收款","subtitle":"(null)","body":"null"}"#, "收款"),
            (#"{"body":"成功"}"#, "成功"), (#""只有一句""#, "只有一句"),
            (#"{"title":"Order","subtitle":7,"body":"paid"}"#, "Order 7 paid"),
            (#"{"title":"单号12","body":"34号桌"}"#, "单号12 34号桌"),
        ])
    func titleAndBody(alert: String, text: String) throws {
        for flags in [#""isLogin":"Y","isRead":"Y""#, #""isLogin":true,"isRead":1"#, #""isLogin":"1","isRead":"y""#] {
            #expect(try read(#"{"aps":{"alert":\#(alert)},\#(flags)}"#) == .success(notice(text)), "\(flags)")
        }
    }

    @Test(
        "With one flag not Y nothing is spoken",
        arguments: [
            #""isLogin":"Y""#, #""isRead":"Y""#, #""isLogin":"Y","isRead":"N""#, #""isLogin":"N","isRead":"Y""#,
            #""isLogin":"Y","isRead":null"#, #""isLogin":0,"isRead":1"#, #""isLogin":false,"isRead":true"#,
            #""isLogin":"","isRead":"""#,
        ])
    func notBothFlags(flags: String) throws {
        #expect(try read(#"{"aps":{"alert":{"title":"a","body":"b"}},\#(flags)}"#) == .success(silent))
    }

    @Test("An amount in title and body is printed, the texts are what is spoken")
    func titleAndBodyAmount() throws {
        let alert = #"{"title":"微信支付","body":"收款25元"}"#
        #expect(
            try read(#"{"aps":{"alert":\#(alert)},"isLogin":"Y","isRead":"Y"}"#)
                == .success(paid(2500, .wechat, .payment, .text("微信支付收款25元"))))
        #expect(
            try read(#"{"aps":{"alert":\#(alert)},"isLogin":"Y","isRead":"N"}"#)
                == .success(paid(2500, .wechat, .payment, .silent)))
    }

    @Test("Nothing but flags is a silent notice")
    func onlyFlags() throws {
        #expect(try read(#"{"aps":{},"isLogin":"Y","isRead":"Y"}"#) == .success(silent))
    }

    // MARK: Amount in aps

    @Test(
        "收款 and the amount of aps, in yuan",
        arguments: [
            (#"{"aps":{"alert":"錢到啦收款10000元","amount":10000}}"#, paid(1_000_000)),
            (#"{"aps":{"alert":"錢到啦收款10000元","amount":"10000"}}"#, paid(1_000_000)),
            (#"{"aps":{"alert":"x","amount":0.01}}"#, paid(1)),
            (#"{"aps":{"amount":"9.9"}}"#, paid(990)),
            (#"{"aps":{"alert":"支付宝到账12.50元","amount":12.5}}"#, paid(1250, .alipay)),
            (#"{"aps":{"alert":{"title":"微信","body":"收款"},"amount":5}}"#, paid(500, .wechat)),
            (#"{"aps":{"alert":"退款5元","amount":5}}"#, paid(500, .other, .refund)),
            (#"{"kind":null,"aps":{"amount":1}}"#, paid(100)),
        ])
    func amountInAps(body: String, payment: Payment) throws {
        #expect(try read(body) == .success(payment))
    }

    @Test(
        "No amount, or zero, leaves the alert as a notice",
        arguments: [
            #"{"aps":{"alert":"今日打烊"}}"#, #"{"aps":{"alert":"今日打烊","amount":0}}"#,
            #"{"aps":{"alert":"今日打烊","amount":"0.00"}}"#,
            #"{"aps":{"alert":"今日打烊","amount":null}}"#, #"{"aps":{"alert":"今日打烊","amount":""}}"#,
            #"{"aps":{"alert":{"body":"今日打烊"}},"amount":5}"#,
            #"{"aps":{"alert":"今日打烊"},"isVoice":null,"data":null,"isRead":null}"#,
        ])
    func amountless(body: String) throws {
        #expect(try read(body) == .success(notice("今日打烊")))
    }

    @Test(
        "A text tells channel and amount where it says that money came or went",
        arguments: [
            ("支付宝到账12.50元", paid(1250, .alipay)), ("微信收款0.01元", paid(1, .wechat)), ("云闪付收款8元", paid(800, .unionpay)),
            ("银行卡入账20元", paid(2000, .card)), ("现金收款3.5元", paid(350, .cash)), ("会员卡付款66元", paid(6600, .member)),
            ("微信/支付宝收款5元", paid(500)), ("支付寶到賬7元", paid(700, .alipay)), ("微信退款2元", paid(200, .wechat, .refund)),
            ("您已收到12元", paid(1200)), ("会员日收款9元", paid(900)),
        ])
    func textAmounts(text: String, payment: Payment) throws {
        #expect(try read(#"{"aps":{"alert":"\#(text)"}}"#) == .success(payment))
    }

    @Test("An offer is not a payment", arguments: ["满100元包邮", "会员日充100元送20元", "今日特价9.9元"])
    func offers(text: String) throws {
        #expect(try read(#"{"aps":{"alert":"\#(text)"}}"#) == .success(notice(text)))
    }

    // MARK: Bad ones

    @Test(
        "An amount that a dialect carries and that is none is a bad amount",
        arguments: [
            #"{"aps":{"alert":"x","amount":"abc"}}"#, #"{"aps":{"alert":"x","amount":1.234}}"#,
            #"{"aps":{"alert":"x","amount":-1}}"#,
            #"{"aps":{"alert":"x","amount":true}}"#, #"{"aps":{"alert":"x","amount":[1]}}"#,
            #"{"aps":{"alert":"x","amount":1e4}}"#,
            #"{"aps":{"alert":"x","amount":"10,000"}}"#, #"{"aps":{"alert":"收款5元"},"isVoice":"1","amount":"5元"}"#,
            #"{"aps":{"alert":"收款5元","amount":"0.005"},"isVoice":"1"}"#,
            #"{"aps":{"alert":"x","sound":"y"},"type":2,"data":"{\"pay_type\":1,\"sum_amount\":\"0.001\"}"}"#,
            #"{"aps":{"alert":"x","sound":"y"},"type":2,"data":"{\"pay_type\":9,\"sum_amount\":{}}"}"#,
            #"{"aps":{"alert":"x","sound":"y"},"type":2,"data":"{\"pay_type\":1,\"sum_amount\":0.30000000000000004}"}"#,
        ])
    func badAmounts(body: String) throws {
        #expect(try read(body) == .failure(.badAmount))
    }

    @Test(
        "An aps that is no object is a bad body",
        arguments: [#"{"aps":"x"}"#, #"{"aps":[]}"#, #"{"aps":1,"isVoice":"1"}"#])
    func badAps(body: String) throws {
        #expect(try read(body) == .failure(.badBody))
    }

    @Test(
        "An empty notification is a silent notice",
        arguments: [
            #"{"aps":{}}"#, #"{"aps":{"content-available":1}}"#, #"{"aps":{"alert":null}}"#, #"{"aps":{"alert":" "}}"#,
            #"{"aps":{"alert":{"title":null,"body":""}},"isVoice":"1"}"#, #"{"aps":{"alert":["a"]}}"#,
        ])
    func empty(body: String) throws {
        #expect(try read(body) == .success(silent))
    }
}
