// The voice of the simulation: the Chinese pack's own words, texts and lengths, but each clip is noise of its own. So an ear
// that knows the noises can tell to the sample which clip was heard, whatever the volume: a sample's sign survives it.

import BoxFoundation
import VoiceAnnouncing

/// Why the simulation has no voice: a file of the Chinese pack is not there or not usable.
package enum EarPackFault: Error, Equatable, Sendable {
    /// A file below `Resources`.
    case missing(String)
    case unusable(String)
}

/// The Chinese pack's words and lengths with a noise of its own for each clip.
package struct EarPack: Sendable {
    /// Frames a second: the least that a pack may have.
    static let rate = 8000
    /// Far above what the lowest volume of the plan makes silent.
    private static let height: Int16 = 12_000
    /// Samples that tell a clip.
    static let signature = 32

    struct Clip: Sendable {
        var text: String
        var samples: [Int16]
    }

    package let voice: Voice
    package let chime: Chime
    let clips: [Clip]
    /// By the signs of their first samples.
    let places: [UInt32: Int]

    package static func load(_ read: (String) -> [UInt8]?) throws(EarPackFault) -> EarPack {
        let folder = "voice/zh-CN/"
        guard let bytes = read(folder + "voice.json") else { throw .missing(folder + "voice.json") }
        guard let manifest = try? JSONReader.read(bytes), let entries = manifest["clips"]?.array,
            let rate = manifest["sample_rate"]?.integer
        else { throw .unusable(folder + "voice.json") }
        var files: [String: [UInt8]] = [:]
        var clips: [Clip] = []
        var newEntries: [JSON] = []
        for (i, entry) in entries.enumerated() {
            let frames = max(400, Int(entry["frames"]?.integer ?? 0) * Self.rate / Int(rate))
            let samples = noise(frames, number: i)
            let file = entry["file"]?.string ?? ""
            files[file] = WAVFile(samples: samples, rate: Self.rate).bytes
            clips.append(Clip(text: entry["text"]?.string ?? "", samples: samples))
            newEntries.append(Self.entry(entry, frames: frames, file: files[file] ?? []))
        }
        var object = manifest.object ?? JSONObject()
        object.set("sample_rate", .integer(Self.rate))
        object.set("clips", .array(newEntries))
        files["voice.json"] = JSON.object(object).bytes
        let chime = Clip(text: "*", samples: noise(2400, number: entries.count))
        return try EarPack(files, clips + [chime]) { read(folder + $0) }
    }

    private init(
        _ files: [String: [UInt8]], _ clips: [Clip], _ read: (String) -> [UInt8]?
    ) throws(EarPackFault) {
        do throws(VoicePackFault) {
            voice = try Voice.load { files[$0] ?? read($0) }
        } catch {
            throw .unusable(error.message)
        }
        guard let last = clips.last, let chime = Chime(WAVFile(samples: last.samples, rate: Self.rate).bytes) else {
            throw .unusable("the chime")
        }
        self.chime = chime
        self.clips = clips
        var places: [UInt32: Int] = [:]
        for (i, clip) in clips.enumerated() { places[Self.signs(clip.samples, at: 0)] = i }
        self.places = places
    }

    private static func entry(_ entry: JSON, frames: Int, file: [UInt8]) -> JSON {
        var new = entry.object ?? JSONObject()
        new.set("frames", .integer(frames))
        new.set("sha256", .string(VoiceManifest.sha256(file)))
        return .object(new)
    }

    private static func noise(_ count: Int, number: Int) -> [Int16] {
        var random = SeededRandom(seed: UInt64(number) + 77)
        var bits: UInt64 = 0
        return (0..<count).map { i in
            if i % 64 == 0 { bits = random.next() }
            return bits >> UInt64(i % 64) & 1 == 1 ? height : -height
        }
    }

    static func signs(_ samples: [Int16], at start: Int) -> UInt32 {
        var signs: UInt32 = 0
        for i in 0..<signature where samples[start + i] > 0 { signs |= 1 << UInt32(i) }
        return signs
    }
}
