// One object of a configuration, name by name: each is asked for with what it may be, and what nobody asked for is
// unknown.

import BoxFoundation

struct SettingsSection {
    let layer: String
    private let object: JSONObject
    /// With the dot at its end; empty at the top.
    private let path: String
    private var asked: [String] = []
    private(set) var notes: [SettingsNote] = []

    init(_ object: JSONObject, layer: String, path: String = "") {
        self.object = object
        self.layer = layer
        self.path = path
    }

    // MARK: Names

    /// The value of a name; nil where it is not written, or written as `null`.
    mutating func value(_ name: String) -> JSON? {
        asked.append(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// - Parameters:
    ///   - allowed: what it may be, as the end of a sentence.
    ///   - read: nil where the value is not that.
    mutating func read<Value>(_ name: String, _ allowed: String, _ read: (JSON) -> Value?) -> Value? {
        guard let value = value(name) else { return nil }
        if let meant = read(value) { return meant }
        fault(name, "\(Self.shown(value)) is not allowed; \(allowed)")
        return nil
    }

    /// As `read`, of a secret: the note does not show it.
    mutating func secret<Value>(_ name: String, _ allowed: String, _ read: (JSON) -> Value?) -> Value? {
        guard let value = value(name) else { return nil }
        if let meant = read(value) { return meant }
        fault(name, "it has to be \(allowed)")
        return nil
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>, unit: String = "") -> Int? {
        let allowed =
            "a whole number from \(range.lowerBound) to \(range.upperBound)" + (unit.isEmpty ? "" : " " + unit)
        return read(name, allowed) { $0.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } }
    }

    mutating func bool(_ name: String) -> Bool? { read(name, "true or false") { $0.bool } }

    /// A text of 1 to 1024 bytes without control characters.
    mutating func text(_ name: String, _ allowed: String = "a text in quotes") -> String? {
        read(name, allowed, Self.plain)
    }

    /// An absolute path.
    mutating func path(_ name: String) -> String? {
        read(name, "an absolute path in quotes, beginning with /") {
            Self.plain($0).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
    }

    mutating func choice<Choice: CaseIterable & RawRepresentable>(_ name: String, _: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        return read(name, choices) { $0.string.flatMap(Choice.init(rawValue:)) }
    }

    /// The object of a name.
    mutating func section(_ name: String) -> SettingsSection? {
        guard let object = read(name, "an object in braces", \.object) else { return nil }
        return SettingsSection(object, layer: layer, path: path + name + ".")
    }

    /// Takes over what a section within has to say, after all of its names were asked for.
    mutating func finish(_ section: SettingsSection) {
        notes += section.notes + section.unknown()
    }

    // MARK: Notes

    mutating func fault(_ name: String, _ text: String) {
        notes.append(SettingsNote(.fault, layer: layer, line: line(name), name: path + name, text))
    }

    /// A note for each name that nobody asked for.
    func unknown() -> [SettingsNote] {
        object.members.filter { !asked.contains($0.name) }.map { member in
            let near = NearestName.of(member.name, among: asked).map { "; did you mean \($0)?" } ?? ""
            return SettingsNote(
                .unknownName, layer: layer, line: Int(member.line), name: path + member.name,
                "there is no such setting" + near)
        }
    }

    func line(_ name: String) -> Int { Int(object.member(name)?.line ?? 0) }

    private static func plain(_ value: JSON) -> String? {
        guard let text = value.string, (1...1024).contains(text.utf8.count) else { return nil }
        return text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }

    private static func shown(_ value: JSON) -> String {
        switch value {
        case .object: "an object"
        case .array: "a list"
        default: value.text.utf8.count <= 60 ? value.text : "this value"
        }
    }
}
