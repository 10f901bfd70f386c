// What the box does with each frame of its hub.

import BoxFoundation

extension BoxSession {
    mutating func take(_ frame: Frame, at now: Moment) throws(ProtocolFault) {
        let payload = try frame.object()
        switch (phase, frame.type) {
        case (_, .bye): wire.taken(bye: payload)
        case (.awaitsHello, .hello): try take(hello: payload, at: now)
        case (.awaitsWelcome(let hello, let proof), .welcome):
            try take(welcome: payload, of: hello, proof, at: now)
        case (.welcomed(let hello), .push): take(push: payload, frame.sequence, of: hello, at: now)
        case (.welcomed, .command): take(command: payload, frame.sequence, at: now)
        case (.welcomed, .ping):
            window.ping(frame.sequence)
            sendPongs(at: now)
        case (.welcomed, .pong): take(pong: payload, at: now)
        default: throw .outOfTurn
        }
    }

    private mutating func take(hello payload: JSONObject, at now: Moment) throws(ProtocolFault) {
        let hello = try HubHello(payload, at: now)
        let proof = HandshakeProof(box: identity.box, hubNonce: hello.nonce, boxNonce: nonce, channel: channel)
        let own = BoxHello(
            box: identity.box, nonce: nonce, firmware: identity.firmware, proof: proof.text(of: .box, key: identity.key)
        )
        wire.send(.hello, own.json.bytes, at: now)
        phase = .awaitsWelcome(hello, proof)
    }

    private mutating func take(
        welcome payload: JSONObject, of hello: HubHello, _ proof: HandshakeProof, at now: Moment
    ) throws(ProtocolFault) {
        guard let given = payload["proof"]?.string, WireName.isDigest(given) else { throw .badPayload }
        guard proof.isRight(given, of: .hub, key: identity.key) else {
            wire.emit(.log(LogEntry(.warning, "push", "the hub's proof is wrong: is the box's key the hub's?")))
            wire.bye(.unauthorized, at: now)
            return
        }
        phase = .welcomed(hello)
        let own = min(identity.heartbeat ?? hello.heartbeat, hello.heartbeat)
        wire.welcome(heartbeat: HubHello.taken(own), at: now)
        wire.emit(.welcomed(hello))
    }

    private mutating func take(push payload: JSONObject, _ sequence: UInt32, of hello: HubHello, at now: Moment) {
        guard let push = ReceivedPush(payload, sequence: sequence, hello: hello, at: now) else {
            let result = PushResult(
                id: nil, push: sequence, state: .refused, reason: PushRefusal.badID.rawValue)
            wire.send(.result, result.json.bytes, at: now)
            return
        }
        guard window.take(sequence, id: push.id) else {
            wire.bye(.tooMany, at: now)
            return
        }
        if window.isHeldBack(push.id) {
            give(.later, to: sequence, at: now)
        } else {
            wire.emit(.push(push))
        }
    }

    private mutating func take(command payload: JSONObject, _ sequence: UInt32, at now: Moment) {
        do throws(CommandFault) {
            let command = try ReceivedCommand(payload)
            guard commands.count < Self.mostCommands else { throw .busy }
            commands.append(ExactText(command.id))
            wire.emit(.command(command))
        } catch {
            let id = error == .badID ? nil : payload["id"]?.string
            send(
                CommandReply(id: id, command: id == nil ? sequence : nil, isOK: false, reason: error.rawValue), at: now)
        }
    }

    private mutating func take(pong payload: JSONObject, at now: Moment) {
        guard let ping = payload["ping"]?.integer.flatMap(UInt32.init(exactly:)) else { return }
        let told = ledger.ponged(ping)
        if !told.isEmpty { wire.emit(.told(told)) }
        setTell(at: now)
    }
}
