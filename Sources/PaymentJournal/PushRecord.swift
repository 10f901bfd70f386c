// What the journal keeps of a push. The body itself lies apart, so that no later change of a push writes it again.

import BoxFoundation

/// A push's place in the order of arrival; from 1, never used twice in one journal.
package struct JournalSequence: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    package static func < (a: JournalSequence, b: JournalSequence) -> Bool { a.number < b.number }
    package var description: String { "#\(number)" }
}

/// A push as it came, without its body.
package struct PushRecord: Equatable, Sendable {
    /// The name of the hub that pushed it (0 to 64 bytes). Together with `id` it names the push.
    package var hub: String
    /// 1 to 128 bytes.
    package var id: String
    /// The hub's clock when the push arrived; nil where the hub told none.
    package var arrived: WallTime?
    /// When the hub took the push, by the hub's clock; nil means on arrival.
    package var sent: WallTime?
    package var ttl: Interval
    /// How old the push was on arrival.
    package var age: Interval
    /// The box's clock on arrival.
    package var received: WallTime
    /// The box's civil date on arrival (`2026-11-29`), which the day totals count by.
    package var day: String

    package var kind: Payment.Kind
    package var channel: PaymentChannel
    /// nil only for a notice.
    package var amount: Money?
    /// false: the voice half ends as `silent` when the push is taken.
    package var wantsVoice: Bool
    /// 0: the paper half ends as `none` when the push is taken.
    package var copies: Int
    /// What RESULT says besides the state (`bad-receipt`).
    package var reason: String?
    package var detail: String?

    package init(
        hub: String, id: String, arrived: WallTime? = nil, sent: WallTime? = nil, ttl: Interval = .seconds(600),
        age: Interval = .zero, received: WallTime, day: String, kind: Payment.Kind, channel: PaymentChannel = .other,
        amount: Money? = nil, wantsVoice: Bool = true, copies: Int = 1, reason: String? = nil, detail: String? = nil
    ) {
        self.hub = hub
        self.id = id
        self.arrived = arrived
        self.sent = sent
        self.ttl = ttl
        self.age = age
        self.received = received
        self.day = day
        self.kind = kind
        self.channel = channel
        self.amount = amount
        self.wantsVoice = wantsVoice
        self.copies = copies
        self.reason = reason
        self.detail = detail
    }
}

/// How far the spoken half of a push is.
package enum VoiceHalf: Equatable, Sendable {
    case waiting
    /// Its first sample may have been heard: what comes again is marked.
    case begun
    case ended(VoiceEnd)

    package var end: VoiceEnd? { if case .ended(let end) = self { end } else { nil } }
}

/// How far the printed half of a push is.
package enum PaperHalf: Equatable, Sendable {
    case waiting
    /// The first byte of the present copy may have reached the printer: what comes again is marked.
    case begun
    case ended(PaperEnd, cause: String?)

    package var end: PaperEnd? { if case .ended(let end, _) = self { end } else { nil } }
}

/// A push in the journal, without its body.
package struct JournalEntry: Equatable, Sendable {
    package var sequence: JournalSequence
    package var record: PushRecord
    package var voice: VoiceHalf
    package var paper: PaperHalf
    /// Copies that came out whole, 0 to `record.copies`.
    package var copied: Int
    /// The outcome is known to have reached the hub.
    package var isTold: Bool
    /// Bytes of the body's text.
    package var bodyBytes: Int

    package init(
        sequence: JournalSequence, record: PushRecord, voice: VoiceHalf, paper: PaperHalf, copied: Int = 0,
        isTold: Bool = false, bodyBytes: Int = 0
    ) {
        self.sequence = sequence
        self.record = record
        self.voice = voice
        self.paper = paper
        self.copied = copied
        self.isTold = isTold
        self.bodyBytes = bodyBytes
    }

    /// Both halves have ended, so there is an outcome to tell.
    package var hasEnded: Bool { voice.end != nil && paper.end != nil }
}

/// What one day brought, by kind and currency.
package struct DayTotal: Equatable, Sendable {
    package var kind: Payment.Kind
    /// nil for notices.
    package var currency: Currency?
    package var count: Int
    /// The sum in minor units; it stops at the largest 64-bit number.
    package var minor: Int64

    package init(kind: Payment.Kind, currency: Currency?, count: Int, minor: Int64) {
        self.kind = kind
        self.currency = currency
        self.count = count
        self.minor = minor
    }
}
