import BoxFoundation
import ReceiptPrinting
import Testing

@Suite struct RenderingTests {
    private func render(_ source: String, _ form: ReceiptRendering.Form, data: JSON? = nil) throws -> String {
        let maker = try ReceiptFixtures.maker("generic-80mm")
        return String(
            decoding: try ReceiptRendering.render(Array(source.utf8), data: data, as: form, with: maker), as: UTF8.self)
    }

    @Test func markupIsRenderedAsText() throws {
        #expect(try render("|¥1", .text) == "¥1\n")
        #expect(try render("|{{x}}", .text, data: .object(["x": "a|b"])) == "a|b\n")
    }

    @Test func aPictureHasEveryCharacterAtItsPlace() throws {
        let svg = try render("|<a>&^^^`中`", .svg)
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"624\""))
        #expect(svg.contains(">&lt;a&gt;&amp;</text>"))
        #expect(svg.contains("x=\"0 12 24 36\""))
        // The inverted character: four cells wide, two high, white on black.
        #expect(svg.contains("<rect x=\"48\" y=\"0\" width=\"48\" height=\"48\"/>"))
        #expect(svg.contains("scale(2 2)"))
        #expect(svg.contains("fill=\"#fff\">中</text>"))
    }

    @Test func codesAndPicturesAreDrawnDotByDot() throws {
        let svg = try render("{code:1;option:code39,2,24}", .svg)
        // * in Code 39 begins with a narrow bar of two dots, 24 high; the code is 47 modules, 94 dots, in the middle.
        #expect(svg.contains("M241 0h2v24h-2z"))
    }

    @Test func bytesAreDecodedAsTextAndCommands() throws {
        let profile = ReceiptFixtures.profile("generic-80mm")
        let bytes: [UInt8] = [0x1B, 0x40, 0x48, 0x69, 0x0A, 0x1D, 0x56, 0, 0xCA, 0xD5, 0x1B, 1]
        let text = try ReceiptRendering.decode(bytes, as: .text, with: profile)
        #expect(String(decoding: text, as: UTF8.self) == "Hi\n[cut]\n收\n")
        let commands = try ReceiptRendering.decode(bytes, as: .commands, with: profile)
        #expect(
            String(decoding: commands, as: UTF8.self) == """
                0000 ESC @
                0002 text "Hi"
                0004 LF
                0005 GS V 00
                0008 text ca d5
                000a ESC SOH (unknown)

                """)
    }

    @Test func aPictureInStripsIsToldOnce() throws {
        let profile = ReceiptFixtures.profile()
        let markup = "{image:\(PNGFixture.base64(width: 64, height: 288))}"
        let bytes = try ReceiptFixtures.maker().receipt(markup: Array(markup.utf8))
        #expect(ReceiptFixtures.paper(bytes, profile, showsCodes: true) == "[picture 64x288]\n")
    }

    @Test(arguments: [("GB18030", true), ("CP866", false), ("SHIFT_JIS", true)])
    func anEncodingOfTheCommandLineTakesItsModeAndPage(encoding: String, isMultibyte: Bool) throws {
        let profile = try #require(ReceiptFixtures.profile("epson-tm-t88v").with(columns: 42, encoding: encoding))
        #expect(profile.modeCommands == [0x1C, isMultibyte ? 0x26 : 0x2E])
        #expect(profile.codePages.map(\.number) == (isMultibyte ? [] : [17]))
        #expect(profile.dots == 504)
    }

    @Test func anUnknownEncodingIsNone() {
        #expect(ReceiptFixtures.profile().with(columns: nil, encoding: "nothing") == nil)
    }

    @Test func theSampleIsTwentyPrintedLinesWithACode() throws {
        let paper = try ReceiptFixtures.paper(
            ReceiptFixtures.maker().receipt(markup: Array(ReceiptSample.markup.utf8)), showsCodes: true)
        #expect(paper.split(separator: "\n").count == 19)
        #expect(paper.contains("[picture "))
    }
}
