// When a side must show that it lives, and when it gives the other up (`docs/push-protocol.md`, Heartbeat).

import BoxFoundation

struct Heartbeat: Sendable {
    enum Verdict: Equatable, Sendable { case nothing, ping, silent }

    let interval: Interval
    private var lastSent: Moment
    private var lastReceived: Moment
    private var lastPing: Moment

    init(_ interval: Interval, at now: Moment) {
        self.interval = interval
        (lastSent, lastReceived, lastPing) = (now, now, now)
    }

    mutating func sent(at now: Moment) { lastSent = now }
    mutating func received(at now: Moment) { lastReceived = now }
    mutating func pinged(at now: Moment) { lastPing = now }

    /// Traffic only moves it later, so it is asked for again when the timer fires and not at every frame.
    var due: Moment { min(pingDue, silentDue) }

    func verdict(at now: Moment) -> Verdict {
        if now >= silentDue { return .silent }
        return now >= pingDue ? .ping : .nothing
    }

    /// A PING that went un-answered is asked again only after another heartbeat.
    private var pingDue: Moment { min(lastSent, max(lastReceived, lastPing)) + interval }
    private var silentDue: Moment { lastReceived + interval * 5 / 2 }
}
