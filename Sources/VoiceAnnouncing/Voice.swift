// A language that can be spoken: its words (phrases.json5, numbers.rbnf) and, where the pack has sound, its clips.

import BoxFoundation

/// A language's words and, where it has any, its clips.
package struct Voice: Sendable {
    package let wording: Wording
    /// nil where the folder has words alone (no voice.json).
    package let pack: VoicePack?
    private let matching: ClipMatching?

    package var language: String { wording.phrasebook.language }

    /// Reads a pack's folder.
    ///
    /// - Parameters:
    ///   - prepared: the pack as the cache keeps it under a name of `PreparedPack`; nil where it does not.
    ///   - file: reads a file of the folder by its name; nil where it can't be read.
    package static func load(
        style: VoiceStyle = VoiceStyle(), prepared: (String) -> [UInt8]? = { _ in nil }, file: (String) -> [UInt8]?
    ) throws(VoicePackFault) -> Voice {
        let wording = try loadWording(style: style, file: file)
        guard let manifest = file("voice.json") else { return Voice(wording, nil) }
        if let bytes = prepared(PreparedPack.name(manifest: manifest)),
            let pack = VoicePack.load(manifest: manifest, prepared: bytes)
        {
            return Voice(wording, pack)
        }
        let pack = try VoicePack.load(manifest: manifest, file: file)
        guard pack.language == wording.phrasebook.language else {
            throw VoicePackFault(clip: nil, .manifest("the language differs from that of phrases.json5"))
        }
        let voice = Voice(wording, pack)
        try voice.requireClips(for: VoiceCoverage.quick(wording))
        return voice
    }

    /// The words alone, without a look at the sound.
    package static func loadWording(
        style: VoiceStyle = VoiceStyle(), file: (String) -> [UInt8]?
    ) throws(VoicePackFault) -> Wording {
        guard let rules = file("numbers.rbnf") else { throw VoicePackFault(clip: nil, .missingFile("numbers.rbnf")) }
        guard let phrases = file("phrases.json5") else {
            throw VoicePackFault(clip: nil, .missingFile("phrases.json5"))
        }
        let grammar: NumberGrammar
        do { grammar = try NumberGrammarReader.read(rules) } catch {
            throw VoicePackFault(clip: nil, .grammar("line \(error.line): \(error.message)"))
        }
        do { return Wording(try PhrasebookReader.read(phrases, grammar: grammar), style: style) } catch {
            throw VoicePackFault(clip: nil, .phrases(error.message))
        }
    }

    private init(_ wording: Wording, _ pack: VoicePack?) {
        self.wording = wording
        self.pack = pack
        let book = wording.phrasebook
        matching = pack.map { ClipMatching($0, spaces: book.spaces, pauses: book.pauses) }
    }

    /// The same voice in another style.
    package func with(_ style: VoiceStyle) -> Voice { Voice(Wording(wording.phrasebook, style: style), pack) }

    /// - Returns: nil without clips for all of the words.
    package func phrase(_ words: String) -> SpokenPhrase? {
        guard let pack, let matching else { return nil }
        return matching.phrase(words, of: pack)
    }

    /// Clips by their ids, each with its own pause where another follows.
    ///
    /// - Returns: nil where the pack lacks one, or for no ids at all.
    package func phrase(ids: [String]) -> SpokenPhrase? {
        guard let pack, !ids.isEmpty else { return nil }
        var pieces: [SpokenPhrase.Piece] = []
        for (i, id) in ids.enumerated() {
            guard let place = pack.place(of: id) else { return nil }
            pieces.append(.clip(place))
            if i + 1 < ids.count, let pause = pack.clips[place].pause, pause > 0 { pieces.append(.pause(pause)) }
        }
        return SpokenPhrase(words: ids.joined(separator: " "), pieces: pieces)
    }

    package func samples(of phrase: SpokenPhrase) -> [Int16] { pack?.samples(of: phrase) ?? [] }

    /// What a shop hears must never fail for want of a clip.
    func requireClips(for samples: [String]) throws(VoicePackFault) {
        for words in samples where phrase(words) == nil {
            throw VoicePackFault(clip: nil, .unspeakable(words))
        }
    }
}
