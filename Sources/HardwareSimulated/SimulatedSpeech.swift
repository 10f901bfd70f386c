// A speech program that makes a tone of every text by the loop's time, and remembers what it was to say.

import BoxFoundation
import HardwareInterface

/// A speech program that can be missing, stuck, or break off.
package final class SimulatedSpeech: SpeechProgram {
    /// What was asked.
    package struct Text: Equatable, Sendable {
        package var words: String
        package var language: String

        package init(words: String, language: String) {
            self.words = words
            self.language = language
        }
    }

    /// What can be wrong with it; all right at first.
    package struct Faults: Equatable, Sendable {
        /// It is not installed.
        package var isMissing = false
        /// It starts and says nothing more, ever.
        package var isStuck = false
        /// It breaks off after so many blocks.
        package var breaksAfter: Int?

        package init() {}
    }

    /// Frames a second, as espeak-ng's.
    package static let rate = 22_050
    /// Sound of one block: a tenth of a second.
    package static let block = rate / 10
    /// The tone: a square wave of this height, so that a test knows it from clips.
    package static let height: Int16 = 6000

    package var faults = Faults()
    package private(set) var texts: [Text] = []
    package private(set) var stops = 0
    /// From one block to the next: faster than it is heard.
    package var pace = Interval.milliseconds(20)

    private let loop: any EventLoop
    private var current: SpeechID?

    package init(on loop: any EventLoop) { self.loop = loop }

    package var isSpeaking: Bool { current != nil }

    package func speak(_ id: SpeechID, _ words: String, language: String) {
        stop()
        texts.append(Text(words: words, language: language))
        guard !faults.isMissing else {
            return loop.post(.speech(id, .failed("the speech program is not installed")))
        }
        current = id
        guard !faults.isStuck else { return }
        makeBlock(0, of: max(1, words.count), for: id)
    }

    package func stop() {
        if current != nil { stops += 1 }
        current = nil
    }

    /// A block a character.
    private func makeBlock(_ number: Int, of count: Int, for id: SpeechID) {
        loop.schedule(at: loop.now + pace) { [weak self] in
            guard let self, current == id else { return }
            if let limit = faults.breaksAfter, number >= limit { return end(.failed("it broke off"), of: id) }
            loop.post(.speech(id, .samples(Self.tone, rate: Self.rate)))
            if number + 1 == count { return end(.ended, of: id) }
            makeBlock(number + 1, of: count, for: id)
        }
    }

    private func end(_ event: SpeechEvent, of id: SpeechID) {
        current = nil
        loop.post(.speech(id, event))
    }

    private static let tone = (0..<block).map { $0 / 25 % 2 == 0 ? height : -height }
}
