// What will be heard: clips and pauses, with the words they say.

/// Made by a `Voice`, for its own pack.
package struct SpokenPhrase: Equatable, Sendable {
    /// A clip by its place in the pack, or a silence in milliseconds.
    package enum Piece: Equatable, Sendable {
        /// A clip by its place in the pack.
        case clip(Int)
        /// Silence, in milliseconds.
        case pause(Int)
    }

    package var words: String
    package var pieces: [Piece]

    package init(words: String, pieces: [Piece]) {
        self.words = words
        self.pieces = pieces
    }
}

extension VoicePack {
    /// The clips' ids in order, pauses left out.
    package func ids(of phrase: SpokenPhrase) -> [String] {
        phrase.pieces.compactMap { if case .clip(let place) = $0 { clips[place].id } else { nil } }
    }

    /// Frames of the whole phrase.
    package func frames(of phrase: SpokenPhrase) -> Int {
        phrase.pieces.reduce(0) { sum, piece in
            switch piece {
            case .clip(let place): sum + clips[place].samples.count
            case .pause(let milliseconds): sum + milliseconds * rate / 1000
            }
        }
    }

    /// The phrase as it is played: clip after clip, silence only where a pause stands.
    package func samples(of phrase: SpokenPhrase) -> [Int16] {
        var samples: [Int16] = []
        samples.reserveCapacity(frames(of: phrase))
        for piece in phrase.pieces {
            switch piece {
            case .clip(let place): samples += clips[place].samples
            case .pause(let milliseconds): samples += repeatElement(0, count: milliseconds * rate / 1000)
            }
        }
        return samples
    }
}
