import BoxFoundation
import BoxSettings
import HardwareInterface
import Testing

@Suite("Push settings")
struct PushSettingsTests {
    @Test(
        "A mode that is not written follows from the url",
        arguments: [
            (#"{}"#, "listen"), (#"{ url: "tls://hub:1" }"#, "dial"), (#"{ url: "nats://localhost:1" }"#, "nats"),
            (#"{ mode: "nats", url: "tls://n:1" }"#, "nats"), (#"{ mode: "listen", address: "[::1]:9" }"#, "listen"),
        ])
    func modes(push: String, mode: String) {
        let reader = read("{ push: \(push) }")
        #expect(reader.notes == [])
        #expect(reader.settings.describe().first { $0.name == "push.mode" }?.value == mode)
    }

    @Test(
        "Plain TCP beyond this machine is refused unless it is allowed",
        arguments: [
            (#"{ address: "127.0.0.1:7788" }"#, true), (#"{ address: "127.8.9.1:7788" }"#, true),
            (#"{ address: "localhost:7788" }"#, true),
            (#"{ address: "[::1]:7788" }"#, true), (#"{ address: "0.0.0.0:7788" }"#, false),
            (#"{ address: "192.168.1.5:7788" }"#, false),
            (#"{ address: "127.evil.example.org:7788" }"#, false),
            (#"{ address: "0.0.0.0:7788", allowPlaintext: true }"#, true),
            (#"{ address: "0.0.0.0:7788", certificate: "/c", certificateKey: "/k" }"#, true),
            (#"{ url: "tcp://127.0.0.1:7789" }"#, true), (#"{ url: "tcp://hub.example" }"#, false),
            (#"{ url: "tls://hub.example" }"#, true),
            (#"{ url: "tcp://hub.example", allowPlaintext: true }"#, true),
            (#"{ url: "tcp://hub.example", allowPlaintext: "yes" }"#, false),
            (#"{ url: "nats://127.0.0.1:4222" }"#, true), (#"{ url: "nats://user:word@n.example" }"#, false),
            (#"{ url: "nats://127.0.0.1,nats://n.example" }"#, false),
            (#"{ url: "nats://n.example", ca: "/ca.pem" }"#, true),
            (#"{ url: "nats://n.example", allowPlaintext: true }"#, true),
            (#"{ url: "tls://a,tls://b", mode: "nats" }"#, true),
        ])
    func plaintext(push: String, isUsable: Bool) {
        let reader = read("{ push: \(push) }")
        #expect((reader.settings.push != nil) == isUsable)
        #expect(reader.faults.isEmpty == isUsable)
    }

    @Test(
        "What cannot be used is nothing, with a fault that says what to do",
        arguments: [
            (#"{ mode: "dial" }"#, "dialling needs a url"), (#"{ url: "hub.example" }"#, "a hub is tls://HOST:PORT"),
            (#"{ url: "tls://" }"#, "a hub is tls://HOST:PORT"),
            (#"{ url: "tls://hub:0" }"#, "a hub is tls://HOST:PORT"),
            (#"{ mode: "nats" }"#, "NATS needs a url"),
            (#"{ url: "nats://a:4222,b:4222" }"#, "NATS needs a url"), (#"{ certificate: "/c" }"#, "go together"),
            (#"{ certificateKey: "/c" }"#, "go together"),
            (#"{ mode: "dail" }"#, "\"listen\" or \"dial\" or \"nats\""),
            (#"{ address: "nowhere:port" }"#, "HOST:PORT"),
            (#"{ address: "a b:1" }"#, "HOST:PORT"), (#"{ address: 7788 }"#, "HOST:PORT"),
            (#"{ ca: "ca.pem", url: "tls://hub" }"#, "absolute path"),
        ])
    func unusable(push: String, part: String) {
        let reader = read("{ push: \(push) }")
        #expect(reader.settings.push == nil)
        #expect(reader.faults.first?.message.contains(part) == true, "\(reader.notes.map(\.message))")
    }

    @Test("All servers of a cluster, the credentials and the shard come through")
    func fleet() {
        let url = "nats://a:4222, nats://u:w@b"
        let reader = read("{ push: { url: \"\(url)\", ca: \"/ca\", credentials: \"/c\", shard: 3 } }")
        #expect(
            reader.settings.push
                == .nats(
                    NATSSettings(
                        url: url, servers: ["nats://a:4222", "nats://u:w@b"], usesTLS: true, ca: "/ca",
                        credentials: "/c", shard: 3)))
        #expect(reader.notes == [])
        #expect(reader.settings.describe().first { $0.name == "push.url" }?.value == "nats://a:4222, nats://b")
    }

    @Test("A wrong heartbeat costs the heartbeat alone")
    func heartbeat() {
        let reader = read(#"{ push: { url: "tls://hub", heartbeat: 5 } }"#)
        #expect(reader.settings.push == .dial(DialSettings(hub: HostAddress(host: "hub", port: 7789), usesTLS: true)))
        #expect(reader.faults.map(\.name) == ["push.heartbeat"])
    }

    @Test("What is wrong in one layer is put right by the next")
    func repaired() {
        let reader = read("{ push: { address: 1 } }", #"{ push: { address: "127.0.0.1:9" } }"#)
        #expect(reader.settings.push != nil)
        #expect(reader.faults.count == 1)
    }

    @Test("A name that means nothing in the mode is a warning")
    func others() {
        let reader = read("{ push: { mode: \"listen\",\n url: \"tls://hub\", heartbeat: 20 } }")
        #expect(
            reader.notes.map(\.message) == [
                "layer1:2: push.url: means nothing where mode is \"listen\"",
                "layer1:2: push.heartbeat: means nothing where mode is \"listen\"",
            ])
        #expect(reader.settings.push == .listen(ListenSettings()))
    }
}

@Suite("Addresses")
struct AddressTests {
    @Test(
        "A host and a port",
        arguments: [
            ("127.0.0.1:7788", "127.0.0.1:7788"), ("hub.example:1", "hub.example:1"), ("[::1]:65535", "[::1]:65535"),
            ("hub", "hub:99"),
            ("[fe80::1%eth0]", "[fe80::1%eth0]:99"), ("::1", "[::1]:99"), ("", nil), (":80", nil), ("hub:", nil),
            ("hub:0", nil),
            ("hub:65536", nil), ("hub:+80", nil), ("hub:８０", nil), ("[hub]:80", nil), ("a/b:80", nil),
            ("user@hub:80", nil),
        ] as [(String, String?)])
    func hosts(text: String, read: String?) {
        #expect(HostAddress(text, usualPort: 99)?.description == read)
    }

    @Test(
        "Where a printer can be",
        arguments: [
            ("none", PrinterAddress.none),
            ("bluetooth://dc:0d:30:00:00:01", .bluetooth(address: "DC:0D:30:00:00:01", channel: nil)),
            ("bluetooth://DC:0D:30:00:00:01?channel=2", .bluetooth(address: "DC:0D:30:00:00:01", channel: 2)),
            ("tcp://10.0.0.9:9101", .tcp(host: "10.0.0.9", port: 9101)),
            ("tcp://printer", .tcp(host: "printer", port: 9100)),
            ("tcp://printer/", .tcp(host: "printer", port: 9100)),
            ("file:/dev/usb/lp0", .file(path: "/dev/usb/lp0")),
            ("file:///tmp/out", .file(path: "/tmp/out")),
            ("serial:/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: 9600)),
            ("serial:/dev/ttyUSB0?baud=115200", .serial(path: "/dev/ttyUSB0", baud: 115_200)),
        ])
    func addresses(text: String, address: PrinterAddress) throws {
        #expect(try PrinterAddress(url: text) == address)
        #expect(try PrinterAddress(url: address.description) == address)
    }

    @Test(
        "What is no printer's address",
        arguments: [
            "", "usb", "bluetooth://", "bluetooth://DC:0D:30:00:00", "bluetooth://DC:0D:30:00:00:0G",
            "bluetooth://DC:0D:30:00:00:01?channel=0",
            "bluetooth://DC:0D:30:00:00:01?channel=31", "tcp://", "tcp://host:99999", "file:", "file:relative",
            "file:/",
            "serial:ttyUSB0",
            "serial:/dev/ttyUSB0?baud=9601", "serial:/dev/ttyUSB0?speed=9600", "http://host",
        ])
    func noAddresses(text: String) {
        #expect(throws: PrinterAddressError.self) { try PrinterAddress(url: text) }
    }
}
