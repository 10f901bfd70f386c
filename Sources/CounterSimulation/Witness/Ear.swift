// Hears what the speaker played, sample by sample, and tells which clips it was. It knows nothing of what the box wanted to
// play.

import BoxFoundation
import HardwareSimulated

/// What was heard, in order, silence left out.
package enum HeardSound: Equatable, Sendable {
    /// By its place in the pack: heard to its last sample.
    case clip(Int)
    /// Its beginning alone.
    case brokenClip(Int)
    /// Nothing of the pack: what a speech program makes.
    case speech
    /// Cut off before it could be told from the rest.
    case scrap
}

/// Tells to the sample which clips were heard, out of nothing but the samples.
package struct Ear {
    /// Speech goes on through silence shorter than this, in samples.
    private static let shortSilence = 400

    private let pack: EarPack
    /// The clip being heard and the next sample of it.
    private var current: (clip: Int, next: Int)?
    /// What came and is too little to tell a clip by.
    private var rest: [Int16] = []
    private var silence = 0
    package private(set) var sounds: [HeardSound] = []

    package init(_ pack: EarPack) { self.pack = pack }

    /// Takes what was heard so far.
    package mutating func take() -> [HeardSound] {
        defer { sounds = [] }
        return sounds
    }

    package var text: String { Self.text(sounds, pack) }
    /// The chime is the last of the pack's sounds.
    var chimePlace: Int { pack.clips.count - 1 }

    static func text(_ sounds: [HeardSound], _ pack: EarPack) -> String {
        sounds.map { sound in
            switch sound {
            case .clip(let place): pack.clips[place].text
            case .brokenClip(let place): pack.clips[place].text + "…"
            case .speech: "(speech)"
            case .scrap: "…"
            }
        }.joined()
    }

    /// - Parameter runs: a break between two of them may lie in a clip: a speaker that ran dry goes on where it was.
    package mutating func hear(_ runs: [SimulatedSpeaker.Run]) {
        for run in runs where !run.samples.isEmpty { hear(run.samples) }
    }

    /// Nothing follows what was heard: the power is gone, or another phrase begins.
    package mutating func end() {
        endClip()
        if !rest.isEmpty { sounds.append(.scrap) }
        rest = []
        silence = Self.shortSilence
    }

    package mutating func hear(_ new: [Int16]) {
        let samples = rest.isEmpty ? new : rest + new
        rest = []
        var at = 0
        if current != nil, !goesOn(samples) { endClip() }
        while at < samples.count {
            if current != nil {
                at = follow(samples, from: at)
            } else if samples[at] == 0 {
                at = skipSilence(samples, from: at)
            } else if samples.count - at < EarPack.signature {
                rest = Array(samples[at...])
                return
            } else {
                at = begin(samples, at: at)
            }
        }
    }

    /// A clip that was interrupted does not go on with the first samples of another run.
    private func goesOn(_ samples: [Int16]) -> Bool {
        guard let current else { return false }
        let clip = pack.clips[current.clip].samples
        let count = min(EarPack.signature, samples.count, clip.count - current.next)
        for i in 0..<count where !Self.isSame(samples[i], clip[current.next + i]) { return false }
        return true
    }

    private static func isSame(_ heard: Int16, _ meant: Int16) -> Bool {
        heard > 0 && meant > 0 || heard < 0 && meant < 0
    }

    private mutating func skipSilence(_ samples: [Int16], from start: Int) -> Int {
        var at = start
        samples.withUnsafeBufferPointer { samples in
            while at < samples.count, samples[at] == 0 { at += 1 }
        }
        silence += at - start
        return at
    }

    private mutating func begin(_ samples: [Int16], at start: Int) -> Int {
        if let place = pack.places[EarPack.signs(samples, at: start)] {
            silence = 0
            current = (place, 0)
            return start
        }
        addSpeech()
        var at = start
        while at < samples.count, samples[at] != 0 { at += 1 }
        return at
    }

    private mutating func addSpeech() {
        if sounds.last != .speech || silence >= Self.shortSilence { sounds.append(.speech) }
        silence = 0
    }

    /// Follows the clip as far as it is what is heard.
    private mutating func follow(_ samples: [Int16], from start: Int) -> Int {
        guard let (place, next) = current else { return start }
        let clip = pack.clips[place].samples
        let count = min(samples.count - start, clip.count - next)
        let same = Self.countSame(samples, start, clip, next, count)
        if same < count {
            endClip()
            return start + same
        }
        if next + count == clip.count {
            sounds.append(.clip(place))
            current = nil
        } else {
            current = (place, next + count)
        }
        return start + count
    }

    private static func countSame(_ a: [Int16], _ aStart: Int, _ b: [Int16], _ bStart: Int, _ count: Int) -> Int {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var i = 0
                // The signs alone, and no zero: the volume and the fades change the rest.
                while i < count, (a[aStart + i] ^ b[bStart + i]) >= 0, a[aStart + i] != 0 { i += 1 }
                return i
            }
        }
    }

    private mutating func endClip() {
        if let current { sounds.append(.brokenClip(current.clip)) }
        current = nil
    }
}
