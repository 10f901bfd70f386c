// Settings and files become what a box is made with. What cannot be used is named in one line, and the box runs with what
// it has.

import BoxCore
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

package struct BoxParts {
    package private(set) var remarks: [LogEntry] = []
    package private(set) var hasFault = false
    private let settings: Settings
    private let resources: ResourceFolder

    private init(_ settings: Settings, _ resources: ResourceFolder) {
        self.settings = settings
        self.resources = resources
    }

    /// - Parameter makesKey: a key is made where there is none (on a desktop only: a box is given its hub's).
    package static func setup(
        _ configuration: Configuration, makesKey: Bool
    ) throws(AssemblyFault) -> BoxSetup {
        guard let resources = ResourceFolder.find() else { throw AssemblyFault(ResourceFolder.missing) }
        var parts = BoxParts(configuration.settings, resources)
        for note in configuration.notes { parts.remark(note.level == .fault ? .error : .warning, "box", note.message) }
        let identity = parts.identity(makesKey: makesKey)
        let voices = parts.voices()
        let receipts = try parts.receipts()
        return BoxSetup(
            identity: identity, voices: voices, voice: parts.announcer(), receipts: receipts,
            printer: parts.link(receipts.profile), brightness: configuration.settings.light.brightness,
            volume: parts.volume(), seed: Machine.seed, dials: configuration.settings.push?.dials ?? false,
            savedClock: parts.savedClock(), remarks: parts.remarks, hasFault: parts.hasFault)
    }

    private mutating func remark(_ level: LogEntry.Level, _ subject: String, _ text: String) {
        remarks.append(LogEntry(level, subject, text))
        if level == .error { hasFault = true }
    }

    // MARK: - Who it is

    /// A box without a key takes no pushes: the key it gets is one that nobody knows.
    private mutating func identity(makesKey: Bool) -> BoxSession.Identity {
        let box = settings.box ?? Machine.boxID
        var random = SystemRandomNumberGenerator()
        do throws(AssemblyFault) {
            let key = try key(makesKey: makesKey)
            return BoxSession.Identity(
                box: box, key: key, firmware: Firmware.version, heartbeat: settings.push?.heartbeat)
        } catch {
            remark(.error, "push", "\(error.message). Until then no hub is believed")
            return BoxSession.Identity(box: box, key: BoxKey(using: &random), firmware: Firmware.version)
        }
    }

    private mutating func key(makesKey: Bool) throws(AssemblyFault) -> BoxKey {
        let path = settings.keyPath
        if makesKey, !Files.exists(path) {
            var random = SystemRandomNumberGenerator()
            try KeyFile.write(BoxKey(using: &random), to: path)
            remark(.notice, "push", "a key was made: \(path)")
        }
        return try KeyFile.load(path)
    }

    private func volume() -> Int {
        let text = StateFolder(settings.state).load(BoxSetup.volumeFile).map { String(decoding: $0, as: UTF8.self) }
        let value = text.flatMap { Int($0.filter { $0.isASCII && $0.isNumber }) }
        return value.map { min(max($0, 0), 100) } ?? AnnouncerSettings.volumeAtFirst.percent
    }

    private func savedClock() -> WallTime? {
        let text = StateFolder(settings.state).load(BoxSetup.clockFile).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Int64($0.filter { $0.isASCII && $0.isNumber }) }.map { WallTime(milliseconds: $0) }
    }

    // MARK: - Voice

    private func announcer() -> AnnouncerSettings {
        AnnouncerSettings(
            rush: settings.voice.rush, leadIn: settings.speaker.leadIn, hold: settings.speaker.hold,
            hasNoSpeaker: settings.speaker.alsa == nil)
    }

    /// The configured pack, else the built-in one of its language, else Chinese; none of them: the box prints and
    /// answers in silence, and says so.
    private mutating func voices() -> [Voice] {
        let style = VoiceStyle(settings.voice)
        if let folder = settings.voice.pack {
            if let voice = voice(
                style, folder, { try? Files.read("\(folder)/\($0)", limit: ResourceFolder.mostFileBytes) })
            {
                return [voice]
            }
        }
        for language in [settings.voice.language, "zh-CN"] {
            let name = "voice/\(language)"
            if let voice = voice(style, name, { [resources] in resources.read("\(name)/\($0)") }) { return [voice] }
        }
        return []
    }

    private mutating func voice(_ style: VoiceStyle, _ name: String, _ file: (String) -> [UInt8]?) -> Voice? {
        do throws(VoicePackFault) {
            let voice = try Voice.load(style: style, file: file)
            if voice.pack != nil { return voice }
            remark(.error, "voice", "the voice pack \(name) has no clips yet: choose another language")
        } catch {
            remark(.error, "voice", "the voice pack \(name) cannot be used: \(error.message)")
        }
        return nil
    }

    // MARK: - Paper

    private mutating func receipts() throws(AssemblyFault) -> ReceiptMaker {
        do throws(PrinterProfileFault) {
            return try maker(settings.printer.profile)
        } catch {
            remark(.error, "printer", "the printer's profile cannot be used: \(error.message); generic-58mm is taken")
        }
        do throws(PrinterProfileFault) {
            return try maker("generic-58mm")
        } catch {
            throw AssemblyFault("no printer profile can be used: \(error.message)")
        }
    }

    private func maker(_ profile: String) throws(PrinterProfileFault) -> ReceiptMaker {
        let read = { [resources] (name: String) in resources.read(name) }
        return try ReceiptMaker(
            profile: PrinterProfile.load(profile, from: read), language: settings.voice.language, resources: read)
    }

    private func link(_ profile: PrinterProfile) -> PrinterLinkSettings {
        let confirmation: PrinterLinkSettings.Confirmation =
            switch profile.confirms {
            case .none: .none
            case .processID: .processID
            case .statusAfterDrain: .statusAfterDrain
            }
        return PrinterLinkSettings(
            carrier: settings.printer.address.carrier, pace: profile.pace, buffer: profile.buffer,
            confirmation: confirmation, statusQueries: profile.statusQueries && settings.printer.address.canAnswer)
    }
}

extension VoiceStyle {
    package init(_ settings: VoiceSettings) {
        self.init(
            two: settings.two == .er ? .er : .liang, decimals: settings.decimals == .jiaofen ? .jiaofen : .point)
    }
}

extension PushSettings {
    /// The box opens the connection to its hub.
    var dials: Bool { if case .dial = self { true } else { false } }

    /// The box's own upper bound.
    var heartbeat: Interval? { if case .dial(let dial) = self { dial.heartbeat } else { nil } }
}
