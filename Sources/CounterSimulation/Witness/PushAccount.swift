// What is known of one push: what it asked for, what the disk has of it, what was heard and seen, what its hub was told.

import BoxFoundation
import PaymentJournal
import PushProtocol

final class PushAccount {
    let intent: PushIntent
    let hub: String
    /// When its hub took it.
    let sent: WallTime
    let sentAt: Moment

    init(_ intent: PushIntent, hub: String, sent: WallTime, at now: Moment) {
        (self.intent, self.hub, self.sent, sentAt) = (intent, hub, sent, now)
    }

    var name: String { "\(hub)/\(intent.id)" }

    // What the hub was told.
    var isAccepted = false
    var final: PushResult?
    var finalAt: Moment?
    /// Times that the hub sent it again for no reason, and of those with another body.
    var repeats = 0
    var otherBodies = 0

    // What the disk has.
    /// Its place in the order in which the box took pushes; anew where it was taken again.
    var order: Int?
    var takenInRun = 0
    var sequence: JournalSequence?
    /// The disk would not take it: it lives in one run's memory.
    var isUnkept = false
    /// A change of it was not kept.
    var hasDiskTrouble = false
    /// A beginning was not kept, and the disk was such that nothing could remember it.
    var hasLostBeginning = false
    /// Bits turned in the journal after it was taken: the box cannot know all about it any more.
    var isRotten = false
    /// It was sent before a journal was set aside: the box cannot know whether it is new.
    var mayBeMarked = false
    /// The power went while it was being taken, in this run: it may be on disk.
    var mayBeKeptInRun: Int?
    /// The same of its beginning.
    var mayHaveBegun = false
    var voiceBegunInRun: Int?
    var paperBegunInRun: Int?
    var voiceEnd: VoiceEnd?
    var paperEnd: PaperEnd?
    var paperEndedAt: Moment?

    // What the ear heard.
    /// Begun phrases, whether anything of them was heard or not.
    var attempts = 0
    var unmarkedPhrases = 0
    var markedPhrases = 0
    var wholePhrases = 0
    var wholeMerges = 0
    var lastPhraseRun = 0

    // What the eye saw.
    var unmarkedReceipts = 0
    var markedReceipts = 0
    var wholeReceipts = 0
    /// Copies of a life that the box has forgotten, which the printer may still have in its buffer.
    var forgottenReceipts = 0

    /// Its beginning is on disk, or may be: the first run counts.
    func begin(_ half: JournalHalf, in run: Int) {
        if half == .voice { voiceBegunInRun = voiceBegunInRun ?? run } else { paperBegunInRun = paperBegunInRun ?? run }
    }

    /// It was lost with the run that had it in memory alone, and is taken once more as a new one.
    func comeAnew() {
        forgottenReceipts += max(0, intent.copies - unmarkedReceipts)
        (voiceBegunInRun, paperBegunInRun, voiceEnd, paperEnd, paperEndedAt) = (nil, nil, nil, nil, nil)
        (unmarkedPhrases, markedPhrases, attempts, unmarkedReceipts) = (0, 0, 0, 0)
    }

    /// Whether a run's end may have made the box forget that it had begun it.
    func mayComeAnew(inRun run: Int) -> Bool { isUnkept || isForgotten(inRun: run) }
    func isForgotten(inRun run: Int) -> Bool { isRotten || hasLostBeginning && takenInRun < run }
    /// Likewise that it had ended it.
    func mayEndAnew(inRun run: Int) -> Bool { isRotten || isUnkept || hasDiskTrouble && takenInRun < run }
}
