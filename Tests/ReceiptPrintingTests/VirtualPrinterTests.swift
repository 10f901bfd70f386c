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

    /// Code pages by their usual numbers: page 1 is katakana between line pieces, 16 Windows Latin, 17 Cyrillic.
    @Test(arguments: [
        (1, [0x98, 0x95, 0x99, 0xB1, 0xDF, 0xF1] as [UInt8], "┌─┐ｱﾟ円"), (16, [0x80, 0xE9], "€é"), (17, [0x8F], "П"),
        (52, [0xD0, 0xFE], "Đ₫"), (99, [0xD0], "\u{FFFD}"),
    ])
    func codePagesHaveTheirUsualNumbers(page: UInt8, bytes: [UInt8], text: String) throws {
        let job = [0x1C, 0x2E, 0x1B, 0x74, page] + bytes + [0x0A]
        #expect(try printed(job).roll.text() == text + "\n")
    }

    @Test func charactersThatAJobDrawsItselfArePictures() throws {
        // ESC & 3 A A: two columns of 24 dots, the first black; ESC % 1.
        let define: [UInt8] = [0x1B, 0x26, 3, 0x41, 0x41, 2, 255, 255, 255, 0, 0, 0, 0x1B, 0x25, 1]
        let printer = try printed(define + Array("AB\n".utf8))
        guard case .picture(let bitmap, 0, 0) = printer.roll.items.first else {
            Issue.record("no picture")
            return
        }
        #expect(bitmap == Bitmap(width: 2, height: 24, bits: Array(repeating: 0x80, count: 24)))
        #expect(printer.roll.text() == "B\n")
    }

    @Test func aHeaderAloneTakesNoMemory() throws {
        // GS ( L, a picture of 65535 by 65535 dots with one byte of data.
        let bytes: [UInt8] = [
            0x1D, 0x28, 0x4C, 11, 0, 0x30, 0x70, 0x30, 1, 1, 0x31, 255, 255, 255, 255, 1, 0x1D, 0x28, 0x4C, 2, 0, 48,
            50,
        ]
        #expect(try printed(bytes).roll.items.isEmpty)
    }

    @Test func aRollEndsBeforeMemoryDoes() throws {
        // GS * 255 63: 2040 by 504 dots. Then GS / 3, which prints it twice as wide and high, half a MiB each, 200 times.
        let define: [UInt8] = [0x1D, 0x2A, 255, 63] + Array(repeating: 0x55, count: 255 * 63 * 8)
        let prints = Array(repeating: [0x1D, 0x2F, 3] as [UInt8], count: 200).flatMap { $0 }
        let items = try printed(define + prints).roll.items
        #expect(items.count == 34)
        #expect(items.last == .note("the roll has ended"))
    }

    @Test func vietnamesePrintersHaveTheirPage() throws {
        // FS ., ESC t 30, then ế and ệ of TCVN.
        let roll = try printed(
            [0x1C, 0x2E, 0x1B, 0x74, 30] + Array("Ti".utf8) + [0xD5] + Array("ng Vi".utf8) + [0xD6, 0x74, 0x0A]
        ).roll
        #expect(roll.text() == "Tiếng Việt\n")
    }

    @Test func theDataUnderBarsStandsInTheirMiddle() throws {
        // GS H 2, GS w 2, GS h 40, GS k of Code 39: 47 modules for one sign, 94 dots; *1* is 36 dots wide.
        let bytes: [UInt8] = [0x1D, 0x48, 2, 0x1D, 0x77, 2, 0x1D, 0x68, 40, 0x1D, 0x6B, 4, 0x31, 0]
        let roll = try printed(bytes).roll
        #expect(roll.captions == [PaperRoll.Caption(text: "*1*", x: 29, y: 40)])
        #expect(roll.text(showsCodes: true) == "[code39 *1*]\n")
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
