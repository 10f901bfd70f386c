// A hub as the page describes it, with an outbox and rules of its own: it sends again after a reconnect what has no answer,
// in its first order; it puts off what the box puts off; it confirms what it has kept.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol

final class SimulatedHub {
    /// PUSHes un-answered on a connection at most.
    private static let window = 256
    private static let laterWait = Interval.seconds(30)

    /// One push in the outbox: where it is, apart from what the checkers know.
    private struct Entry {
        var push: PushAccount
        var sequence: UInt32?
        var isAnswered = false
    }

    let name: String
    let heartbeat: Int
    unowned let world: SimulatedWorld
    private var outbox: [Entry] = []
    private var places: [String: Int] = [:]
    /// Nothing before it waits for an answer.
    private var firstOpen = 0
    private(set) var line: HubLine?
    private var olderLines: [HubLine] = []
    private var heldUntil: Moment?
    private var unanswered = 0
    private var random: SeededRandom
    private var retries = 0
    private var isDialling = false
    private(set) var isDown = false
    private var commands = 0
    /// Commands without a REPLY, and on which line.
    private var openCommands: [String: ObjectIdentifier] = [:]
    private(set) var lastWelcome: Moment?

    init(_ name: String, heartbeat: Int, in world: SimulatedWorld, seed: UInt64) {
        self.name = name
        self.heartbeat = heartbeat
        self.world = world
        random = SeededRandom(seed: seed)
    }

    /// Its clock is right.
    var clock: WallTime { world.trueTime }
    var hasUnanswered: Bool { outbox[firstOpen...].contains { !$0.isAnswered } }
    var isWelcomed: Bool { line?.isWelcomed ?? false }

    // MARK: - Connecting

    /// A hub that dials keeps trying.
    func dial() {
        guard !isDown, !isDialling, !(line?.isOpen ?? false) else { return }
        if let run = world.run, world.power.isOn, world.isListening, !world.conditions.hasNoRoute {
            take(run.network.connect(from: "192.0.2.9:4000"), on: run)
        } else {
            retry()
        }
    }

    private func retry() {
        guard !world.shop.dials, !isDialling else { return }
        isDialling = true
        retries = min(retries + 1, 5)
        let wait = random.interval(in: .milliseconds(200) ... .seconds(1 << retries))
        world.loop.schedule(at: world.loop.now + wait) { [weak self] in
            self?.isDialling = false
            self?.dial()
        }
    }

    /// The connection stands, whoever opened it.
    func take(_ id: ConnectionID, on run: BoxRun) {
        let line = HubLine(
            id, on: run, of: self, random: SeededRandom(seed: random.next()), at: world.loop.now)
        if let old = self.line, old.isOpen { olderLines.append(old) }
        self.line = line
        world.lines[id] = line
        run.network.setReading(!world.conditions.isDeaf, on: id)
        world.loop.schedule(at: world.loop.now) { [weak line, world] in line?.start(at: world.loop.now) }
        watch(line)
    }

    func openSecond() {
        guard !world.shop.dials, let run = world.run, world.power.isOn, world.isListening, !isDown else { return }
        take(run.network.connect(from: "192.0.2.9:4001"), on: run)
    }

    /// Looks at heartbeats, the handshake's limit and the hold after a `later`.
    private func watch(_ line: HubLine) {
        let rest = Interval.seconds(heartbeat) / 2
        world.loop.schedule(at: world.loop.now + rest) { [weak self, weak line] in
            guard let self, let line, line.isOpen else { return }
            check(line)
            if line.isOpen { watch(line) }
        }
    }

    private func check(_ line: HubLine) {
        let now = world.loop.now
        if !line.isWelcomed, now - line.startedAt > .seconds(10) { return drop(line, bye: "handshake-timeout") }
        let beat = Interval.seconds(heartbeat)
        if now - line.lastReceived >= beat * 5 / 2 { return drop(line, bye: "silent") }
        if line.isWelcomed, now - min(line.lastSent, line.lastReceived) >= beat { line.send(.ping) }
        if let heldUntil, now >= heldUntil, line === self.line {
            self.heldUntil = nil
            pump()
        }
    }

    private func drop(_ line: HubLine, bye: String) {
        line.close(bye)
        gone(line)
    }

    private func gone(_ line: HubLine) {
        world.lines[line.id] = nil
        olderLines.removeAll { $0 === line }
        guard line === self.line else { return }
        self.line = olderLines.popLast()
        if self.line == nil { retry() }
    }

    // MARK: - Faults

    func goDown() {
        isDown = true
        for line in olderLines + (line.map { [$0] } ?? []) { line.reset() }
        (line, olderLines) = (nil, [])
    }

    func comeUp() {
        isDown = false
        retries = 0
        if !world.shop.dials { dial() }
    }

    func resetLine() {
        guard let line else { return }
        line.reset()
        gone(line)
    }

    /// The other end has lost its power and is back: it answers what it does not know with a reset.
    func refused(_ line: HubLine) {
        line.abandon()
        gone(line)
    }

    /// Sends what was answered again.
    func forget(_ count: Int, otherBodies: Bool) {
        guard let line, line.isWelcomed else { return }
        let known = outbox.filter { $0.isAnswered && $0.push.isAccepted }.suffix(count)
        for entry in known {
            var body = entry.push.intent.body
            if otherBodies, var object = body.object {
                object.set("order", "another")
                object.set("extra", 1)
                body = .object(object)
            }
            entry.push.repeats += 1
            if otherBodies { entry.push.otherBodies += 1 }
            world.tell(
                "hub", "\(name) sends \(entry.push.intent.id) again" + (otherBodies ? ", with another body" : ""))
            _ = line.sendPush(frame(entry.push, body: body))
        }
    }

    func breakFrame(_ kind: Int) {
        guard let line, line.isWelcomed, line.expectedBye == nil else { return }
        line.sendBroken(kind)
    }

    // MARK: - What it wants

    func add(_ push: PushAccount) {
        places[push.intent.id] = outbox.count
        outbox.append(Entry(push: push))
        pump()
    }

    func command(_ kind: ReceivedCommand.Kind) {
        guard let line, line.isWelcomed else { return }
        commands += 1
        let id = "\(name)-c\(commands)"
        openCommands[id] = ObjectIdentifier(line)
        world.commanded(kind)
        line.send(.command, ReceivedCommand(id: id, kind: kind).json)
    }

    private func frame(_ push: PushAccount, body: JSON) -> JSON {
        let now = clock
        return .object([
            "id": .string(push.intent.id), "sent": .integer(push.sent.milliseconds), "time": .integer(now.milliseconds),
            "ttl": push.intent.ttl.map { .integer($0) }, "body": body,
        ])
    }

    /// Sends what may be sent, in order.
    private func pump() {
        guard let line, line.isWelcomed, heldUntil == nil else { return }
        while firstOpen < outbox.count, outbox[firstOpen].isAnswered { firstOpen += 1 }
        var place = firstOpen
        while place < outbox.count, unanswered < Self.window {
            if !outbox[place].isAnswered, outbox[place].sequence == nil {
                let push = outbox[place].push
                world.tell("hub", "\(name) pushes \(push.intent.id)")
                outbox[place].sequence = line.sendPush(frame(push, body: push.intent.body))
                unanswered += 1
                world.pushes += 1
            }
            place += 1
        }
    }

    /// A new connection: all that has no answer is sent again.
    private func restart() {
        for i in outbox.indices[firstOpen...] { outbox[i].sequence = nil }
        unanswered = 0
        heldUntil = nil
    }

    // MARK: - What the box says

    func take(_ event: HubLineEvent, from line: HubLine) {
        switch event {
        case .welcomed:
            lastWelcome = world.loop.now
            world.tell("hub", "\(name) welcomes the box")
            self.line = line
            retries = 0
            for older in olderLines where older !== line { older.close("replaced") }
            olderLines = []
            restart()
            pump()
        case .result(let result, let raw): take(result, raw, from: line)
        case .status(let status): world.witness.status(status)
        case .reply(let reply):
            guard let id = reply["id"]?.string, openCommands.removeValue(forKey: id) != nil else {
                return world.fail("a REPLY came to no open command: \(JSON.object(reply).text)")
            }
        case .pinged(let sequence):
            if !world.conditions.keepsNothing { line.send(.pong, .object(["ping": .integer(sequence)])) }
        case .ponged: break
        case .bye(let reason):
            if let expected = line.expectedBye, reason != expected, !["closing", "silent", "replaced"].contains(reason)
            {
                world.fail("a broken frame was judged \(reason) and not \(expected)")
            }
            if line.expectedBye == nil { world.witness.unexpectedBye(reason) }
        case .broken(let why): world.fail("the box broke the protocol: \(why)")
        case .ended: gone(line)
        }
    }

    private func take(_ result: PushResult, _ raw: JSONObject, from line: HubLine) {
        guard let id = result.id, let place = places[id] else {
            return world.fail("a RESULT of a push that nobody sent: \(JSON.object(raw).text)")
        }
        world.tell("hub", "\(name) hears \(JSON.object(raw).text)")
        world.witness.told(outbox[place].push, result)
        if result.state == .later {
            outbox[place].sequence = nil
            for i in place..<outbox.count where !outbox[i].isAnswered { outbox[i].sequence = nil }
            unanswered = 0
            heldUntil = world.loop.now + Self.laterWait
            return
        }
        if !outbox[place].isAnswered {
            outbox[place].isAnswered = true
            if outbox[place].sequence != nil { unanswered = max(0, unanswered - 1) }
        }
        if result.state == .done { heldUntil = nil }
        pump()
    }
}
