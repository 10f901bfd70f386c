// The configuration's layers become settings: the board's, the file's, and over it what `config set` wrote. A value that
// is wrong leaves the one below it standing, so that the box runs with what it has.

import BoxFoundation
import HardwareInterface

/// One text of the configuration, JSON5 in UTF-8.
package struct SettingsLayer: Equatable, Sendable {
    /// For messages, a file's name mostly.
    package var name: String
    /// JSON5 in UTF-8.
    package var bytes: [UInt8]

    package init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Reads the layers one over the other to ``Settings``, and notes what is wrong or unknown, by its line.
package struct SettingsReader {
    package private(set) var settings = Settings()
    package private(set) var notes: [SettingsNote] = []
    private var push = PushDraft()

    /// - Parameter layers: the lowest first.
    package static func read(_ layers: [SettingsLayer]) -> SettingsReader {
        var reader = SettingsReader()
        for layer in layers {
            if let object = reader.parse(layer) { reader.read(object, layer.name) }
        }
        reader.settings.push = reader.push.settings(&reader.notes)
        return reader
    }

    /// Settings that stand inside another file.
    static func read(_ object: JSONObject, within layer: String) -> SettingsReader {
        var reader = SettingsReader()
        reader.read(object, layer)
        reader.settings.push = reader.push.settings(&reader.notes)
        return reader
    }

    package var faults: [SettingsNote] { notes.filter { $0.level == .fault } }

    private mutating func parse(_ layer: SettingsLayer) -> JSONObject? {
        if layer.bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            notes.append(
                SettingsNote(.fault, layer: layer.name, line: 0, name: "", "the file is empty; write at least {}"))
            return nil
        }
        do throws(JSONFault) {
            if let object = try JSONReader.read(layer.bytes, as: .json5).object { return object }
            notes.append(SettingsNote(.fault, layer: layer.name, line: 1, name: "", "settings stand in braces: { … }"))
        } catch {
            notes.append(SettingsNote(.fault, layer: layer.name, line: error.line, name: "", error.message))
        }
        return nil
    }

    private mutating func read(_ object: JSONObject, _ layer: String) {
        var top = SettingsSection(object, layer: layer)
        if let box = top.read("box", Self.boxIDForm, Self.boxID) { settings.box = box }
        if let state = top.path("state") { settings.state = state }
        if let key = top.path("key") { settings.key = key }
        readSection("push", &top) { $0.push.read(&$1) }
        readSection("voice", &top) { $0.settings.voice.read(&$1) }
        readSection("speaker", &top) { $0.settings.speaker.read(&$1) }
        readSection("printer", &top) { $0.settings.printer.read(&$1) }
        readSection("light", &top) { $0.settings.light.read(&$1) }
        readSection("console", &top) { $0.settings.console.read(&$1) }
        // What was found while reading goes by its line.
        notes += (top.notes + top.unknown()).enumerated().sorted {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        }
        .map(\.element)
    }

    private mutating func readSection(
        _ name: String, _ top: inout SettingsSection, _ read: (inout SettingsReader, inout SettingsSection) -> Void
    ) {
        guard var section = top.section(name) else { return }
        read(&self, &section)
        top.finish(section)
    }

    private static let boxIDForm = "1 to 64 of A-Z a-z 0-9 - _"

    /// `docs/push-protocol.md`, Handshake.
    private static func boxID(_ value: JSON) -> String? {
        guard let id = value.string, (1...64).contains(id.utf8.count) else { return nil }
        let isPlain = id.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain ? id : nil
    }
}

// MARK: - Sections

extension VoiceSettings {
    mutating func read(_ section: inout SettingsSection) {
        if let language = section.read("language", "a language such as \"zh-CN\" or \"en\"", Self.language) {
            self.language = language
        }
        if let also = section.read("also", "a list of languages such as [\"en\"], 8 at most", Self.languages) {
            self.also = also
        }
        if let pack = section.path("pack") { self.pack = pack }
        if let two = section.choice("two", Two.self) { self.two = two }
        if let decimals = section.choice("decimals", Decimals.self) { self.decimals = decimals }
        if let rush = section.integer("rush", in: 1...100) { self.rush = rush }
        if let chime = section.text("chime", "a chime's name, or \"none\"") {
            self.chime = chime == "none" ? nil : chime
        }
        if section.value("quiet")?.string == "none" {
            quiet = nil
        } else if var hours = section.section("quiet") {
            let read = QuietHours(reading: &hours, over: quiet)
            if read == nil, hours.notes.isEmpty {
                section.fault("quiet", "quiet hours need from and to, and they differ")
            }
            quiet = read
            section.finish(hours)
        }
    }

    private static func languages(_ value: JSON) -> [String]? {
        guard let values = value.array, values.count <= 8 else { return nil }
        let languages = values.compactMap { language($0) }
        return languages.count == values.count ? languages : nil
    }

    private static func language(_ value: JSON) -> String? {
        guard let text = value.string else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let fits = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        }
        return fits && (2...3).contains(parts[0].utf8.count) && parts.count <= 3 ? text : nil
    }
}

extension QuietHours {
    /// - Parameter lower: the hours of the layer below, for what is not written.
    fileprivate init?(reading section: inout SettingsSection, over lower: QuietHours?) {
        let form = "a time of day such as \"22:00\""
        let from = section.read("from", form, Self.minutes) ?? lower?.from
        let to = section.read("to", form, Self.minutes) ?? lower?.to
        let volume = section.integer("volume", in: 0...100) ?? lower?.volume ?? 20
        guard let from, let to, from != to else { return nil }
        self.init(from: from, to: to, volume: volume)
    }

    private static func minutes(_ value: JSON) -> Int? {
        let digits = Array((value.string ?? "").utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { return nil }
        let numbers = [0, 1, 3, 4].map { Int(digits[$0]) - Int(UInt8(ascii: "0")) }
        guard numbers.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }
}

extension SpeakerSettings {
    mutating func read(_ section: inout SettingsSection) {
        if let alsa = section.text("alsa", "an ALSA device's name, or \"none\"") {
            self.alsa = alsa == "none" ? nil : alsa
        }
        if let leadIn = section.integer("leadIn", in: 0...5000, unit: "ms") { self.leadIn = .milliseconds(leadIn) }
        if let hold = section.integer("hold", in: 0...600_000, unit: "ms") { self.hold = .milliseconds(hold) }
    }
}

extension PrinterSettings {
    mutating func read(_ section: inout SettingsSection) {
        let forms = "bluetooth://ADDRESS, tcp://HOST:9100, file:/PATH, serial:/PATH?baud=9600, or none, in quotes"
        if let address = section.read("url", forms, { $0.string.flatMap { try? PrinterAddress(url: $0) } }) {
            self.address = address
        }
        if let profile = section.text("profile", "a profile's name, such as \"generic-58mm\"") {
            self.profile = profile
        }
        if let drawer = section.choice("drawer", Drawer.self) { self.drawer = drawer }
        if let buzzer = section.bool("buzzer") { self.buzzer = buzzer }
    }
}

extension LightSettings {
    mutating func read(_ section: inout SettingsSection) {
        if let brightness = section.integer("brightness", in: 0...100) { self.brightness = brightness }
    }
}

extension ConsoleSettings {
    mutating func read(_ section: inout SettingsSection) {
        let form = "a terminal's device such as \"/dev/ttyGS0\", or \"none\""
        let port = section.read("port", form) { value -> String? in
            guard let text = value.string, text == "none" || (text.hasPrefix("/") && text.utf8.count <= 1024) else {
                return nil
            }
            return text
        }
        if let port { self.port = port == "none" ? nil : port }
    }
}
