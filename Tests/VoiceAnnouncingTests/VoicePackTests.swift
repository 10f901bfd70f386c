import BoxFoundation
import Testing
import VoiceAnnouncing

@Suite struct VoicePackTests {
    @Test("The packs that ship load, and have a clip for all that is ever said", arguments: ["zh-CN", "en"])
    func loads(_ language: String) throws {
        let voice = try Fixtures.voice(language)
        #expect(voice.language == language)
        #expect(voice.pack?.rate == 24_000)
    }

    @Test(
        "Words become the longest clips that fit, from left to right",
        arguments: [
            ("zh-CN", "微信收款，一百二十三点四五元", "wechat_received n100 n20 n3 dot_n4 n5_yuan"),
            ("zh-CN", "十元", "n10_yuan"), ("zh-CN", "一百一十元", "n100 n1_10 yuan"),
            ("zh-CN", "补报，收款，两千二百元", "repeated received n2000 n2_100 yuan"),
            ("zh-CN", "又收款两笔，共零元", "again_received n2l count total n0_yuan"),
            ("en", "WeChat payment, twenty-three point four five yuan", "wechat_received n20 n3 dot n4 n5 yuan"),
            ("en", "Payment, one Hong Kong dollar and one cent", "received n1 hkd_one and n1 cent"),
        ])
    func matches(_ language: String, _ words: String, _ ids: String) throws {
        let voice = try Fixtures.voice(language)
        let phrase = try #require(voice.phrase(words))
        #expect(voice.pack?.ids(of: phrase).joined(separator: " ") == ids)
    }
}

/// Packs that shops bring, and packs that are damaged.
@Suite struct ForeignPackTests {
    static let chinese = Result { try PackFolder() }

    @Test("Clips as WAV, FLAC or MP3, stereo and at another rate, become the pack's own", arguments: TestSound.allCases)
    func preparesAnyFormat(_ format: TestSound) throws {
        var folder = try Self.chinese.get()
        let own = try folder.samples("n5_yuan")
        let doubled = own.flatMap { [$0, $0] }
        let bytes = format.file(doubled, rate: 48_000, channels: 2)
        try folder.replace("n5_yuan", with: bytes, file: "n5_yuan.\(format.rawValue)", frames: doubled.count)
        let voice = try Voice.load(file: folder.read)
        let phrase = try #require(voice.phrase("五元"))
        let frames = voice.samples(of: phrase).count
        #expect(abs(frames - own.count) < 24_000 / 40, "\(frames) for \(own.count)")
    }

    @Test("A pack in MP3 at 44.1 kHz stereo speaks a payment")
    func speaksMP3() throws {
        var folder = try Self.chinese.get()
        for id in ["wechat_received", "n10", "dot", "n2", "dot_n5", "yuan"] {
            let wide = try folder.samples(id).flatMap { [$0, $0] }
            let bytes = TestSound.mp3.file(wide, rate: 44_100, channels: 2)
            try folder.replace(id, with: bytes, file: id + ".mp3", frames: wide.count)
        }
        let rig = AnnouncerRig(voices: [try Voice.load(file: folder.read)])
        rig.pay(1, "12.50")
        rig.run(for: .seconds(8))
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.heard.first?.count ?? 0 > 40_000)
    }

    @Test("A damaged pack is refused with the clip's name and what to do")
    func refuses() throws {
        let good = try Self.chinese.get()
        var swapped = good
        swapped.files["n5.wav"] = good.files["n6.wav"]
        #expect(throws: VoicePackFault(clip: "n5", .hash)) { try Voice.load(file: swapped.read) }
        var missing = good
        missing.files["n5.wav"] = nil
        #expect(throws: VoicePackFault(clip: "n5", .missingFile("n5.wav"))) { try Voice.load(file: missing.read) }
        var noise = good
        try noise.replace("n5", with: Array(repeating: 7, count: 500), frames: 100)
        #expect { try Voice.load(file: noise.read) } throws: { error in
            guard let fault = error as? VoicePackFault, case .unreadable = fault.kind else { return false }
            return fault.clip == "n5" && fault.message.contains("clip n5")
        }
        var short = good
        try short.edit("n5") { $0.set("frames", 1) }
        #expect { try Voice.load(file: short.read) } throws: { ($0 as? VoicePackFault)?.clip == "n5" }
        var silent = good
        try silent.edit("n5_yuan") { $0.set("text", "别的") }
        try silent.edit("n5") { $0.set("text", "其他") }
        #expect { try Voice.load(file: silent.read) } throws: { error in
            guard let fault = error as? VoicePackFault, case .unspeakable = fault.kind else { return false }
            return true
        }
    }

    @Test(
        "A manifest at fault is refused",
        arguments: [
            ("{}", "format"), ("[1]", "format"), ("{", "voice.json"), (#"{"format":2}"#, "format"),
            (#"{"format":1,"language":"en","licence":"x","sample_rate":24000,"clips":[]}"#, "clips"),
            (#"{"format":1,"language":"en","licence":"x","sample_rate":1,"clips":[]}"#, "sample_rate"),
            (#"{"format":1,"language":"en","licence":"x","sample_rate":24000,"clips":[{}]}"#, "id"),
            (
                #"{"format":1,"language":"en","licence":"x","sample_rate":24000,"clips":[{"id":"a","text":"a","file":"../a","sha256":"","frames":1}]}"#,
                "plain name"
            ),
            (
                #"{"format":1,"language":"en","licence":"x","sample_rate":24000,"clips":[{"id":"a","text":"a","file":"a","sha256":"","frames":1}]}"#,
                "sha256"
            ),
        ])
    func refusesManifests(_ text: String, _ word: String) {
        #expect { try VoiceManifest.read(Array(text.utf8)) } throws: {
            ($0 as? VoicePackFault)?.message.contains(word) ?? false
        }
    }

    @Test("A prepared pack is the same pack; another manifest's, or a damaged one, is none")
    func prepares() throws {
        let folder = try Self.chinese.get()
        let manifest = try #require(folder.read("voice.json"))
        let pack = try VoicePack.load(manifest: manifest, file: folder.read)
        let prepared = pack.prepared(manifest: manifest)
        let voice = try Voice.load(prepared: { $0 == PreparedPack.name(manifest: manifest) ? prepared : nil }) { name in
            name.hasSuffix(".wav") ? nil : folder.read(name)
        }
        let phrase = try #require(voice.phrase("微信收款，十二点五元"))
        let fresh = try Voice.load(file: folder.read)
        #expect(voice.samples(of: phrase) == fresh.samples(of: phrase))
        #expect(VoicePack.load(manifest: manifest + [0x20], prepared: prepared) == nil)
        var damaged = prepared
        damaged[damaged.count / 2] ^= 1
        #expect(VoicePack.load(manifest: manifest, prepared: damaged) == nil)
        #expect(VoicePack.load(manifest: manifest, prepared: Array(prepared.dropLast(7))) == nil)
    }

    @Test("The check finds nothing in the packs that ship", arguments: ["zh-CN", "en"])
    func checksOwn(_ language: String) {
        let check = VoiceCheck.check { Fixtures.file($0, of: language) }
        #expect(check.findings.isEmpty, "\(check.table)")
        #expect(check.table.hasSuffix("good\n"))
    }

    @Test("The check names each fault of a clip")
    func checks() throws {
        var folder = try Self.chinese.get()
        func put(_ id: String, _ change: ([Int16]) -> [Int16]) throws {
            let samples = change(try folder.samples(id))
            try folder.replace(id, with: WAVFile(samples: samples, rate: 24_000).bytes, frames: samples.count)
        }
        try put("n1") { $0.map { $0 / 2 } }
        try put("n2") { Array(repeating: 0, count: 2400) + $0 }
        try put("n3") { $0 + Array(repeating: 0, count: 4800) }
        try put("n4") { $0.map { Int16(max(-32768, min(32767, Int($0) * 6))) } }
        try put("n5") { Array($0.dropFirst($0.count / 2)) }
        folder.files["n6.wav"] = nil
        folder.files["n7.wav"]?[100] ^= 1
        let check = VoiceCheck.check(file: folder.read)
        func kinds(_ id: String) -> [VoiceCheck.Finding.Kind] { check.findings.filter { $0.clip == id }.map(\.kind) }
        #expect(kinds("n1").contains { if case .level(let dB) = $0 { (-7.5 ... -4.5).contains(dB) } else { false } })
        #expect(
            kinds("n2") == [.silenceBefore(milliseconds: 100 + 5)]
                || kinds("n2").contains {
                    if case .silenceBefore(let ms) = $0 { (100...130).contains(ms) } else { false }
                })
        #expect(kinds("n3").contains { if case .silenceBehind(let ms) = $0 { ms >= 200 } else { false } })
        #expect(kinds("n4").contains { if case .clipped = $0 { true } else { false } })
        #expect(kinds("n5").contains { if case .edge = $0 { true } else { false } })
        #expect(kinds("n6") == [.refused(VoicePackFault(clip: "n6", .missingFile("n6.wav")))])
        #expect(kinds("n7") == [.refused(VoicePackFault(clip: "n7", .hash))])
        #expect(check.isRefused)
        #expect(check.table.contains("n6  ") && check.table.hasSuffix("refused\n"))
    }
}

/// What is heard at the joints.
@Suite struct JoiningTests {
    private static func step(_ samples: ArraySlice<Int16>) -> Int {
        zip(samples, samples.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test(
        "A phrase is as long as its clips and stated pauses, to the sample, with no step at a joint",
        arguments: [
            ("zh-CN", "微信收款，一千二百三十四点五六元"), ("zh-CN", "补报，支付宝退款，两万元"), ("zh-CN", "又收款七笔，共一亿零三元"),
            ("en", "repeated, WeChat payment, nine hundred ninety-nine million dollars and seventeen cents"),
        ])
    func joins(_ language: String, _ words: String) throws {
        let voice = try Fixtures.voice(language)
        let phrase = try #require(voice.phrase(words))
        let pack = try #require(voice.pack)
        let parts = try pack.ids(of: phrase).map { voice.samples(of: try #require(voice.phrase(ids: [$0]))) }
        let pauses = phrase.pieces.reduce(0) { if case .pause(let ms) = $1 { $0 + ms } else { $0 } }
        let samples = voice.samples(of: phrase)
        #expect(samples.count == parts.reduce(0) { $0 + $1.count } + pauses * 24)
        #expect(samples.count == pack.frames(of: phrase))
        let inside = parts.map { Self.step($0[...]) }.max() ?? 0
        #expect(Self.step(samples[...]) <= inside)
        let edges = parts.flatMap { [abs(Int($0[0])), abs(Int($0[$0.count - 1]))] }
        #expect(edges.allSatisfy { $0 < 330 })
    }

    @Test("A clip of 30 ms is played whole")
    func playsShortClips() throws {
        var folder = try PackFolder()
        let tone = (0..<720).map { Int16(8000 * (($0 / 12) % 2 == 0 ? 1 : -1)) }
        try folder.replace("test", with: WAVFile(samples: tone, rate: 24_000).bytes, frames: tone.count)
        let rig = AnnouncerRig(voices: [try Voice.load(file: folder.read)], period: .milliseconds(100))
        rig.prompt(.test)
        rig.run(for: .seconds(3))
        #expect(rig.heard.map(\.count) == [720])
        #expect(rig.ended.count == 1)
    }

    @Test("A WAV comes back as it went, and what is none is refused")
    func writesWAV() {
        let wav = WAVFile(samples: [0, 1, -1, .max, .min], rate: 24_000)
        #expect(WAVFile(wav.bytes) == wav)
        #expect(wav.bytes.count == 54)
        for cut in 0..<wav.bytes.count { #expect(WAVFile(Array(wav.bytes[..<cut])) == nil) }
    }
}
