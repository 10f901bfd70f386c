// A grammar is proved before it is used: every number has a reading, and none takes longer than a phrase may. Found by
// fuzzing: a few rules that each name two others read a large number in more steps than there is time for.

struct NumberGrammarProof {
    /// Bytes and rules of one number's words at most. The longest of a language that ships takes under a thousand.
    static let mostWork = 8192
    /// Rule sets at most, since each may lead to the next. A language that ships has under 20.
    static let mostSets = 64

    private struct Question: Hashable {
        var set: Int
        var most: Int64
    }

    private let grammar: NumberGrammar
    private var known: [Question: Int] = [:]

    static func check(_ grammar: NumberGrammar) throws(NumberGrammarFault) {
        guard grammar.sets.count <= mostSets else { throw NumberGrammarFault(kind: .tooManySets, line: 1) }
        var proof = NumberGrammarProof(grammar: grammar)
        try proof.checkEnd()
        for set in grammar.sets.indices {
            guard proof.work(set, most: .max) <= mostWork, proof.decimalWork(set) <= mostWork else {
                throw NumberGrammarFault(kind: .tooManySteps(grammar.sets[set].name), line: 1)
            }
        }
    }

    // MARK: No rule leads back to itself

    private func checkEnd() throws(NumberGrammarFault) {
        let next = grammar.sets.map(unshrinking)
        for start in grammar.sets.indices {
            var seen: [Bool] = Array(repeating: false, count: grammar.sets.count)
            var open = next[start]
            while let set = open.popLast() {
                guard set != start else {
                    throw NumberGrammarFault(kind: .endless(grammar.sets[start].name), line: 1)
                }
                guard !seen[set] else { continue }
                seen[set] = true
                open += next[set]
            }
        }
    }

    /// The sets that a rule of this one hands its number to as it is.
    private func unshrinking(_ set: NumberGrammar.Ruled) -> [Int] {
        set.rules.flatMap { index -> [Int] in
            let rule = grammar.rules[Int(index)]
            return steps(rule.body).compactMap { isUnshrinking($0, of: rule) ? Int($0.at) : nil }
        }
    }

    private func isUnshrinking(_ step: NumberGrammar.Step, of rule: NumberGrammar.Rule) -> Bool {
        switch step.kind {
        case .same: true
        case .quotient: rule.divisor == 1
        case .remainder: rule.base == 0
        default: false
        }
    }

    // MARK: No number takes too long

    /// What the words of any number from 0 to `most` take at worst; over `mostWork` it is not counted on.
    private mutating func work(_ set: Int, most: Int64) -> Int {
        let question = Question(set: set, most: most)
        if let known = known[question] { return known }
        var worst = 0
        for index in grammar.sets[set].rules {
            let rule = grammar.rules[Int(index)]
            guard rule.base <= most else { break }
            var sum = 1
            for step in steps(rule.body) where sum <= Self.mostWork { sum += work(step, of: rule, most: most) }
            worst = max(worst, sum)
            if worst > Self.mostWork { break }
        }
        known[question] = worst
        return worst
    }

    private mutating func work(_ step: NumberGrammar.Step, of rule: NumberGrammar.Rule, most: Int64) -> Int {
        switch step.kind {
        case .text: return 1 + Int(step.length)
        case .digits, .quotientDigits, .remainderDigits: return 32
        case .optional: return 1
        case .quotient, .remainder, .same, .closeDecimals:
            if isUnshrinking(step, of: rule) { return work(Int(step.at), most: most) }
            let least = step.kind == .quotient ? Self.rounded(most / rule.divisor) : rule.divisor - 1
            return work(Int(step.at), most: least)
        }
    }

    /// The next number of ones alone in binary, so that few different questions are asked; still below what was divided.
    private static func rounded(_ number: Int64) -> Int64 {
        number == 0 ? 0 : Int64(bitPattern: UInt64.max >> UInt64(number.leadingZeroBitCount))
    }

    /// A whole part and 18 decimals, one by one.
    private mutating func decimalWork(_ set: Int) -> Int {
        let ruled = grammar.sets[set]
        var worst = 0
        for body in [ruled.decimal, ruled.decimalBelowOne].compactMap({ $0 }) {
            var sum = 1
            for step in steps(body) where sum <= Self.mostWork {
                switch step.kind {
                case .text: sum += 1 + Int(step.length)
                case .quotient, .same: sum += work(Int(step.at), most: .max)
                case .remainder, .closeDecimals: sum += 18 * (1 + work(Int(step.at), most: 9))
                default: sum += 32
                }
            }
            worst = max(worst, sum)
        }
        return worst
    }

    private func steps(_ body: Range<Int32>) -> ArraySlice<NumberGrammar.Step> {
        grammar.steps[Int(body.lowerBound)..<Int(body.upperBound)]
    }
}
