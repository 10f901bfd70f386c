// Reads the part of ICU's rule syntax that spoken amounts need: rule sets (`%name:`, private `%%name:`), rules with
// `base:`, `base/radix:` and `base>:`, substitutions `<<`, `>>`, `>>>` (decimals), `=%set=`, `<%set<`, `>%set>`,
// `=#,##0=`, optional text in `[ ]`, `x.x:` and `0.x:`, a leading apostrophe that keeps a leading space. What ICU has
// besides (fractions of a rule set, plurals, `>>>` of whole numbers) is refused, never misread. Lines that begin with
// `#` are comments.

/// What is wrong with a grammar and where.
package struct NumberGrammarFault: Error, Equatable, Sendable {
    /// What is wrong with a grammar.
    package enum Kind: Equatable, Sendable {
        case notUTF8
        case ruleOutsideSet
        case noRules
        case badBase(String)
        case notRising(Int64)
        case beginsAbove0(String)
        case unknownSet(String)
        case unclosed(String)
        case notUnderstood(String)
        case endless(String)
        case tooManySteps(String)
        case tooManySets
        case tooLong
    }

    package var kind: Kind
    /// From 1.
    package var line: Int

    package init(kind: Kind, line: Int) {
        self.kind = kind
        self.line = line
    }

    package var message: String {
        switch kind {
        case .notUTF8: "the text is not UTF-8"
        case .ruleOutsideSet: "a rule stands before the first rule set; begin with a line like %spoken:"
        case .noRules: "there is no rule set"
        case .badBase(let text): "\"\(text)\" is no base of a rule"
        case .notRising(let base): "the rule for \(base) must stand behind those for smaller numbers"
        case .beginsAbove0(let name): "\(name) has no rule for 0"
        case .unknownSet(let name): "there is no rule set \(name)"
        case .unclosed(let what): "\(what) is not closed"
        case .notUnderstood(let what): "\"\(what)\" is not understood here"
        case .endless(let name): "the rules of \(name) lead back to themselves"
        case .tooManySteps(let name): "a number takes more than \(NumberGrammarProof.mostWork) steps by \(name)"
        case .tooManySets: "more than \(NumberGrammarProof.mostSets) rule sets"
        case .tooLong: "more than \(NumberGrammarReader.mostBytes) bytes"
        }
    }
}

/// Reads `numbers.rbnf`, 64 KiB at most (`docs/voice.md`); what it does not know it refuses, and reading a number
/// always ends.
package struct NumberGrammarReader {
    /// Bytes of one grammar at most. Hindi's, with a word for each number below 100, is 4 KiB.
    package static let mostBytes = 64 << 10
    /// Numbers in words go up to this; a greater base is refused.
    private static let mostBase: Int64 = 1_000_000_000_000_000_000

    private let source: [UInt8]
    private var at = 0
    private var grammar = NumberGrammar()
    /// Rule sets named in substitutions, with the line, until all sets are known.
    private var wanted: [(step: Int, name: String, line: Int)] = []

    package static func read(_ bytes: [UInt8]) throws(NumberGrammarFault) -> NumberGrammar {
        guard bytes.count <= mostBytes else { throw NumberGrammarFault(kind: .tooLong, line: 1) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw NumberGrammarFault(kind: .notUTF8, line: 1) }
        var reader = NumberGrammarReader(bytes)
        try reader.readSets()
        try reader.resolve()
        try NumberGrammarProof.check(reader.grammar)
        reader.index()
        return reader.grammar
    }

    private init(_ bytes: [UInt8]) { source = bytes }

    // MARK: Rule sets and rules

    private mutating func readSets() throws(NumberGrammarFault) {
        var nextBase: Int64 = 0
        while skipSpace() {
            if source[at] == UInt8(ascii: "%") {
                try beginSet()
                nextBase = 0
            } else {
                guard !grammar.sets.isEmpty else { throw fault(.ruleOutsideSet) }
                try readRule(&nextBase)
            }
        }
        guard !grammar.sets.isEmpty else { throw fault(.noRules) }
        for set in grammar.sets where set.rules.isEmpty || grammar.rules[Int(set.rules.lowerBound)].base != 0 {
            throw fault(.beginsAbove0(set.name))
        }
    }

    private mutating func beginSet() throws(NumberGrammarFault) {
        let start = at
        while at < source.count, source[at] != UInt8(ascii: ":") { at += 1 }
        guard at < source.count else { throw fault(.unclosed("the name of a rule set")) }
        let name = String(decoding: source[start..<at], as: UTF8.self)
        at += 1
        let end = Int32(grammar.rules.count)
        grammar.sets.append(NumberGrammar.Ruled(name: name, rules: end..<end, direct: 0))
    }

    private mutating func readRule(_ nextBase: inout Int64) throws(NumberGrammarFault) {
        let start = at
        while at < source.count, source[at] != UInt8(ascii: ";") { at += 1 }
        guard at < source.count else { throw fault(.unclosed("a rule")) }
        let rule = source[start..<at]
        let line = line(at: start)
        at += 1
        let set = grammar.sets.count - 1
        guard let colon = rule.firstIndex(of: UInt8(ascii: ":")) else {
            return try append(RuleHead(base: nextBase), rule, &nextBase, line)
        }
        let body = Self.trimmingFront(rule[(colon + 1)...])
        switch String(decoding: rule[..<colon], as: UTF8.self) {
        case "-x", "Inf", "NaN": break
        case "x.x": grammar.sets[set].decimal = try compile(body, isDecimal: true, line: line)
        case "0.x": grammar.sets[set].decimalBelowOne = try compile(body, isDecimal: true, line: line)
        case let head:
            guard let head = RuleHead(head, most: Self.mostBase) else {
                throw NumberGrammarFault(kind: .badBase(head), line: line)
            }
            try append(head, body, &nextBase, line)
        }
    }

    private mutating func append(
        _ head: RuleHead, _ body: ArraySlice<UInt8>, _ nextBase: inout Int64, _ line: Int
    ) throws(NumberGrammarFault) {
        guard head.base >= nextBase else { throw NumberGrammarFault(kind: .notRising(head.base), line: line) }
        let steps = try compile(body, isDecimal: false, line: line)
        grammar.rules.append(NumberGrammar.Rule(base: head.base, divisor: head.divisor, body: steps))
        let set = grammar.sets.count - 1
        grammar.sets[set].rules = grammar.sets[set].rules.lowerBound..<Int32(grammar.rules.count)
        nextBase = head.base + 1
    }

    // MARK: Bodies

    private mutating func compile(
        _ body: ArraySlice<UInt8>, isDecimal: Bool, line: Int
    ) throws(NumberGrammarFault) -> Range<Int32> {
        let first = grammar.steps.count
        var body = body
        if body.first == UInt8(ascii: "'") { body = body.dropFirst() }
        var opened: Int?
        while let byte = body.first {
            switch byte {
            case UInt8(ascii: "[") where opened == nil && !isDecimal:
                opened = grammar.steps.count
                grammar.steps.append(NumberGrammar.Step(kind: .optional))
                body = body.dropFirst()
            case UInt8(ascii: "]") where opened != nil:
                grammar.steps[opened!].length = Int32(grammar.steps.count - opened! - 1)
                opened = nil
                body = body.dropFirst()
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
                try substitute(byte, &body, isDecimal: isDecimal, line: line)
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "$"):
                throw NumberGrammarFault(kind: .notUnderstood(String(UnicodeScalar(byte))), line: line)
            default: literal(&body)
            }
        }
        guard opened == nil else { throw NumberGrammarFault(kind: .unclosed("["), line: line) }
        return Int32(first)..<Int32(grammar.steps.count)
    }

    private mutating func literal(_ body: inout ArraySlice<UInt8>) {
        let end = body.firstIndex { "<>=[]$".utf8.contains($0) } ?? body.endIndex
        grammar.steps.append(
            NumberGrammar.Step(kind: .text, at: Int32(grammar.text.count), length: Int32(end - body.startIndex)))
        grammar.text += body[..<end]
        body = body[end...]
    }

    private mutating func substitute(
        _ mark: UInt8, _ body: inout ArraySlice<UInt8>, isDecimal: Bool, line: Int
    ) throws(NumberGrammarFault) {
        let inner = body.dropFirst()
        guard let end = inner.firstIndex(of: mark) else {
            throw NumberGrammarFault(kind: .unclosed(String(UnicodeScalar(mark))), line: line)
        }
        let name = inner[..<end]
        body = inner[(end + 1)...]
        var kind: NumberGrammar.Step.Kind =
            mark == UInt8(ascii: "<") ? .quotient : mark == UInt8(ascii: ">") ? .remainder : .same
        if mark == UInt8(ascii: ">"), name.isEmpty, body.first == mark {
            guard isDecimal else { throw NumberGrammarFault(kind: .notUnderstood(">>>"), line: line) }
            body = body.dropFirst()
            kind = .closeDecimals
        }
        try append(kind, named: name, line)
    }

    private mutating func append(
        _ kind: NumberGrammar.Step.Kind, named name: ArraySlice<UInt8>, _ line: Int
    ) throws(NumberGrammarFault) {
        let own = Int32(grammar.sets.count - 1)
        switch name.first {
        case nil where kind != .same: grammar.steps.append(NumberGrammar.Step(kind: kind, at: own))
        case UInt8(ascii: "%"):
            wanted.append((grammar.steps.count, String(decoding: name, as: UTF8.self), line))
            grammar.steps.append(NumberGrammar.Step(kind: kind))
        case UInt8(ascii: "#"), UInt8(ascii: "0"):
            let digits: NumberGrammar.Step.Kind =
                kind == .same ? .digits : kind == .quotient ? .quotientDigits : .remainderDigits
            let isGrouped = name.contains(UInt8(ascii: ","))
            grammar.steps.append(NumberGrammar.Step(kind: digits, length: isGrouped ? 1 : 0))
        default:
            throw NumberGrammarFault(kind: .notUnderstood(String(decoding: name, as: UTF8.self)), line: line)
        }
    }

    // MARK: Names and places

    private mutating func resolve() throws(NumberGrammarFault) {
        for (step, name, line) in wanted {
            guard let set = grammar.set(name) else { throw NumberGrammarFault(kind: .unknownSet(name), line: line) }
            grammar.steps[step].at = set.index
        }
    }

    private mutating func index() {
        for (i, set) in grammar.sets.enumerated() {
            grammar.sets[i].direct = Int32(grammar.direct.count)
            var rule = Int(set.rules.lowerBound)
            for number in 0..<NumberGrammar.directNumbers {
                while rule + 1 < Int(set.rules.upperBound), grammar.rules[rule + 1].base <= number { rule += 1 }
                grammar.direct.append(UInt16(rule))
            }
        }
    }

    /// Skips white space and comment lines.
    ///
    /// - Returns: false at the end.
    private mutating func skipSpace() -> Bool {
        while at < source.count {
            if source[at] == UInt8(ascii: "#"), at == 0 || source[at - 1] == UInt8(ascii: "\n") {
                while at < source.count, source[at] != UInt8(ascii: "\n") { at += 1 }
            } else if Self.isSpace(source[at]) {
                at += 1
            } else {
                return true
            }
        }
        return false
    }

    private static func trimmingFront(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.drop(while: isSpace) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    private func line(at place: Int) -> Int { 1 + source[..<place].count { $0 == UInt8(ascii: "\n") } }

    private func fault(_ kind: NumberGrammarFault.Kind) -> NumberGrammarFault {
        NumberGrammarFault(kind: kind, line: line(at: min(at, source.count)))
    }
}

/// `base`, `base/radix`, each with `>` behind it. Dots, commas and spaces inside a base are for the eye.
private struct RuleHead {
    var base: Int64
    var divisor: Int64

    init(base: Int64) {
        self.base = base
        divisor = Self.divisor(of: base, radix: 10, less: 0)
    }

    init?(_ text: String, most: Int64) {
        let shifts = text.reversed().prefix { $0 == ">" }.count
        let parts = text.dropLast(shifts).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let base = Self.number(parts[0]), base <= most else { return nil }
        var radix: Int64 = 10
        if parts.count == 2 {
            guard let given = Self.number(parts[1]), given >= 2 else { return nil }
            radix = given
        }
        self.base = base
        divisor = Self.divisor(of: base, radix: radix, less: shifts)
    }

    private static func number(_ text: Substring) -> Int64? {
        let digits = text.filter { !",. ".contains($0) }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(digits)
    }

    private static func divisor(of base: Int64, radix: Int64, less shifts: Int) -> Int64 {
        var powers: [Int64] = [1]
        while powers.last! <= base / radix { powers.append(powers.last! * radix) }
        return powers[max(0, powers.count - 1 - shifts)]
    }
}
