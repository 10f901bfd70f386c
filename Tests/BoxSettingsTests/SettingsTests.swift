import BoxFoundation
import BoxSettings
import HardwareInterface
import Testing

func read(_ texts: String...) -> SettingsReader {
    SettingsReader.read(texts.enumerated().map { SettingsLayer("layer\($0 + 1)", Array($1.utf8)) })
}

@Suite("Settings")
struct SettingsTests {
    @Test(
        "Nothing written is all defaults, as the page has them",
        arguments: ["{}", "{ /* nothing */ }", "{ voice: {}, push: {} }"])
    func defaults(text: String) {
        let reader = read(text)
        #expect(reader.notes == [])
        #expect(reader.settings == Settings())
        #expect(reader.settings.keyPath == "/var/lib/counterbox/box.key")
        #expect(reader.settings.push == .listen(ListenSettings()))
        #expect(ListenSettings().address == HostAddress(host: "127.0.0.1", port: 7788))
    }

    static let whole = """
        {
          box: "counter-1", // a comment
          state: "/srv/box",
          key: "/etc/counterbox/box.key",
          push: { mode: "dial", url: "tls://hub.example:7789", ca: "/etc/counterbox/ca.pem", heartbeat: 30, allowPlaintext: false },
          voice: { language: "en", also: ["zh-CN"], pack: "/opt/voice", two: "er", decimals: "jiaofen", rush: 4, chime: "bell",
                   quiet: { from: "22:00", to: "07:30", volume: 15 } },
          speaker: { alsa: "plughw:CARD=Box", leadIn: 300 /* ms */, hold: 5000 },
          printer: { url: "bluetooth://dc:0d:30:00:00:01", profile: "generic-80mm", drawer: "cash", buzzer: true },
          light: { brightness: 40 },
          console: { port: "/dev/ttyUSB0" },
        }
        """

    @Test("Everything written is read")
    func everything() {
        let reader = read(Self.whole)
        #expect(reader.notes == [])
        let settings = reader.settings
        #expect(settings.box == "counter-1")
        #expect(settings.state == "/srv/box")
        #expect(settings.keyPath == "/etc/counterbox/box.key")
        let hub = HostAddress(host: "hub.example", port: 7789)
        #expect(
            settings.push
                == .dial(DialSettings(hub: hub, usesTLS: true, ca: "/etc/counterbox/ca.pem", heartbeat: .seconds(30))))
        #expect(settings.voice.language == "en")
        #expect(settings.voice.also == ["zh-CN"])
        #expect(settings.voice.pack == "/opt/voice")
        #expect(settings.voice.two == .er && settings.voice.decimals == .jiaofen)
        #expect(settings.voice.rush == 4 && settings.voice.chime == "bell")
        #expect(settings.voice.quiet == QuietHours(from: 1320, to: 450, volume: 15))
        #expect(settings.speaker.alsa == "plughw:CARD=Box")
        #expect(settings.speaker.leadIn == .milliseconds(300) && settings.speaker.hold == .seconds(5))
        #expect(settings.printer.address == .bluetooth(address: "DC:0D:30:00:00:01", channel: nil))
        #expect(settings.printer.profile == "generic-80mm")
        #expect(settings.printer.drawer == .cash && settings.printer.buzzer)
        #expect(settings.light.brightness == 40)
        #expect(settings.console.port == "/dev/ttyUSB0")
    }

    @Test("\"none\" is an absent device")
    func none() {
        let settings = read(
            #"{ speaker: { alsa: "none" }, printer: { url: "none" }, console: { port: "none" }, voice: { quiet: "none" } }"#
        ).settings
        #expect(settings.speaker.alsa == nil)
        #expect(settings.printer.address == .none)
        #expect(settings.console.port == nil)
        #expect(settings.voice.quiet == nil)
    }

    @Test("A higher layer lies over a lower one, name by name")
    func layers() {
        let reader = read(
            #"{ speaker: { alsa: "board" }, console: { port: "none" } }"#,
            #"{ speaker: { leadIn: 100, hold: 100 }, voice: { rush: 3, quiet: { from: "21:00", to: "06:00" } } }"#,
            #"{ speaker: { hold: 200 }, voice: { quiet: { volume: 5 } } }"#)
        #expect(reader.notes == [])
        #expect(reader.settings.speaker.alsa == "board")
        #expect(reader.settings.speaker.leadIn == .milliseconds(100))
        #expect(reader.settings.speaker.hold == .milliseconds(200))
        #expect(reader.settings.console.port == nil)
        #expect(reader.settings.voice.rush == 3)
        #expect(reader.settings.voice.quiet == QuietHours(from: 1260, to: 360, volume: 5))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var text: String
        var message: String
        var testDescription: String { message }
    }

    @Test(
        "A fault names file, line, name and what is allowed; the default stands",
        arguments: [
            Fault(
                text: "{\n voice: { rush: 0 } }",
                message: "layer1:2: voice.rush: 0 is not allowed; a whole number from 1 to 100"),
            Fault(
                text: "{ voice: { rush: 101 } }",
                message: "layer1:1: voice.rush: 101 is not allowed; a whole number from 1 to 100"),
            Fault(
                text: "{ voice: { rush: 6.0 } }",
                message: "layer1:1: voice.rush: 6.0 is not allowed; a whole number from 1 to 100"),
            Fault(
                text: "{ voice: { rush: \"6\" } }",
                message: "layer1:1: voice.rush: \"6\" is not allowed; a whole number from 1 to 100"),
            Fault(
                text: "{ voice: { rush: 99999999999999999999 } }",
                message: "layer1:1: voice.rush: 99999999999999999999 is not allowed; a whole number from 1 to 100"),
            Fault(
                text: "{ voice: { two: \"zwei\" } }",
                message: "layer1:1: voice.two: \"zwei\" is not allowed; \"liang\" or \"er\""),
            Fault(
                text: "{ voice: { language: \"Chinese!\" } }",
                message: "layer1:1: voice.language: \"Chinese!\" is not allowed; a language such as \"zh-CN\" or \"en\""
            ),
            Fault(
                text: "{ voice: { also: [\"en\", 7] } }",
                message: "layer1:1: voice.also: a list is not allowed; a list of languages such as [\"en\"], 8 at most"),
            Fault(text: "{ voice: 7 }", message: "layer1:1: voice: 7 is not allowed; an object in braces"),
            Fault(text: "{ voice: [] }", message: "layer1:1: voice: a list is not allowed; an object in braces"),
            Fault(
                text: "{ voice: {\n\n quiet: { from: \"25:00\", to: \"07:00\" } } }",
                message: "layer1:3: voice.quiet.from: \"25:00\" is not allowed; a time of day such as \"22:00\""),
            Fault(
                text: "{ voice: { quiet: { from: \"22:00\" } } }",
                message: "layer1:1: voice.quiet: quiet hours need from and to, and they differ"),
            Fault(
                text: "{ voice: { quiet: { from: \"22:00\", to: \"22:00\" } } }",
                message: "layer1:1: voice.quiet: quiet hours need from and to, and they differ"),
            Fault(
                text: "{ light: { brightness: -1 } }",
                message: "layer1:1: light.brightness: -1 is not allowed; a whole number from 0 to 100"),
            Fault(
                text: "{ speaker: { leadIn: 5001 } }",
                message: "layer1:1: speaker.leadIn: 5001 is not allowed; a whole number from 0 to 5000 ms"),
            Fault(
                text: "{ speaker: { alsa: \"\" } }",
                message: "layer1:1: speaker.alsa: \"\" is not allowed; an ALSA device's name, or \"none\""),
            Fault(
                text: "{ box: \"counter 1\" }",
                message: "layer1:1: box: \"counter 1\" is not allowed; 1 to 64 of A-Z a-z 0-9 - _"),
            Fault(
                text: "{ state: \"here\" }",
                message: "layer1:1: state: \"here\" is not allowed; an absolute path in quotes, beginning with /"),
            Fault(
                text: "{ console: { port: \"COM1\" } }",
                message:
                    "layer1:1: console.port: \"COM1\" is not allowed; a terminal's device such as \"/dev/ttyGS0\", or \"none\""
            ),
            Fault(
                text: "{ printer: { url: \"usb\" } }",
                message:
                    "layer1:1: printer.url: \"usb\" is not allowed; bluetooth://ADDRESS, tcp://HOST:9100, file:/PATH, serial:/PATH?baud=9600, or none, in quotes"
            ),
            Fault(text: "{\n\n voice: { rush: 6 }\n voice: {} }", message: "layer1:4: unexpected v"),
            Fault(
                text: "{ voice: {},\n voice: {} }", message: "layer1:2: the name \"voice\" stands twice in one object"),
            Fault(text: "", message: "layer1: the file is empty; write at least {}"),
            Fault(text: " \n", message: "layer1: the file is empty; write at least {}"),
            Fault(text: "[]", message: "layer1:1: settings stand in braces: { … }"),
            Fault(text: "{ voice:", message: "layer1:1: the text ends too early"),
        ])
    func faults(_ fault: Fault) {
        let reader = read(fault.text)
        #expect(reader.notes.map(\.message) == [fault.message])
        #expect(reader.faults.count == 1)
        #expect(reader.settings == Settings())
    }

    @Test("A wrong value leaves the layer below standing")
    func fallsBack() {
        let reader = read(
            #"{ voice: { rush: 3 }, light: { brightness: 10 } }"#,
            #"{ voice: { rush: "many" }, light: { brightness: 20 } }"#, "{ oops")
        #expect(reader.settings.voice.rush == 3)
        #expect(reader.settings.light.brightness == 20)
        #expect(reader.faults.map(\.layer) == ["layer2", "layer3"])
    }

    @Test("null is as if it were not written")
    func null() {
        let reader = read(#"{ voice: { rush: 3 } }"#, #"{ voice: { rush: null, quiet: null }, push: null }"#)
        #expect(reader.notes == [])
        #expect(reader.settings.voice.rush == 3)
    }

    @Test(
        "An unknown name is a warning with the nearest known one",
        arguments: [
            ("{\n vioce: {} }", "layer1:2: vioce: there is no such setting; did you mean voice?"),
            ("{ voice: { rsuh: 4 } }", "layer1:1: voice.rsuh: there is no such setting; did you mean rush?"),
            ("{ speaker: { leadin: 4 } }", "layer1:1: speaker.leadin: there is no such setting; did you mean leadIn?"),
            (
                "{ push: { adress: \"127.0.0.1:1\" } }",
                "layer1:1: push.adress: there is no such setting; did you mean address?"
            ),
            ("{ wifi: {} }", "layer1:1: wifi: there is no such setting"),
        ])
    func unknown(text: String, message: String) {
        let reader = read(text)
        #expect(reader.notes.map(\.message) == [message])
        #expect(reader.faults == [])
    }

    @Test("Notes come in the order of the lines")
    func order() {
        let reader = read(
            "{ light: { brightness: 300 },\n nothing: 1,\n console: { port: 1 },\n voice: { rush: 0 },\n box: 7 }")
        #expect(reader.notes.map(\.line) == [1, 2, 3, 4, 5])
    }

    @Test(
        "Quiet hours may go over midnight",
        arguments: [
            (
                22 * 60, 7 * 60,
                [(21, 59, false), (22, 0, true), (23, 59, true), (0, 0, true), (6, 59, true), (7, 0, false)]
            ),
            (13 * 60, 14 * 60 + 30, [(12, 59, false), (13, 0, true), (14, 29, true), (14, 30, false), (0, 0, false)]),
        ])
    func quiet(from: Int, to: Int, times: [(Int, Int, Bool)]) {
        let hours = QuietHours(from: from, to: to, volume: 20)
        for (hour, minute, isQuiet) in times { #expect(hours.contains(hour: hour, minute: minute) == isQuiet) }
    }

    @Test("config show names every setting and no secret")
    func describe() {
        let lines = read(Self.whole).settings.describe().map { "\($0.name)=\($0.value)" }
        #expect(lines.contains("push.url=tls://hub.example:7789"))
        #expect(lines.contains("voice.also=zh-CN"))
        #expect(lines.contains("voice.quiet.to=07:30"))
        #expect(lines.contains("printer.url=bluetooth://DC:0D:30:00:00:01"))
        let nats = read(
            #"{ push: { url: "nats://user:secret@nats.example:4222", ca: "/etc/ca", credentials: "/etc/c" } }"#
        )
        .settings
        let shown = nats.describe().map { "\($0.name)=\($0.value)" }
        #expect(shown.contains("push.url=nats://nats.example:4222"))
        #expect(!shown.joined().contains("secret"))
        #expect(Settings().describe().map(\.name).count == Set(Settings().describe().map(\.name)).count)
    }

    @Test("Mutated configurations never stop the reader", arguments: 0..<20)
    func mutations(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let whole = Array(Self.whole.utf8)
        for _ in 0..<100 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            let reader = SettingsReader.read([SettingsLayer("x", bytes)])
            #expect((1...100).contains(reader.settings.voice.rush))
            #expect(reader.notes.allSatisfy { $0.line >= 0 && !$0.message.isEmpty })
        }
    }
}
