// Settings and files become what a box is made with. What cannot be used is named in one line, and the box runs with what
// it has.

import BoxCore
import BoxDoctor
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// Settings and files become a `BoxSetup`. Where something cannot be used, a remark says so in a line, and the
/// default takes its place.
package struct BoxParts {
    private static let usualChime = "bell"

    package private(set) var remarks: [LogEntry] = []
    package private(set) var hasFault = false
    private let settings: Settings
    private let resources: ResourceFolder
    private var voiceRefusal: String?

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
        parts.remarks += SystemImage.ofThisMachine().remarks
        for note in configuration.notes { parts.remark(note.level == .fault ? .error : .warning, "box", note.message) }
        let identity = parts.identity(makesKey: makesKey)
        let voices = parts.voices()
        let announcer = parts.announcer()
        let receipts = try parts.receipts()
        var setup = BoxSetup(
            identity: identity, voices: voices, voice: announcer, receipts: receipts,
            printer: PrinterLinkSettings(receipts.profile, at: configuration.settings.printer.address),
            printerAddress: configuration.settings.printer.address,
            brightness: configuration.settings.light.brightness,
            volume: parts.volume(), seed: Machine.seed, dials: configuration.settings.push?.dials ?? false,
            fleet: configuration.settings.push?.fleet(box: identity.box),
            savedClock: parts.savedClock(), remarks: parts.remarks, hasFault: parts.hasFault)
        setup.facts = Examination(configuration).facts()
        setup.facts.voice = parts.voiceFact(voices)
        setup.hubPlace = configuration.settings.push?.place ?? ""
        return setup
    }

    private func voiceFact(_ voices: [Voice]) -> VoiceFact {
        VoiceFact(
            language: voices.first?.language ?? settings.voice.language, pack: settings.voice.pack ?? "built in",
            refusal: voiceRefusal ?? (voices.isEmpty ? "it has no clips" : nil),
            speaksFreeText: Programs.isInstalled(EspeakProgram.usualName))
    }

    /// The voice alone, for a doctor who is not the box.
    package static func voiceFact(_ configuration: Configuration) -> VoiceFact? {
        guard let resources = ResourceFolder.find() else { return nil }
        var parts = BoxParts(configuration.settings, resources)
        let voices = parts.voices()
        return parts.voiceFact(voices)
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
        // A fleet's box shows who it is by its credentials: no hub needs to know a key of it.
        if case .nats? = settings.push {
            return BoxSession.Identity(box: box, key: BoxKey(using: &random), firmware: Firmware.version)
        }
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

    private mutating func announcer() -> AnnouncerSettings {
        let quiet = settings.voice.quiet.map {
            VoiceAnnouncing.QuietHours(from: $0.from, to: $0.to, volume: Volume($0.volume))
        }
        return AnnouncerSettings(
            rush: settings.voice.rush, leadIn: settings.speaker.leadIn, hold: settings.speaker.hold,
            hasNoSpeaker: settings.speaker.alsa == nil, quiet: quiet, chime: chime(),
            chimesFirst: settings.voice.chime != nil)
    }

    /// The one that is configured, else the one that stands in for a text that nothing can say.
    private mutating func chime() -> Chime? {
        let name = settings.voice.chime ?? Self.usualChime
        if !name.contains("/"), let chime = resources.read("voice/chime/\(name).wav").flatMap({ Chime($0) }) {
            return chime
        }
        let names = resources.chimes.joined(separator: ", ")
        remark(.warning, "voice", "voice.chime: there is no chime \(name): one of \(names)")
        return name == Self.usualChime
            ? nil : resources.read("voice/chime/\(Self.usualChime).wav").flatMap { Chime($0) }
    }

    /// The configured pack, else the built-in one of its language, else Chinese; then the languages that pushes may ask
    /// for besides. None of them: the box prints and answers in silence, and says so.
    private mutating func voices() -> [Voice] {
        let cache = VoiceCache(settings.state)
        var folders = settings.voice.pack.map { [VoiceFolder(at: $0, resources)] } ?? []
        let languages = settings.voice.language == "zh-CN" ? ["zh-CN"] : [settings.voice.language, "zh-CN"]
        folders += languages.compactMap { builtIn($0) }
        var voices: [Voice] = []
        for folder in folders where voices.isEmpty { voices += voice(folder, cache) }
        for language in settings.voice.also where !voices.contains(where: { $0.language == language }) {
            if let folder = builtIn(language) { voices += voice(folder, cache) }
        }
        cache.prune()
        return voices
    }

    private mutating func builtIn(_ language: String) -> VoiceFolder? {
        let folder = VoiceFolder(builtIn: language, resources)
        if folder == nil { remark(.error, "voice", "there is no voice for \(language)") }
        return folder
    }

    private mutating func voice(_ folder: VoiceFolder, _ cache: VoiceCache) -> [Voice] {
        do throws(VoicePackFault) {
            let voice = try cache.load(folder, style: VoiceStyle(settings.voice))
            if voice.pack != nil { return [voice] }
            remark(.error, "voice", "the voice pack \(folder.name) has no clips yet: choose another language")
            voiceRefusal = voiceRefusal ?? "it has no clips"
        } catch {
            remark(.error, "voice", "the voice pack \(folder.name) cannot be used: \(error.message)")
            voiceRefusal = voiceRefusal ?? error.message
        }
        return []
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
            profile: PrinterProfile.load(profile, from: read), language: settings.voice.language,
            signals: ReceiptSignals(settings.printer), resources: read)
    }
}

extension ReceiptSignals {
    init(_ settings: PrinterSettings) {
        let drawer: Drawer =
            switch settings.drawer {
            case .none: .never
            case .cash: .cash
            case .all: .always
            }
        self.init(drawer: drawer, buzzer: settings.buzzer)
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
    package var dials: Bool { if case .dial = self { true } else { false } }

    /// Where it listens, or the URL that it dials, without a password.
    package var place: String {
        switch self {
        case .listen(let listen): listen.address.description
        case .dial(let dial): (dial.usesTLS ? "tls://" : "tcp://") + dial.hub.description
        case .nats(let nats): SupportFile.withoutSecrets(nats.url)
        }
    }

    /// Where a fleet's box finds its messages.
    func fleet(box: String) -> FleetSubjects? {
        if case .nats(let nats) = self { FleetSubjects(box: box, shard: nats.shard) } else { nil }
    }

    /// The box's own upper bound.
    var heartbeat: Interval? { if case .dial(let dial) = self { dial.heartbeat } else { nil } }
}
