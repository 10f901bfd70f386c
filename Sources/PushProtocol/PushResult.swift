// RESULT: what became of a push (`docs/push-protocol.md`, Types and Delivery).

import BoxFoundation

/// A RESULT, as it is written and read.
package struct PushResult: Equatable, Sendable {
    /// What it says; `accepted` and `later` are not the last word, and a `duplicate` is only where both halves have
    /// ended.
    package enum State: String, CaseIterable, Sendable { case accepted, duplicate, refused, later, done }

    /// What is said in `reason` besides a `PushRefusal`.
    package static let otherBody = "other-body"
    package static let badReceipt = "bad-receipt"
    /// Bytes of `detail` at most; what is over is cut off.
    package static let mostDetail = 1000

    /// nil only for `bad-id`, which names the frame instead.
    package var id: String?
    /// The sequence of a PUSH whose id was none.
    package var push: UInt32?
    package var state: State
    package var voice: VoiceEnd?
    package var paper: PaperEnd?
    package var reason: String?
    package var detail: String?
    /// The push could not be written to disk.
    package var journalFailed: Bool

    package init(
        id: String?, push: UInt32? = nil, state: State, voice: VoiceEnd? = nil, paper: PaperEnd? = nil,
        reason: String? = nil, detail: String? = nil, journalFailed: Bool = false
    ) {
        self.id = id
        self.push = push
        self.state = state
        self.voice = voice
        self.paper = paper
        self.reason = reason
        self.detail = detail
        self.journalFailed = journalFailed
    }

    /// - Returns: nil where a box sent something that is no result.
    package init?(_ payload: JSONObject) {
        guard let state = payload["state"]?.string.flatMap(State.init(rawValue:)) else { return nil }
        let id = payload["id"]?.string
        let push = payload["push"]?.integer.flatMap(UInt32.init(exactly:))
        guard id != nil || push != nil else { return nil }
        self.init(
            id: id, push: push, state: state, voice: payload["voice"]?.string.flatMap(VoiceEnd.init(rawValue:)),
            paper: payload["paper"]?.string.flatMap(PaperEnd.init(rawValue:)), reason: payload["reason"]?.string,
            detail: payload["detail"]?.string, journalFailed: payload["journal"] == "failed")
    }

    package var json: JSON {
        .object([
            "id": id.map { .string($0) }, "push": push.map { .integer($0) }, "state": .string(state.rawValue),
            "voice": voice.map { .string($0.rawValue) }, "paper": paper.map { .string($0.rawValue) },
            "reason": reason.map { .string($0) }, "detail": detail.map { .string($0.clipped(Self.mostDetail)) },
            "journal": journalFailed ? "failed" : nil,
        ])
    }

    /// No more is to come for this push.
    package var isFinal: Bool {
        switch state {
        case .done, .refused: true
        case .duplicate: voice != nil && paper != nil
        case .accepted, .later: false
        }
    }

    /// Final, and neither refused nor failed in voice, paper or journal.
    package var isGood: Bool {
        isFinal && state != .refused && voice != .failed && paper != .failed && !journalFailed
    }
}
