import ReceiptPrinting
import Testing

@Suite struct PrinterProfileTests {
    @Test func theGenericSmallPrinterIsWhatChineseCountersHave() {
        let profile = ReceiptFixtures.profile()
        #expect(profile.columns == 32)
        #expect(profile.dots == 384)
        #expect(profile.encoding == "GB18030")
        #expect(profile.modeCommands == [0x1C, 0x26])
        #expect(profile.cutter == .none)
        #expect(!profile.hasQRCode)
        #expect(profile.confirms == .none)
    }

    private static let good = """
        {
          name: "P",
          features: { bitImageRaster: true },
          fonts: { "0": { columns: 32 } },
          media: { width: { pixels: 384 } },
          encoding: "GB18030",
          feedBeforeCut: 3,
          pace: 1000,
          buffer: 4096,
        }
        """

    @Test(arguments: [
        ("pace: 1000", "pace: \"fast\"", 8, "\"pace\" is a number from 100 to 1000000"),
        ("  pace: 1000,\n", "", 2, "\"pace\" is missing; write a number from 100 to 1000000"),
        ("GB18030", "GB-nothing", 6, "iconv does not know this encoding; write a name that `iconv -l` lists"),
        ("pace: 1000", "pace: 1000, confirms: \"yes\"", 8, "\"confirms\" is one of none, processID, statusAfterDrain"),
        ("  encoding: \"GB18030\",\n", "", 2, "a profile needs an \"encoding\" or its \"codePages\""),
        ("columns: 32", "columns: 64", 4, "64 columns do not fit 384 dots"),
        ("buffer: 4096", "bufer: 4096", 2, "\"buffer\" is missing; write a number from 256 to 1048576"),
        ("pace: 1000,", "pace: 1000, pac: 1,", 8, "there is no \"pac\" in a profile"),
        ("true", "1", 3, "\"bitImageRaster\" is true or false"),
        ("name: \"P\",", "name: \"P\" x", 2, "unexpected x"),
        (
            "pace: 1000", "modeCommands: \"1C 26\", pace: 1000", 8,
            "\"modeCommands\" is bytes in lower-case hex, as \"1c 26\""
        ),
    ])
    func aWrongProfileIsToldWithItsLine(old: String, new: String, line: Int, what: String) {
        let text = Self.good.replacingFirst(old, with: new)
        #expect(throws: PrinterProfileFault(file: "printers/p.json", line: line, what: what)) {
            try PrinterProfile.read(Array(text.utf8), id: "p", file: "printers/p.json")
        }
    }

    @Test(arguments: ["nowhere", "../generic-58mm", "", "a/b"])
    func aProfileThatIsNotThereIsTold(id: String) {
        #expect(throws: PrinterProfileFault.self) { try PrinterProfile.load(id, from: ReceiptFixtures.resource) }
    }
}

extension String {
    func replacingFirst(_ old: String, with new: String) -> String {
        let (text, part) = (Array(utf8), Array(old.utf8))
        for i in 0...(text.count - part.count) where Array(text[i..<i + part.count]) == part {
            return String(decoding: text[..<i] + Array(new.utf8) + text[(i + part.count)...], as: UTF8.self)
        }
        return self
    }
}
