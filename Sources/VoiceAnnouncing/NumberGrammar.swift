// How a language says a number, as data: rule sets in the syntax of ICU's rule-based number format, compiled to flat
// arrays so that an amount is in words in less than a microsecond. NumberGrammarReader makes it from the text.
// ICU itself would do the same; see docs/voice.md for what was measured.

/// The rule sets of one language. Every number from 0 up has a reading: the reader has proved that no rule leads back to
/// itself.
package struct NumberGrammar: Sendable {
    /// One rule set by its place; found once by name, then used for every number.
    package struct RuleSet: Hashable, Sendable {
        let index: Int32
    }

    /// `base/radix: body;`. The rule holds for every number from `base` to below the next rule's.
    struct Rule: Sendable {
        var base: Int64
        /// The radix to the power of the base's exponent, less one for each `>` of `base>:`.
        var divisor: Int64
        var body: Range<Int32>
    }

    /// One piece of a rule's body.
    struct Step: Sendable {
        enum Kind: UInt8, Sendable {
            /// Literal text.
            case text
            /// `<<`: the number divided by the divisor; in a decimal rule the whole part.
            case quotient
            /// `>>`: the rest of that division; in a decimal rule the decimals one by one, with spaces between.
            case remainder
            /// `>>>` of a decimal rule: the decimals one by one, without spaces.
            case closeDecimals
            /// `=%set=`: the number itself.
            case same
            /// `=#,##0=`, `<0<`, `>0>`: digits. `length` is 1 where they are grouped by thousands.
            case digits, quotientDigits, remainderDigits
            /// `[`: where the number is a multiple of the divisor, goes on behind the next `length` steps.
            case optional
        }

        var kind: Kind
        /// The rule set, or the place of the literal text.
        var at: Int32 = 0
        var length: Int32 = 0
    }

    struct Ruled: Sendable {
        var name: String
        var rules: Range<Int32>
        /// Where the rule for each number below `directNumbers` stands in `direct`.
        var direct: Int32
        /// `x.x`: a number with decimals; nil where the set has none.
        var decimal: Range<Int32>?
        /// `0.x`: the same with a whole part of 0, where it is said differently.
        var decimalBelowOne: Range<Int32>?
    }

    static let directNumbers: Int64 = 100
    /// More than any number of a language that ships.
    static let usualBytes = 512

    var sets: [Ruled] = []
    var rules: [Rule] = []
    var steps: [Step] = []
    var text: [UInt8] = []
    var direct: [UInt16] = []

    /// - Parameter name: with its `%` or `%%`.
    package func set(_ name: String) -> RuleSet? {
        sets.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }.map { RuleSet(index: Int32($0)) }
    }

    package var setNames: [String] { sets.map(\.name) }

    /// Whether `set` has a rule of its own for numbers with decimals.
    package func saysDecimals(_ set: RuleSet) -> Bool { sets[Int(set.index)].decimal != nil }

    /// Appends the words of `number`, in UTF-8.
    ///
    /// - Parameter number: from 0 up.
    package func append(_ number: Int64, by set: RuleSet, to words: inout [UInt8]) {
        precondition(number >= 0)
        read(into: &words) { $0.say(number, set.index) }
    }

    /// Appends the words of a number with decimals by the set's `x.x` rule; without decimals, or without such a rule,
    /// those of its whole part.
    ///
    /// - Parameters:
    ///   - decimals: the digits behind the point as one integer.
    ///   - count: how many digits they are, leading zeros included; 0 to 18.
    package func append(
        _ whole: Int64, decimals: Int64, count: Int, by set: RuleSet, to words: inout [UInt8]
    ) {
        let ruled = sets[Int(set.index)]
        let body = whole == 0 ? ruled.decimalBelowOne ?? ruled.decimal : ruled.decimal
        guard count > 0, let body else { return append(whole, by: set, to: &words) }
        read(into: &words) { $0.say(whole, decimals, count, body, set.index) }
    }

    /// Reads into a small buffer on the stack; a longer text, which no language that ships has, is read once more into
    /// one that is large enough.
    private func read(into words: inout [UInt8], _ read: (inout NumberReading) -> Void) {
        var size = Self.usualBytes
        while true {
            let isWhole = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { buffer in
                let count = withReading(into: buffer, read)
                size = max(size, count)
                guard count <= buffer.count else { return false }
                words.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
                return true
            }
            if isWhole { return }
        }
    }

    private func withReading(into buffer: UnsafeMutableBufferPointer<UInt8>, _ read: (inout NumberReading) -> Void)
        -> Int
    {
        sets.withUnsafeBufferPointer { sets in
            rules.withUnsafeBufferPointer { rules in
                steps.withUnsafeBufferPointer { steps in
                    text.withUnsafeBufferPointer { text in
                        direct.withUnsafeBufferPointer { direct in
                            var reading = NumberReading(
                                sets: sets, rules: rules, steps: steps, text: text, direct: direct, buffer: buffer)
                            read(&reading)
                            return reading.count
                        }
                    }
                }
            }
        }
    }
}

/// One walk through the rules. Plain pointers, so that nothing is retained, copied or allocated a step.
private struct NumberReading {
    let sets: UnsafeBufferPointer<NumberGrammar.Ruled>
    let rules: UnsafeBufferPointer<NumberGrammar.Rule>
    let steps: UnsafeBufferPointer<NumberGrammar.Step>
    let text: UnsafeBufferPointer<UInt8>
    let direct: UnsafeBufferPointer<UInt16>
    let buffer: UnsafeMutableBufferPointer<UInt8>
    /// Bytes of the words so far; may go beyond the buffer, whose bytes then are too few.
    var count = 0

    mutating func say(_ number: Int64, _ set: Int32) {
        let rule = rules[rule(for: number, in: Int(set))]
        var at = Int(rule.body.lowerBound)
        while at < Int(rule.body.upperBound) {
            let step = steps[at]
            at += 1
            switch step.kind {
            case .text: append(step)
            case .quotient: say(number / rule.divisor, step.at)
            case .remainder, .closeDecimals: say(number % rule.divisor, step.at)
            case .same: say(number, step.at)
            case .digits: append(digits: number, step)
            case .quotientDigits: append(digits: number / rule.divisor, step)
            case .remainderDigits: append(digits: number % rule.divisor, step)
            case .optional: if number % rule.divisor == 0 { at += Int(step.length) }
            }
        }
    }

    mutating func say(_ whole: Int64, _ decimals: Int64, _ count: Int, _ body: Range<Int32>, _ set: Int32) {
        for at in body {
            let step = steps[Int(at)]
            switch step.kind {
            case .text: append(step)
            case .quotient, .same: say(whole, step.at)
            case .remainder: sayEach(decimals, count, step.at, spaced: true)
            case .closeDecimals: sayEach(decimals, count, step.at, spaced: false)
            case .digits, .quotientDigits: append(digits: whole, step)
            case .remainderDigits, .optional: break
            }
        }
    }

    private mutating func sayEach(_ decimals: Int64, _ count: Int, _ set: Int32, spaced: Bool) {
        var unit: Int64 = 1
        for _ in 1..<max(count, 1) { unit *= 10 }
        for i in 0..<count {
            if spaced, i > 0 { append(UInt8(ascii: " ")) }
            say(decimals / unit % 10, set)
            unit /= 10
        }
    }

    private func rule(for number: Int64, in set: Int) -> Int {
        let ruled = sets.baseAddress! + set
        if number < NumberGrammar.directNumbers { return Int(direct[Int(ruled.pointee.direct) + Int(number)]) }
        var low = Int(ruled.pointee.rules.lowerBound)
        var high = Int(ruled.pointee.rules.upperBound)
        while high - low > 1 {
            let middle = (low + high) / 2
            if rules[middle].base <= number { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func append(_ step: NumberGrammar.Step) {
        let length = Int(step.length)
        if count + length <= buffer.count {
            let source = text.baseAddress! + Int(step.at)
            let target = buffer.baseAddress! + count
            for i in 0..<length { target[i] = source[i] }
        }
        count += length
    }

    private mutating func append(_ byte: UInt8) {
        if count < buffer.count { buffer[count] = byte }
        count += 1
    }

    private mutating func append(digits number: Int64, _ step: NumberGrammar.Step) {
        let digits = Array(String(number).utf8)
        for (i, digit) in digits.enumerated() {
            if step.length == 1, i > 0, (digits.count - i) % 3 == 0 { append(UInt8(ascii: ",")) }
            append(digit)
        }
    }
}
