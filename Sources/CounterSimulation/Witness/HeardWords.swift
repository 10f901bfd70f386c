// Understands spoken Chinese the way a shopkeeper does: who paid how much, and whether it was said before. Written apart
// from the code that makes the words.

import BoxFoundation

/// What a listener makes of one spoken phrase.
package struct HeardWords: Equatable {
    /// What it was about; amounts in fen.
    package enum Content: Equatable {
        case payment(PaymentChannel, isRefund: Bool, fen: Int64)
        case merged(count: Int, fen: Int64)
        case other
    }

    /// 补报.
    package var isMarked = false
    package var content = Content.other

    package init(_ words: String) {
        var text = words.filter { $0 != "，" && $0 != "。" }[...]
        if text.hasPrefix("补报") {
            isMarked = true
            text = text.dropFirst(2)
        }
        content = Self.merged(text) ?? Self.payment(text) ?? .other
    }

    private static let prefixes: [(String, PaymentChannel, Bool)] = [
        ("微信收款", .wechat, false), ("微信退款", .wechat, true), ("支付宝收款", .alipay, false),
        ("支付宝退款", .alipay, true), ("云闪付收款", .unionpay, false), ("云闪付退款", .unionpay, true),
        ("刷卡收款", .card, false), ("刷卡退款", .card, true), ("现金收款", .cash, false), ("现金退款", .cash, true),
        ("会员卡收款", .member, false), ("会员卡退款", .member, true), ("收款", .other, false), ("退款", .other, true),
    ]

    private static func payment(_ text: Substring) -> Content? {
        guard let (prefix, channel, isRefund) = prefixes.first(where: { text.hasPrefix($0.0) }),
            let fen = yuan(text.dropFirst(prefix.count))
        else { return nil }
        return .payment(channel, isRefund: isRefund, fen: fen)
    }

    private static func merged(_ text: Substring) -> Content? {
        guard text.hasPrefix("又收款"), let bi = text.firstIndex(of: "笔") else { return nil }
        let rest = text[text.index(after: bi)...]
        guard let count = whole(text[..<bi].dropFirst(3)), rest.hasPrefix("共"), let fen = yuan(rest.dropFirst()) else {
            return nil
        }
        return .merged(count: Int(count), fen: fen)
    }

    /// An amount that ends in 元, in fen.
    private static func yuan(_ text: Substring) -> Int64? {
        guard text.hasSuffix("元") else { return nil }
        let parts = text.dropLast().split(separator: "点", omittingEmptySubsequences: false)
        guard let first = parts.first, let yuan = whole(first), parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return yuan * 100 }
        let decimals = parts[1].map { digit($0) }
        guard (1...2).contains(decimals.count), !decimals.contains(nil) else { return nil }
        return yuan * 100 + (decimals[0] ?? 0) * 10 + (decimals.count == 2 ? decimals[1] ?? 0 : 0)
    }

    private static func digit(_ sign: Character) -> Int64? {
        switch sign {
        case "零": 0
        case "一": 1
        case "二", "两": 2
        case "三": 3
        case "四": 4
        case "五": 5
        case "六": 6
        case "七": 7
        case "八": 8
        case "九": 9
        default: nil
        }
    }

    private static func unit(_ sign: Character) -> Int64? {
        switch sign {
        case "十": 10
        case "百": 100
        case "千": 1000
        default: nil
        }
    }

    /// 一十二万零三百四十五.
    private static func whole(_ text: Substring) -> Int64? {
        guard !text.isEmpty else { return nil }
        var sum: Int64 = 0
        var section: Int64 = 0
        var number: Int64?
        for sign in text {
            if let digit = digit(sign) {
                number = digit
            } else if let unit = unit(sign) {
                section += (number ?? 1) * unit
                number = nil
            } else if sign == "万" {
                sum += (section + (number ?? 0)) * 10_000
                (section, number) = (0, nil)
            } else if sign == "亿" {
                sum = (sum + section + (number ?? 0)) * 100_000_000
                (section, number) = (0, nil)
            } else {
                return nil
            }
        }
        return sum + section + (number ?? 0)
    }
}
