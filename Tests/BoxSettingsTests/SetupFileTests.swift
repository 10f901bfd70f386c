import BoxFoundation
import BoxSettings
import Testing

@Suite("The setup file of a new box")
struct SetupFileTests {
    static let whole = """
        {
          // from the back office
          key: "00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff",
          timeZone: "Asia/Shanghai",
          files: ["hub-ca.pem", "box_7.creds"],
          wifi: { country: "CN", network: "小店 7", password: 'a "quoted" word', hidden: true },
          settings: { box: "counter-1", push: { mode: "dial", url: "tls://hub.example:7789" } },
        }
        """

    private static func read(_ text: String) -> (setup: SetupFile, notes: [SettingsNote]) {
        SetupFile.read(Array(text.utf8), file: "setup")
    }

    @Test("Everything written is read")
    func everything() throws {
        let (setup, notes) = Self.read(Self.whole)
        #expect(notes == [])
        #expect(setup.key == "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
        #expect(setup.timeZone == "Asia/Shanghai")
        #expect(setup.wifi?.network == "小店 7")
        #expect(setup.files == ["hub-ca.pem", "box_7.creds"])
        #expect(setup.settings["box"] == .string("counter-1"))
    }

    @Test("Nothing written changes nothing")
    func nothing() {
        let (setup, notes) = Self.read("{}")
        #expect(notes == [])
        #expect(setup == SetupFile())
    }

    @Test(
        "The Wi-Fi becomes wpa_supplicant's file, and no name or password breaks out of it",
        arguments: [
            (
                SetupFile.WiFi(country: "CN", network: "Shop\"\n}", password: "a \"b\" c d"),
                """
                country=CN
                network={
                    ssid=53686f70220a7d
                    psk="a "b" c d"
                    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE
                    ieee80211w=1
                }

                """
            ),
            (
                SetupFile.WiFi(country: "DE", network: "offen", isHidden: true),
                "country=DE\nnetwork={\n    ssid=6f6666656e\n    scan_ssid=1\n    key_mgmt=NONE\n}\n"
            ),
        ])
    func supplicant(wifi: SetupFile.WiFi, text: String) {
        #expect(wifi.configuration == text)
    }

    @Test(
        "A fault is named with its line",
        arguments: [
            ("{ key: \"12\" }", "setup:1: key: it has to be 64 hex digits in quotes"),
            (
                "{\n timeZone: \"../../etc/passwd\" }",
                "setup:2: timeZone: \"../../etc/passwd\" is not allowed; a time zone such as \"Asia/Shanghai\""
            ),
            ("{ wifi: { network: \"Shop\" } }", "setup:1: wifi.network: Wi-Fi needs country and network"),
            (
                "{ wifi: { country: \"CN\", network: \"Shop\", password: \"short\" } }",
                "setup:1: wifi.password: it has to be 8 to 63 characters of ASCII"
            ),
            (
                "{ wifi: { country: \"cn\", network: \"S\" } }",
                "setup:1: wifi.country: \"cn\" is not allowed; two letters such as \"CN\""
            ),
            (
                "{\n settings: {\n voice: {\n rush: 0 } } }",
                "setup:4: settings.voice.rush: 0 is not allowed; a whole number from 1 to 100"
            ),
            (
                "{\n settings: {\n push: { mode: \"dial\" } } }",
                "setup:3: settings.push.mode: dialling needs a url such as \"tls://hub.example:7789\""
            ),
            (
                "{ settings: {\n state: \"/data\" } }",
                "setup:2: settings.state: a box that is set up by this file keeps its state in /var/lib/counterbox, "
                    + "with its key: leave it out"
            ),
            (
                "{ files: [\"a/b\"] }",
                "setup:1: files: a list is not allowed; a list of up to 8 names such as [\"hub-ca.pem\"], of files beside "
                    + "this one"
            ),
            (
                "{\n settings: { push: { mode: \"dial\", url: \"tls://hub.example:7789\", ca: \"/etc/counterbox/ca.pem\" } } }",
                "setup:2: settings.push.ca: /etc/counterbox/ca.pem is not among files: it has to be on the box already"
            ),
            ("{ box: \"a\" }", "setup:1: box: there is no such setting"),
            ("[]", "setup:1: a setup stands in braces: { … }"),
            ("{", "setup:1: the text ends too early"),
        ])
    func faults(text: String, message: String) {
        #expect(Self.read(text).notes.map(\.message) == [message])
    }

    @Test(
        "Names that reach out of their folder, hide, or are the box's own are not taken",
        arguments: ["../a", "/etc/a", ".a", "-a", "", "counterbox.json5", "Counterbox.json5", "a b", "a\", \"a"])
    func fileNames(name: String) {
        let (setup, notes) = Self.read("{ files: [\"\(name)\"] }")
        #expect(notes.count == 1)
        #expect(setup.files.isEmpty)
    }

    @Test("A password is never part of a message")
    func secret() {
        let notes = Self.read(#"{ wifi: { country: "CN", network: "Shop", password: "geheim€geheim" } }"#).notes
        #expect(notes.count == 1)
        #expect(!notes.contains { $0.message.contains("geheim") })
    }
}
