// What a language says around its numbers, as data: phrases.json5 of a pack's folder. PhrasebookReader reads it,
// Wording speaks by it.

import BoxFoundation

/// What a language says around its numbers (`docs/voice.md`, phrases.json5).
package struct Phrasebook: Sendable {
    /// A name in the rule text for each value of the setting `two`; the same twice where it does not matter.
    struct RuleSets: Sendable {
        var liang: NumberGrammar.RuleSet
        var er: NumberGrammar.RuleSet

        func set(_ two: VoiceStyle.Two) -> NumberGrammar.RuleSet { two == .liang ? liang : er }
    }

    /// Text with places: `{prefix}，{amount}`.
    struct Template: Sendable {
        enum Place: String, CaseIterable, Sendable { case number, unit, prefix, amount, count }
        enum Part: Sendable {
            case text([UInt8])
            case place(Place)
        }

        var parts: [Part]
    }

    /// A phrase with a number of things in it.
    struct Counted: Sendable {
        /// For 0 and 1; nil where `other` does.
        var none: Template?
        var one: Template?
        var other: Template

        func template(_ count: Int64) -> Template {
            count == 0 ? none ?? other : count == 1 ? one ?? other : other
        }
    }

    /// 角 is 10 of 分; a cent is 1.
    struct MinorUnit: Sendable {
        var each: Int64
        var unit: [UInt8]
        var one: [UInt8]
        var numbers: RuleSets
    }

    struct CurrencyWords: Sendable {
        var unit: [UInt8]
        /// For exactly one.
        var one: [UInt8]
        /// The greatest first; empty where the language has no words for them: then decimals are always read by the point.
        var minor: [MinorUnit]
        /// Minor units whatever the setting `decimals` is: twelve dollars and fifty cents.
        var isAlwaysUnits: Bool
        /// Said for a minor unit passed over between two that are there (十二元零五分).
        var skipped: [UInt8]
        var whole: RuleSets
        var point: RuleSets
    }

    /// `zh-CN`.
    package var language: String
    /// Words stand apart, and a clip's text is whole words.
    package var spaces: Bool
    /// Punctuation that is silence, in milliseconds.
    var pauses: [(mark: [UInt8], milliseconds: Int)]

    var grammar: NumberGrammar
    var count: RuleSets
    var digits: NumberGrammar.RuleSet

    var amount: Template
    var payment: Template
    /// Goes before what may have been heard before.
    var mark: [UInt8]
    /// Between the whole and its minor units.
    var and: [UInt8]
    var prefixes: [Payment.Kind: [PaymentChannel: [UInt8]]]
    var merged: Counted
    var today: Counted
    var volume: Template
    /// Between two statements or sums.
    var also: [UInt8]
    var currencies: [String: CurrencyWords]
    var otherCurrency: CurrencyWords
    var prompts: [VoicePrompt: [UInt8]]

    func words(of currency: Currency) -> CurrencyWords { currencies[currency.code] ?? otherCurrency }
}
