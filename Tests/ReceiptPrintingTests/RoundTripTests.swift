import BoxFoundation
import Glibc
import ReceiptPrinting
import Testing

/// Documents that nobody wrote: what the markup says as plain text is what the printer's bytes read back as.
@Suite struct RoundTripTests {
    #if DEBUG
        private static let usualDocuments = 400
    #else
        private static let usualDocuments = 10_000
    #endif
    /// ROUND_TRIPS in the environment sets another number.
    private static let documents = getenv("ROUND_TRIPS").flatMap { Int(String(cString: $0)) } ?? usualDocuments

    @Test(arguments: [
        ("generic-80mm", "GB18030", 48), ("generic-80mm", "GB18030", 32), ("xprinter-xp-n160ii", "GBK", 42),
        ("generic-80mm", "SHIFT_JIS", 42), ("generic-80mm", "BIG5", 24),
    ])
    func generatedDocumentsReadBackAsTheirText(id: String, encoding: String, columns: Int) throws {
        let profile = try #require(ReceiptFixtures.profile(id).with(columns: columns, encoding: encoding))
        let maker = try ReceiptMaker(profile: profile, language: "en", resources: ReceiptFixtures.resource)
        var generator = MarkupGenerator(seed: UInt64(columns))
        for number in 0..<Self.documents / 5 {
            let markup = generator.document()
            let bytes = try maker.receipt(markup: Array(markup.utf8))
            let text = try PlainText.text(of: markup, columns: columns, encoding: maker.encoding)
            let paper = ReceiptFixtures.paper(bytes, profile)
            guard paper != Self.degraded(text, encoding) else { continue }
            Issue.record("document \(number) of seed \(columns), \(encoding): \(markup)\n\(text)\n\(paper)")
            return
        }
    }

    /// ¥ prints as ￥ where the encoding has no other; that belongs to the bytes, not to the plain text.
    private static func degraded(_ text: String, _ encoding: String) -> String {
        encoding == "SHIFT_JIS" ? text : String(text.map { $0 == "¥" ? "￥" : $0 })
    }

    @Test func theSameDocumentIsTheSameBytesEveryTime() throws {
        var generator = MarkupGenerator(seed: 7)
        let maker = try ReceiptFixtures.maker("generic-80mm")
        let other = try ReceiptFixtures.maker("generic-80mm")
        for _ in 0..<50 {
            let markup = Array(generator.document().utf8)
            let first = try maker.receipt(markup: markup)
            #expect(try maker.receipt(markup: markup) == first)
            #expect(try other.receipt(markup: markup) == first)
        }
    }
}

/// Makes ReceiptLine of every kind, seldom sensible, always well formed.
struct MarkupGenerator {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func document() -> String {
        (0..<number(1...12)).map { _ in line() }.joined(separator: one(["\n", "\n", "\r\n", "\r"]))
    }

    private mutating func line() -> String {
        switch number(0...9) {
        case 0: return property()
        case 1: return one(["-", "---", "=", "", "-", "|", " - ", "|-|"])
        case 2:
            return one([
                "{width:auto;code:123456;option:code39}", "{w:auto;code:hello;option:qrcode,3,l}", "{_:nothing}", "{}",
            ])
        default:
            let columns = (0..<number(1...4)).map { _ in space() + text() + space() }
            return space() + one(["", "|"]) + columns.joined(separator: "|") + one(["", "|"]) + space()
        }
    }

    private mutating func text() -> String {
        (0..<number(0...6)).map { _ in
            one([
                "a", "Item", "1.00", "店", "中文", "￥", "¥12", " ", "~", "^", "^^", "^^^", "^^^^^", "_", "\"", "`", "\\n",
                "\\|", "\\x41", "\\q", "\\-", "\\{", "-", "=", "long text here", "（", "+", "\\x1b",
            ])
        }.joined()
    }

    private mutating func property() -> String {
        let members = (0..<number(1...3)).map { _ -> String in
            switch number(0...3) {
            case 0:
                "width:"
                    + one(["auto", "*", "*,4", "* 4 8", "3,3,3", "10", "0,3", "*,*", "20,20", "100,2,10", "x", ""])
            case 1: "border:" + one(["line", "space", "none", "0", "1", "2", "LINE", "x"])
            case 2: "align:" + one(["left", "center", "right", "x"])
            default: "text:" + one(["wrap", "nowrap"])
            }
        }
        return "{" + members.joined(separator: one([";", "; "])) + "}"
    }

    private mutating func space() -> String { one(["", "", "", " ", "\t"]) }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func one(_ choices: [String]) -> String { choices[number(0...choices.count - 1)] }
}
