// What a back end wrote into a header is bytes until somebody has looked at them.

import HardwareInterface
import HardwareLinux
import Testing

@Suite("A fleet's headers")
struct FleetHeaderTests {
    @Test(
        "A header that is UTF-8 is taken as it is; another one is dropped, so that no two ids become one",
        arguments: [
            (Array("a1".utf8), "a1"), (Array("订单-1".utf8), "订单-1"), ([], ""), ([0x61, 0xFF], nil), ([0x61, 0xFE], nil),
            ([0xE4, 0xBA], nil),
        ] as [([UInt8], String?)])
    func bytes(bytes: [UInt8], text: String?) {
        let value = bytes.map { CChar(bitPattern: $0) } + [0]
        #expect(FleetMessage.Header(name: "Counterbox-Id", value: value)?.value == text)
        #expect((FleetMessage.Header(name: value, value: "x") != nil) == (text != nil))
    }
}
