import BoxFoundation
import ReceiptPrinting
import Testing

/// The language, seen in the plain text that it sets.
@Suite struct MarkupTests {
    @Test(arguments: [
        ("abc", "      abc"), ("|abc", "abc"), ("abc|", "            abc"), ("|abc|", "      abc"),
        ("| abc |", "      abc"), ("|abc |", "abc"), ("| abc|", "            abc"), ("| abc", "            abc"),
        ("abc |", "abc"), ("a|b", "      a b"), ("a | b", "a             b"), ("|a|b|", "   a       b"),
        ("a||c", "   a      c"), ("", " "), ("|", " "), ("||", " "),
    ])
    func textIsDrawnToThePipeThatItTouches(markup: String, text: String) throws {
        #expect(try ReceiptFixtures.text(markup, columns: 15) == text + "\n")
    }

    @Test(arguments: [
        ("a\\nb", "a\nb\n"), ("\\x41\\q\\-", "A-\n"), ("\\~\\_\\\"\\`\\^", "~_\"`^\n"), ("\\|a\\|\\{\\}", "|a|{}\n"),
        ("a\\", "a\n"), ("\\=", "=\n"), ("a~~b", "a  b\n"), ("a\u{7}\u{1B}b", "ab\n"), ("\\x1b\\x7fa", "a\n"),
        ("\\x4gb", "b\n"), ("a\\n\\nb\\n", "a\n\nb\n"),
    ])
    func escapesStandForSigns(markup: String, text: String) throws {
        #expect(try ReceiptFixtures.text("|" + markup) == text)
    }

    @Test(arguments: [
        ("^a", "a \n"), ("^^a", "a\n"), ("^^^a", "a \n"), ("^^^^a", "a  \n"), ("^^^^^^^^^a", "a     \n"),
        ("^a^b", "a b\n"),
        ("a^b^^c^^^d^e", "ab cd e \n"), ("^中", "中  \n"), ("_a_\"b\"`c`", "abc\n"),
    ])
    func caretsSetTheSize(markup: String, text: String) throws {
        #expect(try ReceiptFixtures.text("|" + markup) == text)
    }

    @Test func longTextWrapsBetweenAnyTwoCharacters() throws {
        #expect(try ReceiptFixtures.text("|abcdefghi一klm", columns: 10) == "abcdefghi\n一klm\n")
        #expect(try ReceiptFixtures.text("abcdefghijklm|", columns: 10) == "abcdefghij\n       klm\n")
        #expect(try ReceiptFixtures.text("{text:nowrap}\n|abcdefghijklm", columns: 10) == "abcdefghij\n")
        #expect(try ReceiptFixtures.text("|^^^^^^^ab", columns: 10) == "a     \nb     \n")
        #expect(try ReceiptFixtures.text("{width:1}\n|一a", columns: 10) == "    a\n")
    }

    /// Between two bars of a frame, so that the width is seen.
    @Test(arguments: [
        ("100,2,10", "|----------------|--|----------|"), ("10,10,10,10", "|-------|-------|-------|------|"),
        ("5,10,15,20", "|-----|--------|-------|-------|"), ("*,2,*,3", "|-----------|--|-----------|---|"),
        ("50,*,*,1", "|------------------------|-|-|-|"), ("*,100,100,*", "|-|-------------|------------|-|"),
        ("*,0,10,0", "|-------------------|----------|"), ("auto", "|------|-------|-------|-------|"),
        ("3,3", "           |---|---|"), ("* * * * * *", "|----|----|----|----|----|-----|"),
    ])
    func widthsShareTheLine(widths: String, ruled: String) throws {
        let text = try ReceiptFixtures.text("{border:line;width:\(widths)}\na|b|c|d")
        let rule = try #require(text.split(separator: "\n").first)
        #expect(String(rule.map { $0 == "+" ? "|" : $0 }) == ruled)
    }

    @Test func columnsThatCannotPrintAreDroppedFromTheEnd() throws {
        #expect(try ReceiptFixtures.text("{width:1,2,3,4,5,6,7,8,9}\na|b|c|d|e|f", columns: 8) == "a  b c d\n")
    }

    @Test func framesCloseAndJoinWhatIsAboveAndBelow() throws {
        let markup =
            "{border:line;width:5 5}\n|a|b|\n-\n{width:8}\n|c|\n-\n-\n{width:2 2 2;align:left}\n|a|b|c|\n{border:space}"
        #expect(
            try ReceiptFixtures.text(markup, columns: 16) == """
                 +-----+-----+
                 |  a  |  b  |
                 +-+---+----++
                   |    c   |
                +--+--+--+--+
                | a| b| c|
                +--+--+--+

                """)
    }

    @Test func propertiesStayInForceAndEmptyOnesChangeNothing() throws {
        #expect(
            try ReceiptFixtures.text("{w:3;a:right}\nab\n{width:}\n{foo:x}\nab", columns: 8) == "      ab\n      ab\n")
        #expect(try ReceiptFixtures.text("{ border : 2 }\n|a|b|\n{b:x}\n|a|b|", columns: 8) == " a    b\n a    b\n")
        #expect(try ReceiptFixtures.text("{ALIGN:left;w:2}\nab", columns: 8) == "   ab\n")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func everyLineEndIsOne(end: String) throws {
        #expect(try ReceiptFixtures.text("|a" + end + "|b" + end) == "a\nb\n \n")
    }

    @Test(arguments: [
        ("a { b", 1, 3, "{ stands alone; write \\{ for the sign itself"),
        ("}", 1, 1, "} stands alone; write \\} for the sign itself"),
        ("x\n{width:3", 2, 1, "{ stands alone; write \\{ for the sign itself"),
        ("一 {width:3} b", 1, 3, "a property {…} has a line of its own"),
        ("{width:3}|b", 1, 1, "a property {…} has a line of its own"),
        ("{width:3} b", 1, 10, "a property {…} has a line of its own"),
        ("{width}", 1, 2, "a property is written {name: value}"),
        (
            "{a:left; code:12;option:ean}", 1, 10,
            "the code can't be printed: an EAN has 13 or 8 digits, its last one may be left out"
        ),
    ])
    func aFaultHasItsLineAndColumn(markup: String, line: Int, column: Int, what: String) throws {
        let maker = try ReceiptFixtures.maker()
        do throws(ReceiptFault) {
            _ = try maker.receipt(markup: Array(markup.utf8))
            Issue.record("no fault")
        } catch {
            #expect(error.message == "line \(line), column \(column): \(what)")
        }
    }

    /// Whatever a hub sends as a receipt, something is printed and nothing breaks.
    @Test func anyBytesAreMarkupOrAFault() throws {
        var random = SeededRandom(seed: 11)
        let signs = Array(
            "{}|\\^_~\"`-=:;,\n\r\t ax1*中{{}}{{#a}}{{/a}}{width:3}{code:1}{option:qrcode}{image:AA}{border:line}".utf8)
        for id in ["generic-58mm", "western-80mm"] {
            let maker = try ReceiptFixtures.maker(id)
            for _ in 0..<400 {
                var bytes = random.bytes(Int.random(in: 0...60, using: &random))
                for _ in 0..<4 {
                    let start = Int.random(in: 0..<signs.count, using: &random)
                    bytes += signs[start..<min(signs.count, start + Int.random(in: 1...12, using: &random))]
                }
                let markup = String(decoding: bytes, as: UTF8.self)
                for receipt in [Payment.Receipt.markup(markup), .template(markup, data: .string(markup))] {
                    let payment = ReceiptFixtures.payment(receipt: receipt, order: markup)
                    let made = maker.receipt(for: payment, shop: markup, mark: .repeated, at: ReceiptFixtures.now)
                    #expect(made.bytes.starts(with: [0x1B, 0x40]))
                }
                _ = try? maker.receipt(source: bytes, data: .object(["a": .string(markup)]), asText: false)
            }
        }
    }

    @Test func theMarkupsLimitIsTold() throws {
        let maker = try ReceiptFixtures.maker()
        let long = [UInt8](repeating: 0x61, count: (1 << 20) + 1)
        #expect(throws: ReceiptFault(.tooLong("the markup is over 1048576 bytes"), line: 1, column: 1)) {
            try maker.receipt(markup: long)
        }
    }
}
