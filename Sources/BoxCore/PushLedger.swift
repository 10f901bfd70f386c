// The pushes that the box has in hand: taken and not ended, or ended and on their way to be told. All others are the
// journal's alone.

import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol

/// A push of this run, from 1 in the order received. The journal's own number outlives the run but is not there when
/// the journal is not.
package struct PushNumber: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    package static func < (a: PushNumber, b: PushNumber) -> Bool { a.number < b.number }
}

/// Which push, as its hub names it; byte for byte.
struct PushName: Hashable {
    var hub: String
    var id: ExactText

    init(hub: String, id: String) {
        self.hub = hub
        self.id = ExactText(id)
    }
}

struct HeldPush {
    let number: PushNumber
    let name: PushName
    /// nil: the journal could not keep it.
    let sequence: JournalSequence?
    var voice: VoiceEnd?
    var paper: PaperEnd?
    /// The end is on disk, or the disk would not take it (then `journalFailed` says so).
    var isVoiceKept = false
    var isPaperKept = false
    var journalFailed: Bool
    /// What and where, if the receipt could not be set.
    var badReceipt: String?
    /// Bytes of the body, counted against `PushLedger.mostBodyBytes`.
    let bodyBytes: Int
    /// The connection on which its outcome was sent and not yet confirmed.
    var toldOn: ConnectionID?
    /// The hub has its outcome; it stays here only so that a resend is known.
    var isTold = false

    var hasEnded: Bool { voice != nil && paper != nil }
    /// Its outcome may be told: *ended* means that the end is in the journal.
    var canBeTold: Bool { hasEnded && isVoiceKept && isPaperKept }

    var outcome: PushOutcome? {
        guard let voice, let paper else { return nil }
        return PushOutcome(
            id: name.id.text, voice: voice, paper: paper, badReceipt: badReceipt, journalFailed: journalFailed,
            token: OutcomeToken(number.number))
    }
}

struct PushLedger {
    /// Pushes that have not ended; over it a push is answered `later` (`docs/push-protocol.md`, Delivery).
    static let mostUnended = 10_000
    /// Bytes of their bodies together; likewise.
    static let mostBodyBytes = 64 << 20
    /// Ids remembered of pushes that the journal could not keep, so that a resend is a `duplicate`. The oldest that has
    /// ended is forgotten first.
    static let mostUnjournaled = 10_000

    private var pushes: [PushNumber: HeldPush] = [:]
    private var lastNumber: Int64 = 0
    private var bySequence: [JournalSequence: PushNumber] = [:]
    private var unjournaled: [PushName: PushNumber] = [:]
    private var unjournaledOrder: [PushName] = []
    private(set) var unended = 0
    private var unendedBytes = 0

    /// - Parameter coming: pushes on their way into the journal.
    func isFull(coming: Int) -> Bool {
        unended + coming >= Self.mostUnended || unendedBytes >= Self.mostBodyBytes
    }

    subscript(number: PushNumber) -> HeldPush? { pushes[number] }

    func number(of sequence: JournalSequence) -> PushNumber? { bySequence[sequence] }

    /// A push of this run that the journal could not keep.
    func unjournaled(_ name: PushName) -> HeldPush? { unjournaled[name].flatMap { pushes[$0] } }

    // MARK: Pushes come

    mutating func add(
        _ name: PushName, sequence: JournalSequence?, bodyBytes: Int, badReceipt: String?
    ) -> PushNumber {
        lastNumber += 1
        let number = PushNumber(lastNumber)
        pushes[number] = HeldPush(
            number: number, name: name, sequence: sequence, journalFailed: sequence == nil, badReceipt: badReceipt,
            bodyBytes: bodyBytes)
        unended += 1
        unendedBytes += bodyBytes
        if let sequence {
            bySequence[sequence] = number
        } else {
            unjournaled[name] = number
            unjournaledOrder.append(name)
            forgetOldUnjournaled()
        }
        return number
    }

    /// A push as the journal has it, with the halves that have ended.
    mutating func add(_ entry: JournalEntry) -> PushNumber {
        if let known = bySequence[entry.sequence] { return known }
        let number = add(
            PushName(hub: entry.record.hub, id: entry.record.id), sequence: entry.sequence, bodyBytes: entry.bodyBytes,
            badReceipt: entry.record.reason == PushResult.badReceipt ? entry.record.detail ?? "" : nil)
        if let voice = entry.voice.end {
            _ = end(number, voice: voice)
            kept(number, .voice)
        }
        if let paper = entry.paper.end {
            _ = end(number, paper: paper)
            kept(number, .paper)
        }
        return number
    }

    // MARK: Pushes end

    /// - Returns: false where the half had ended before: the first end stands.
    mutating func end(_ number: PushNumber, voice: VoiceEnd) -> Bool {
        guard let push = pushes[number], push.voice == nil else { return false }
        pushes[number]?.voice = voice
        noteEnd(number)
        return true
    }

    /// - Returns: false where the half had ended before: the first end stands.
    mutating func end(_ number: PushNumber, paper: PaperEnd) -> Bool {
        guard let push = pushes[number], push.paper == nil else { return false }
        pushes[number]?.paper = paper
        noteEnd(number)
        return true
    }

    /// - Parameter journalFailed: the end could not be written, and is told all the same.
    mutating func kept(_ number: PushNumber, _ half: JournalHalf, journalFailed: Bool = false) {
        if half == .voice { pushes[number]?.isVoiceKept = true } else { pushes[number]?.isPaperKept = true }
        if journalFailed { pushes[number]?.journalFailed = true }
    }

    private mutating func noteEnd(_ number: PushNumber) {
        guard let push = pushes[number], push.hasEnded else { return }
        unended -= 1
        unendedBytes -= push.bodyBytes
    }

    // MARK: Outcomes are told

    mutating func telling(_ number: PushNumber, on connection: ConnectionID) { pushes[number]?.toldOn = connection }

    /// Pushes of a hub whose outcome may be told and is not on its way, oldest first.
    func untold(of hub: String) -> [HeldPush] {
        pushes.values.filter { $0.name.hub == hub && $0.canBeTold && $0.toldOn == nil && !$0.isTold }
            .sorted { $0.number < $1.number }
    }

    /// The hub has the outcome.
    ///
    /// - Returns: the push's place in the journal, to be noted there.
    mutating func told(_ number: PushNumber) -> JournalSequence? {
        guard let push = pushes[number], push.hasEnded else { return nil }
        pushes[number]?.isTold = true
        release(number)
        return push.sequence
    }

    /// Nobody is there to be told: the journal keeps the outcome for the hub's next connection. What the journal has
    /// not stays here.
    mutating func release(_ number: PushNumber) {
        guard let push = pushes[number], push.hasEnded, let sequence = push.sequence else { return }
        bySequence[sequence] = nil
        pushes[number] = nil
    }

    /// The connection is gone: what it had not confirmed is untold again.
    mutating func closed(_ connection: ConnectionID) {
        for push in pushes.values.filter({ $0.toldOn == connection }).sorted(by: { $0.number < $1.number }) {
            pushes[push.number]?.toldOn = nil
            release(push.number)
        }
    }

    private mutating func forgetOldUnjournaled() {
        guard unjournaledOrder.count > Self.mostUnjournaled else { return }
        guard let place = unjournaledOrder.firstIndex(where: { unjournaled($0)?.hasEnded ?? true }) else { return }
        let name = unjournaledOrder.remove(at: place)
        if let number = unjournaled.removeValue(forKey: name) { pushes[number] = nil }
    }
}
