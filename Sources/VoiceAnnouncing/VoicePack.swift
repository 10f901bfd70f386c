// A pack in memory: every clip decoded, checked and ready to be joined. VoiceAnnouncing touches no file: whoever loads
// a pack hands in a closure that reads one file of its folder.

import BoxFoundation

/// Why a pack is refused: the clip, what is wrong, what to do.
package struct VoicePackFault: Error, Equatable, Sendable {
    /// Why a pack is refused.
    package enum Kind: Equatable, Sendable {
        case missingFile(String)
        case manifest(String)
        case format(String)
        case hash
        case unreadable(String)
        case frames(Int, wanted: Int)
        case tooLarge
        case grammar(String)
        case phrases(String)
        case unspeakable(String)
    }

    package var clip: String?
    package var kind: Kind

    package init(clip: String?, _ kind: Kind) {
        self.clip = clip
        self.kind = kind
    }

    package var message: String { (clip.map { "clip \($0): " } ?? "") + reason }

    private var reason: String {
        switch kind {
        case .missingFile(let file): "the file \(file) is missing; copy the whole pack again"
        case .manifest(let what): "voice.json: \(what)"
        case .format(let format): "voice.json has format \(format), this firmware reads \(VoiceManifest.format)"
        case .hash: "the file is not the one that voice.json names (sha256 differs); copy the whole pack again"
        case .unreadable(let why): "the file can't be read as sound (\(why)); make it WAV, FLAC or MP3"
        case .frames(let frames, let wanted): "it has \(frames) frames, voice.json says \(wanted)"
        case .tooLarge: "the pack's sound is over \(VoicePack.mostSamples) samples"
        case .grammar(let what): "numbers.rbnf: \(what)"
        case .phrases(let what): what
        case .unspeakable(let words): "no clips say \"\(words)\"; add them"
        }
    }
}

/// Clips in memory, checked, all at one rate: at most 8,388,608 samples.
package struct VoicePack: Sendable {
    /// Samples of all clips of a pack at most: 16 MiB.
    package static let mostSamples = 8 << 20
    /// Each end of a clip is faded over this many milliseconds, so that no joint has a step.
    static let fadeMilliseconds = 2

    struct Clip: Sendable {
        var id: String
        var text: String
        var samples: [Int16]
        /// In milliseconds.
        var pause: Int?
    }

    package let language: String
    package let licence: String
    /// Frames a second.
    package let rate: Int
    let clips: [Clip]
    private let placeOfID: [String: Int]

    /// - Parameters:
    ///   - manifest: the bytes of voice.json.
    ///   - file: reads a file of the pack's folder; nil where it can't be read.
    package static func load(
        manifest: [UInt8], file: (String) -> [UInt8]?
    ) throws(VoicePackFault) -> VoicePack {
        let manifest = try VoiceManifest.read(manifest)
        defer { SoundDecoder.rest() }
        var clips: [Clip] = []
        clips.reserveCapacity(manifest.clips.count)
        var total = 0
        for entry in manifest.clips {
            guard let bytes = file(entry.file) else {
                throw VoicePackFault(clip: entry.id, .missingFile(entry.file))
            }
            let clip = try decode(bytes, entry, rate: manifest.rate)
            total += clip.samples.count
            guard total <= mostSamples else { throw VoicePackFault(clip: entry.id, .tooLarge) }
            clips.append(clip)
        }
        return VoicePack(language: manifest.language, licence: manifest.licence, rate: manifest.rate, clips: clips)
    }

    init(language: String, licence: String, rate: Int, clips: [Clip]) {
        self.language = language
        self.licence = licence
        self.rate = rate
        self.clips = clips
        placeOfID = Dictionary(clips.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func decode(
        _ bytes: [UInt8], _ entry: VoiceManifest.Clip, rate: Int
    ) throws(VoicePackFault) -> Clip {
        guard SHA256.hex(bytes) == entry.sha256 else { throw VoicePackFault(clip: entry.id, .hash) }
        let samples = faded(try sound(bytes, entry, rate: rate), over: rate * fadeMilliseconds / 1000)
        return Clip(id: entry.id, text: entry.text, samples: samples, pause: entry.pause)
    }

    /// Samples as they are in the file, at the pack's rate.
    static func sound(
        _ bytes: [UInt8], _ entry: VoiceManifest.Clip, rate: Int
    ) throws(VoicePackFault) -> [Int16] {
        var frames: Int
        var samples: [Int16]
        if let wav = WAVFile(bytes), wav.rate == rate {
            (frames, samples) = (wav.samples.count, wav.samples)
        } else {
            switch SoundDecoder.decode(bytes) {
            case .failure(let fault): throw VoicePackFault(clip: entry.id, .unreadable(fault.text))
            case .success(let sound):
                // Decoders differ in what they take off the ends of a lossy file.
                (frames, samples) = (sound.isLossy ? entry.frames : sound.frames, sound.prepared(rate: rate))
            }
        }
        guard frames == entry.frames else {
            throw VoicePackFault(clip: entry.id, .frames(frames, wanted: entry.frames))
        }
        guard !samples.isEmpty else { throw VoicePackFault(clip: entry.id, .unreadable("no sound in it")) }
        return samples
    }

    /// The ids in the order of the manifest.
    package var ids: [String] { clips.map(\.id) }

    package func has(_ id: String) -> Bool { placeOfID[id] != nil }

    func place(of id: String) -> Int? { placeOfID[id] }

    /// A linear ramp at each end; at most half of the clip.
    private static func faded(_ samples: [Int16], over frames: Int) -> [Int16] {
        var samples = samples
        let ramp = min(frames, samples.count / 2)
        for i in 0..<ramp {
            let scale = Int32(i + 1)
            let end = samples.count - 1 - i
            samples[i] = Int16(Int32(samples[i]) * scale / Int32(ramp + 1))
            samples[end] = Int16(Int32(samples[end]) * scale / Int32(ramp + 1))
        }
        return samples
    }
}
