import BoxAssembly
import BoxCore
import BoxFoundation
import Glibc
import HardwareLinux
import Testing
import VoiceAnnouncing

@Suite("Voices from folders")
struct VoiceFolderTests {
    private let resources: ResourceFolder
    /// Its folder stands for the state folder.
    private let state: PackOnDisk

    init() throws {
        resources = try #require(ResourceFolder.find())
        state = try PackOnDisk()
        for name in Files.names(in: state.path) { state.remove(name) }
    }

    private var kept: [String] { Files.names(in: state.path) }

    private func load(_ pack: PackOnDisk) throws(VoicePackFault) -> Voice {
        try VoiceCache(state.path).load(VoiceFolder(at: pack.path, resources), style: VoiceStyle())
    }

    @Test("A pack of MP3s at 44.1 kHz in stereo speaks, and is kept ready; the next start decodes nothing")
    func mp3() throws {
        let pack = try PackOnDisk(.mp3)
        let first = try load(pack)
        #expect(kept.count == 1)
        let phrase = try #require(first.phrase("微信收款，十二点五元"))
        let samples = first.samples(of: phrase)
        let shipped = try Voice.load { try? Files.read("\(PackOnDisk.shipped)/\($0)", limit: 1 << 22) }
        let clips = try #require(shipped.phrase("微信收款，十二点五元"))
        let wanted = shipped.samples(of: clips).count
        #expect(abs(samples.count - wanted) < 24 * 40, "8 ms a clip")
        // A clip that would be refused is not read any more.
        pack.remove("wechat_received.mp3")
        let second = try load(pack)
        #expect(second.phrase("微信收款，十二点五元").map { second.samples(of: $0) } == samples)
    }

    @Test("What was kept and is damaged is made anew")
    func damaged() throws {
        let pack = try PackOnDisk(.firstMP3)
        let first = try load(pack)
        let samples = try #require(first.phrase("收款，一元").map { first.samples(of: $0) })
        let name = try #require(kept.first)
        var bytes = try Files.read("\(state.path)/\(name)", limit: 1 << 25)
        bytes[bytes.count / 2] ^= 1
        try Files.write("\(state.path)/\(name)", bytes)
        let again = try load(pack)
        #expect(again.phrase("收款，一元").map { again.samples(of: $0) } == samples)
        #expect(try Files.read("\(state.path)/\(name)", limit: 1 << 25) != bytes)
    }

    @Test("A pack that is ready as it lies is not kept a second time")
    func plain() throws {
        _ = try load(PackOnDisk())
        #expect(kept.isEmpty)
    }

    @Test("What no voice uses any more is taken away, and nothing else")
    func prune() throws {
        let pack = try PackOnDisk(.firstMP3)
        try state.write([1], to: "voice-of-long-ago")
        try state.write([1], to: "volume")
        let cache = VoiceCache(state.path)
        _ = try cache.load(VoiceFolder(at: pack.path, resources), style: VoiceStyle())
        cache.prune()
        #expect(kept.count == 2 && kept.contains("volume") && !kept.contains("voice-of-long-ago"))
    }

    @Test("A pack with clips alone takes the words of its language")
    func clipsAlone() throws {
        let pack = try PackOnDisk()
        pack.remove("numbers.rbnf")
        pack.remove("phrases.json5")
        #expect(try load(pack).phrase("微信收款，十二点五元") != nil)
    }

    @Test("A pack with a clip swapped is refused with the clip's name")
    func swapped() throws {
        let pack = try PackOnDisk()
        try pack.write(Files.read("\(PackOnDisk.shipped)/n2.wav", limit: 1 << 20), to: "n1.wav")
        #expect(throws: VoicePackFault(clip: "n1", .hash)) { try load(pack) }
    }

    @Test("A name that leads out of the folder is none", arguments: ["..", "../zh-CN", "", ".", "zh-CN/.."])
    func names(language: String) { #expect(VoiceFolder(builtIn: language, resources) == nil) }
}

@Suite("The voice of a configured box")
struct ConfiguredVoiceTests {
    private let folder: PackOnDisk

    init() throws { folder = try PackOnDisk() }

    private func setup(_ voice: String) throws -> BoxSetup {
        let state = "\(folder.path)-state"
        defer {
            for name in Files.names(in: state) { unlink("\(state)/\(name)") }
            rmdir(state)
        }
        let file = "\(folder.path)/box.json5"
        try Files.write(file, Array("{ state: \"\(state)\", voice: \(voice), speaker: { alsa: \"none\" } }".utf8))
        try Files.makeFolder(state)
        return try BoxParts.setup(Configuration.load(path: file, board: "desktop"), makesKey: true)
    }

    @Test("A pack with a clip swapped is refused by its name, and the built-in one speaks")
    func refused() throws {
        try folder.write(Files.read("\(PackOnDisk.shipped)/n2.wav", limit: 1 << 20), to: "n1.wav")
        let setup = try setup("{ pack: \"\(folder.path)\", language: \"en\" }")
        #expect(setup.voices.map(\.language) == ["en"])
        #expect(setup.hasFault)
        let remark = setup.remarks.first { $0.text.contains("clip n1") }
        #expect(remark?.text.contains(folder.path) == true)
    }

    @Test("A pack that is good speaks, whatever its language")
    func own() throws {
        let setup = try setup("{ pack: \"\(folder.path)\", language: \"en\" }")
        #expect(setup.voices.map(\.language) == ["zh-CN"] && !setup.hasFault)
    }

    @Test("One language is loaded unless others are asked for")
    func also() throws {
        #expect(try setup("{}").voices.map(\.language) == ["zh-CN"])
        #expect(try setup("{ also: [\"en\", \"zh-CN\"] }").voices.map(\.language) == ["zh-CN", "en"])
        let silent = try setup("{ also: [\"th\", \"xx\"] }")
        #expect(silent.voices.map(\.language) == ["zh-CN"])
        #expect(silent.remarks.contains { $0.text.contains("th has no clips") })
        #expect(silent.remarks.contains { $0.text.contains("no voice for xx") })
    }

    @Test("Chime and quiet hours come from the configuration")
    func chime() throws {
        let plain = try setup("{}")
        #expect(plain.voice.chime != nil && !plain.voice.chimesFirst && plain.voice.quiet == nil)
        let full = try setup("{ chime: \"bell\", quiet: { from: \"22:00\", to: \"07:00\", volume: 15 } }")
        #expect(full.voice.chimesFirst && full.voice.chime == plain.voice.chime)
        #expect(full.voice.quiet == QuietHours(from: "22:00", to: "07:00", volume: Volume(15)))
        let wrong = try setup("{ chime: \"gong\" }")
        #expect(wrong.voice.chime == plain.voice.chime)
        #expect(wrong.remarks.contains { $0.text.contains("no chime gong: one of bell") })
    }
}
