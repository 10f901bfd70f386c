import BoxFoundation
import Testing

@Suite("Addresses without their users")
struct AddressTextTests {
    @Test(
        "Each server of several keeps its place and loses its user",
        arguments: [
            ("nats://a:1", "nats://a:1"), ("nats://u:w@a:1", "nats://a:1"),
            ("nats://u:w@a,nats://b,tls://x:y@c:2", "nats://a,nats://b,tls://c:2"),
            ("nats://a, nats://u:w@b", "nats://a, nats://b"), ("nats://u:w,w@a,nats://b", "nats://a,nats://b"),
            ("tls://u:w@w@a", "tls://a"), ("u@a", "u@a"), ("", ""), (",", ","),
        ])
    func servers(written: String, shown: String) {
        #expect(AddressText.withoutUser(written) == shown)
    }
}
