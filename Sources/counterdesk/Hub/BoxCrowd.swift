// Many boxes in one process that dial a hub: the box's own session and waits, and nothing behind them. For load: what it
// takes a hub, and what it takes here, to have so many.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol

final class BoxCrowd {
    /// Between two lines about how it goes.
    private static let reportRest = Interval.seconds(5)
    private static let ownDescriptors = 32
    /// Between two handfuls of dials.
    private static let dialRest = Interval.milliseconds(20)

    private final class Box {
        let identity: BoxSession.Identity
        var session: BoxSession?
        var connection: ConnectionID?
        var backoff = ReconnectBackoff()

        init(_ identity: BoxSession.Identity) { self.identity = identity }
    }

    private let loop: EpollLoop
    private let network: PushDialler
    private let boxes: [Box]
    private let rate: Int
    private let deadline: Moment?
    private let before: ProcessFigures
    private var random = SystemRandomNumberGenerator()
    private var byConnection: [ConnectionID: Box] = [:]
    private var dialled = 0
    private var welcomed = 0
    private var most = 0
    private var pushes = 0
    private var told = 0
    private var lost = 0
    private var lastCause = ""
    private var isStopping = false
    // Of the call under way.
    private var outputs = FirstComeQueue<(Box, ConnectionID, BoxSessionOutput)>()

    init(_ keys: HubKeys, count: Int, target: PushTarget, rate: Int, seconds: Int?) throws(VerbFailure) {
        do {
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw .failure(error.message)
        }
        let room = DescriptorLimit.raise() - Self.ownDescriptors
        guard keys.boxes.count >= min(count, room) else {
            throw .failure("--keys has \(keys.boxes.count) boxes, not \(count): name a new file, and it is made")
        }
        if count > room { Terminal.complain("the system allows \(room) connections only: so many boxes are played") }
        self.rate = rate
        deadline = seconds.map { [loop] in loop.now + .seconds($0) }
        network = PushDialler(target, on: loop)
        before = ProcessFigures.read()
        boxes = keys.boxes.prefix(min(count, room)).compactMap { box in
            keys[box].map { Box(BoxSession.Identity(box: box, key: $0, firmware: Firmware.version)) }
        }
    }

    func run() -> ExitStatus {
        dialMore()
        scheduleReport()
        while !isStopping {
            loop.wait(until: deadline)
            while let event = loop.next() {
                switch event {
                case .network(let event): handle(event)
                case .signal(.terminate): isStopping = true
                default: break
                }
            }
            if let deadline, loop.now >= deadline { isStopping = true }
        }
        report()
        return most == boxes.count ? .success : .failure
    }

    // MARK: - Dialling

    private func dialMore() {
        let end = min(boxes.count, dialled + max(1, rate * Int(Self.dialRest.milliseconds) / 1000))
        for box in boxes[dialled..<end] { dial(box) }
        dialled = end
        guard dialled < boxes.count else { return }
        loop.schedule(at: loop.now + Self.dialRest) { [weak self] in self?.dialMore() }
    }

    private func dial(_ box: Box) { byConnection[network.dial()] = box }

    private func handle(_ event: NetworkEvent) {
        switch event {
        case .opened(let id, let peer):
            guard let box = byConnection[id] else { return }
            box.connection = id
            box.session = BoxSession(box.identity, channel: peer.channel, nonce: Nonce.random(using: &random))
            drive(box) { $0.start(at: $1) }
        case .received(let id, let bytes): if let box = byConnection[id] { drive(box) { $0.received(bytes, at: $1) } }
        case .closed(let id, let cause): closed(id, cause)
        case .distrusted: break
        }
    }

    private func closed(_ id: ConnectionID, _ cause: String) {
        guard let box = byConnection.removeValue(forKey: id) else { return }
        if box.session?.hub != nil { welcomed -= 1 }
        box.session = nil
        box.connection = nil
        lost += 1
        lastCause = cause
        let wait = box.backoff.lost(at: loop.now, using: &random)
        loop.schedule(at: loop.now + wait) { [weak self] in self?.dial(box) }
    }

    // MARK: - The box's side of a session

    private func drive(_ box: Box, _ event: (inout BoxSession, Moment) -> [BoxSessionOutput]) {
        guard let id = box.connection, var session = box.session.take() else { return }
        let wasWelcomed = session.hub != nil
        let more = event(&session, loop.now)
        if wasWelcomed, session.hub == nil { welcomed -= 1 }
        box.session = session
        guard outputs.add(more.map { (box, id, $0) }) else { return }
        while let (box, id, output) = outputs.next() { take(output, of: box, id) }
    }

    private func take(_ output: BoxSessionOutput, of box: Box, _ id: ConnectionID) {
        switch output {
        case .send(let bytes): network.send(bytes, on: id)
        case .close: network.close(id)
        case .ended(let end): if case .byPeer(let reason) = end { lastCause = reason }
        case .timer(let timer, let moment):
            guard let moment else { return }
            loop.schedule(at: moment) { [weak self, weak box] in
                guard let self, let box, box.connection == id else { return }
                drive(box) { $0.timer(timer, at: $1) }
            }
        case .welcomed(let hello):
            welcomed += 1
            most = max(most, welcomed)
            box.backoff.welcomed(spread: hello.spread, at: loop.now)
            drive(box) { session, now in
                session.status(
                    BoxStatus(printer: .none, queued: 0, volume: 0, firmware: Firmware.version, uptime: .zero), at: now)
            }
        case .push(let push): answer(push, box)
        case .told(let tokens): told += tokens.count
        case .command(let command):
            drive(box) { $0.reply(CommandReply(id: command.id, isOK: false, reason: "unsupported"), at: $1) }
        case .log(let entry): lastCause = entry.text
        case .trace, .fleet, .fleetFault: break
        }
    }

    /// Taken, and ended in silence: nothing here speaks or prints.
    private func answer(_ push: ReceivedPush, _ box: Box) {
        pushes += 1
        if case .failure(let refusal) = push.payment {
            return drive(box) { $0.answer(push.sequence, .refused(refusal, detail: nil), at: $1) }
        }
        drive(box) { $0.answer(push.sequence, .accepted, at: $1) }
        let outcome = PushOutcome(
            id: push.id, voice: .silent, paper: .none, token: OutcomeToken(Int64(pushes)))
        drive(box) { $0.outcome(outcome, at: $1) }
    }

    // MARK: - How it goes

    private func scheduleReport() {
        loop.schedule(at: loop.now + Self.reportRest) { [weak self] in
            guard let self, !isStopping else { return }
            report()
            scheduleReport()
        }
    }

    private func report() {
        let figures = ProcessFigures.read()
        let count = max(1, boxes.count)
        let memory = max(0, figures.resident - before.resident)
        Terminal.print(
            JSON.object([
                "boxes": .integer(boxes.count), "welcomed": .integer(welcomed), "most": .integer(most),
                "pushes": .integer(pushes), "told": .integer(told), "lost": .integer(lost),
                "cause": lastCause.isEmpty ? nil : .string(lastCause), "resident_bytes": .integer(figures.resident),
                "bytes_per_box": .integer(memory / count), "cpu_ms": .integer(figures.cpu.milliseconds),
                "cpu_us_per_box": .integer((figures.cpu - before.cpu).nanoseconds / 1000 / Int64(count)),
            ]).text)
    }
}
