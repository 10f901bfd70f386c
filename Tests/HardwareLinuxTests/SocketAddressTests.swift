import HardwareLinux
import Testing

@Suite("A socket address")
struct SocketAddressTests {
    @Test(
        "Numbers with a port are read and shown as they are written",
        arguments: [
            "127.0.0.1:7788", "0.0.0.0:0", "[::1]:7788", "[::]:65535", "[2001:db8::7]:9100", "[fe80::1%lo]:7788",
        ])
    func round(text: String) { #expect(SocketAddress(text)?.description == text) }

    @Test(
        "Anything else is no address",
        arguments: [
            "", ":", "7788", "127.0.0.1", "127.0.0.1:", ":7788", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
            "127.0.0.1: 1", "127.0.0.1:7 ", "127.0.0:1", "::1:7788", "[::1]", "[::1:7788", "localhost:7788",
            "[fe80::1%nosuchdevice]:1", "[127.0.0.1%lo]:1", "[]:1", "1.2.3.4.5:6",
        ])
    func refused(text: String) { #expect(SocketAddress(text) == nil) }

    @Test(
        "Only this machine's own addresses are loopback",
        arguments: [
            ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("[::ffff:127.0.0.1]:1", true),
            ("0.0.0.0:1", false), ("10.0.0.1:1", false), ("[::]:1", false), ("[::ffff:10.0.0.1]:1", false),
        ])
    func loopback(text: String, isLoopback: Bool) { #expect(SocketAddress(text)?.isLoopback == isLoopback) }

    @Test("A v4 peer of a v6 socket is shown as v4")
    func mapped() { #expect(SocketAddress("[::ffff:10.1.2.3]:80")?.description == "10.1.2.3:80") }

    @Test(
        "A place is a host, number or name, and a port",
        arguments: [
            ("hub.example:7789", "hub.example", 7789), ("[::1]:1", "::1", 1), ("10.0.0.1:9100", "10.0.0.1", 9100),
        ] as [(String, String, UInt16)])
    func place(text: String, host: String, port: UInt16) {
        let place = HostAndPort(text)
        #expect(place?.host == host)
        #expect(place?.port == port)
    }
}
