// Reads phrases.json5. Every name that speech needs must be there: a missing one is found when the pack is loaded, not
// when a customer pays.

import BoxFoundation

/// What `phrases.json5` lacks or has wrong.
package enum PhrasebookFault: Error, Equatable, Sendable {
    case json(JSONFault)
    /// A name of phrases.json5 that is missing or of a wrong kind; the text says what was wanted.
    case wrong(String, String)
    case noRuleSet(String)
    case unknownPlace(String, String)

    package var message: String {
        switch self {
        case .json(let fault): "phrases.json5 line \(fault.line): \(fault.message)"
        case .wrong(let name, let wanted): "phrases.json5: \(name) must be \(wanted)"
        case .noRuleSet(let name): "phrases.json5 names the rule set \(name), which numbers.rbnf has not"
        case .unknownPlace(let name, let place): "phrases.json5: \(name) has a place {\(place)} that nothing fills"
        }
    }
}

struct PhrasebookReader {
    private let grammar: NumberGrammar
    private let root: JSON

    static func read(_ bytes: [UInt8], grammar: NumberGrammar) throws(PhrasebookFault) -> Phrasebook {
        let root: JSON
        do { root = try JSONReader.read(bytes, as: .json5) } catch { throw .json(error) }
        return try PhrasebookReader(grammar: grammar, root: root).phrasebook()
    }

    private func phrasebook() throws(PhrasebookFault) -> Phrasebook {
        let numbers = root["numbers"] ?? .null
        let whole = try ruleSets("whole", in: numbers)
        let point = try ruleSets("point", in: numbers)
        let minor = try ruleSets("minor", in: numbers)
        let defaults = Defaults(whole: whole, point: point, minor: minor)
        return Phrasebook(
            language: try text("language", in: root), spaces: try bool("spaces"), pauses: try pauses(),
            grammar: grammar, count: try ruleSets("count", in: numbers),
            digits: try ruleSet("digits", in: numbers),
            amount: try template("amount", [.number, .unit]), payment: try template("payment", [.prefix, .amount]),
            mark: Array(try text("mark", in: root).utf8), and: Array((root["and"]?.string ?? "").utf8),
            prefixes: try prefixes(), merged: try counted("merged"), today: try counted("today"),
            volume: try template("volume", [.count]), also: Array(try text("also", in: root).utf8),
            currencies: try currencies(defaults), otherCurrency: try currency("other", defaults),
            prompts: try prompts())
    }

    private struct Defaults {
        var whole: Phrasebook.RuleSets
        var point: Phrasebook.RuleSets
        var minor: Phrasebook.RuleSets
    }

    // MARK: Numbers

    private func ruleSet(_ name: String, in object: JSON) throws(PhrasebookFault) -> NumberGrammar.RuleSet {
        try ruleSet(named: text(name, in: object))
    }

    private func ruleSet(named name: String) throws(PhrasebookFault) -> NumberGrammar.RuleSet {
        guard let set = grammar.set(name) else { throw .noRuleSet(name) }
        return set
    }

    private func ruleSets(_ name: String, in object: JSON) throws(PhrasebookFault) -> Phrasebook.RuleSets {
        if object[name]?.string != nil {
            let set = try ruleSet(name, in: object)
            return Phrasebook.RuleSets(liang: set, er: set)
        }
        guard let both = object[name], both.object != nil else { throw .wrong(name, "the name of a rule set") }
        return Phrasebook.RuleSets(liang: try ruleSet("liang", in: both), er: try ruleSet("er", in: both))
    }

    // MARK: Texts

    private func text(_ name: String, in object: JSON) throws(PhrasebookFault) -> String {
        guard let text = object[name]?.string else { throw .wrong(name, "a text") }
        return text
    }

    private func bool(_ name: String) throws(PhrasebookFault) -> Bool {
        guard let bool = root[name]?.bool else { throw .wrong(name, "true or false") }
        return bool
    }

    private func pauses() throws(PhrasebookFault) -> [(mark: [UInt8], milliseconds: Int)] {
        var pauses: [(mark: [UInt8], milliseconds: Int)] = []
        for member in root["pauses"]?.object?.members ?? [] {
            guard let length = member.value.integer, (0...2000).contains(length) else {
                throw .wrong("pauses.\(member.name)", "milliseconds from 0 to 2000")
            }
            pauses.append((Array(member.name.utf8), Int(length)))
        }
        return pauses
    }

    private func template(
        _ name: String, _ places: [Phrasebook.Template.Place], in object: JSON? = nil, called: String? = nil
    ) throws(PhrasebookFault) -> Phrasebook.Template {
        let called = called ?? name
        var rest = try text(name, in: object ?? root)[...]
        var parts: [Phrasebook.Template.Part] = []
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.text(Array(rest[..<open].utf8))) }
            guard let close = rest[open...].firstIndex(of: "}") else { throw .wrong(called, "closed with }") }
            let word = String(rest[rest.index(after: open)..<close])
            guard let place = Phrasebook.Template.Place(rawValue: word), places.contains(place) else {
                throw .unknownPlace(called, word)
            }
            parts.append(.place(place))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
        return Phrasebook.Template(parts: parts)
    }

    private func counted(_ name: String) throws(PhrasebookFault) -> Phrasebook.Counted {
        let object = root[name] ?? .null
        func optional(_ part: String) throws(PhrasebookFault) -> Phrasebook.Template? {
            guard object[part] != nil else { return nil }
            return try template(part, [.count, .amount], in: object, called: "\(name).\(part)")
        }
        guard let other = try optional("other") else { throw .wrong("\(name).other", "a text") }
        return Phrasebook.Counted(none: try optional("none"), one: try optional("one"), other: other)
    }

    // MARK: Tables

    private func prefixes() throws(PhrasebookFault) -> [Payment.Kind: [PaymentChannel: [UInt8]]] {
        var prefixes: [Payment.Kind: [PaymentChannel: [UInt8]]] = [:]
        for kind in [Payment.Kind.payment, .refund] {
            for channel in PaymentChannel.allCases {
                guard let words = root["prefixes"]?[kind.rawValue]?[channel.rawValue]?.string else {
                    throw .wrong("prefixes.\(kind.rawValue).\(channel.rawValue)", "a text")
                }
                prefixes[kind, default: [:]][channel] = Array(words.utf8)
            }
        }
        return prefixes
    }

    private func prompts() throws(PhrasebookFault) -> [VoicePrompt: [UInt8]] {
        var prompts: [VoicePrompt: [UInt8]] = [:]
        for prompt in VoicePrompt.allCases {
            guard let words = root["prompts"]?[prompt.rawValue]?.string else {
                throw .wrong("prompts.\(prompt.rawValue)", "a text")
            }
            prompts[prompt] = Array(words.utf8)
        }
        return prompts
    }

    private func currencies(_ defaults: Defaults) throws(PhrasebookFault) -> [String: Phrasebook.CurrencyWords] {
        var currencies: [String: Phrasebook.CurrencyWords] = [:]
        for member in root["currencies"]?.object?.members ?? [] where member.name != "other" {
            guard Currency(code: member.name) != nil else {
                throw .wrong("currencies.\(member.name)", "named by a code of ISO 4217")
            }
            currencies[member.name] = try currency(member.name, defaults)
        }
        return currencies
    }

    private func currency(_ code: String, _ defaults: Defaults) throws(PhrasebookFault) -> Phrasebook.CurrencyWords {
        guard let object = root["currencies"]?[code], let unit = object["unit"]?.string else {
            throw .wrong("currencies.\(code).unit", "a text")
        }
        let minor = try minorUnits(of: code, object["minor"]?.array ?? [], defaults)
        return Phrasebook.CurrencyWords(
            unit: Array(unit.utf8), one: Array((object["one"]?.string ?? unit).utf8), minor: minor,
            isAlwaysUnits: object["style"]?.string == "units", skipped: Array((object["skipped"]?.string ?? "").utf8),
            whole: object["whole"] == nil ? defaults.whole : try ruleSets("whole", in: object),
            point: object["point"] == nil ? defaults.point : try ruleSets("point", in: object))
    }

    private func minorUnits(
        of code: String, _ list: [JSON], _ defaults: Defaults
    ) throws(PhrasebookFault) -> [Phrasebook.MinorUnit] {
        var units: [Phrasebook.MinorUnit] = []
        for entry in list {
            guard let unit = entry["unit"]?.string, let each = entry["each"]?.integer, (1...10_000).contains(each),
                each < units.last?.each ?? .max
            else { throw .wrong("currencies.\(code).minor", "units with `unit` and falling `each`") }
            let numbers = entry["numbers"] == nil ? defaults.minor : try ruleSets("numbers", in: entry)
            let one = Array((entry["one"]?.string ?? unit).utf8)
            units.append(Phrasebook.MinorUnit(each: each, unit: Array(unit.utf8), one: one, numbers: numbers))
        }
        guard units.isEmpty || units.last?.each == 1 else {
            throw .wrong("currencies.\(code).minor", "units down to `each: 1`")
        }
        return units
    }
}
