// Settings that name something of what comes with the firmware: whether it is there.

import BoxFoundation
import BoxSettings
import HardwareLinux

extension Configuration {
    /// What names a language, a printer or a chime that is not here: another stands in for it. Empty where the firmware's files
    /// are not found at all.
    package var unknownNames: [SettingsNote] { Self.unknownNames(in: settings, layer: path ?? board.layer.name) }

    static func unknownNames(in settings: Settings, layer: String) -> [SettingsNote] {
        guard let resources = ResourceFolder.find() else { return [] }
        var notes: [SettingsNote] = []
        func check(_ setting: String, _ name: String, among names: [String], standIn: String) {
            guard !names.contains(name) else { return }
            notes.append(
                SettingsNote(
                    .fault, layer: layer, line: 0, name: setting,
                    "there is no \(name): one of \(names.joined(separator: ", ")); \(standIn)"))
        }
        let voices = resources.names(in: "voice").filter { VoiceFolder(builtIn: $0, resources) != nil }
        // A pack of somebody's own brings its language with it.
        if settings.voice.pack == nil {
            check("voice.language", settings.voice.language, among: voices, standIn: "zh-CN speaks")
        }
        for language in settings.voice.also {
            check("voice.also", language, among: voices, standIn: "a push that asks for it is spoken in voice.language")
        }
        if let chime = settings.voice.chime {
            check(
                "voice.chime", chime, among: resources.names(in: "voice/chime", ending: ".wav"),
                standIn: "bell is heard")
        }
        check(
            "printer.profile", settings.printer.profile, among: resources.names(in: "printers", ending: ".json"),
            standIn: "generic-58mm is taken")
        return notes
    }
}

extension ResourceFolder {
    /// The files and folders of one folder in order, without the ending that they have to have.
    fileprivate func names(in folder: String, ending: String = "") -> [String] {
        Files.names(in: "\(path)/\(folder)").filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .sorted()
    }
}
