import BoxFoundation
import ReceiptPrinting
import Testing

@Suite struct VirtualPrinterTests {
    private func printed(_ bytes: [UInt8], _ id: String = "generic-80mm") throws -> VirtualPrinter {
        var printer = try #require(VirtualPrinter(profile: ReceiptFixtures.profile(id)))
        printer.print(bytes)
        return printer
    }

    @Test func aPrinterSurvivesAnyBytes() throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<300 {
            var bytes = random.bytes(Int.random(in: 0...400, using: &random))
            for i in bytes.indices where Int.random(in: 0..<4, using: &random) == 0 {
                bytes[i] = [0x1B, 0x1D, 0x1C, 0x10][Int.random(in: 0..<4, using: &random)]
            }
            let printer = try printed(bytes)
            #expect(printer.commands.map(\.range.count).reduce(0, +) == bytes.count)
        }
    }

    @Test func everyCommandIsNamed() throws {
        let bytes: [UInt8] = [
            0x1B, 0x40, 0x41, 0x0A, 0x1D, 0x28, 0x6B, 3, 0, 49, 67, 4, 0x1B, 0x01, 0x1D, 0x56, 0, 0x1D,
        ]
        #expect(try printed(bytes).commands.map(\.name) == ["ESC @", "text", "LF", "GS ( k", "ESC SOH", "GS V", "GS"])
    }

    @Test func anUnknownCommandIsSkippedAndNoted() throws {
        #expect(try printed([0x1B, 0x01, 0x41, 0x0A]).roll.items.first == .note("unknown ESC SOH"))
        #expect(try printed([0x1B, 0x01, 0x41, 0x0A]).roll.text() == "A\n")
    }

    @Test func questionsAreKeptForTheCaller() throws {
        let bytes: [UInt8] = [0x10, 0x04, 1, 0x1D, 0x72, 1, 0x1D, 0x28, 0x48, 6, 0, 0x30, 0x30, 1, 2, 3, 4]
        #expect(try printed(bytes).requests == [.status(1), .status(1), .processID([1, 2, 3, 4])])
    }

    @Test func alignmentTabsAndPositionsShowInTheText() throws {
        let bytes: [UInt8] =
            [0x1B, 0x61, 1] + Array("mid\n".utf8) + [0x1B, 0x61, 2] + Array("end\n".utf8) + [0x1B, 0x61, 0]
            + Array("a\tb".utf8) + [0x1B, 0x24, 240, 0] + Array("c\n".utf8)
        let lines = try printed(bytes).roll.text().split(separator: "\n")
        #expect(lines[0] == String(repeating: " ", count: 23) + "mid")
        #expect(lines[1] == String(repeating: " ", count: 45) + "end")
        #expect(lines[2] == "a       b           c")
    }

    @Test func textLongerThanTheLineWraps() throws {
        let text = String(repeating: "x", count: 50)
        #expect(try printed(Array((text + "\n").utf8)).roll.text() == String(repeating: "x", count: 48) + "\nxx\n")
    }

    /// What our encoder writes, the decoder reads back.
    @Test(arguments: [
        "a | b\n-\n^^^big | 1", "{border:line;width:*,8}\n宫保鸡丁 | 36.00\n-\n|^合计|^1|", "_u_ \"b\" `i` ^^h^^",
        "{width:20;align:right}\n|left", "", "|a\n\n|b", "领　收　证|\nx^^^^^^^y",
    ])
    func bytesReadBackAsTheTextOfTheMarkup(markup: String) throws {
        for id in ["generic-58mm", "generic-80mm"] {
            let profile = ReceiptFixtures.profile(id)
            let maker = try ReceiptFixtures.maker(id)
            let bytes = try maker.receipt(markup: Array(markup.utf8))
            let text = try ReceiptFixtures.text(markup, columns: profile.columns)
            #expect(ReceiptFixtures.paper(bytes, profile) == text)
        }
    }
}
