import ReceiptPrinting
import Testing

@Suite struct CodeTests {
    /// Widths of bars and spaces, worked out by hand from the standards' tables, part by part.
    private static let vectors: [(String, CodeOptions.Symbology, String)] = [
        ("0", .code39, "131131311 1 111331311 1 131131311"),
        ("12", .itf, "1111 3113111133 311"),
        ("A", .code93, "111141 211113 211113 221121 111141 1"),
        ("1234", .code128, "211232 112232 131123 121241 2331112"),
        ("96385074", .ean, "111 3112 1114 1411 1213 11111 1231 3211 1312 1132 111"),
        ("12", .codabar, "1133131 1 1111331 1 1113113 1 1133131"),
    ]

    @Test(arguments: vectors)
    func barcodesFollowTheirStandards(data: String, symbology: CodeOptions.Symbology, widths: String) throws {
        let code = try Barcode(Array(data.utf8), symbology)
        #expect(code.widths.map(String.init).joined() == widths.filter { $0 != " " })
    }

    @Test(arguments: [
        ("2012345678903", CodeOptions.Symbology.ean, "2012345678903", 95), ("201234567890", .ean, "2012345678903", 95),
        ("4912345", .ean, "49123456", 67), ("012345678905", .upc, "012345678905", 95), ("123456", .upc, "01234565", 51),
        ("0123456", .upc, "01234565", 51), ("ABC-1", .code39, "*ABC-1*", 111), ("12345", .itf, "012345", 63),
        ("1234", .codabar, "A1234A", 75), ("Ab1", .code93, "Ab1", 73), ("Hello", .code128, "Hello", 90),
        ("12345678", .code128, "12345678", 79),
    ])
    func barcodesHaveTheirLengthAndText(data: String, symbology: CodeOptions.Symbology, text: String, modules: Int)
        throws
    {
        let code = try Barcode(Array(data.utf8), symbology)
        #expect(code.text == text)
        #expect(code.modules == modules)
        #expect(code.widths.count % 2 == 1)
    }

    @Test(arguments: [
        ("201234567890x", CodeOptions.Symbology.ean, "it takes digits only"),
        ("2012345678904", .ean, "the check digit is 3, not 4"),
        ("12", .ean, "an EAN has 13 or 8 digits, its last one may be left out"),
        ("1", .upc, "a UPC has 12 or 8 digits, its last one may be left out"),
        ("1234567", .upc, "a UPC-E begins with 0"),
        ("abc", .code39, "Code 39 takes 0-9, A-Z, space and - . $ / + %"),
        ("1a", .itf, "interleaved 2 of 5 takes digits only"),
        ("A1B2", .codabar, "Codabar takes A to D at both ends only"),
        ("é", .code128, "Code 128 takes ASCII only"), ("", .code128, "a barcode holds 1 to 255 bytes"),
    ])
    func dataThatACodeCannotHoldIsTold(data: String, symbology: CodeOptions.Symbology, what: String) {
        #expect(throws: BarcodeFault(what: what)) { try Barcode(Array(data.utf8), symbology) }
    }

    // MARK: On the printer

    private func job(_ markup: String, _ id: String) throws -> [UInt8] {
        try ReceiptFixtures.maker(id).receipt(markup: Array(markup.utf8))
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    /// Field report 52.
    @Test func aPrinterWithoutQRCodesGetsThemDrawn() throws {
        let markup = "{code:https://example.com/17;option:qrcode,4,m}"
        let drawn = try job(markup, "generic-58mm")
        #expect(!contains(drawn, [0x1D, 0x28, 0x6B]))
        #expect(contains(drawn, [0x1D, 0x76, 0x30, 0]))
        #expect(!contains(drawn, Array("example".utf8)))
        let own = try job(markup, "generic-80mm")
        #expect(contains(own, [0x1D, 0x28, 0x6B, 3, 0, 0x31, 0x43, 4]))
        #expect(contains(own, [0x1D, 0x28, 0x6B, 3, 0, 0x31, 0x45, 49]))
        #expect(contains(own, [0x1D, 0x28, 0x6B, 25, 0, 0x31, 0x50, 0x30] + Array("https://example.com/17".utf8)))
    }

    @Test func theDrawnCodeIsTheOneThatThePrinterWouldDraw() throws {
        let data = Array("微信收款 17".utf8)
        let modules = try #require(QRSymbol.modules(of: data, level: .m))
        #expect(modules.width == 25)
        var printer = try #require(VirtualPrinter(profile: ReceiptFixtures.profile("generic-80mm")))
        printer.print(try job("{code:微信收款 17;option:qrcode,4,m}", "generic-80mm"))
        guard case .code("QR", "微信收款 17", let bitmap, let x, _) = printer.roll.items.first else {
            Issue.record("no code")
            return
        }
        #expect(bitmap == modules.enlarged(by: 4))
        #expect(x == (576 - 100) / 2)
    }

    @Test func aBarcodeIsThePrintersOwnWhereItHasThem() throws {
        let own = try job("{code:0003;option:code39,48,2,hri}", "generic-80mm")
        #expect(
            contains(own, [0x1D, 0x68, 48, 0x1D, 0x77, 2, 0x1D, 0x48, 2, 0x1D, 0x6B, 69, 6] + Array("*0003*".utf8)))
        let drawn = try job("{code:0003;option:code39,48,2,hri}", "generic-58mm")
        #expect(!contains(drawn, [0x1D, 0x6B]))
        #expect(ReceiptFixtures.paper(drawn) == "            *0003*\n")
    }

    @Test(arguments: CodeOptions.Symbology.allCases.filter { $0 != .qrcode })
    func everyBarcodeReadsBackFromThePrintersCommand(symbology: CodeOptions.Symbology) throws {
        let data = symbology == .ean || symbology == .upc ? "01234567890" + (symbology == .ean ? "1" : "") : "12-34"
        let text = symbology == .itf ? "1234" : data
        let markup = "{option:\(symbology.rawValue),2,60}\n{code:\(text)}"
        var printer = try #require(VirtualPrinter(profile: ReceiptFixtures.profile("generic-80mm")))
        printer.print(try job(markup, "generic-80mm"))
        let code = try Barcode(Array(text.utf8), symbology)
        guard case .code(symbology.rawValue, let shown, let bars, _, _) = printer.roll.items.first else {
            Issue.record("no code: \(printer.roll.items)")
            return
        }
        #expect(shown == code.text)
        #expect(bars == code.bitmap(barWidth: 2, height: 60))
    }

    @Test(arguments: [("{code:" + String(repeating: "A", count: 60) + ";option:code39,4}", "it is wider than its line")]
    )
    func aCodeWiderThanItsLineIsAFault(markup: String, what: String) {
        #expect(throws: ReceiptFault(.code(what), line: 1, column: 2)) { try job(markup, "generic-58mm") }
    }
}
