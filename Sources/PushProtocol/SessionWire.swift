// What both sides of a connection have in common: frames out and in, the handshake's deadline, heartbeats, BYE.

import BoxFoundation

/// What a session waits for. A session sets each at most once at a time; one that comes early, twice or after the end
/// does nothing. After `close` all of a session's timers are void.
package enum SessionTimer: Hashable, CaseIterable, Sendable {
    /// 10 s after the start: the handshake must be finished.
    case handshake
    /// A PING is due, or the peer has been silent too long.
    case heartbeat
    /// Box: a PING is due that lets the hub confirm the outcomes sent.
    case tell
    /// Hub: 30 s after a `later`: the pushes held back are sent again.
    case resume
}

/// What every session can ask for.
protocol SessionOutput {
    static func send(_ bytes: [UInt8]) -> Self
    static var close: Self { get }
    static func ended(_ end: SessionEnd) -> Self
    static func timer(_ timer: SessionTimer, at moment: Moment?) -> Self
    static func log(_ entry: LogEntry) -> Self
    static func trace(_ line: String) -> Self
}

struct SessionWire<Output: SessionOutput & Sendable>: Sendable {
    /// From the start of the connection to WELCOME.
    static var handshakeLimit: Interval { .seconds(10) }

    private var encoder: FrameEncoder
    private var decoder = FrameDecoder()
    private var outputs: [Output] = []
    /// Frames not yet among the outputs: what goes out in one go is one send.
    private var unsent: [UInt8] = []
    private var heartbeat: Heartbeat?
    private var handshakeDue: Moment?
    private(set) var isOpen = true
    /// Whether every frame is told as a line.
    var isTraced = false

    init(firstSequence: UInt32 = 1) { encoder = FrameEncoder(sequence: firstSequence) }

    // MARK: Out

    mutating func emit(_ output: Output) {
        flush()
        outputs.append(output)
    }

    /// - Returns: all that was asked for since the last call.
    mutating func drain() -> [Output] {
        flush()
        defer { outputs = [] }
        return outputs
    }

    /// - Returns: the frame's sequence; nil where the session has ended.
    @discardableResult
    mutating func send(_ type: FrameType, _ payload: [UInt8] = [], at now: Moment) -> UInt32? {
        guard isOpen else { return nil }
        guard encoder.left > 1 else {
            bye(.closing, at: now)
            return nil
        }
        heartbeat?.sent(at: now)
        return write(type, payload)
    }

    mutating func ping(at now: Moment) -> UInt32? {
        heartbeat?.pinged(at: now)
        return send(.ping, at: now)
    }

    mutating func pong(_ ping: UInt32, at now: Moment) {
        send(.pong, JSON.object(["ping": .integer(ping)]).bytes, at: now)
    }

    /// Says why and ends the session.
    mutating func bye(_ reason: ByeReason, at now: Moment) {
        guard isOpen else { return }
        write(.bye, JSON.object(["reason": .string(reason.rawValue)]).bytes)
        end(.byUs(reason))
    }

    /// Takes the peer's BYE.
    mutating func taken(bye payload: JSONObject) {
        let reason = (payload["reason"]?.string ?? "").clipped(SessionEnd.mostReason)
        // It goes to the log, where a control character could pass for a line of our own.
        end(.byPeer(reason.unicodeScalars.contains(where: ReceivedPush.isControl) ? "" : reason))
    }

    @discardableResult
    private mutating func write(_ type: FrameType, _ payload: [UInt8]) -> UInt32 {
        let sequence = encoder.append(type, payload, to: &unsent)
        if isTraced { emit(.trace(FrameTrace.line(Frame(type: type, sequence: sequence, payload: payload), .sent))) }
        return sequence
    }

    private mutating func end(_ end: SessionEnd) {
        isOpen = false
        emit(.ended(end))
        emit(.close)
    }

    private mutating func flush() {
        guard !unsent.isEmpty else { return }
        outputs.append(.send(unsent))
        unsent = []
    }

    // MARK: In

    mutating func receive(_ bytes: [UInt8], at now: Moment) {
        heartbeat?.received(at: now)
        decoder.receive(bytes)
    }

    /// - Returns: nil when there is no whole frame, or the session has ended.
    mutating func next() throws(ProtocolFault) -> Frame? {
        guard isOpen, let frame = try decoder.next() else { return nil }
        if isTraced { emit(.trace(FrameTrace.line(frame, .received))) }
        return frame
    }

    // MARK: Timers

    mutating func begin(at now: Moment) {
        let due = now + Self.handshakeLimit
        handshakeDue = due
        emit(.timer(.handshake, at: due))
    }

    mutating func welcome(heartbeat interval: Interval, at now: Moment) {
        let heartbeat = Heartbeat(interval, at: now)
        self.heartbeat = heartbeat
        handshakeDue = nil
        emit(.timer(.handshake, at: nil))
        emit(.timer(.heartbeat, at: heartbeat.due))
    }

    mutating func handshakeFired(at now: Moment) {
        guard isOpen, let due = handshakeDue else { return }
        if now >= due { bye(.handshakeTimeout, at: now) } else { emit(.timer(.handshake, at: due)) }
    }

    /// - Returns: the sequence of the PING that was due.
    mutating func heartbeatFired(at now: Moment) -> UInt32? {
        guard isOpen, let verdict = heartbeat?.verdict(at: now) else { return nil }
        guard verdict != .silent else {
            bye(.silent, at: now)
            return nil
        }
        let sequence = verdict == .ping ? ping(at: now) : nil
        if isOpen, let due = heartbeat?.due { emit(.timer(.heartbeat, at: due)) }
        return sequence
    }
}

extension String {
    /// The longest beginning that has at most `most` bytes and cuts no character.
    package func clipped(_ most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = startIndex
        while end < endIndex, utf8.distance(from: startIndex, to: index(after: end)) <= most { formIndex(after: &end) }
        return String(self[..<end])
    }
}
