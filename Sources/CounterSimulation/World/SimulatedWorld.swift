// The counter and all around it: one box, its hubs, its devices, its plug, its people. One loop, one thread; what happens is
// settled by the seed's plans and by nothing else.

import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import SimulatedDisk
import VoiceAnnouncing

final class SimulatedWorld {
    static let boxName = "counter-1"
    static let journalFile = "journal"
    /// More than a forgetful hub sends again.
    static let fewKept = JournalKeeping(pushes: 40, age: .minutes(20))
    static let key: BoxKey = {
        var random = SeededRandom(seed: 1)
        return BoxKey(using: &random)
    }()
    /// The amount that the console says: 12.50.
    static let consoleFen: Int64 = 1250
    /// After the last fault and the last push everything has ended within this.
    static let liveness = Interval.minutes(20)
    /// Between two looks whether everything has ended.
    private static let look = Interval.seconds(5)

    let options: SimulationOptions
    let shop: Shop
    let plan: FaultPlan
    let length: Interval
    let loop = SimulatedLoop()
    let start: Moment

    // What outlives a power cut.
    let power = PowerSupply()
    let disk: SimulatedDisk
    let state = SimulatedState()
    let printer: SimulatedPrinter
    let clock: SimulatedClock
    let button: SimulatedButton
    let log = StoryLog()
    private let receipts: ReceiptMaker
    private let pack: EarPack
    private var starts: UInt64 = 0

    /// nil while the power is off.
    private(set) var run: BoxRun?
    private(set) var runs = 0
    private(set) var isListening = false
    var isTerminating = false
    private(set) var hubs: [SimulatedHub] = []
    var lines: [ConnectionID: HubLine] = [:]
    var strangers: Set<ConnectionID> = []
    var conditions = Conditions([])
    var active: [Fault] = []
    private(set) lazy var witness = Witness(self, pack: pack, profile: receipts.profile)
    private(set) lazy var lightWitness = LightWitness(self)

    // Figures.
    var pushes = 0
    var faultCounts: [FaultKind: Int] = [:]
    private(set) var violation: Violation?
    /// When something last went wrong or came right, or the power came.
    var changedAt = Moment.zero
    private(set) var powerLosses: [Moment] = []
    /// When the last dial was refused, until the next.
    private var refusedAt: Moment?

    init(
        _ options: SimulationOptions, pack: EarPack, plan: FaultPlan, read: @escaping (String) -> [UInt8]?
    ) throws(PrinterProfileFault) {
        self.options = options
        self.pack = pack
        self.plan = plan
        length = options.length
        shop = Shop(seed: options.seed, kind: options.shop)
        start = loop.now
        // SQLite knows disks by name in the whole process, where several worlds may be at once.
        disk = SimulatedDisk(name: "simulation-\(UInt(bitPattern: ObjectIdentifier(loop)))", seed: options.seed)
        var make = SimulatedPrinterMake()
        make.buffer = shop.printer.buffer
        make.bytesPerSecond = shop.printer.bytesPerSecond
        make.answersStatus = shop.printer.answersStatus
        make.confirmsJobs = shop.printer.confirmsJobs
        make.tellsChanges = shop.printer.tellsChanges
        printer = SimulatedPrinter(make, on: loop)
        let day = Firmware.released + .minutes(60 * (24 - 8 + shop.firstHour))
        clock = SimulatedClock(on: loop, epoch: day + (Moment.zero - loop.now))
        button = SimulatedButton(on: loop)
        receipts = try ReceiptMaker(
            profile: PrinterProfile.load("generic-58mm", from: read), language: "zh-CN", resources: read)
        log.tell = options.story == nil ? nil : { [unowned self] in tell("log", "\($0.subject): \($0.text)") }
    }

    // MARK: - Time and story

    /// What a right clock shows.
    var trueTime: WallTime { Firmware.released + .minutes(60 * (24 - 8 + shop.firstHour)) + (loop.now - start) }
    var elapsed: Interval { loop.now - start }

    func tell(_ subject: String, _ text: @autoclosure () -> String) {
        guard let story = options.story else { return }
        let pad = String(repeating: " ", count: max(1, 8 - subject.utf8.count))
        story("\(StoryTime.text(elapsed)) \(subject)\(pad)\(text())")
    }

    /// The first broken promise stands.
    func fail(_ what: String) {
        guard violation == nil else { return }
        violation = Violation(at: elapsed, text: what)
        tell("BROKEN", what)
    }

    // MARK: - The whole run

    func go() {
        schedulePlans()
        let names = shop.hubs == 1 ? ["till"] : ["till", "web"]
        hubs = names.enumerated().map { i, name in
            SimulatedHub(name, heartbeat: shop.heartbeat, in: self, seed: options.seed &* 31 &+ UInt64(i))
        }
        turnOn()
        if !shop.dials { for hub in hubs { hub.dial() } }
        while elapsed < length, violation == nil { step(until: start + length) }
        settle()
        tell("end", violation?.text ?? "all promises were kept")
    }

    private func settle() {
        let calm = start + max(length, plan.ends + .seconds(60))
        while loop.now < calm, violation == nil { step(until: calm) }
        while violation == nil, !isAtRest(since: calm) {
            guard loop.now < calm + Self.liveness else {
                witness.hear()
                witness.judgeEnd()
                fail("something is still open long after the last fault: \(whatIsOpen)")
                return
            }
            let next = loop.now + Self.look
            while loop.now < next, violation == nil { step(until: next) }
        }
        guard violation == nil else { return }
        // What the printer still holds comes out, and what nobody asked for would be heard.
        let last = loop.now + .seconds(100)
        while loop.now < last, violation == nil { step(until: last) }
        witness.look(isLast: true)
        witness.hear()
        witness.judgeEnd()
        lightWitness.judgeEnd()
    }

    /// All has ended, and every hub has heard from the box since then.
    private func isAtRest(since calm: Moment) -> Bool {
        run != nil && witness.attempt == nil && witness.open.isEmpty
            && hubs.allSatisfy { !$0.hasUnanswered && $0.isWelcomed && $0.line?.lastReceived ?? .zero > calm }
    }

    private var whatIsOpen: String {
        if run == nil { return "the box is off" }
        if let open = witness.open.first { return open.name }
        return hubs.contains { !$0.isWelcomed } ? "a hub is not connected" : "a push has no answer"
    }

    private func step(until limit: Moment) {
        guard let run else {
            while loop.next() != nil {}
            loop.wait(until: limit)
            return
        }
        run.runtime.turn(until: limit)
        if !disk.hasPower { power.cut() }
        if !power.isOn {
            losePower()
        } else if run.runtime.isStopped {
            stopped()
        }
        if loop.pending > Self.mostPending { fail("\(loop.pending) events wait") }
    }

    /// Events that may wait: those of one moment of a busy world.
    private static let mostPending = 5000

    private func schedulePlans() {
        for item in WorkPlan(seed: options.seed, shop: shop, length: length).items {
            loop.schedule(at: start + item.at) { [unowned self] in work(item.work) }
        }
        for fault in plan.faults {
            loop.schedule(at: start + fault.at) { [unowned self] in begin(fault) }
            guard fault.lasts > .zero else { continue }
            loop.schedule(at: start + fault.ends) { [unowned self] in end(fault) }
        }
    }

    // MARK: - Power

    func turnOn() {
        guard run == nil else { return }
        while loop.next() != nil {}
        disk.restorePower()
        state.powerOn()
        power.turnOn()
        runs += 1
        starts += 1
        isListening = false
        isTerminating = false
        changedAt = loop.now
        tell("power", "on")
        let run = BoxRun(self, setup)
        self.run = run
        wire(run)
        lightWitness.started(run)
        apply()
        run.runtime.start(buttonIsPressed: button.isPressed)
        if !disk.hasPower { power.cut() }
        guard power.isOn else { return losePower() }
        if !active.contains(where: { $0.kind == .consoleUnplugged }) { run.console.plug() }
    }

    private func wire(_ run: BoxRun) {
        run.network.onArrival = { [unowned self, unowned run] id, bytes in
            _ = run.network.takeSent(on: id)
            guard power.isOn else { return }
            lines[id]?.received(bytes, at: loop.now)
        }
        run.network.onEnd = { [unowned self] id in
            strangers.remove(id)
            lines[id]?.sawEnd()
        }
        run.network.onDial = { [unowned self, unowned run] id in
            guard let hub = hubs.first, !hub.isDown else {
                refusedAt = loop.now
                return .refused
            }
            guard !conditions.hasNoRoute else { return .silence }
            // The line is there before the first word is sent on it.
            hub.take(id, on: run)
            return .accepted(channel: "plain")
        }
    }

    private var setup: BoxSetup {
        var quiet: QuietHours?
        if shop.hasQuietHours { quiet = QuietHours(from: "22:00", to: "07:00", volume: Volume(40)) }
        return BoxSetup(
            identity: BoxSession.Identity(box: Self.boxName, key: Self.key, firmware: Firmware.version),
            voices: [pack.voice],
            voice: AnnouncerSettings(rush: shop.rush, quiet: quiet, chime: pack.chime), receipts: receipts,
            printer: shop.link, volume: number(in: BoxSetup.volumeFile).map { Int($0) } ?? 60,
            seed: options.seed &+ starts &* 7919, dials: shop.dials,
            savedClock: number(in: BoxSetup.clockFile).map { WallTime(milliseconds: $0) })
    }

    private func number(in file: String) -> Int64? {
        state.content(of: file).flatMap { Int64(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
    }

    func losePower() {
        guard let run else { return }
        tell("power", "off")
        powerLosses.append(loop.now)
        disk.cutPower()
        leave(run)
        comeBack()
    }

    /// The end of the fault brings the power back; where it is over already, a second does.
    private func comeBack() {
        guard !active.contains(where: { $0.kind.isPowerOff }) else { return }
        loop.schedule(at: loop.now + .seconds(1)) { [unowned self] in turnOn() }
    }

    /// The box has stopped by itself.
    private func stopped() {
        guard let run else { return }
        tell("power", "the box has stopped")
        if !isTerminating { fail("the box stopped, and nobody told it to") }
        powerLosses.append(loop.now)
        power.cut()
        leave(run)
        comeBack()
    }

    private func leave(_ run: BoxRun) {
        witness.hear()
        witness.voiceStopped()
        witness.lastPhraseWasHeard = true
        printer.disconnect()
        while loop.next() != nil {}
        strangers = []
        refusedAt = nil
        // Their numbers come again with the next start; the hubs notice by themselves.
        lines = [:]
        self.run = nil
        isListening = false
    }

    // MARK: - What the box does to the world

    func boxListens() { isListening = true }

    func boxDials() {
        guard power.allowsCall() else { return }
        judgeWait()
        run?.network.dial()
    }

    /// Boxes that lost their hub together must not meet again: no wait is cut to the cap.
    private func judgeWait() {
        guard let refusedAt else { return }
        self.refusedAt = nil
        let wait = loop.now - refusedAt
        if wait < .milliseconds(500) || wait > .seconds(60) { fail("the hub is dialled again after \(wait.clock)") }
        if wait == .seconds(60) { fail("the wait before a dial is cut to its cap, where all boxes meet") }
    }

    func boxSays(_ news: BoxNews) {
        guard power.isOn else { return }
        switch news {
        case .phraseBegan(let words):
            tell("box", "says \(words)")
            witness.phraseBegan(words)
        case .phraseEnded(let end):
            tell("box", "has said it: \(end.rawValue)")
            witness.phraseEnded(end)
        case .receiptEnded(let end, let cause):
            tell("box", "a receipt ended: \(end.rawValue)" + (cause.map { " (\($0))" } ?? ""))
            witness.look()
        case .light(let state, let pattern): tell("light", "\(pattern): \(state.name)")
        case .printer(let report): tell("box", "printer \(report.state.rawValue)")
        case .frame(_, let line): tell("frame", line)
        }
    }

    func journalAnswered(_ batch: JournalBatch, _ answer: JournalAnswer) {
        guard disk.hasPower else {
            // The power went in the middle of it: it is answered to nobody, and may be on disk or not.
            power.cut()
            return witness.journalMayHave(batch)
        }
        witness.journalAnswered(batch, answer)
    }

    /// The other end of a line has lost its power: with power again it answers with a reset.
    func sentToNobody(_ line: HubLine) {
        guard power.isOn, run != nil else { return }
        loop.schedule(at: loop.now + .milliseconds(1)) { [hubs] in
            for hub in hubs where hub.line === line { hub.refused(line) }
        }
    }
}
