import BoxFoundation
import PushProtocol
import Testing

@Suite("The key's file")
struct BoxKeyFileTests {
    static let digits = String(repeating: "0f", count: 32)

    @Test(
        "64 hex digits, with white space around them",
        arguments: [digits, digits + "\n", " " + digits + "\r\n", digits.uppercased()])
    func key(text: String) throws {
        let key = try BoxKey.read(Array(text.utf8))
        #expect(key.hex == Self.digits)
    }

    @Test(
        "Anything else is no key",
        arguments: [
            ("", BoxKey.FileFault.empty), (" \n", .empty), ("0f", .length(2)), (digits + "00", .length(66)),
            (digits + "0", .length(65)),
            (String(repeating: "0g", count: 32), .notHex), (String(repeating: "0f ", count: 32), .notHex),
            ("密" + digits, .notHex),
        ])
    func noKey(text: String, fault: BoxKey.FileFault) {
        #expect(throws: fault) { try BoxKey.read(Array(text.utf8)) }
    }

    @Test("Printing a key shows nothing of it")
    func hidden() throws {
        let key = try BoxKey.read(Array(Self.digits.utf8))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\([key])"] {
            #expect(!text.contains("15") && !text.contains("0f"))
        }
    }
}
