// Voice packs of shops: sounds, manifests, number grammars.

import BoxFoundation
import VoiceAnnouncing

enum VoiceSubjects {
    /// A sound file in a pack whose manifest fits it: it is taken, or refused with the clip's name and a reason.
    static func sound(_ bytes: [UInt8]) {
        let frames = max(1, WAVFile(bytes)?.samples.count ?? 2400)
        let clip =
            #"{"id":"n1","text":"一","file":"n1.wav","sha256":"\#(VoiceManifest.sha256(bytes))","frames":\#(frames)}"#
        let manifest =
            #"{"format":1,"version":"1","language":"zh-CN","licence":"CC0-1.0","sample_rate":24000,"clips":[\#(clip)]}"#
        do {
            _ = try VoicePack.load(manifest: Array(manifest.utf8)) { _ in bytes }
        } catch {
            // Without a clip it would be the manifest that is refused, and no sound was looked at.
            precondition(error.clip == "n1" && !error.message.isEmpty, "a refusal without the clip or a reason")
        }
    }

    /// A manifest of anybody.
    static func pack(_ bytes: [UInt8]) {
        _ = try? VoicePack.load(manifest: bytes) { _ in nil }
    }

    /// A grammar that is taken reads every number, in bounded time and length.
    static func grammar(_ bytes: [UInt8]) {
        guard let grammar = try? NumberGrammarReader.read(bytes) else { return }
        for name in grammar.setNames.prefix(8) {
            guard let set = grammar.set(name) else { preconditionFailure("a set that is not found by its name") }
            for number: Int64 in [0, 1, 10, 12, 99, 100, 1050, 10_003, 999_999_999_999] {
                var words: [UInt8] = []
                grammar.append(number, by: set, to: &words)
                grammar.append(number, decimals: 50, count: 2, by: set, to: &words)
                precondition(String(validating: words, as: UTF8.self) != nil, "words that are not UTF-8")
            }
        }
    }
}
