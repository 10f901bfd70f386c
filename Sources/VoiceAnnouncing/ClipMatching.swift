// Words to clips: from left to right the longest clip text that fits. Whole pairs (一百, 点五, 五元) are understood much
// better than single syllables, and the longest text takes them.

/// The texts of a pack's clips, ready to be looked up.
struct ClipMatching: Sendable {
    private struct Entry: Sendable {
        var text: [UInt8]
        var clip: Int
    }

    /// By the first byte, the longest text first; of equal texts the earlier clip.
    private var entries: [[Entry]]
    /// Punctuation by its normal form, in milliseconds.
    private let pauses: [(mark: [UInt8], milliseconds: Int)]
    private let spaces: Bool

    init(_ pack: VoicePack, spaces: Bool, pauses: [(mark: [UInt8], milliseconds: Int)]) {
        self.spaces = spaces
        self.pauses = pauses
        entries = Array(repeating: [], count: 256)
        for (place, clip) in pack.clips.enumerated() {
            let text = Self.normal(clip.text)
            guard let first = text.first else { continue }
            entries[Int(first)].append(Entry(text: text, clip: place))
        }
        for i in entries.indices {
            entries[i].sort { a, b in a.text.count != b.text.count ? a.text.count > b.text.count : a.clip < b.clip }
        }
    }

    /// - Returns: nil where some of the words have no clip.
    func phrase(_ words: String, of pack: VoicePack) -> SpokenPhrase? {
        let text = Self.normal(words)
        var pieces: [SpokenPhrase.Piece] = []
        var at = 0
        while at < text.count {
            if let entry = entry(in: text, at: at) {
                pieces.append(.clip(entry.clip))
                at += entry.text.count
            } else if let pause = pause(in: text, at: at) {
                appendPause(pause.milliseconds, to: &pieces, pack)
                at += pause.mark.count
            } else if text[at] == UInt8(ascii: " ") {
                at += 1
            } else {
                return nil
            }
        }
        if case .pause? = pieces.last { pieces.removeLast() }
        return SpokenPhrase(words: words, pieces: pieces)
    }

    private func entry(in text: [UInt8], at place: Int) -> Entry? {
        entries[Int(text[place])].first { entry in
            let end = place + entry.text.count
            guard end <= text.count, text[place..<end].elementsEqual(entry.text) else { return false }
            return !spaces || end == text.count || text[end] == UInt8(ascii: " ") || pause(in: text, at: end) != nil
        }
    }

    private func pause(in text: [UInt8], at place: Int) -> (mark: [UInt8], milliseconds: Int)? {
        pauses.first { text[place...].starts(with: $0.mark) }
    }

    /// The clip in front may know its own pause better. Silence at the start says nothing.
    private func appendPause(_ milliseconds: Int, to pieces: inout [SpokenPhrase.Piece], _ pack: VoicePack) {
        guard case .clip(let place)? = pieces.last else { return }
        let length = pack.clips[place].pause ?? milliseconds
        if length > 0 { pieces.append(.pause(length)) }
    }

    /// Small letters, hyphens as spaces, no joiners that only a line break sees (soft hyphen, zero-width space).
    private static func normal(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars where scalar != "\u{AD}" && scalar != "\u{200B}" {
            switch scalar {
            case "-": bytes.append(UInt8(ascii: " "))
            case "A"..."Z": bytes.append(UInt8(scalar.value) + 32)
            default: bytes.append(contentsOf: UTF8.encode(scalar)!)
            }
        }
        return bytes
    }
}
