// One connection to a listening box, from the first push to the last outcome.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol

final class PushClient {
    /// The name that the box knows this hub by.
    private static let hubName = "counterbox-push"
    /// How long the box may take, after the last outcome, to ask whether it was kept.
    private static let lastWord = Interval.seconds(3)
    /// A line of standard input at most.
    private static let mostLine = 1 << 16

    private let loop: EpollLoop
    private let network: PushDialler
    private let key: BoxKey
    private let timeout: Interval
    private var session: HubSession
    private var connection: ConnectionID?
    private var timers: [SessionTimer: Moment] = [:]
    private var input: (([UInt8]) -> Result<OutgoingPush, JSONFault>)?
    private var line: [UInt8] = []
    /// Taken before the box had said who it is.
    private var early = PushOutbox()

    private var open: Set<ExactText> = []
    private var allGood = true
    private var deadline: Moment
    /// Every outcome is here; only the box's last PING is missing.
    private var isFinishing = false
    private var ending: String?
    private var isClosed = false
    private var mayHaveSent = false

    // Of the call under way.
    private var outputs = FirstComeQueue<HubSessionOutput>()

    init(_ target: PushTarget, key: BoxKey, timeout: Interval) throws(VerbFailure) {
        do {
            loop = try EpollLoop()
        } catch {
            throw .failure(error.message)
        }
        network = PushDialler(target, on: loop)
        connection = network.dial()
        self.key = key
        self.timeout = timeout
        session = Self.session(channel: "plain")
        deadline = loop.now + timeout
    }

    private static func session(channel: String) -> HubSession {
        var random = SystemRandomNumberGenerator()
        return HubSession(
            HubHello(hub: hubName, nonce: Nonce.random(using: &random), time: nil), channel: channel)
    }

    func run(
        _ pushes: [OutgoingPush], input: (([UInt8]) -> Result<OutgoingPush, JSONFault>)?
    ) throws(VerbFailure) -> ExitStatus {
        self.input = input
        for push in pushes { add(push) }
        if input != nil { watchInput() }
        while !isClosed, loop.now < deadline {
            loop.wait(until: (Array(timers.values) + [deadline]).min())
            while let event = loop.next() { handle(event) }
            fireTimers()
            finishIfDone()
        }
        return try verdict()
    }

    private func verdict() throws(VerbFailure) -> ExitStatus {
        finishIfDone()
        if open.isEmpty, isFinishing { return allGood ? .success : .failure }
        nameOpen()
        if let ending { throw .failure(ending) }
        throw .failure("time is up: \(open.count) pushes have no outcome yet; they may still be spoken and printed")
    }

    /// Whoever tries again has to do it under the same id, or the box cannot know that it is the same payment.
    private func nameOpen() {
        guard mayHaveSent else { return }
        for id in open.map(\.text).sorted() {
            Terminal.complain(
                "\(id) has no outcome yet: to try again and not have it done twice, send it with --id \(id)")
        }
    }

    // MARK: - Pushes

    private func add(_ push: OutgoingPush) {
        guard push.isGood else {
            Terminal.complain("a push is over the frame's limit or has a bad id: it is left out")
            allGood = false
            return
        }
        open.insert(ExactText(push.id))
        deadline = max(deadline, loop.now + timeout)
        if session.box == nil {
            _ = early.add(push)
        } else if let outputs = session.push(push, at: loop.now) {
            take(outputs)
        }
    }

    private func result(_ result: PushResult) {
        guard let id = result.id, open.contains(ExactText(id)) else { return }
        Terminal.print(result.json.text)
        guard result.isFinal else { return }
        open.remove(ExactText(id))
        if !result.isGood { allGood = false }
    }

    private func finishIfDone() {
        guard open.isEmpty, input == nil, !isFinishing, session.box != nil || early.isEmpty else { return }
        isFinishing = true
        deadline = min(deadline, loop.now + Self.lastWord)
    }

    // MARK: - The connection

    private func handle(_ event: DeviceEvent) {
        guard case .network(let event) = event else { return }
        switch event {
        case .opened(_, let peer):
            log("connected to \(peer.address)")
            session = Self.session(channel: peer.channel)
            take(session.start(time: SystemClock().read().time, at: loop.now))
        case .distrusted: break
        case .received(_, let bytes): take(session.received(bytes, at: loop.now))
        case .closed(_, let reason):
            isClosed = true
            if ending == nil { ending = "the connection ended: \(reason)" }
        }
    }

    private func take(_ more: [HubSessionOutput]) {
        guard outputs.add(more) else { return }
        while let output = outputs.next() { perform(output) }
    }

    private func perform(_ output: HubSessionOutput) {
        switch output {
        case .send(let bytes): if let connection { network.send(bytes, on: connection) }
        case .close: if let connection { network.close(connection) }
        case .ended(let end): if ending == nil { ending = Self.words(end) }
        case .timer(let timer, let moment): timers[timer] = moment
        case .log(let entry): log(entry.text)
        case .trace: break
        case .greeted:
            mayHaveSent = true
            take(session.admit(key, outbox: early, at: loop.now))
        case .welcomed(let box): log("the box is \(box.box), firmware \(box.firmware)")
        case .result(let result): self.result(result)
        case .pinged(let ping): answer(ping)
        case .status, .reply: break
        }
    }

    /// Every result before the PING is printed, which is how this hub keeps them.
    private func answer(_ ping: UInt32) {
        take(session.pong(ping, at: loop.now))
        if isFinishing || (open.isEmpty && input == nil) {
            isFinishing = true
            take(session.close(.closing, at: loop.now))
        }
    }

    private func fireTimers() {
        let due = SessionTimer.allCases.filter { timers[$0].map { $0 <= loop.now } ?? false }
        for timer in due {
            timers[timer] = nil
            take(session.timer(timer, at: loop.now))
        }
    }

    private static func words(_ end: SessionEnd) -> String {
        switch end {
        case .byUs(.unauthorized): "the box's proof is wrong: is this the box's key (--key)?"
        case .byPeer("unauthorized"): "the box does not know this key: give the box's own with --key"
        case .byPeer("replaced"):
            "another counterbox push has taken this one's place: one at a time, with all BODYs or with - for lines"
        case .byUs(let reason): "the connection was closed: \(reason.rawValue)"
        case .byPeer(let reason): "the box closed the connection: \(reason)"
        }
    }

    private func log(_ text: String) {
        if isatty(STDERR_FILENO) == 1 { Terminal.complain(text) }
    }

    // MARK: - Standard input

    private func watchInput() {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            while readInput() {}
            return
        }
        loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _ in _ = readInput() }
    }

    /// - Returns: false at the end.
    private func readInput() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        guard count > 0 else {
            takeLine()
            loop.unwatch(STDIN_FILENO)
            input = nil
            return false
        }
        for byte in chunk[..<count] {
            if byte == UInt8(ascii: "\n") { takeLine() } else if line.count <= Self.mostLine { line.append(byte) }
        }
        return true
    }

    private func takeLine() {
        let bytes = line
        line = []
        guard let input, bytes.contains(where: { $0 > 0x20 }) else { return }
        switch input(bytes) {
        case .success(let push): add(push)
        case .failure(let fault):
            Terminal.complain("a line is no JSON and is left out: \(fault.message)")
            allGood = false
        }
    }
}
