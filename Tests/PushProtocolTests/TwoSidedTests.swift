// Both sides against one another over a pipe that splits, stalls and breaks, with a box that restarts: whatever happens,
// the hub gets one end for every push, and the box makes each once.

import BoxFoundation
import PushProtocol
import Testing

/// A byte stream that arrives late and in pieces, and whose rest is lost when it breaks.
private struct Pipe {
    private var bytes: [UInt8] = []
    private var closing = false

    mutating func write(_ more: [UInt8]) { if !closing { bytes += more } }
    mutating func close() { closing = true }

    var isDone: Bool { closing && bytes.isEmpty }

    mutating func read(using random: inout SeededRandom) -> [UInt8] {
        let count = min(bytes.count, Int.random(in: 1...(Bool.random(using: &random) ? 40 : 3000), using: &random))
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }
}

/// What the box keeps over restarts: the journal as far as this conversation needs it.
private struct Shelf {
    struct Entry {
        var body: JSON
        var done: PushOutcome?
        var isTold = false
    }

    var entries: [ExactText: Entry] = [:]
    /// In the order taken; the place is the token.
    var order: [String] = []
    /// How often each was taken as new.
    var made: [ExactText: Int] = [:]
}

private struct World {
    var random: SeededRandom
    var now = start
    var shelf = Shelf()
    var box: BoxSession?
    var hub: HubSession?
    var toBox = Pipe()
    var toHub = Pipe()
    var boxTimers: [SessionTimer: Moment] = [:]
    var hubTimers: [SessionTimer: Moment] = [:]
    var outbox = PushOutbox()
    /// What the hub was told last, and whether it has kept an end.
    var ends: [ExactText: PushResult] = [:]
    var accepted: Set<ExactText> = []
    var unsent: [OutgoingPush]
    var waiting: [(sequence: UInt32, answer: PushAnswer)] = []
    var faults: [String] = []
    var connections = 0
    var laters = 0
    /// What a session asked for and was not done yet: whatever a later call asks for comes after it.
    private var boxQueue: [BoxSessionOutput] = []
    private var hubQueue: [HubSessionOutput] = []
    private var isPerforming = false
    /// Pushes up to this frame had come out when one before them was put off: they are put off too.
    private var putOff: UInt32 = 0

    init(seed: UInt64, pushes: Int) {
        random = SeededRandom(seed: seed)
        unsent = (0..<pushes).map { n in
            // Ids that are equal as texts and differ in bytes are among them.
            let id = n % 7 == 0 ? "\u{E9}\(n / 2)" : n % 7 == 1 ? "e\u{301}\(n / 2)" : "p\(n)"
            let amount: JSON = n % 11 == 10 ? "0.001" : "\(n).5"
            return OutgoingPush(id: id, sent: hubTime, body: .object(["kind": "payment", "amount": amount]))
        }
    }

    func chance(_ percent: Int, _ random: inout SeededRandom) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    // MARK: Steps

    /// Steps until all is over.
    mutating func run(_ most: Int, calm: Bool) {
        for _ in 0..<most {
            if isOver { return }
            step(calm: calm)
        }
    }

    mutating func step(calm: Bool) {
        now = now + .milliseconds(Int.random(in: 0...(calm ? 200 : 2000), using: &random))
        if box == nil { connect() }
        if !calm, chance(4, &random) { breakConnection() }
        if !unsent.isEmpty, hub?.box != nil, chance(60, &random) {
            if let outputs = hub?.push(unsent[0], at: now) {
                unsent.removeFirst()
                perform(outputs)
            }
        }
        if chance(70, &random) { deliver() }
        if chance(50, &random) { answerSome() }
        if chance(30, &random) { endSome() }
        fireTimers()
    }

    mutating func connect() {
        connections += 1
        toBox = Pipe()
        toHub = Pipe()
        (boxTimers, hubTimers, waiting, putOff) = ([:], [:], [], 0)
        var box = BoxSession(identity(), channel: "plain", nonce: Nonce.random(using: &random))
        let hello = HubHello(hub: "till", nonce: Nonce.random(using: &random), time: nil, heartbeat: .seconds(10))
        var hub = HubSession(hello, channel: "plain")
        let boxOutputs = box.start(at: now)
        let hubOutputs = hub.start(time: hubTime, at: now)
        (self.box, self.hub) = (box, hub)
        perform(boxOutputs)
        perform(hubOutputs)
    }

    mutating func breakConnection() {
        outbox = hub?.outbox ?? outbox
        (box, hub) = (nil, nil)
    }

    mutating func deliver() {
        let boxBytes = toBox.read(using: &random)
        if !boxBytes.isEmpty, let outputs = box?.received(boxBytes, at: now) { perform(outputs) }
        let hubBytes = toHub.read(using: &random)
        if !hubBytes.isEmpty, let outputs = hub?.received(hubBytes, at: now) { perform(outputs) }
        if toBox.isDone || toHub.isDone { breakConnection() }
    }

    /// Answers in any order: the journal's worker may take its time.
    mutating func answerSome() {
        waiting.shuffle(using: &random)
        let some = Array(waiting.prefix(Int.random(in: 0...10, using: &random)))
        waiting.removeFirst(some.count)
        if let outputs = box?.answer(some, at: now) { perform(outputs) }
    }

    mutating func endSome() {
        let open = shelf.order.filter { shelf.entries[ExactText($0)]?.done == nil }
        for id in open.prefix(5) where chance(70, &random) {
            let token = OutcomeToken(Int64(shelf.order.firstIndex { $0.utf8.elementsEqual(id.utf8) } ?? -1))
            let outcome = PushOutcome(id: id, voice: .announced, paper: .printed, token: token)
            shelf.entries[ExactText(id)]?.done = outcome
            if let outputs = box?.outcome(outcome, at: now) { perform(outputs) }
        }
    }

    mutating func fireTimers() {
        // `Dictionary` order must not matter: the cases' own order is taken.
        for timer in SessionTimer.allCases {
            if let due = boxTimers[timer], due <= now || chance(2, &random) {
                boxTimers[timer] = nil
                if let outputs = box?.timer(timer, at: now) { perform(outputs) }
            }
            if let due = hubTimers[timer], due <= now || chance(2, &random) {
                hubTimers[timer] = nil
                if let outputs = hub?.timer(timer, at: now) { perform(outputs) }
            }
        }
    }

    // MARK: Outputs

    mutating func perform(_ outputs: [BoxSessionOutput]) {
        boxQueue += outputs
        drain()
    }

    mutating func perform(_ outputs: [HubSessionOutput]) {
        hubQueue += outputs
        drain()
    }

    private mutating func drain() {
        guard !isPerforming else { return }
        isPerforming = true
        while !boxQueue.isEmpty || !hubQueue.isEmpty {
            if !boxQueue.isEmpty { perform(boxQueue.removeFirst()) }
            if !hubQueue.isEmpty { perform(hubQueue.removeFirst()) }
        }
        isPerforming = false
    }

    private mutating func perform(_ output: BoxSessionOutput) {
        switch output {
        case .send(let bytes): toHub.write(bytes)
        case .close: toHub.close()
        case .ended(.byUs(let reason)) where reason.isProtocolError || reason == .tooMany:
            faults.append("the box ended with \(reason)")
        case .timer(let timer, at: let due): boxTimers[timer] = due
        case .welcomed: tellUntold()
        case .push(let push): take(push)
        case .told(let tokens): for token in tokens { markTold(token) }
        case .ended, .log, .command, .trace, .fleet, .fleetFault: break
        }
    }

    private mutating func perform(_ output: HubSessionOutput) {
        switch output {
        case .send(let bytes): toBox.write(bytes)
        case .close: toBox.close()
        case .ended(.byUs(let reason)) where reason.isProtocolError: faults.append("the hub ended with \(reason)")
        case .timer(let timer, at: let due): hubTimers[timer] = due
        case .greeted:
            if let outputs = hub?.admit(key(), outbox: outbox, at: now) { perform(outputs) }
        case .result(let result): keep(result)
        case .pinged(let ping):
            if let outputs = hub?.pong(ping, at: now) { perform(outputs) }
        case .ended, .log, .welcomed, .status, .reply, .trace: break
        }
    }

    mutating func take(_ push: ReceivedPush) {
        let id = ExactText(push.id)
        if let known = shelf.entries[id] {
            if known.body != push.body { faults.append("\(push.id) came with another body") }
            let token = known.done?.token
            waiting.append(
                (
                    push.sequence,
                    .duplicate(PushDuplicate(voice: known.done?.voice, paper: known.done?.paper, token: token))
                ))
            return
        }
        guard case .success = push.payment else {
            waiting.append((push.sequence, .refused(.badAmount, detail: nil)))
            return
        }
        if push.sequence <= putOff || chance(3, &random) {
            laters += 1
            putOff = max(putOff, boxQueue.pushes.last?.sequence ?? 0)
            if let outputs = box?.answer(push.sequence, .later, at: now) { perform(outputs) }
            return
        }
        shelf.entries[id] = Shelf.Entry(body: push.body)
        shelf.order.append(push.id)
        shelf.made[id, default: 0] += 1
        waiting.append((push.sequence, .accepted))
    }

    mutating func tellUntold() {
        for id in shelf.order {
            guard let entry = shelf.entries[ExactText(id)], let done = entry.done, !entry.isTold else { continue }
            guard let outputs = box?.outcome(done, at: now) else { return }
            perform(outputs)
        }
    }

    mutating func markTold(_ token: OutcomeToken) {
        let id = ExactText(shelf.order[Int(token.number)])
        if ends[id]?.isFinal != true { faults.append("\(id.text) counts as told, and the hub has no end for it") }
        shelf.entries[id]?.isTold = true
    }

    mutating func keep(_ result: PushResult) {
        guard let id = result.id.map({ ExactText($0) }) else {
            faults.append("a refused id")
            return
        }
        if result.state == .accepted, shelf.entries[id] == nil { faults.append("\(id.text) accepted and not kept") }
        guard result.isFinal else { return }
        if let before = ends[id], (before.voice, before.paper) != (result.voice, result.paper) {
            faults.append("\(id.text) ended twice: \(before) and \(result)")
        }
        ends[id] = result
    }

    var isOver: Bool {
        unsent.isEmpty && ends.count >= shelf.order.count && hub?.outbox?.isEmpty == true
            && shelf.order.allSatisfy { shelf.entries[ExactText($0)]?.isTold == true }
    }
}

@Suite("Hub and box against one another")
struct TwoSidedTests {
    @Test("Every push ends once at the hub and is made once by the box", arguments: 0..<12)
    func delivery(seed: UInt64) {
        let pushes = 120
        var world = World(seed: seed, pushes: pushes)
        world.run(4000, calm: false)
        // Then the wire holds, and everything must come to its end.
        world.run(20_000, calm: true)
        #expect(world.faults.isEmpty, "seed \(seed): \(world.faults.prefix(3))")
        #expect(
            world.isOver,
            "seed \(seed): \(world.ends.count) of \(pushes) ended, outbox \(world.hub?.outbox?.count ?? -1)")
        #expect(world.ends.count == pushes, "seed \(seed)")
        #expect(world.shelf.made.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        #expect(world.ends.values.count { $0.state == .refused } == pushes / 11, "seed \(seed)")
        #expect(world.connections > 3 && world.laters > 0, "seed \(seed): the wire was too good to prove anything")
    }

    @Test("Where nothing is lost, pushes are taken in the order sent, through `later` too", arguments: 0..<4)
    func order(seed: UInt64) {
        var world = World(seed: 100 + seed, pushes: 150)
        let ids = world.unsent.filter { $0.body["amount"] != "0.001" }.map(\.id)
        world.run(40_000, calm: true)
        #expect(world.isOver && world.laters > 0, "seed \(seed)")
        #expect(world.shelf.order == ids, "seed \(seed)")
    }
}
