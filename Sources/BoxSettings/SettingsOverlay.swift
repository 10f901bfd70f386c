// What `config set` writes: an object over the configuration's file. It is written by this program alone, so its text is
// plain JSON.

import BoxFoundation

/// What was set at the console: an object that lies over the configuration's file.
package struct SettingsOverlay: Equatable, Sendable {
    /// Its name in the state folder.
    package static let fileName = "settings.json5"

    private var object: JSONObject

    /// - Returns: an empty overlay where `bytes` is none; a fault where they cannot be read, since writing over them
    ///   would lose what they hold.
    package init(_ bytes: [UInt8]?) throws(JSONFault) {
        guard let bytes, !bytes.isEmpty else {
            object = JSONObject()
            return
        }
        object = try JSONReader.read(bytes, as: .json5).object ?? JSONObject()
    }

    package var bytes: [UInt8] { JSON.object(object).bytes + [0x0A] }

    /// Sets a value by its dotted name. The value is JSON5 where it reads as such (`4`, `true`, `{ from: "22:00" }`), else a
    /// text as it stands. `null` takes the setting away, so that the one below stands again.
    ///
    /// - Parameter lower: the layers under this one: names that belong together may stand in different ones.
    /// - Returns: what would be wrong with it; the overlay is then as it was.
    package mutating func set(_ name: String, to value: String, over lower: [SettingsLayer]) -> SettingsNote? {
        let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(""), names.count <= Self.mostNames else {
            return SettingsNote(.fault, layer: Self.fileName, line: 0, name: name, "a name looks like voice.rush")
        }
        let json = (try? JSONReader.read(value, as: .json5)) ?? .string(value)
        var changed = self
        Self.set(names[...], json.isNull ? nil : json, in: &changed.object)
        let before = notes(over: lower)
        if let new = changed.notes(over: lower).first(where: { note in
            note.level != .warning && !before.contains { $0.name == note.name && $0.text == note.text }
        }) {
            return new
        }
        self = changed
        return nil
    }

    /// `voice.quiet.from`.
    private static let mostNames = 3

    private func notes(over lower: [SettingsLayer]) -> [SettingsNote] {
        SettingsReader.read(lower + [SettingsLayer(Self.fileName, bytes)]).notes
    }

    private static func set(_ names: ArraySlice<String>, _ value: JSON?, in object: inout JSONObject) {
        guard let first = names.first else { return }
        guard names.count > 1 else { return object.set(first, value) }
        var inner = object[first]?.object ?? JSONObject()
        set(names.dropFirst(), value, in: &inner)
        object.set(first, inner.members.isEmpty ? nil : .object(inner))
    }
}
