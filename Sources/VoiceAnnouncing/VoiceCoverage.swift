// Which words a pack must have clips for, told by trying.

import BoxFoundation

enum VoiceCoverage {
    /// Every phrase, every currency, and numbers with every digit in some place: a hundred texts, for every start.
    static func quick(_ wording: Wording) -> [String] {
        let minor: [Int64] = [0, 5, 12, 34, 56, 78, 90, 1000, 1100, 123_456, 789_012, 987_654_321_098, 222_222_222_222]
        return phrases(wording) + minor.map { wording.amount(Money(minor: $0)) } + currencies(wording, [1, 2])
    }

    /// In both styles of 两 and of decimals, numbers in which every digit stands in every place: for the check.
    static func thorough(_ wording: Wording) -> [String] {
        var samples = phrases(wording)
        for two in VoiceStyle.Two.allCases {
            for decimals in VoiceStyle.Decimals.allCases {
                let styled = Wording(wording.phrasebook, style: VoiceStyle(two: two, decimals: decimals))
                samples += amounts(styled) + currencies(styled, [0, 1, 2, 5, 12, 200, 1200])
            }
        }
        return samples
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
        return minor.map { wording.amount(Money(minor: $0)) }
    }

    private static func currencies(_ wording: Wording, _ whole: [Int64]) -> [String] {
        let codes = wording.phrasebook.currencies.keys.sorted() + ["XOF"]
        return codes.compactMap { Currency(code: $0) }.flatMap { currency in
            whole.flatMap { whole in
                let minor = whole * currency.minorPerMajor
                let part = currency.exponent > 0 ? min(whole, 99) : 0
                return [minor, minor + part].map { wording.amount(Money(minor: $0, currency: currency)) }
            }
        }
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
