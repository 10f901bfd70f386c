import BoxFoundation
import ReceiptPrinting
import Testing

/// The bytes of whole jobs, field by field.
@Suite struct PrinterCommandTests {
    private func job(_ markup: String, _ id: String) throws -> [UInt8] {
        try ReceiptFixtures.maker(id, language: "en").receipt(markup: Array(markup.utf8))
    }

    @Test(arguments: [
        "generic-58mm", "generic-80mm", "xprinter-xp-n160ii", "epson-tm-t88v", "star-tsp600", "western-80mm",
    ])
    func everyProfilePrintsEveryTemplate(id: String) throws {
        let maker = try ReceiptFixtures.maker(id)
        let items: JSON = .array([.object(["name": "Tea", "qty": 2, "price": "3.00", "note": "hot"])])
        let data: JSON = .object([
            "shop": "Shop", "order": "17", "table": "5", "items": items, "total": "6.00", "note": "x", "code": "17",
            "rows": .array([.object(["name": "Cash", "count": 1, "amount": "6.00"])]), "count": 1, "date": "2026-11-29",
            "refunds": .object(["count": 1, "amount": "1.00"]),
        ])
        for template in ["payment", "refund", "notice", "order", "kitchen", "summary"] {
            let paper = ReceiptFixtures.paper(try maker.receipt(template: template, data: data), maker.profile)
            #expect(!paper.contains("?"), "\(template)")
            #expect(paper.split(separator: "\n").count > 2)
        }
        let facts: JSON = .object(["box": "counter-1", "firmware": "1.0", "network": "up"])
        let page = ReceiptFixtures.paper(try maker.testPage(facts, at: ReceiptFixtures.now), maker.profile)
        let ruler = (1...maker.profile.columns).map { String($0 % 10) }.joined()
        #expect(page.contains("\n" + ruler + "\n"))
    }

    /// Field report 43: double-byte mode off and the code page, after every reset.
    @Test func aWesternPrinterLeavesDoubleByteModeAfterEveryReset() throws {
        let bytes = try job("|Crème €1\n{command:\\x1b@}\n|é", "western-80mm")
        let reset: [UInt8] = [0x1B, 0x40, 0x1C, 0x2E, 0x1B, 0x52, 0, 0x1B, 0x74, 0]
        #expect(bytes.starts(with: reset))
        // è in CP437 is 8A; € is not there, so page 16, Windows Latin, is selected; its place there is 80.
        let line: [UInt8] = Array("Cr".utf8) + [0x8A] + Array("me ".utf8) + [0x1B, 0x74, 16, 0x80, 0x31, 0x0A]
        // The command's own reset is followed by the modes again.
        let rest = reset + [0x82, 0x0A, 0x1B, 0x64, 5, 0x1D, 0x56, 0]
        #expect(Array(bytes.dropFirst(reset.count)) == line + rest)
    }

    @Test func stylesAreSwitchedOnlyWhereTheyChange() throws {
        // GS ! 11, the word, GS ! 00 and ESC E 1, the word, ESC E 0, ESC - 1, FS - 1, the word, then GS B.
        let bytes = try job("|^^^A^^^\"b\"_c_`d`", "generic-58mm")
        let expected: [UInt8] =
            [0x1B, 0x40, 0x1C, 0x26] + [0x1D, 0x21, 0x11, 0x41] + [0x1D, 0x21, 0x00, 0x1B, 0x45, 1, 0x62]
            + [0x1B, 0x45, 0, 0x1B, 0x2D, 1, 0x1C, 0x2D, 1, 0x63] + [0x1D, 0x42, 1, 0x1B, 0x2D, 0, 0x1C, 0x2D, 0, 0x64]
            + [0x0A, 0x1B, 0x64, 3]
        #expect(bytes == expected)
    }

    /// Field reports 61 and 62.
    @Test func everyJobEndsWithItsFeedAndACutOnlyWhereThereIsACutter() throws {
        #expect(try job("a", "generic-58mm").suffix(4) == [0x0A, 0x1B, 0x64, 3])
        #expect(try job("a\n=", "generic-58mm").suffix(4) == [0x0A, 0x1B, 0x64, 3])
        #expect(try job("a", "generic-80mm").suffix(7) == [0x0A, 0x1B, 0x64, 5, 0x1D, 0x56, 1])
        #expect(try job("a\n=", "generic-80mm").suffix(7) == [0x0A, 0x1B, 0x64, 5, 0x1D, 0x56, 1])
        let two = try job("a\n=\nb", "epson-tm-t88v")
        #expect(two.indices.count { two[$0...].starts(with: [0x1D, 0x56, 1]) } == 2)
    }

    @Test func aDeviceCommandIsWrittenAsItIs() throws {
        let bytes = try job("a\n{command:\\x1bp\\x00\\x19\\xfa}\n|b", "generic-58mm")
        #expect(bytes.indices.contains { bytes[$0...].starts(with: [0x0A, 0x1B, 0x70, 0, 0x19, 0xFA, 0x62, 0x0A]) })
    }

    @Test func aCodeInAPartOfTheLineGetsItsOwnMargins() throws {
        let bytes = try job("{width:24;align:right}\n{code:1;option:code39}", "generic-80mm")
        // GS L 288, GS W 288, ESC a 1 … ESC a 0, GS L 0, GS W 576.
        #expect(bytes.dropFirst(4).starts(with: [0x1D, 0x4C, 0x20, 1, 0x1D, 0x57, 0x20, 1, 0x1B, 0x61, 1]))
        let after: [UInt8] = [0x1B, 0x61, 0, 0x1D, 0x4C, 0, 0, 0x1D, 0x57, 0x40, 2, 0x1B, 0x64]
        #expect(bytes.indices.contains { bytes[$0...].starts(with: after) })
    }
}
