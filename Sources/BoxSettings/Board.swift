// A board is data: `board/<name>/board.json` says which lines its button and light are on and what its devices are called.
// board/README.md describes the file.

import BoxFoundation
import HardwareInterface

/// What a board fixes, out of its `board.json` (board/README.md).
package struct Board: Equatable, Sendable {
    package var name: String
    /// For people.
    package var title: String
    /// The processor, for people.
    package var soc: String?
    /// Beginnings of the device tree's model that are this board; none: it is chosen by name only.
    package var models: [String]
    package var button: BoardLine?
    package var light: BoardLight?
    package var sound: BoardSound?
    /// The name of its USB device controller in `/sys/class/udc`; nil: it has none.
    package var gadget: String?
    /// What it can do, and where that was seen to work.
    package var features: [BoardFeature: BoardTrial]
    /// What the board fixes of the settings; a layer under the configuration.
    package var settings: JSONObject

    package init(name: String) {
        self.name = name
        title = name
        models = []
        features = [:]
        settings = JSONObject()
    }

    /// The board's layer of settings.
    package var layer: SettingsLayer { SettingsLayer("board \(name)", JSON.object(settings).bytes) }

    /// Whether this is the board of a device tree's model (`Raspberry Pi 4 Model B Rev 1.4`, a NUL at its end or not).
    package func isModel(_ model: String) -> Bool { models.contains { model.hasPrefix($0) } }
}

/// A line of a GPIO chip, found by labels and names, never by numbers of chips.
package struct BoardLine: Equatable, Sendable {
    /// The resistor inside the processor.
    package enum Pull: String, CaseIterable, Sendable { case none, up, down }

    /// Labels that the chip may have, the likeliest first; empty: any chip that has the line.
    package var chips: [String]
    /// The line's name (`GPIO17`).
    package var line: String
    /// The line's place on the chip, for a kernel that names no lines.
    package var offset: Int?
    /// Pressed, or lit, is low.
    package var isActiveLow: Bool
    package var pull: Pull

    package init(chips: [String] = [], line: String, offset: Int? = nil, isActiveLow: Bool = false, pull: Pull = .none)
    {
        self.chips = chips
        self.line = line
        self.offset = offset
        self.isActiveLow = isActiveLow
        self.pull = pull
    }
}

/// How a light is reached: a GPIO line, a PWM channel, or an LED of the kernel's class.
package enum BoardLight: Equatable, Sendable {
    case line(BoardLine)
    /// A channel of a PWM chip in sysfs, with the label of the device behind it.
    case pwm(chip: String, channel: Int)
    /// An LED of the kernel's class, by its name.
    case led(String)
    /// Three lights in one, and a colour for each thing that it can say.
    indirect case colours(BoardColourLight)
}

/// Three lights behind one lens, and the colour of each meaning in percent.
package struct BoardColourLight: Equatable, Sendable {
    /// Each a line, a PWM channel or an LED.
    package var red: BoardLight
    package var green: BoardLight
    package var blue: BoardLight
    package var colours: [LightMeaning: LightColour]

    /// What a board does not say: green is fine, blue is busy, yellow and magenta want something, red is a fault.
    package static let usualColours: [LightMeaning: LightColour] = [
        .ready: LightColour(red: 0, green: 100, blue: 0), .busy: LightColour(red: 0, green: 0, blue: 100),
        .noHub: LightColour(red: 100, green: 60, blue: 0), .printer: LightColour(red: 100, green: 0, blue: 100),
        .fault: LightColour(red: 100, green: 0, blue: 0),
    ]
}

/// The sound card that the board's loudspeaker is on.
package struct BoardSound: Equatable, Sendable {
    /// ALSA's id of the card (`Headphones`).
    package var card: String
    /// The control that is set to its most, since the box scales by itself; nil: the card has none.
    package var mixer: String?
    package var amplifier: String?

    package init(card: String, mixer: String? = nil, amplifier: String? = nil) {
        self.card = card
        self.mixer = mixer
        self.amplifier = amplifier
    }
}

/// What every board says whether it has it.
package enum BoardFeature: String, CaseIterable, Sendable { case sound, light, button, console, bluetooth, network }

/// Where a feature was seen to work.
package enum BoardTrial: String, CaseIterable, Sendable {
    /// On the board itself.
    case board
    /// In the lab or under QEMU: the kernel's drivers, no hardware.
    case lab
    /// Nowhere: it follows data sheets and the kernel's device tree.
    case paper
    /// The board has none.
    case none
}

extension Board {
    /// Reads `board.json`. What is wrong in it is a note, and that part is absent.
    package static func read(_ bytes: [UInt8], name: String, file: String) -> (board: Board, notes: [SettingsNote]) {
        var board = Board(name: name)
        do throws(JSONFault) {
            let json = try JSONReader.read(bytes, as: .json5)
            guard let object = json.object else {
                return (
                    board, [SettingsNote(.fault, layer: file, line: 1, name: "", "a board stands in braces: { … }")]
                )
            }
            var section = SettingsSection(object, layer: file)
            board.read(&section)
            return (board, section.notes + section.unknown())
        } catch {
            return (board, [SettingsNote(.fault, layer: file, line: error.line, name: "", error.message)])
        }
    }

    private mutating func read(_ section: inout SettingsSection) {
        if let name = section.text("name") { self.name = name }
        title = section.text("title") ?? name
        models = section.read("models", "a list of texts", Self.texts) ?? []
        if var button = section.section("button") {
            self.button = BoardLine(reading: &button)
            section.finish(button)
        }
        if var light = section.section("light") {
            self.light = BoardLight(reading: &light)
            section.finish(light)
        }
        soc = section.text("soc")
        readDevices(&section)
        settings = section.read("settings", "an object in braces", \.object) ?? JSONObject()
    }

    private mutating func readDevices(_ section: inout SettingsSection) {
        if var sound = section.section("sound") {
            self.sound = BoardSound(reading: &sound)
            section.finish(sound)
        }
        if var gadget = section.section("gadget") {
            self.gadget = gadget.text("udc", "a controller's name in /sys/class/udc")
            section.finish(gadget)
        }
        if var features = section.section("features") {
            for feature in BoardFeature.allCases {
                self.features[feature] = features.choice(feature.rawValue, BoardTrial.self)
            }
            section.finish(features)
        }
    }

    fileprivate static func texts(_ value: JSON) -> [String]? {
        if let text = value.string { return [text] }
        guard let array = value.array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}

extension BoardLine {
    fileprivate init?(reading section: inout SettingsSection) {
        let chips = section.read("chip", "a chip's label, or a list of them", Board.texts) ?? []
        let line = section.text("line", "a line's name such as \"GPIO17\"")
        let offset = section.integer("offset", in: 0...1023)
        let isActiveLow = section.bool("activeLow") ?? false
        let pull = section.choice("pull", Pull.self) ?? .none
        guard let line else {
            if section.notes.isEmpty { section.fault("line", "it needs a line's name such as \"GPIO17\"") }
            return nil
        }
        self.init(chips: chips, line: line, offset: offset, isActiveLow: isActiveLow, pull: pull)
    }
}

extension BoardColourLight {
    /// Asked for its three lights and its colours.
    fileprivate init?(reading section: inout SettingsSection) {
        var parts: [BoardLight] = []
        for name in ["red", "green", "blue"] {
            guard var part = section.section(name) else {
                section.fault(name, "a light of colours needs red, green and blue")
                return nil
            }
            let light = BoardLight(reading: &part)
            section.finish(part)
            guard let light else { return nil }
            if case .colours = light { return nil }
            parts.append(light)
        }
        (red, green, blue) = (parts[0], parts[1], parts[2])
        colours = Self.usualColours
        guard var own = section.section("colours") else { return }
        for meaning in LightMeaning.allCases {
            let form = "three numbers from 0 to 100: [red, green, blue]"
            if let colour = own.read(meaning.rawValue, form, Self.colour) { colours[meaning] = colour }
        }
        section.finish(own)
    }

    private static func colour(_ value: JSON) -> LightColour? {
        let shares = value.array?.compactMap { $0.integer.map { Int($0) } } ?? []
        guard shares.count == 3, shares.allSatisfy({ (0...100).contains($0) }) else { return nil }
        return LightColour(red: shares[0], green: shares[1], blue: shares[2])
    }
}

extension BoardSound {
    fileprivate init?(reading section: inout SettingsSection) {
        let card = section.text("card", "ALSA's id of a card such as \"Headphones\"")
        let mixer = section.text("mixer", "a control's name, or \"none\"")
        let amplifier = section.text("amplifier")
        guard let card else {
            if section.notes.isEmpty { section.fault("card", "it needs ALSA's id of a card") }
            return nil
        }
        self.init(card: card, mixer: mixer == "none" ? nil : mixer, amplifier: amplifier)
    }
}

extension BoardLight {
    fileprivate init?(reading section: inout SettingsSection) {
        if section.value("red") != nil || section.value("green") != nil || section.value("blue") != nil {
            guard let light = BoardColourLight(reading: &section) else { return nil }
            self = .colours(light)
        } else if let led = section.text("led", "an LED's name in /sys/class/leds") {
            self = .led(led)
        } else if let chip = section.text("pwm", "the label of a PWM chip's device") {
            self = .pwm(chip: chip, channel: section.integer("channel", in: 0...15) ?? 0)
        } else if let line = BoardLine(reading: &section) {
            self = .line(line)
        } else {
            return nil
        }
    }
}
