// What a phone's notification says in words, and the amount and channel that stand in them.

import BoxFoundation

/// The `alert` of an `aps`: a text, or an object of title, subtitle and body.
struct AlertText: Sendable {
    /// In the order spoken; none is blank.
    let parts: [String]

    init(_ alert: JSON?) {
        if let object = alert?.object {
            parts = ["title", "subtitle", "body"].compactMap { Self.part(object[$0]) }
        } else {
            parts = Self.part(alert).map { [$0] } ?? []
        }
    }

    /// The parts as one text. Two parts keep apart where their ends would make one word or one number.
    var text: String {
        parts.reduce(into: "") { text, part in
            if let last = text.utf8.last, let first = part.utf8.first, last < 0x80, first < 0x80 { text += " " }
            text += part
        }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The amount in yuan, if exactly one number before 元 stands in the text.
    var amount: Money? {
        let numbers = parts.flatMap(YuanNumber.all)
        guard numbers.count == 1, let text = numbers[0].text else { return nil }
        return Money(text)
    }

    /// `amount`, if the text also says that money came or went: “满100元包邮” is an offer and not a payment.
    var paidAmount: Money? {
        let words = ["到账", "到賬", "到帐", "到帳", "收款", "收到", "收钱", "收錢", "收入", "入账", "入賬", "入帐", "付款", "支付", "退款"]
        return words.contains(where: says) ? amount : nil
    }

    var isRefund: Bool { says("退款") }

    /// The one channel that is named; `other` where none or several are.
    var channel: PaymentChannel {
        let named = Self.channelWords.filter { $0.words.contains(where: says) }
        return named.count == 1 ? named[0].channel : .other
    }

    private static let channelWords: [(channel: PaymentChannel, words: [String])] = [
        (.wechat, ["微信", "WeChat"]),
        (.alipay, ["支付宝", "支付寶", "Alipay"]),
        (.unionpay, ["云闪付", "雲閃付", "银联", "銀聯", "UnionPay"]),
        (.card, ["刷卡", "银行卡", "銀行卡", "信用卡", "储蓄卡"]),
        (.cash, ["现金", "現金"]),
        (.member, ["会员卡", "會員卡", "会员余额", "储值卡"]),
    ]

    private func says(_ word: String) -> Bool { parts.contains { $0.holds(word) } }

    /// Numbers are taken as their text. A back end's own word for nothing is nothing.
    private static func part(_ value: JSON?) -> String? {
        guard let text = value?.string ?? value?.numberText, !text.isBlank else { return nil }
        return ["null", "(null)", "<null>", "nil", "undefined"].contains(text) ? nil : text
    }
}

/// A number before 元.
private struct YuanNumber {
    /// In ASCII, without thousands separators; nil where it can't be told which number is meant.
    var text: String?

    static func all(in text: String) -> [YuanNumber] {
        let signs = text.unicodeScalars.map(ascii)
        return signs.indices.compactMap { signs[$0] == "元" ? before($0, in: signs) : nil }
    }

    /// - Returns: nil where no number stands there.
    private static func before(_ yuan: Int, in signs: [Unicode.Scalar]) -> YuanNumber? {
        let next = signs[(yuan + 1)...].first
        if next == "旦" || next == "宵" { return nil }
        var end = yuan
        while end > 0, signs[end - 1].properties.isWhitespace { end -= 1 }
        var start = end
        while start > 0, isPart(signs[start - 1]) { start -= 1 }
        guard end > start, isDigit(signs[end - 1]) else { return nil }
        while !isDigit(signs[start]) { start += 1 }
        // 1万2000元, -5元, 12元5角: more than these digits makes the number.
        let isMore = start > 0 && "万亿千百十点萬億點-+−".unicodeScalars.contains(signs[start - 1])
        let goesOn = next.map { isDigit($0) || "零一二两三四五六七八九半".unicodeScalars.contains($0) } ?? false
        return YuanNumber(text: isMore || goesOn ? nil : plain(signs[start..<end]))
    }

    /// Takes out thousands separators that stand where they should.
    private static func plain(_ signs: ArraySlice<Unicode.Scalar>) -> String? {
        var text = ""
        text.unicodeScalars.append(contentsOf: signs)
        guard text.contains(",") else { return text.contains("，") ? nil : text }
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let groups = halves[0].split(separator: ",", omittingEmptySubsequences: false)
        let isGrouped = (1...3).contains(groups[0].utf8.count) && groups.dropFirst().allSatisfy { $0.utf8.count == 3 }
        guard isGrouped, !text.contains("，") else { return nil }
        return groups.joined() + (halves.count == 2 ? "." + halves[1] : "")
    }

    /// The Chinese comma counts as one, so that 1，234元 is not read as 234.
    private static func isPart(_ sign: Unicode.Scalar) -> Bool { isDigit(sign) || [".", ",", "，"].contains(sign) }

    private static func isDigit(_ sign: Unicode.Scalar) -> Bool { ("0"..."9").contains(sign) }

    /// Full-width digits and points as ASCII's; 圆 and 圓 stay what they are: texts write amounts with 元.
    private static func ascii(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        switch sign.value {
        case 0xFF10...0xFF19, 0xFF0B, 0xFF0D, 0xFF0E: Unicode.Scalar(sign.value - 0xFEE0) ?? sign
        default: sign
        }
    }
}
