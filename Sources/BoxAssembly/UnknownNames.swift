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
        // What there is besides is only looked up to be named.
        func check(_ setting: String, _ name: String, _ isThere: Bool, among names: () -> [String], standIn: String) {
            guard !isThere else { return }
            notes.append(
                SettingsNote(
                    .fault, layer: layer, line: 0, name: setting,
                    "there is no \(name): one of \(names().joined(separator: ", ")); \(standIn)"))
        }
        func checkVoice(_ setting: String, _ language: String, standIn: String) {
            let isThere = VoiceFolder(builtIn: language, resources) != nil
            check(setting, language, isThere, among: { resources.voices }, standIn: standIn)
        }
        // A pack of somebody's own brings its language with it.
        if settings.voice.pack == nil { checkVoice("voice.language", settings.voice.language, standIn: "zh-CN speaks") }
        for language in settings.voice.also {
            checkVoice("voice.also", language, standIn: "a push that asks for it is spoken in voice.language")
        }
        let (chimes, profiles) = (resources.chimes, resources.profiles)
        if let chime = settings.voice.chime {
            check("voice.chime", chime, chimes.contains(chime), among: { chimes }, standIn: "bell is heard")
        }
        let profile = settings.printer.profile
        check(
            "printer.profile", profile, profiles.contains(profile), among: { profiles },
            standIn: "generic-58mm is taken")
        return notes
    }
}

extension ResourceFolder {
    /// The languages that the firmware speaks.
    fileprivate var voices: [String] { names(in: "voice").filter { VoiceFolder(builtIn: $0, self) != nil } }
    var chimes: [String] { names(in: "voice/chime", ending: ".wav") }
    fileprivate var profiles: [String] { names(in: "printers", ending: ".json") }

    /// The files and folders of one folder in order, without the ending that they have to have.
    private func names(in folder: String, ending: String = "") -> [String] {
        Files.names(in: "\(path)/\(folder)").filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .sorted()
    }
}
