// The two HELLOs (`docs/push-protocol.md`, Handshake).

import BoxFoundation

/// What a hub says first. Nothing of it takes effect before its proof was found right.
package struct HubHello: Equatable, Sendable {
    /// What `heartbeat` is taken into, and where it is missing.
    package static let heartbeats: ClosedRange<Interval> = .seconds(10)...(.seconds(120))
    package static let defaultHeartbeat = Interval.seconds(30)
    package static let mostSpread = Interval.seconds(600)

    /// Redundant hubs share one; may be empty.
    package var hub: String
    package var nonce: String
    /// The hub's clock when this was written; nil where it did not say.
    package var time: WallTime?
    package var heartbeat: Interval
    /// The least upper end of the first wait before a reconnect.
    package var spread: Interval
    /// When it was read.
    package var received: Moment

    package init(
        hub: String, nonce: String, time: WallTime?, heartbeat: Interval = defaultHeartbeat, spread: Interval = .zero,
        received: Moment = .zero
    ) {
        self.hub = hub
        self.nonce = nonce
        self.time = time
        self.heartbeat = Self.taken(heartbeat)
        self.spread = min(max(spread, .zero), Self.mostSpread)
        self.received = received
    }

    init(_ payload: JSONObject, at now: Moment) throws(ProtocolFault) {
        let hub = payload["hub"] ?? ""
        guard payload["role"] == "hub", let name = hub.string, WireName.isGood(name, least: 0),
            let nonce = payload["nonce"]?.string, WireName.isDigest(nonce)
        else { throw .badPayload }
        self.init(
            hub: name, nonce: nonce, time: payload["time"]?.wallTime,
            heartbeat: payload["heartbeat"]?.seconds ?? Self.defaultHeartbeat,
            spread: payload["spread"]?.seconds ?? .zero, received: now)
    }

    package var json: JSON {
        .object([
            "role": "hub", "hub": .string(hub), "nonce": .string(nonce), "time": time.map { .integer($0.milliseconds) },
            "heartbeat": .integer(heartbeat.seconds), "spread": .integer(spread.seconds),
        ])
    }

    /// The hub's clock now, by what it said and the monotonic time since.
    package func clock(at now: Moment) -> WallTime? { time.map { $0 + (now - received) } }

    static func taken(_ heartbeat: Interval) -> Interval {
        min(max(heartbeat, heartbeats.lowerBound), heartbeats.upperBound)
    }
}

/// What a box answers.
package struct BoxHello: Equatable, Sendable {
    package var box: String
    package var nonce: String
    package var firmware: String
    package var proof: String

    package init(box: String, nonce: String, firmware: String, proof: String) {
        self.box = box
        self.nonce = nonce
        self.firmware = firmware
        self.proof = proof
    }

    init(_ payload: JSONObject) throws(ProtocolFault) {
        guard payload["role"] == "box", let box = payload["box"]?.string, WireName.isGood(box, least: 1),
            let nonce = payload["nonce"]?.string, WireName.isDigest(nonce),
            let proof = payload["proof"]?.string, WireName.isDigest(proof)
        else { throw .badPayload }
        self.init(box: box, nonce: nonce, firmware: payload["firmware"]?.string ?? "", proof: proof)
    }

    package var json: JSON {
        .object([
            "role": "box", "box": .string(box), "nonce": .string(nonce), "firmware": .string(firmware),
            "proof": .string(proof),
        ])
    }

    /// Whether a name may stand as a box's id: 1 to 64 of `A-Z a-z 0-9 - _`.
    package static func isGoodID(_ box: String) -> Bool { WireName.isGood(box, least: 1) }
}
