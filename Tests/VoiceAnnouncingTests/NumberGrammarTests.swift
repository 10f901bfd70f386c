import BoxFoundation
import Testing
import VoiceAnnouncing

@Suite struct NumberGrammarTests {
    static func read(_ text: String) throws(NumberGrammarFault) -> NumberGrammar {
        try NumberGrammarReader.read(Array(text.utf8))
    }

    static func words(_ number: Int64, _ text: String) throws -> String {
        let grammar = try read(text)
        var words: [UInt8] = []
        grammar.append(number, by: try #require(grammar.set("%a")), to: &words)
        return String(decoding: words, as: UTF8.self)
    }

    @Test(
        "The syntax means what ICU's documentation says",
        arguments: [
            ("%a: zero; one; two; 10: <<ten[>>];", 0, "zero"), ("%a: zero; one; two; 10: <<ten[>>];", 20, "twoten"),
            ("%a: zero; one; two; 10: <<ten[>>];", 21, "twotenone"), ("%a: 0: =0=;", 1234567, "1234567"),
            ("%a: 0: =#,##0=;", 1234567, "1,234,567"), ("%a: 0: =0=; 1000: <#,##0<k[>0>];", 12_034, "12k34"),
            ("%a: 0: =0=; 12/12: << dozen[ and >>];", 30, "2 dozen and 6"), ("%a: 0: =0=; 60/60: <<:>>;", 125, "2:5"),
            ("%a: 0: ' lead;", 3, " lead"), ("%a: 0: =%%b=; %%b: 0: x; 1: y;", 1, "y"),
            ("%a: 0: =0=; 1,000>: <<h>>;", 1234, "12h34"), ("# comment\n%a:\n0: z;\n# more\n1: o;\n", 1, "o"),
            ("%a: -x: minus; 0: a;", 0, "a"), ("%a: 0: a; 100: <%b<|>%b>; %b: 0: =0=;", 305, "3|5"),
        ])
    func understands(_ text: String, _ number: Int, _ words: String) throws {
        let read = try Self.words(Int64(number), text)
        #expect(read == words)
    }

    @Test("Decimals are told one by one, with spaces or without")
    func tellsDecimals() throws {
        let grammar = try Self.read("%a: x.x: << point >>; 0.x: nought >>; 0: =0=; %b: x.x: <<.>>>; 0: =0=;")
        func words(_ set: String, _ whole: Int64, _ decimals: Int64, _ count: Int) throws -> String {
            var words: [UInt8] = []
            grammar.append(whole, decimals: decimals, count: count, by: try #require(grammar.set(set)), to: &words)
            return String(decoding: words, as: UTF8.self)
        }
        let told = try [words("%a", 12, 5, 2), words("%a", 0, 25, 2), words("%b", 12, 5, 3), words("%b", 12, 0, 0)]
        #expect(told == ["12 point 0 5", "nought 2 5", "12.005", "12"])
    }

    @Test(
        "A wrong grammar is refused with its line",
        arguments: [
            ("0: a;", NumberGrammarFault(kind: .ruleOutsideSet, line: 1)),
            ("", NumberGrammarFault(kind: .noRules, line: 1)),
            ("%a:\n0: a;\nx: b;", NumberGrammarFault(kind: .badBase("x"), line: 3)),
            ("%a:\n5: a;\n3: b;", NumberGrammarFault(kind: .notRising(3), line: 3)),
            ("%a: 1: a;", NumberGrammarFault(kind: .beginsAbove0("%a"), line: 1)),
            ("%a:\n0: =%b=;", NumberGrammarFault(kind: .unknownSet("%b"), line: 2)),
            ("%a: 0: a", NumberGrammarFault(kind: .unclosed("a rule"), line: 1)),
            ("%a: 0: <b;", NumberGrammarFault(kind: .unclosed("<"), line: 1)),
            ("%a: 0: [b;", NumberGrammarFault(kind: .unclosed("["), line: 1)),
            ("%a: 0: $(cardinal,one{x})$;", NumberGrammarFault(kind: .notUnderstood("$"), line: 1)),
            ("%a: 0: a; 10: >>>;", NumberGrammarFault(kind: .notUnderstood(">>>"), line: 1)),
            ("%a: 0: =a=;", NumberGrammarFault(kind: .notUnderstood("a"), line: 1)),
            ("%a: 0: =%a=;", NumberGrammarFault(kind: .endless("%a"), line: 1)),
            ("%a: 0: =%b=; %b: 0: =%c=; %c: 0: >%a>;", NumberGrammarFault(kind: .endless("%a"), line: 1)),
            ("%a: 0: <<;", NumberGrammarFault(kind: .endless("%a"), line: 1)),
            ("%a: 0: x; 10: <<>><<>>;", NumberGrammarFault(kind: .tooManySteps("%a"), line: 1)),
            ("%a: 0: x; 2/2: <<<<;", NumberGrammarFault(kind: .tooManySteps("%a"), line: 1)),
        ])
    func refuses(_ text: String, _ fault: NumberGrammarFault) {
        #expect(throws: fault) { try Self.read(text) }
        #expect(!fault.message.isEmpty)
    }

    @Test("A grammar whose words would not end in time is refused: they come to thousands of bytes, or in many sets")
    func refusesLength() throws {
        let long = String(repeating: "x", count: 500)
        #expect(throws: NumberGrammarFault(kind: .tooManySteps("%a"), line: 1)) {
            try Self.read("%a: x.x: << >%b>; 0: x; %b: 0: \(long);")
        }
        let sets = (0...64).map { "%s\($0): 0: x;" }.joined(separator: "\n")
        #expect(throws: NumberGrammarFault(kind: .tooManySets, line: 1)) { try Self.read(sets) }
    }

    @Test("Any bytes are read or refused, never a crash, and what is read ends for any number")
    func survivesNoise() throws {
        let pieces = [
            "%a:", "%%b:", "0:", "10:", "100/20:", "x.x:", "<<", ">>", ">>>", "=%%b=", "<%a<", "[", "]", ";", " ", "'",
            "$", "=0=", "1>:", "\n", "#",
        ]
        var random = SeededRandom(seed: 3)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...24, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            guard let grammar = try? Self.read(text.joined()) else { continue }
            var words: [UInt8] = []
            for number: Int64 in [0, 1, 9, 10, 99, 100, 12345] {
                for name in grammar.setNames { grammar.append(number, by: grammar.set(name)!, to: &words) }
            }
        }
    }
}
