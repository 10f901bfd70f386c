// What the box says of a push: first that it has it, later how it ended.

import BoxFoundation

/// The answer to one PUSH.
package enum PushAnswer: Equatable, Sendable {
    /// It is safe on disk.
    ///
    /// - Parameter badReceipt: what and where, if the receipt can't be set.
    case accepted(badReceipt: String?)
    /// The journal holds its id already.
    case duplicate(PushDuplicate)
    case refused(PushRefusal, detail: String?)
    /// Too much has not ended: the hub keeps it.
    case later
    /// The journal can't be written: it is spoken and printed all the same, nothing is said before the outcome, and a
    /// PONG does not wait for it.
    case unkept

    package static let accepted = PushAnswer.accepted(badReceipt: nil)
}

/// What is told of a push that the journal holds already.
package struct PushDuplicate: Equatable, Sendable {
    /// nil while the voice has not ended.
    package var voice: VoiceEnd?
    /// nil while the paper has not ended.
    package var paper: PaperEnd?
    package var isOtherBody: Bool
    package var journalFailed: Bool
    /// Where both have ended: what to report in `told`.
    package var token: OutcomeToken?

    package init(
        voice: VoiceEnd? = nil, paper: PaperEnd? = nil, isOtherBody: Bool = false, journalFailed: Bool = false,
        token: OutcomeToken? = nil
    ) {
        self.voice = voice
        self.paper = paper
        self.isOtherBody = isOtherBody
        self.journalFailed = journalFailed
        self.token = token
    }
}

/// Names an outcome for whoever keeps it; the session only hands it back.
package struct OutcomeToken: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    package static func < (a: OutcomeToken, b: OutcomeToken) -> Bool { a.number < b.number }
}

/// How a push ended: `done`.
package struct PushOutcome: Equatable, Sendable {
    package var id: String
    package var voice: VoiceEnd
    package var paper: PaperEnd
    /// What and where, if the receipt could not be set.
    package var badReceipt: String?
    package var journalFailed: Bool
    /// nil where nobody waits to hear that it was told.
    package var token: OutcomeToken?

    package init(
        id: String, voice: VoiceEnd, paper: PaperEnd, badReceipt: String? = nil, journalFailed: Bool = false,
        token: OutcomeToken? = nil
    ) {
        self.id = id
        self.voice = voice
        self.paper = paper
        self.badReceipt = badReceipt
        self.journalFailed = journalFailed
        self.token = token
    }
}

extension PushResult {
    /// - Returns: nil where nothing is said.
    init?(_ answer: PushAnswer, id: String) {
        switch answer {
        case .accepted(let detail):
            self.init(id: id, state: .accepted, reason: detail.map { _ in Self.badReceipt }, detail: detail)
        case .duplicate(let known):
            self.init(
                id: id, state: .duplicate, voice: known.voice, paper: known.paper,
                reason: known.isOtherBody ? Self.otherBody : nil, journalFailed: known.journalFailed)
        case .refused(let refusal, let detail):
            self.init(id: id, state: .refused, reason: refusal.rawValue, detail: detail)
        case .later:
            self.init(id: id, state: .later)
        case .unkept:
            return nil
        }
    }

    package init(_ outcome: PushOutcome) {
        self.init(
            id: outcome.id, state: .done, voice: outcome.voice, paper: outcome.paper,
            reason: outcome.badReceipt.map { _ in Self.badReceipt }, detail: outcome.badReceipt,
            journalFailed: outcome.journalFailed)
    }
}
