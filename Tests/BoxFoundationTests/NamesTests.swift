import BoxFoundation
import Testing

@Suite("Hex and names")
struct NamesTests {
    @Test(
        "Bytes and digits",
        arguments: [([], ""), ([0], "00"), ([0xC0, 0xB1, 0x01], "c0b101"), ([0xFF, 0x0F], "ff0f")]
            as [([UInt8], String)])
    func hex(bytes: [UInt8], text: String) {
        #expect(Hex.text(bytes) == text)
        #expect(Hex.bytes(text) == bytes)
    }

    @Test("What is no lower-case hex", arguments: ["0", "0G", "FF", "0x00", " 00", "００", "a\u{301}"])
    func noHex(text: String) {
        #expect(Hex.bytes(text) == nil)
    }

    @Test(
        "The nearest name",
        arguments: [
            ("stauts", "status"), ("STATUS", "status"), ("statsu", "status"), ("stat", "status"), ("reboots", "reboot"),
            ("rebot", "reboot"), ("voluem", "volume"), ("logg", "log"),
            ("x", nil), ("lx", nil), ("", nil), ("xyzzy", nil), ("statusstatus", nil),
            (String(repeating: "a", count: 10_000), nil),
        ] as [(String, String?)])
    func nearest(typed: String, name: String?) {
        #expect(NearestName.of(typed, among: ["help", "status", "log", "reboot", "volume"]) == name)
    }
}
