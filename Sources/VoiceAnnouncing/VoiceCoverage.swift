// Which words a pack must have clips for, told by trying: every phrase once, and numbers in which every digit stands in
// every place.

import BoxFoundation

enum VoiceCoverage {
    /// In both styles of 两 and of decimals. A few thousand texts.
    static func samples(of wording: Wording) -> [String] {
        var samples: [String] = []
        for two in VoiceStyle.Two.allCases {
            for decimals in VoiceStyle.Decimals.allCases {
                let style = VoiceStyle(two: two, decimals: decimals)
                samples += amounts(Wording(wording.phrasebook, style: style))
            }
        }
        return samples + phrases(wording)
    }

    private static func amounts(_ wording: Wording) -> [String] {
        var minor: [Int64] = Array(0..<100)
        minor += (1..<100).map { $0 * 100 }
        var place: Int64 = 100
        while place < Money.mostMajor * 100 {
            for digit: Int64 in 1...9 {
                minor += [digit * place, digit * place + 105, digit * place + place / 10 * 21]
            }
            place *= 10
        }
        minor.append(Money.mostMajor * 100 + 99)
        let main = minor.map { wording.amount(Money(minor: $0, currency: .cny)) }
        let codes = wording.phrasebook.currencies.keys.sorted() + ["XOF"]
        let others = codes.compactMap { Currency(code: $0) }.flatMap { currency in
            [0, 1, 5, 50, 100, 101, 200, 250, 1200].map { wording.amount(Money(minor: $0, currency: currency)) }
        }
        return main + others
    }

    private static func phrases(_ wording: Wording) -> [String] {
        let money = Money(minor: 1)
        var phrases = VoicePrompt.allCases.map { wording.prompt($0) }
        for channel in PaymentChannel.allCases {
            phrases.append(wording.payment(money, channel: channel))
            phrases.append(wording.payment(money, channel: channel, isRefund: true, isRepeated: true))
        }
        phrases += [wording.merged(2, money), wording.merged(17, money, isRepeated: true), wording.volume(60)]
        phrases += [0, 1, 2, 31].map { wording.today($0, [money, money]) }
        return phrases
    }
}
