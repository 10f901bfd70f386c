// Money, channels and counts to words, by a language's phrasebook and the box's style. Everything is appended to one
// buffer as UTF-8: a million amounts a second are read this way.

import BoxFoundation

/// Money, channels and counts to words, appended to one buffer of UTF-8.
package struct Wording: Sendable {
    package let phrasebook: Phrasebook
    package let style: VoiceStyle

    package init(_ phrasebook: Phrasebook, style: VoiceStyle = VoiceStyle()) {
        self.phrasebook = phrasebook
        self.style = style
    }

    // MARK: Phrases

    /// 十二点五元.
    package func amount(_ money: Money) -> String { text { append(money, to: &$0) } }

    /// 微信收款，十二点五元; marked as a repetition: 补报，微信收款，十二点五元.
    package func payment(
        _ money: Money, channel: PaymentChannel, isRefund: Bool = false, isRepeated: Bool = false
    ) -> String {
        text { words in
            if isRepeated { words += phrasebook.mark }
            fill(phrasebook.payment, &words) { place, words in
                if place == .prefix {
                    words += phrasebook.prefixes[isRefund ? .refund : .payment]?[channel] ?? []
                } else {
                    append(money, to: &words)
                }
            }
        }
    }

    /// 又收款七笔，共一百二十三点五元.
    package func merged(_ count: Int, _ sum: Money, isRepeated: Bool = false) -> String {
        text { words in
            if isRepeated { words += phrasebook.mark }
            append(phrasebook.merged, count, [sum], &words)
        }
    }

    /// 今日收款三笔，共五十六元; one sum a currency.
    package func today(_ count: Int, _ sums: [Money]) -> String {
        text { append(phrasebook.today, count, sums, &$0) }
    }

    package func prompt(_ prompt: VoicePrompt) -> String { text { $0 += phrasebook.prompts[prompt] ?? [] } }

    /// 音量六十.
    package func volume(_ volume: Int) -> String {
        text { words in fill(phrasebook.volume, &words) { appendCount(Int64(volume), to: &$1) } }
    }

    /// Several statements as one phrase.
    package func joined(_ statements: [String]) -> String {
        statements.filter { !$0.isEmpty }.joined(separator: String(decoding: phrasebook.also, as: UTF8.self))
    }

    package func marked(_ words: String) -> String { String(decoding: phrasebook.mark, as: UTF8.self) + words }

    // MARK: Amounts

    /// Appends an amount with its currency, in UTF-8.
    package func append(_ money: Money, to words: inout [UInt8]) {
        precondition(money.minor >= 0)
        let currency = phrasebook.words(of: money.currency)
        let unit = money.currency.minorPerMajor
        let whole = money.minor / unit
        let fraction = money.minor % unit
        if fraction == 0 {
            appendWhole(whole, currency, &words)
        } else if !currency.minor.isEmpty, currency.isAlwaysUnits || style.decimals == .jiaofen {
            appendUnits(whole, fraction, of: unit, currency, &words)
        } else {
            appendPoint(whole, fraction, money.currency.exponent, currency, &words)
        }
    }

    private func appendWhole(_ whole: Int64, _ currency: Phrasebook.CurrencyWords, _ words: inout [UInt8]) {
        let set = currency.whole.set(style.two)
        fill(phrasebook.amount, &words) { place, words in
            if place == .number {
                phrasebook.grammar.append(whole, by: set, to: &words)
            } else {
                words += whole == 1 ? currency.one : currency.unit
            }
        }
    }

    /// Zeros at the end of the decimals are not said.
    private func appendPoint(
        _ whole: Int64, _ fraction: Int64, _ exponent: Int, _ currency: Phrasebook.CurrencyWords,
        _ words: inout [UInt8]
    ) {
        var decimals = fraction
        var count = exponent
        while decimals % 10 == 0, count > 1 {
            decimals /= 10
            count -= 1
        }
        let set = currency.point.set(style.two)
        fill(phrasebook.amount, &words) { place, words in
            if place == .number {
                phrasebook.grammar.append(whole, decimals: decimals, count: count, by: set, to: &words)
            } else {
                words += currency.unit
            }
        }
    }

    /// 十二元五角; 十二元零五分; 五角.
    private func appendUnits(
        _ whole: Int64, _ fraction: Int64, of unit: Int64, _ currency: Phrasebook.CurrencyWords,
        _ words: inout [UInt8]
    ) {
        if whole > 0 { appendWhole(whole, currency, &words) }
        var isBehindGap = false
        var isFirst = true
        var rest = fraction
        for minor in currency.minor {
            let count = rest / minor.each
            rest %= minor.each
            guard count > 0 else {
                isBehindGap = true
                continue
            }
            if whole > 0, isFirst { words += phrasebook.and }
            if isBehindGap, whole > 0 || !isFirst { words += currency.skipped }
            isBehindGap = false
            isFirst = false
            fill(phrasebook.amount, &words) { place, words in
                if place == .number {
                    phrasebook.grammar.append(count, by: minor.numbers.set(style.two), to: &words)
                } else {
                    words += count == 1 ? minor.one : minor.unit
                }
            }
        }
    }

    // MARK: Numbers and places

    func appendCount(_ count: Int64, to words: inout [UInt8]) {
        phrasebook.grammar.append(count, by: phrasebook.count.set(style.two), to: &words)
    }

    private func append(_ counted: Phrasebook.Counted, _ count: Int, _ sums: [Money], _ words: inout [UInt8]) {
        fill(counted.template(Int64(count)), &words) { place, words in
            guard place == .amount else { return appendCount(Int64(count), to: &words) }
            for (i, sum) in sums.enumerated() {
                if i > 0 { words += phrasebook.also }
                append(sum, to: &words)
            }
        }
    }

    private func fill(
        _ template: Phrasebook.Template, _ words: inout [UInt8],
        with place: (Phrasebook.Template.Place, inout [UInt8]) -> Void
    ) {
        for part in template.parts {
            switch part {
            case .text(let text): words += text
            case .place(let name): place(name, &words)
            }
        }
    }

    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(160)
        write(&words)
        return String(decoding: words, as: UTF8.self)
    }
}
