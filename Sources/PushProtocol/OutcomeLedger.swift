// Which outcomes the hub is known to have kept: those sent before a PING that it answered.

import BoxFoundation

struct OutcomeLedger: Sendable {
    /// From an outcome to its PING where none is un-answered; the page allows 1 s. Outcomes of one moment share a PING.
    static let wait = Interval.milliseconds(200)
    /// Outcomes that do not wait for their PING, so that a rush never stands still for want of room.
    static let most = BoxSession.mostOutcomes / 4
    /// PINGs un-answered at most; of more, the oldest is forgotten and its outcomes wait for the next.
    static let mostPings = 64

    private struct Ping: Sendable {
        var sequence: UInt32
        var tokens: [OutcomeToken]
    }

    /// Sent, with no PING after them.
    private var waiting: [OutcomeToken] = []
    private var pings: [Ping] = []
    private(set) var count = 0

    mutating func sent(_ token: OutcomeToken) {
        waiting.append(token)
        count += 1
    }

    mutating func pinged(_ sequence: UInt32) {
        if pings.count == Self.mostPings {
            let oldest = pings.removeFirst()
            pings[0].tokens = oldest.tokens + pings[0].tokens
        }
        pings.append(Ping(sequence: sequence, tokens: waiting))
        waiting = []
    }

    /// - Returns: the outcomes told by this PONG, in the order sent; none where it answers no PING of ours.
    mutating func ponged(_ sequence: UInt32) -> [OutcomeToken] {
        guard let i = pings.firstIndex(where: { $0.sequence == sequence }) else { return [] }
        let tokens = pings[...i].flatMap(\.tokens)
        pings.removeFirst(i + 1)
        count -= tokens.count
        return tokens
    }

    var needsPing: Bool { !waiting.isEmpty && pings.isEmpty }
    var isFilling: Bool { waiting.count >= Self.most }
}
