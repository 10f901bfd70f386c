import ReceiptPrinting
import Testing

/// What a printer gets for a text, seen in the bytes of one line.
@Suite struct PrinterEncodingTests {
    private func line(_ text: String, _ encoding: String) throws -> [UInt8] {
        var profile = ReceiptFixtures.profile()
        profile.encoding = encoding
        let maker = try ReceiptMaker(profile: profile, language: "zh-CN", resources: ReceiptFixtures.resource)
        let bytes = try maker.receipt(markup: Array("|\(text)".utf8))
        return Array(bytes.dropFirst(4).dropLast(4))
    }

    @Test(arguments: [
        ("微信收款", "GB18030", [0xCE, 0xA2, 0xD0, 0xC5, 0xCA, 0xD5, 0xBF, 0xEE] as [UInt8]),
        // Field report 49: U+00A5 is four bytes in GB18030 and none in GBK; both print ￥.
        ("¥5", "GB18030", [0xA3, 0xA4, 0x35]), ("¥5", "GBK", [0xA3, 0xA4, 0x35]),
        // Field report 51.
        ("€5", "GBK", [0x45, 0x55, 0x52, 0x35]), ("€5", "GB18030", [0xA2, 0xE3, 0x35]),
        ("收", "BIG5", [0xA6, 0xAC]), ("領収証", "SHIFT_JIS", [0x97, 0xCC, 0x8E, 0xFB, 0x8F, 0xD8]),
        ("¥5", "SHIFT_JIS", [0x5C, 0x35]), ("ｱ", "SHIFT_JIS", [0xB1]), ("결제", "EUC-KR", [0xB0, 0xE1, 0xC1, 0xA6]),
        // Four bytes that GB18030 has and GBK has not.
        ("㐀", "GB18030", [0x81, 0x39, 0xEE, 0x39]), ("㐀", "GBK", [0x3F, 0x20]),
        // A sign that is no letter of any Chinese font.
        ("😀", "GBK", [0x3F, 0x20]), ("😀", "GB18030", [0x3F, 0x20]), ("𠮷", "GB18030", [0x95, 0x34, 0xB2, 0x35]),
    ])
    func charactersBecomeThePrintersBytes(text: String, encoding: String, bytes: [UInt8]) throws {
        #expect(try line(text, encoding) == bytes)
    }

    /// Field report 51: what letters stand in for is told, once each.
    @Test func signsThatThePrinterLacksAreTold() throws {
        var profile = ReceiptFixtures.profile()
        profile.encoding = "GBK"
        let maker = try ReceiptMaker(profile: profile, language: "zh-CN", resources: ReceiptFixtures.resource)
        let made = maker.receipt(
            for: ReceiptFixtures.payment(receipt: .markup("€1 €2 😀 ¥3 中")), shop: nil, mark: .none,
            at: ReceiptFixtures.now)
        #expect(made.lacking == "€😀")
        #expect(made.fault == nil)
    }

    /// Field reports 45 and 48: the right edge is the paper's, whatever the width of the signs.
    @Test(arguments: [32, 42, 48], ["GB18030", "GBK", "BIG5", "SHIFT_JIS"])
    func amountsStandAtTheRightEdge(columns: Int, encoding: String) throws {
        var profile = ReceiptFixtures.profile("generic-80mm")
        profile.encoding = encoding
        profile.columns = columns
        let maker = try ReceiptMaker(profile: profile, language: "zh-CN", resources: ReceiptFixtures.resource)
        let bytes = try maker.receipt(markup: Array("{width:*,10}\n咖啡（中）− | ¥1,990\n€ é · “x” | ¥1".utf8))
        for line in bytes.dropFirst(4).split(separator: 0x0A).prefix(2) {
            #expect(line.count == columns)
        }
    }

    @Test func anItemAndItsPriceShareOneLine() throws {
        // Field report 45: 16 and 7 columns.
        let text = try ReceiptFixtures.text("{width:*,8}\n宫保鸡丁（微辣） | ￥1,990")
        #expect(text == "宫保鸡丁（微辣）         ￥1,990\n")
    }

    @Test func doubleWidthTextIsLaidOutInHalfTheColumns() throws {
        // Field report 47: 16 columns on 58 mm.
        let text = try ReceiptFixtures.text("^单号 | ^A12")
        #expect(text == "单  号                    A 1 2 \n")
    }
}
