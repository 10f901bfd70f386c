// A box that dials has one hub and one connection to it: it is made, lost, and made again after a wait that grows and that
// no two boxes share (`docs/push-protocol.md`, Heartbeat).

import BoxFoundation
import HardwareInterface
import PushProtocol

/// What the dialler wants done.
package enum HubDiallerOutput: Equatable {
    /// Open a connection.
    case dial
    /// Sets `BoxTimer.redial`, or with nil cancels it.
    case timer(at: Moment?)
    case log(LogEntry)
}

/// When the one connection of a dialling box is made, and made again (`docs/push-protocol.md`, Heartbeat).
package struct HubDialler {
    /// From the last word to the connection's end; longer than any connection takes to send what is left.
    package static let leavingLimit = Interval.seconds(30)

    private enum State: Equatable {
        case new
        /// A connection is being opened; whatever closes next is that one.
        case dialling
        /// It stands; the hub has not proved itself.
        case connected(ConnectionID)
        case welcomed(ConnectionID)
        /// One side has said goodbye. After `until` it is not waited for any longer.
        case leaving(ConnectionID, until: Moment)
        case resting(until: Moment)
        case stopped
    }

    private var state = State.new
    private var backoff = ReconnectBackoff()
    private var random: SeededRandom
    /// Connections whose end was not waited for: it says nothing of a newer one.
    private var abandoned: Set<ConnectionID> = []
    /// Told to the log, and not again while it stays the same.
    package private(set) var cause = ""

    package init(random: SeededRandom) { self.random = random }

    /// The hub is there and has proved itself.
    package var isWelcomed: Bool { if case .welcomed = state { true } else { false } }

    /// For whoever asks why there is no hub.
    package var words: String {
        switch state {
        case .welcomed: "connected"
        case .dialling, .connected: "connecting"
        case .new, .leaving, .resting, .stopped: cause.isEmpty ? "not connected" : "not connected: \(cause)"
        }
    }

    package mutating func start() -> [HubDiallerOutput] {
        guard state == .new else { return [] }
        state = .dialling
        return [.dial]
    }

    package mutating func opened(_ connection: ConnectionID) -> [HubDiallerOutput] {
        if state == .dialling { state = .connected(connection) }
        return []
    }

    package mutating func welcomed(_ connection: ConnectionID, spread: Interval, at now: Moment) -> [HubDiallerOutput] {
        guard state == .connected(connection) else { return [] }
        state = .welcomed(connection)
        backoff.welcomed(spread: spread, at: now)
        cause = ""
        return []
    }

    /// The session has said its last word; `closed` follows.
    package mutating func ended(_ connection: ConnectionID, at now: Moment) -> [HubDiallerOutput] {
        guard state == .connected(connection) || state == .welcomed(connection) else { return [] }
        state = .leaving(connection, until: now + Self.leavingLimit)
        return [.timer(at: now + Self.leavingLimit)]
    }

    package mutating func closed(_ connection: ConnectionID, _ reason: String, at now: Moment) -> [HubDiallerOutput] {
        guard abandoned.remove(connection) == nil else { return [] }
        switch state {
        case .dialling: break
        case .connected(connection), .welcomed(connection), .leaving(connection, _): break
        case .new, .connected, .welcomed, .leaving, .resting, .stopped: return []
        }
        return rest(because: reason, at: now)
    }

    private mutating func rest(because reason: String, at now: Moment) -> [HubDiallerOutput] {
        let wait = backoff.lost(at: now, using: &random)
        state = .resting(until: now + wait)
        let isNew = reason != cause
        cause = reason
        let text = "there is no hub: \(reason); it is dialled again in \((wait + .milliseconds(500)).seconds) s"
        return [.log(LogEntry(isNew ? .warning : .debug, "push", text)), .timer(at: now + wait)]
    }

    package mutating func fired(at now: Moment) -> [HubDiallerOutput] {
        switch state {
        case .leaving(_, let due) where now < due: return [.timer(at: due)]
        case .leaving(let connection, _):
            abandoned.insert(connection)
            return rest(because: "the old connection does not end", at: now)
        case .resting(let due) where now < due: return [.timer(at: due)]
        case .resting:
            state = .dialling
            return [.dial]
        case .new, .dialling, .connected, .welcomed, .stopped: return []
        }
    }

    package mutating func stop() -> [HubDiallerOutput] {
        state = .stopped
        return [.timer(at: nil)]
    }
}
