// voice.json: what a pack says of itself and of each of its clips.

import BoxFoundation

/// `voice.json`, read: 2,000 clips at most.
package struct VoiceManifest: Equatable, Sendable {
    /// What this firmware reads; another format is refused.
    package static let format: Int64 = 1
    /// Clips of one pack at most.
    package static let mostClips = 2000

    /// What it says of one clip.
    package struct Clip: Equatable, Sendable {
        package var id: String
        /// What is heard, written as the number grammar and phrases.json5 write it.
        package var text: String
        /// A file of the pack's folder, without a path.
        package var file: String
        /// Of the whole file: 64 lower-case hex digits.
        package var sha256: String
        /// At the file's own rate.
        package var frames: Int
        /// Silence behind it where punctuation or another clip id follows, in milliseconds; nil is the language's own.
        package var pause: Int?
    }

    package var language: String
    package var licence: String
    /// Frames a second of the prepared clips.
    package var rate: Int
    /// The target, for people; the check measures around the pack's own median.
    package var loudness: Double?
    package var clips: [Clip]

    package static func read(_ bytes: [UInt8]) throws(VoicePackFault) -> VoiceManifest {
        let root: JSON
        do { root = try JSONReader.read(bytes) } catch {
            throw VoicePackFault(clip: nil, .manifest("line \(error.line): \(error.message)"))
        }
        guard root["format"]?.integer == format else {
            throw VoicePackFault(clip: nil, .format(root["format"]?.text ?? "none"))
        }
        guard let language = root["language"]?.string, let licence = root["licence"]?.string,
            let rate = root["sample_rate"]?.integer, (8000...48_000).contains(rate)
        else { throw VoicePackFault(clip: nil, .manifest("language, licence or sample_rate is missing")) }
        guard let entries = root["clips"]?.array, !entries.isEmpty, entries.count <= mostClips else {
            throw VoicePackFault(clip: nil, .manifest("clips must be a list of 1 to \(mostClips)"))
        }
        var clips: [Clip] = []
        for (i, entry) in entries.enumerated() { clips.append(try clip(entry, at: i)) }
        try checkNames(clips)
        return VoiceManifest(
            language: language, licence: licence, rate: Int(rate), loudness: root["loudness_lufs"]?.double, clips: clips
        )
    }

    /// As it stands in `sha256`.
    package static func sha256(_ file: [UInt8]) -> String { SHA256.hex(file) }

    private static func clip(_ entry: JSON, at index: Int) throws(VoicePackFault) -> Clip {
        guard let id = entry["id"]?.string, !id.isEmpty else {
            throw VoicePackFault(clip: nil, .manifest("clip \(index + 1) has no id"))
        }
        guard let text = entry["text"]?.string, let file = entry["file"]?.string, let sum = entry["sha256"]?.string,
            let frames = entry["frames"]?.integer, (1...10_000_000).contains(frames)
        else { throw VoicePackFault(clip: id, .manifest("text, file, sha256 or frames is missing")) }
        guard !file.isEmpty, !file.hasPrefix("."), !file.utf8.contains(UInt8(ascii: "/")) else {
            throw VoicePackFault(clip: id, .manifest("file must be a plain name"))
        }
        guard sum.utf8.count == 64, Hex.bytes(sum) != nil else {
            throw VoicePackFault(clip: id, .manifest("sha256 must be 64 lower-case hex digits"))
        }
        let pause = entry["pause_ms"]?.integer
        guard (0...2000).contains(pause ?? 0) else {
            throw VoicePackFault(clip: id, .manifest("pause_ms must be 0 to 2000"))
        }
        return Clip(id: id, text: text, file: file, sha256: sum, frames: Int(frames), pause: pause.map { Int($0) })
    }

    private static func checkNames(_ clips: [Clip]) throws(VoicePackFault) {
        var seen: Set<String> = []
        for clip in clips where !seen.insert(clip.id).inserted {
            throw VoicePackFault(clip: clip.id, .manifest("the id stands twice"))
        }
    }
}
