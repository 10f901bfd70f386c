import BoxFoundation
import BoxSettings
import HardwareInterface
import Testing

@Suite("What config set writes")
struct OverlayTests {
    static let file = SettingsLayer(
        "counterbox.json5", Array("{ voice: { rush: 3 }, push: { mode: \"listen\" } }".utf8))

    private func settings(_ overlay: SettingsOverlay) -> Settings {
        SettingsReader.read([Self.file, SettingsLayer("overlay", overlay.bytes)]).settings
    }

    @Test("A value lies over the file's, null gives the file's back")
    func set() throws {
        var overlay = try SettingsOverlay(nil)
        #expect(overlay.set("voice.rush", to: "8", over: [Self.file]) == nil)
        #expect(overlay.set("speaker.alsa", to: "plughw:0,0", over: [Self.file]) == nil)
        #expect(overlay.set("voice.quiet", to: #"{ from: "22:00", to: "06:00" }"#, over: [Self.file]) == nil)
        #expect(overlay.set("voice.quiet.volume", to: "9", over: [Self.file]) == nil)
        #expect(settings(overlay).voice.rush == 8)
        #expect(settings(overlay).speaker.alsa == "plughw:0,0")
        #expect(settings(overlay).voice.quiet == QuietHours(from: 1320, to: 360, volume: 9))
        #expect(try SettingsOverlay(overlay.bytes) == overlay)
        #expect(overlay.set("voice.rush", to: "null", over: [Self.file]) == nil)
        #expect(settings(overlay).voice.rush == 3)
        #expect(overlay.set("voice.quiet", to: "null", over: [Self.file]) == nil)
        #expect(overlay.set("speaker.alsa", to: "null", over: [Self.file]) == nil)
        #expect(String(decoding: overlay.bytes, as: UTF8.self) == "{}\n")
    }

    @Test(
        "What would be wrong is refused and changes nothing",
        arguments: [
            ("voice.rush", "0", "a whole number from 1 to 100"), ("voice.rush", "many", "a whole number from 1 to 100"),
            ("voice.rusch", "4", "did you mean rush?"), ("voice", "4", "an object in braces"),
            ("wifi.name", "x", "there is no such setting"),
            ("push.mode", "dial", "dialling needs a url"), ("push.address", "0.0.0.0:7788", "allowPlaintext"),
            ("voice.quiet.from", "22:00", "quiet hours need from and to"), ("", "x", "a name looks like"),
            ("voice..rush", "4", "a name looks like"),
            ("a.b.c.d", "4", "a name looks like"),
        ])
    func refused(name: String, value: String, part: String) throws {
        var overlay = try SettingsOverlay(Array(#"{"light":{"brightness":5}}"#.utf8))
        let before = overlay
        let note = overlay.set(name, to: value, over: [Self.file])
        #expect(note?.message.contains(part) == true, "\(String(describing: note?.message))")
        #expect(overlay == before)
    }

    @Test("A fault that was there before does not stand in the way of another setting")
    func otherFault() throws {
        var overlay = try SettingsOverlay(nil)
        let broken = SettingsLayer("counterbox.json5", Array("{ voice: { rush: 0 } }".utf8))
        #expect(overlay.set("light.brightness", to: "7", over: [broken]) == nil)
    }

    @Test("An overlay that cannot be read is not written over")
    func unreadable() {
        #expect(throws: JSONFault.self) { try SettingsOverlay(Array("{ half".utf8)) }
    }
}

@Suite("Boards")
struct BoardTests {
    static let text = """
        {
          "name": "rpi-4", "title": "Raspberry Pi 4", "models": ["Raspberry Pi 4"],
          "button": { "chip": ["pinctrl-bcm2711", "pinctrl-rp1"], "line": "GPIO17", "offset": 17, "activeLow": true, "pull": "up" },
          "light": { "chip": "pinctrl-bcm2711", "line": "GPIO27" },
          "soc": "BCM2711", "gadget": { "udc": "fe980000.usb" }, "sound": { "card": "Headphones", "mixer": "PCM" },
          "features": { "sound": "board", "light": "none" },
          "settings": { "speaker": { "alsa": "plughw:CARD=Headphones" }, "console": { "port": "/dev/ttyGS0" } }
        }
        """

    @Test("A board is read from its file")
    func board() {
        let (board, notes) = Board.read(Array(Self.text.utf8), name: "folder", file: "board.json")
        #expect(notes == [])
        #expect(board.name == "rpi-4" && board.title == "Raspberry Pi 4")
        #expect(
            board.button
                == BoardLine(
                    chips: ["pinctrl-bcm2711", "pinctrl-rp1"], line: "GPIO17", offset: 17, isActiveLow: true, pull: .up)
        )
        #expect(board.light == .line(BoardLine(chips: ["pinctrl-bcm2711"], line: "GPIO27")))
        #expect(board.soc == "BCM2711" && board.gadget == "fe980000.usb")
        #expect(board.sound == BoardSound(card: "Headphones", mixer: "PCM"))
        #expect(board.features == [.sound: .board, .light: .none])
        #expect(board.isModel("Raspberry Pi 4 Model B Rev 1.4\0"))
        #expect(!board.isModel("Raspberry Pi 3 Model B"))
        let settings = SettingsReader.read([
            board.layer, SettingsLayer("file", Array(#"{ console: { port: "none" } }"#.utf8)),
        ]).settings
        #expect(settings.speaker.alsa == "plughw:CARD=Headphones")
        #expect(settings.console.port == nil)
    }

    @Test(
        "A light may be an LED of the kernel or a PWM channel",
        arguments: [
            (#"{ led: "counterbox" }"#, BoardLight.led("counterbox")),
            (#"{ pwm: "3f20c000.pwm", channel: 1 }"#, .pwm(chip: "3f20c000.pwm", channel: 1)),
            (#"{ line: "GPIO5", activeLow: true }"#, .line(BoardLine(line: "GPIO5", isActiveLow: true))),
        ])
    func lights(text: String, light: BoardLight) {
        let (board, notes) = Board.read(Array("{ light: \(text) }".utf8), name: "x", file: "board.json")
        #expect(notes == [])
        #expect(board.light == light)
    }

    @Test("A light of three colours is a board's choice, and so are its colours")
    func colours() {
        let text =
            #"{ light: { red: { line: "GPIO1" }, green: { led: "g" }, blue: { pwm: "p", channel: 2 },"#
            + #" colours: { ready: [1, 2, 3] } } }"#
        let (board, notes) = Board.read(Array(text.utf8), name: "x", file: "board.json")
        #expect(notes == [])
        guard case .colours(let light)? = board.light else {
            Issue.record("no light of colours")
            return
        }
        #expect(light.red == .line(BoardLine(line: "GPIO1")) && light.green == .led("g"))
        #expect(light.blue == .pwm(chip: "p", channel: 2))
        #expect(light.colours[.ready] == LightColour(red: 1, green: 2, blue: 3))
        #expect(light.colours[.fault] == BoardColourLight.usualColours[.fault])
    }

    @Test(
        "A light of colours that lacks one, or has a wrong colour, is named",
        arguments: [
            (#"{ light: { red: { led: "r" }, green: { led: "g" } } }"#, "light.blue"),
            (
                #"{ light: { red: { led: "r" }, green: { led: "g" }, blue: { led: "b" }, colours: { busy: [1, 200, 3] } } }"#,
                "light.colours.busy"
            ),
        ])
    func wrongColours(text: String, name: String) {
        let (_, notes) = Board.read(Array(text.utf8), name: "x", file: "board.json")
        #expect(notes.first?.name == name)
    }

    @Test(
        "What is wrong is named, and that part is absent",
        arguments: [
            ("{ button: { chip: \"c\" } }", "board.json: button.line: it needs a line's name such as \"GPIO17\""),
            (
                "{ button: { line: 17 } }",
                "board.json:1: button.line: 17 is not allowed; a line's name such as \"GPIO17\""
            ),
            ("{\n buton: {} }", "board.json:2: buton: there is no such setting; did you mean button?"),
            ("{ sound: { mixer: \"none\" } }", "board.json: sound.card: it needs ALSA's id of a card"),
            (
                "{ features: { sound: \"yes\" } }",
                "board.json:1: features.sound: \"yes\" is not allowed; \"board\" or \"lab\" or \"paper\" or \"none\""
            ),
            ("{", "board.json:1: the text ends too early"),
            ("7", "board.json:1: a board stands in braces: { … }"),
        ])
    func faults(text: String, message: String) {
        let (board, notes) = Board.read(Array(text.utf8), name: "x", file: "board.json")
        #expect(notes.map(\.message) == [message])
        #expect(board == Board(name: "x"))
    }
}
