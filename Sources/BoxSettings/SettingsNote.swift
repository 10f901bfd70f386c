// What a configuration's reader has to say: where, about which name, and what to do.

/// A remark on a configuration: its layer, line and name, and what to do.
package struct SettingsNote: Equatable, Sendable {
    /// Only a fault makes `config check` end with 1.
    package enum Level: Equatable, Sendable {
        /// The value is not used: a lower layer's or the default stands.
        case fault
        /// No setting has this name.
        case unknownName
        /// It is used, or has no meaning, but was probably not meant so.
        case warning
    }

    package var level: Level
    /// The layer's name, a file's mostly.
    package var layer: String
    /// From 1; 0 where it is about the whole.
    package var line: Int
    /// Dotted (`voice.rush`); empty where it is about the text itself.
    package var name: String
    package var text: String

    package init(_ level: Level, layer: String, line: Int, name: String, _ text: String) {
        self.level = level
        self.layer = layer
        self.line = line
        self.name = name
        self.text = text
    }

    /// `counterbox.json5:7: voice.rush: 0 is out of range; 1 to 100`.
    package var message: String {
        layer + (line > 0 ? ":\(line)" : "") + ": " + (name.isEmpty ? "" : name + ": ") + text
    }
}
