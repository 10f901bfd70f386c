// What is asked of the journal and what it answers. A batch is one turn of the loop and one transaction.

import BoxFoundation

/// Voice or paper: each ends by itself.
package enum JournalHalf: Equatable, Sendable { case voice, paper }

/// How one half ended.
package enum JournalEnd: Equatable, Sendable {
    case voice(VoiceEnd)
    /// The cause is for people: why it `failed`, or what the printer could not confirm.
    case paper(PaperEnd, cause: String?)
}

/// What the journal is asked. Whatever changes it is answered only after the commit.
package enum JournalRequest: Equatable, Sendable {
    /// Keeps a push with its body (a compact JSON text). Answered by `taken` or `duplicate`.
    case take(PushRecord, body: String)
    /// The half is about to begin (again): to be on disk before the first sample or byte.
    case begin(JournalSequence, JournalHalf)
    /// So many copies came out whole; the next one has not begun.
    case copied(JournalSequence, copies: Int)
    /// The half has ended. The first end stands; a later one is `unchanged`.
    case end(JournalSequence, JournalEnd)
    /// What RESULT says besides the state.
    case remark(JournalSequence, reason: String, detail: String?)
    /// The outcomes have reached their hub. One that has not ended stays untold.
    case told([JournalSequence])
    /// Deletes a few settled pushes that are beyond both limits and moves what is in the write-ahead log to its place.
    /// For a quiet moment; answered by `pruned`.
    case prune(now: WallTime)
    /// Writes what is there already, to see whether the disk takes changes again. Answered by `kept`.
    case probe

    /// Answered by `push`.
    case load(JournalSequence)
    /// Answered by `push`.
    case find(hub: String, id: String)
    /// The pushes that have not ended or whose outcome is not told, oldest first, after a place in the order, so many
    /// at most (a start reads on until fewer come). Answered by `entries`.
    case unsettled(after: JournalSequence?, most: Int)
    /// The newest push that wanted paper. Answered by `push`.
    case lastReceipt
    /// The newest payment or refund. Answered by `push`.
    case lastPayment
    /// The newest pushes, newest first, `JournalBatch.mostEntries` at most. Answered by `entries`.
    case recent(Int)
    /// Answered by `totals`.
    case dayTotals(day: String)

    /// Whether it may change what is kept.
    package var isChange: Bool {
        switch self {
        case .take, .begin, .copied, .end, .remark, .told, .prune, .probe: true
        case .load, .find, .unsettled, .lastReceipt, .lastPayment, .recent, .dayTotals: false
        }
    }

    var isPrune: Bool { if case .prune = self { true } else { false } }
}

/// Requests that share one transaction, done in order.
package struct JournalBatch: Equatable, Sendable {
    /// Entries in one answer.
    package static let mostEntries = 1000

    package var requests: [JournalRequest]

    package init(_ requests: [JournalRequest]) { self.requests = requests }
}

/// The answer to one request.
package enum JournalReply: Equatable, Sendable {
    /// On disk under this number.
    case taken(JournalSequence)
    /// An id that is here already (from this same batch too): neither to be spoken nor printed again.
    case duplicate(JournalEntry, otherBody: Bool)
    /// The change is on disk.
    case kept
    /// Nothing to change: no such push, or it was so already.
    case unchanged
    /// The change is not on disk; see the answer's `failure`.
    case notKept
    /// nil where there is none.
    case push(JournalEntry?, body: String)
    case entries([JournalEntry])
    case totals([DayTotal])
    /// - Parameter more: there is more to delete at once.
    case pruned(Int, more: Bool)
    /// The question could not be answered; see the answer's `failure`.
    case unanswered
}

/// The answers to a batch, in the order of its requests.
package struct JournalAnswer: Equatable, Sendable {
    /// How opening went, where this batch tried and it went otherwise than the last time.
    package var opened: JournalOpening?
    /// nil: every change of the batch is on disk. Otherwise none is, and the replies say what is known all the same: a
    /// `take` whose id was on disk before is a `duplicate`, every other change is `notKept` (two takes of one new id
    /// both are), and questions are answered from what is on disk where it can be read.
    package var failure: JournalFailure?
    /// One a request, in order.
    package var replies: [JournalReply]

    package init(opened: JournalOpening? = nil, failure: JournalFailure? = nil, replies: [JournalReply]) {
        self.opened = opened
        self.failure = failure
        self.replies = replies
    }
}
