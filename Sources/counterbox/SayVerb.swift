// `counterbox say`: speaks amounts, or shows how they are spoken.

import BoxAssembly
import BoxFoundation
import BoxSettings
import Glibc
import HardwareLinux
import VoiceAnnouncing

enum SayVerb {
    static let verb = Verb(
        name: "say", operands: "AMOUNT…",
        summary: "speaks amounts (- reads them from standard input, a line each), or shows how they are spoken",
        options: [
            CommandOption(
                "channel", value: "CHANNEL", "wechat, alipay, unionpay, card, cash, member or other (default)"),
            CommandOption("kind", value: "KIND", "payment (default) or refund"),
            CommandOption("currency", value: "CODE", "of ISO 4217 (default CNY)"),
            CommandOption(
                "language", value: "LANGUAGE",
                "a voice that comes with the box, such as zh-CN or en; one without clips is spoken by espeak-ng"),
            CommandOption("two", value: "STYLE", "liang (default) or er"),
            CommandOption("decimals", value: "STYLE", "point (default) or jiaofen"),
            CommandOption("bare", "leaves the prefix out; the currency stays"),
            CommandOption("words", "prints the words"),
            CommandOption("clips", "prints the names of the clips"),
            CommandOption("out", value: "FILE.wav", "writes a WAV"),
            CommandOption("config", value: "FILE", "the configuration that names the language and the speaker"),
        ], run: run)

    enum Mode: Equatable { case speak, words, clips, file(String) }

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard !words.operands.isEmpty else { throw .usage("say needs an AMOUNT, such as 12.50") }
        let mode = try mode(words)
        let request = try AmountRequest(words)
        let settings = try settings(words)
        let voice = try voice(words, settings.voice, needsClips: mode != .words)
        if mode == .clips, voice.pack == nil { throw .failure("the voice \(voice.language) has no clips") }
        var output = SayOutput(request, voice: voice, mode)
        for operand in words.operands {
            if operand == "-" {
                SayInput.forEachLine { output.add($0) }
            } else {
                output.add(Array(operand.utf8)[...])
            }
            if mode == .words || mode == .clips { output.flush() }
        }
        if output.isFaulty { Terminal.complain("bad-amount: an amount looks like 12.50") }
        try finish(output, mode, voice, settings)
        return output.isFaulty ? .failure : .success
    }

    private static func finish(
        _ output: SayOutput, _ mode: Mode, _ voice: Voice, _ settings: Settings
    ) throws(VerbFailure) {
        switch mode {
        case .words, .clips: return
        case .file(let path):
            guard let pack = voice.pack else { throw .failure("the voice \(voice.language) has no clips") }
            do {
                try Files.write(path, WAVFile(samples: output.samples, rate: pack.rate).bytes)
            } catch {
                throw .failure(error.message)
            }
        case .speak:
            guard let device = settings.speaker.alsa else {
                throw .failure("speaker.alsa is \"none\" in the configuration")
            }
            try SaySpeaker.play(output.payments, voice: voice, device: device, settings.speaker)
        }
    }

    // MARK: - Options

    private static func mode(_ words: CommandWords) throws(VerbFailure) -> Mode {
        var modes: [Mode] = []
        if words.has("words") { modes.append(.words) }
        if words.has("clips") { modes.append(.clips) }
        if let path = words["out"] { modes.append(.file(path)) }
        guard modes.count <= 1 else { throw .usage("take one of --words, --clips and --out") }
        return modes.first ?? .speak
    }

    private static func settings(_ words: CommandWords) throws(VerbFailure) -> Settings {
        do {
            return try Configuration.load(path: words["config"]).settings
        } catch {
            throw .failure(error.message)
        }
    }

    private static func voice(
        _ words: CommandWords, _ settings: VoiceSettings, needsClips: Bool
    ) throws(VerbFailure) -> Voice {
        var style = VoiceStyle(settings)
        if let two: VoiceStyle.Two = try words.choice("two") { style.two = two }
        if let decimals: VoiceStyle.Decimals = try words.choice("decimals") { style.decimals = decimals }
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        if words["language"] == nil, let path = settings.pack {
            do throws(VoicePackFault) {
                return try load(VoiceFolder(at: path, resources), style, needsClips: needsClips)
            } catch {
                Terminal.complain("the voice pack \(path) cannot be used: \(error.message); the built-in one speaks")
            }
        }
        let language = words["language"] ?? settings.language
        guard let folder = VoiceFolder(builtIn: language, resources) else {
            throw .usage("there is no voice for \(language)")
        }
        do throws(VoicePackFault) {
            return try load(folder, style, needsClips: needsClips)
        } catch {
            throw .failure("the voice \(language) cannot be used: \(error.message)")
        }
    }

    /// Words alone need no sound, which takes a while to read.
    private static func load(
        _ folder: VoiceFolder, _ style: VoiceStyle, needsClips: Bool
    ) throws(VoicePackFault) -> Voice {
        try Voice.load(style: style) { $0 == "voice.json" && !needsClips ? nil : folder.read($0) }
    }
}
