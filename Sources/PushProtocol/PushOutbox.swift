// What a hub has for one box: every push until it is answered, in its first order, over reconnects
// (`docs/push-protocol.md`, Delivery).

import BoxFoundation

/// A push that a hub has for a box.
package struct OutgoingPush: Equatable, Sendable {
    /// 1 to 128 bytes without control characters.
    package var id: String
    /// When the hub took it; nil means now.
    package var sent: WallTime?
    /// Seconds; nil leaves it to the box.
    package var ttl: Int?
    package var body: JSON

    package init(id: String, sent: WallTime? = nil, ttl: Int? = nil, body: JSON) {
        self.id = id
        self.sent = sent
        self.ttl = ttl
        self.body = body
    }

    /// - Parameter time: the hub's clock when this frame is written.
    package func json(time: WallTime?) -> JSON {
        .object([
            "id": .string(id), "sent": sent.map { .integer($0.milliseconds) },
            "time": time.map { .integer($0.milliseconds) }, "ttl": ttl.map { .integer($0) }, "body": body,
        ])
    }

    /// Whether the page allows it: the id's form, and the frame's limit.
    package var isGood: Bool {
        ReceivedPush.isGoodID(id)
            && json(time: WallTime(milliseconds: .max)).bytes.count <= Frame.mostPayload
    }
}

/// A hub's pushes for one box, each until its outcome, in their first order; 256 un-answered at most.
package struct PushOutbox: Sendable {
    private struct Entry: Sendable {
        var push: OutgoingPush
        /// The frame that it went out with on this connection; nil where it is to be sent (again).
        var sequence: UInt32?
    }

    /// In the first order; nil where it was answered. `entries[0]` has place `base`.
    private var entries: [Entry?] = []
    private var base = 0
    /// How many of the first entries are nil.
    private var gone = 0
    private var places: [ExactText: Int] = [:]
    /// Nothing before this place is to be sent.
    private var cursor = 0
    private var inFlight = 0
    /// Nothing from this place on was sent.
    private var sentEnd = 0
    private var hold = Hold.none

    /// After a `later`: whether, and what for, pushes are held back.
    private enum Hold: Sendable {
        case none
        case untilResumed
        /// The box has room again, but may still put off pushes that were on their way: nothing may overtake them.
        case untilAnswered
    }

    package init() {}

    /// Pushes that have no final answer or `accepted` yet.
    package var count: Int { places.count }
    package var isEmpty: Bool { places.isEmpty }
    /// In the order in which they are sent.
    package var pushes: [OutgoingPush] { entries.compactMap { $0?.push } }

    /// - Returns: false where the push is not good, or its id is in here already.
    package mutating func add(_ push: OutgoingPush) -> Bool {
        guard push.isGood, places[ExactText(push.id)] == nil else { return false }
        places[ExactText(push.id)] = base + entries.count
        entries.append(Entry(push: push))
        return true
    }

    /// A new connection: all of it is to be sent again.
    mutating func restart() {
        for i in entries.indices { entries[i]?.sequence = nil }
        cursor = base
        sentEnd = base
        inFlight = 0
        hold = .none
    }

    /// - Returns: the place of the next push to send; nil while nothing is to be sent or may be.
    mutating func next() -> Int? {
        if hold == .untilAnswered, cursor >= sentEnd || !hasUnanswered(from: cursor) { hold = .none }
        guard inFlight < PushWindow.most, hold == .none else { return nil }
        while cursor < base + entries.count {
            if let entry = entries[cursor - base], entry.sequence == nil { return cursor }
            cursor += 1
        }
        return nil
    }

    func push(at place: Int) -> OutgoingPush? { entries[place - base]?.push }

    mutating func sent(_ place: Int, as sequence: UInt32) {
        entries[place - base]?.sequence = sequence
        sentEnd = max(sentEnd, place + 1)
        inFlight += 1
    }

    /// Takes a box's word on a push.
    ///
    /// - Returns: whether it was the first `later`: then nothing goes out until `resume`.
    mutating func take(_ result: PushResult) -> Bool {
        guard let place = place(of: result) else { return false }
        guard result.state == .later else {
            remove(place)
            return false
        }
        guard entries[place - base]?.sequence != nil else { return false }
        entries[place - base]?.sequence = nil
        inFlight -= 1
        cursor = min(cursor, place)
        guard hold == .none else { return false }
        hold = .untilResumed
        return true
    }

    /// - Parameter atOnce: 30 s have passed: what is un-answered by now is not waited for.
    mutating func resume(atOnce: Bool) {
        if hold != .none { hold = atOnce ? .none : .untilAnswered }
    }

    private func hasUnanswered(from place: Int) -> Bool {
        entries[(place - base)..<(sentEnd - base)].contains { $0?.sequence != nil }
    }

    private func place(of result: PushResult) -> Int? {
        if let id = result.id { return places[ExactText(id)] }
        return entries.firstIndex { $0?.sequence != nil && $0?.sequence == result.push }.map { $0 + base }
    }

    private mutating func remove(_ place: Int) {
        guard let entry = entries[place - base] else { return }
        if entry.sequence != nil { inFlight -= 1 }
        entries[place - base] = nil
        places[ExactText(entry.push.id)] = nil
        while gone < entries.count, entries[gone] == nil { gone += 1 }
        // Now and then, so that it costs little a push.
        if gone == entries.count || gone > max(1024, entries.count / 2) {
            entries.removeFirst(gone)
            base += gone
            gone = 0
        }
        cursor = max(cursor, base)
        sentEnd = max(sentEnd, base)
    }
}
