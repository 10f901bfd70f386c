// The pushes of one connection that the box has not answered, and the PINGs that wait for them.

import BoxFoundation

struct PushWindow: Sendable {
    /// PUSHes un-answered at most (`docs/push-protocol.md`, Delivery).
    static let most = 256
    /// PINGs whose PONG waits at most; of more, the oldest get theirs with the newer ones.
    static let mostPings = 64

    private struct Entry: Sendable {
        var sequence: UInt32
        var id: ExactText
        /// Nothing more needs to be kept: a PONG need not wait for it.
        var isSettled: Bool
    }

    /// In the order received.
    private var entries: [Entry] = []
    private var pings: [UInt32] = []
    /// After a `later`: the push that the hub sends again first, and how many others may still have been on their way.
    private var heldBack: (id: ExactText, others: Int)?

    var count: Int { entries.count }

    /// - Returns: false where the hub sent more than it may.
    mutating func take(_ sequence: UInt32, id: String) -> Bool {
        guard entries.count < Self.most else { return false }
        entries.append(Entry(sequence: sequence, id: ExactText(id), isSettled: false))
        return true
    }

    /// Whether a push comes behind one that was answered `later`, which must come again before it.
    mutating func isHeldBack(_ id: String) -> Bool {
        guard let (first, others) = heldBack else { return false }
        guard first != ExactText(id), others > 0 else {
            heldBack = nil
            return false
        }
        heldBack = (first, others - 1)
        return true
    }

    /// - Returns: the push's id; nil where it is not un-answered.
    mutating func answer(_ sequence: UInt32, _ answer: PushAnswer) -> String? {
        guard let i = entries.firstIndex(where: { $0.sequence == sequence && !$0.isSettled }) else { return nil }
        let id = entries[i].id
        if answer == .unkept {
            entries[i].isSettled = true
        } else {
            entries.remove(at: i)
        }
        if answer == .later, heldBack == nil { heldBack = (id, Self.most - 1) }
        return id.text
    }

    /// The outcome of a push answers it where nothing else did.
    mutating func end(id: String) {
        let id = ExactText(id)
        entries.removeAll { $0.isSettled && $0.id == id }
    }

    mutating func ping(_ sequence: UInt32) {
        if pings.count == Self.mostPings { pings.removeFirst() }
        pings.append(sequence)
    }

    /// Takes the PINGs before which everything is kept.
    mutating func pongs() -> [UInt32] {
        guard !pings.isEmpty else { return [] }
        let first = entries.first { !$0.isSettled }?.sequence ?? .max
        let ready = pings.prefix { $0 < first }
        pings.removeFirst(ready.count)
        return Array(ready)
    }
}
