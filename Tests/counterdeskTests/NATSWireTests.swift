import BoxFoundation
import HardwareInterface
import Testing
import counterdesk

@Suite("The protocol of NATS")
struct NATSWireTests {
    private func items(_ text: String, cutAt cut: Int? = nil) -> [NATSWire.Item] {
        var wire = NATSWire()
        var items: [NATSWire.Item] = []
        let bytes = Array(text.utf8)
        for part in cut.map({ [Array(bytes[..<$0]), Array(bytes[$0...])] }) ?? [bytes] {
            wire.receive(part)
            while let item = wire.next() {
                items.append(item)
                if item == .noise { break }
            }
        }
        return items
    }

    private static let stream =
        "INFO {\"a\":1}\r\nPING\r\nMSG s 1 2\r\nhi\r\nHMSG s 2 _I.r 38 40\r\nNATS/1.0\r\nNats-Msg-Id: b.1\r\nA: b c\r\n\r\nok\r\n"
        + "HMSG _I.r 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n-ERR 'Authorization Violation'\r\n"

    @Test("Lines, messages, headers and the server's own word are read, in any split")
    func read() {
        let whole = items(Self.stream)
        #expect(
            whole == [
                .info, .ping, .message(1, FleetMessage("s", payload: Array("hi".utf8))),
                .message(
                    2,
                    FleetMessage(
                        "s", reply: "_I.r",
                        headers: [FleetMessage.Header("Nats-Msg-Id", "b.1"), FleetMessage.Header("A", "b c")],
                        payload: Array("ok".utf8))),
                .message(1, FleetMessage("_I.r", status: 503)), .error("Authorization Violation"),
            ])
        for cut in 1..<Self.stream.utf8.count { #expect(items(Self.stream, cutAt: cut) == whole) }
    }

    @Test(
        "What is no NATS is noise", arguments: ["HTTP/1.1 400\r\n", "MSG s\r\n", "MSG s 1 -4\r\n", "HMSG s 1 9 3\r\n"])
    func noise(text: String) { #expect(items(text) == [.noise]) }

    @Test("What is published can be read back")
    func published() {
        let message = FleetMessage("s", reply: "r", headers: [FleetMessage.Header("A", "b")], payload: Array("x".utf8))
        let line = String(decoding: NATSWire.publish(message), as: UTF8.self)
        #expect(line == "HPUB s r 18 19\r\nNATS/1.0\r\nA: b\r\n\r\nx\r\n")
        let plain = String(decoding: NATSWire.publish(FleetMessage("s", payload: Array("x".utf8))), as: UTF8.self)
        #expect(plain == "PUB s 1\r\nx\r\n")
    }
}
