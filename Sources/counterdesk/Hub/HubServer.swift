// The hub alive: boxes come and go, pushes wait for them on disk, results are printed. In one turn of the loop all that
// came is noted, committed once, and only then answered.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PaymentJournal
import PushProtocol

/// A hub for boxes that dial: pushes wait on disk until their outcome.
package final class HubServer {
    /// Descriptors that are not connections.
    private static let ownDescriptors = 32
    /// Pushes in memory at most; with more the input waits.
    private static let mostWaiting = 20_000
    /// How long boxes have to hear the hub's goodbye.
    private static let goodbye = Interval.seconds(2)

    private let settings: HubSettings
    private let keys: HubKeys
    private let loop: EpollLoop
    private let store: HubStore
    private let carrier: any PushCarrier
    /// Where boxes dial in.
    package let address: SocketAddress
    private let clock = SystemClock()
    /// Takes each line that is printed.
    private let say: (String) -> Void
    private var input: HubInput?
    private var inputHasEnded = false
    /// Read and not taken: each may be a push for every box.
    private var lines: ArraySlice<[UInt8]> = []

    private var links: [ConnectionID: HubLink] = [:]
    /// The welcomed connection of each box.
    private var roster: [String: HubLink] = [:]
    /// What waits for boxes that are not there.
    private var outboxes: [String: PushOutbox] = [:]

    // Of this turn.
    private var orders: [(box: String, push: OutgoingPush)] = []
    private var pings: [(link: HubLink, ping: UInt32)] = []
    private var due: [(link: HubLink, timer: SessionTimer)] = []
    private var outputs = FirstComeQueue<(HubLink, HubSessionOutput)>()

    private var openPushes = 0
    private var failures = 0
    private var most = 0
    private var isStopping = false

    /// - Parameter say: takes each RESULT as a line.
    package init(
        _ settings: HubSettings, keys: HubKeys, on loop: EpollLoop, say: @escaping (String) -> Void
    ) throws(VerbFailure) {
        self.settings = settings
        self.keys = keys
        self.loop = loop
        self.say = say
        let descriptors = DescriptorLimit.raise() - Self.ownDescriptors
        do {
            (carrier, address) = try HubListener.open(settings, on: loop, mostConnections: descriptors)
            store = try HubStore(path: settings.store, at: clock.read().time)
            var outboxes: [String: PushOutbox] = [:]
            try store.waiting { box, push in _ = outboxes[box, default: PushOutbox()].add(push) }
            self.outboxes = outboxes
            openPushes = try store.open()
        } catch let fault as JournalFailure {
            throw .failure("\(settings.store) cannot be used: \(fault.detail)")
        } catch let fault as ListenError {
            throw .failure(fault.message)
        } catch {
            throw .failure("\(error)")
        }
        Terminal.complain("\(keys.boxes.count) boxes are known, \(openPushes) pushes have no outcome yet")
    }

    // MARK: - Running

    func run(files: [String]) throws(VerbFailure) -> ExitStatus {
        do throws(JournalFailure) {
            try begin(files)
            while !isStopping {
                loop.wait(until: nil)
                try turn()
            }
            try stop()
        } catch {
            // What is not on disk may not be answered: better no hub than one that forgets.
            throw .failure("\(settings.store) cannot be written: \(error.detail)")
        }
        report()
        return failures == 0 && (!settings.untilDone || openPushes == 0) ? .success : .failure
    }

    private func begin(_ files: [String]) throws(JournalFailure) {
        let input = HubInput(
            on: loop, onLine: { [unowned self] in lines.append($0) },
            onEnd: { [unowned self] in inputHasEnded = true })
        self.input = input
        for file in files {
            guard let bytes = try? Files.read(file, limit: 1 << 30) else {
                Terminal.complain("\(file) cannot be read")
                failures += 1
                continue
            }
            input.take(bytes[...])
            input.finishLine()
        }
        try turn()
    }

    /// Takes lines as if they had come in.
    package func take(lines more: [String]) { lines += more.map { Array($0.utf8) } }

    /// All that has come since the last turn.
    package func turn() throws(JournalFailure) {
        while let event = loop.next() {
            switch event {
            case .network(let event): try handle(event)
            case .signal(.terminate): isStopping = true
            default: break
            }
        }
        try fireTimers()
        while openPushes + orders.count < Self.mostWaiting, let line = lines.popFirst() { take(line: line) }
        let new = try keep()
        try store.commit()
        for order in new { hand(order.push, to: order.box) }
        let answered = pings
        pings = []
        for (link, ping) in answered { try take(link.session.pong(ping, at: loop.now), link) }
        if !inputHasEnded { input?.setReading(lines.isEmpty) }
        if settings.untilDone, inputHasEnded, lines.isEmpty, openPushes == 0 { isStopping = true }
    }

    private func stop() throws(JournalFailure) {
        for link in links.values.sorted(by: { $0.id < $1.id }) {
            try take(link.session.close(.closing, at: loop.now), link)
        }
        let limit = loop.now + Self.goodbye
        while carrier.hasConnections, loop.now < limit {
            loop.wait(until: limit)
            while let event = loop.next() { if case .network(let event) = event { try handle(event) } }
        }
        try store.commit()
    }

    // MARK: - Pushes

    private func take(line: [UInt8]) {
        let time = clock.read().time
        do throws(HubInputFault) {
            let order = try HubOrder(line, at: time, id: Self.makeID)
            guard let box = order.box else {
                return orders += keys.boxes.map { ($0, order.push) }
            }
            guard keys[box] != nil else { throw HubInputFault(message: "there is no key of box \(box)") }
            orders.append((box, order.push))
        } catch {
            failures += 1
            Terminal.complain("a line is left out: \(error.message)")
        }
    }

    private static func makeID() -> String {
        var random = SystemRandomNumberGenerator()
        return "hub-" + Hex.text((0..<10).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// - Returns: those that are new.
    private func keep() throws(JournalFailure) -> [(box: String, push: OutgoingPush)] {
        let all = orders
        orders = []
        var new: [(box: String, push: OutgoingPush)] = []
        for order in all {
            if try store.add(order.push, for: order.box) {
                openPushes += 1
                new.append(order)
            } else {
                Terminal.complain("push \(order.push.id) for \(order.box) is known already and left out")
            }
        }
        return new
    }

    private func hand(_ push: OutgoingPush, to box: String) {
        guard let link = roster[box], let outputs = link.session.push(push, at: loop.now) else {
            _ = outboxes[box, default: PushOutbox()].add(push)
            return
        }
        // A push asks for nothing but to be sent.
        for case .send(let bytes) in outputs { carrier.send(bytes, on: link.id) }
    }

    private func took(_ result: PushResult, _ link: HubLink) throws(JournalFailure) {
        guard let box = link.session.box?.box ?? link.box else { return }
        var members = JSON.object(["box": .string(box)]).object ?? JSONObject()
        for member in result.json.object?.members ?? [] { members.set(member.name, member.value) }
        say(JSON.object(members).text)
        guard try store.note(result, of: box) else { return }
        openPushes -= 1
        if !result.isGood { failures += 1 }
    }

    // MARK: - Connections

    private func handle(_ event: NetworkEvent) throws(JournalFailure) {
        switch event {
        case .opened(let id, let peer):
            var random = SystemRandomNumberGenerator()
            let hello = HubHello(
                hub: settings.name, nonce: Nonce.random(using: &random), time: nil, heartbeat: settings.heartbeat,
                spread: settings.spread)
            let link = HubLink(id, HubSession(hello, channel: peer.channel), address: peer.address)
            links[id] = link
            try take(link.session.start(time: clock.read().time, at: loop.now), link)
        case .received(let id, let bytes):
            guard let link = links[id] else { return }
            try take(link.session.received(bytes, at: loop.now), link)
        case .closed(let id, _):
            guard let link = links.removeValue(forKey: id) else { return }
            left(link)
        case .distrusted: break
        }
    }

    private func take(_ more: [HubSessionOutput], _ link: HubLink) throws(JournalFailure) {
        guard outputs.add(more.map { (link, $0) }) else { return }
        while let (link, output) = outputs.next() { try perform(output, of: link) }
    }

    private func perform(_ output: HubSessionOutput, of link: HubLink) throws(JournalFailure) {
        switch output {
        case .send(let bytes): carrier.send(bytes, on: link.id)
        case .close: carrier.close(link.id)
        case .ended(let end): ended(link, end)
        case .timer(let timer, let moment): if let moment { set(timer, of: link, at: moment) }
        case .log(let entry): Terminal.complain("\(link.box ?? link.address): \(entry.text)")
        case .greeted(let box): try take(admit(box, link), link)
        case .welcomed(let box): try welcomed(box.box, link)
        case .result(let result): try took(result, link)
        case .pinged(let ping): pings.append((link, ping))
        case .trace, .status, .reply: break
        }
    }

    private func admit(_ box: BoxHello, _ link: HubLink) -> [HubSessionOutput] {
        let outbox = roster[box.box]?.session.outbox ?? outboxes[box.box] ?? PushOutbox()
        return link.session.admit(keys[box.box], outbox: outbox, at: loop.now)
    }

    private func welcomed(_ box: String, _ link: HubLink) throws(JournalFailure) {
        link.box = box
        let older = roster.updateValue(link, forKey: box)
        outboxes[box] = nil
        most = max(most, roster.count)
        if keys.boxes.count <= 100 { Terminal.complain("\(box) is connected from \(link.address)") }
        if let older { try take(older.session.close(.replaced, at: loop.now), older) }
    }

    private func ended(_ link: HubLink, _ end: SessionEnd) {
        switch end {
        case .byUs(.unauthorized): Terminal.complain("\(link.address) is no box of ours, or its key is another")
        case .byUs(let reason): if reason != .closing { Terminal.complain("\(link.address): \(reason.rawValue)") }
        case .byPeer: break
        }
        left(link)
    }

    /// What the box has not answered waits for its next connection.
    private func left(_ link: HubLink) {
        guard let box = link.box, roster[box] === link else { return }
        roster[box] = nil
        if let outbox = link.session.outbox, !outbox.isEmpty { outboxes[box] = outbox }
        if keys.boxes.count <= 100 { Terminal.complain("\(box) is gone") }
    }

    /// Early and late timers are harmless to a session, so one that is set again needs no cancelling.
    private func set(_ timer: SessionTimer, of link: HubLink, at moment: Moment) {
        loop.schedule(at: moment) { [weak self, weak link] in
            if let self, let link { due.append((link, timer)) }
        }
    }

    private func fireTimers() throws(JournalFailure) {
        let fired = due
        due = []
        for (link, timer) in fired where links[link.id] === link {
            try take(link.session.timer(timer, at: loop.now), link)
        }
    }

    private func report() {
        let figures = ProcessFigures.read()
        let use = "\(figures.resident >> 20) MiB resident, \(figures.cpu.milliseconds) ms of CPU"
        Terminal.complain("\(most) boxes at once at most; \(use)")
    }
}
