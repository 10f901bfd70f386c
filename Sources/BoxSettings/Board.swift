// A board is data: `board/<name>/board.json` says which lines its button and light are on and what its devices are called.
// board/README.md describes the file.

import BoxFoundation

package struct Board: Equatable, Sendable {
    package var name: String
    /// For people.
    package var title: String
    /// Beginnings of the device tree's model that are this board; none: it is chosen by name only.
    package var models: [String]
    package var button: BoardLine?
    package var light: BoardLight?
    /// What the board fixes of the settings; a layer under the configuration.
    package var settings: JSONObject

    package init(name: String) {
        self.name = name
        title = name
        models = []
        settings = JSONObject()
    }

    /// The board's layer of settings.
    package var layer: SettingsLayer { SettingsLayer("board \(name)", JSON.object(settings).bytes) }

    /// Whether this is the board of a device tree's model (`Raspberry Pi 4 Model B Rev 1.4`, a NUL at its end or not).
    package func isModel(_ model: String) -> Bool { models.contains { model.hasPrefix($0) } }
}

/// A line of a GPIO chip, found by labels and names, never by numbers of chips.
package struct BoardLine: Equatable, Sendable {
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

package enum BoardLight: Equatable, Sendable {
    case line(BoardLine)
    /// A channel of a PWM chip in sysfs, with the label of the device behind it.
    case pwm(chip: String, channel: Int)
    /// An LED of the kernel's class, by its name.
    case led(String)
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
        settings = section.read("settings", "an object in braces", \.object) ?? JSONObject()
        // For the scripts that make an image, not for the box.
        for name in ["boot", "gadget", "overlay"] { _ = section.value(name) }
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

extension BoardLight {
    fileprivate init?(reading section: inout SettingsSection) {
        if let led = section.text("led", "an LED's name in /sys/class/leds") {
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
