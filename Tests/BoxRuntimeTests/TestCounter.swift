// A whole box on a counter without hardware: the real core, runtime, journal, voice, receipts and printer link; time moved
// by hand. The one construction point of every test of the box.

import BoxCore
import BoxDoctor
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// What goes when the plug is pulled.
final class TestRun {
    let network: SimulatedNetwork
    let speaker: SimulatedSpeaker
    let speech: SimulatedSpeech
    let light: SimulatedLight
    let console: SimulatedConsole
    let supervisor = TestSupervisor()
    let radio: SimulatedRadio
    let machine: InlineWorker<MachineRequest, MachineAnswer>
    let runtime: BoxRuntime

    init(_ counter: TestCounter, _ setup: BoxSetup) {
        let loop = counter.loop
        network = SimulatedNetwork(on: loop)
        speaker = SimulatedSpeaker(loop: loop)
        speech = SimulatedSpeech(on: loop)
        light = SimulatedLight(on: loop)
        console = SimulatedConsole(on: loop)
        radio = SimulatedRadio(on: loop)
        radio.devices = counter.bluetoothDevices
        let journal = counter.journal
        let failure = counter.disk
        machine = InlineWorker("machine", on: loop, delay: .milliseconds(3)) {
            [machine = counter.machine] in machine.perform($0)
        }
        let worker = InlineWorker<JournalBatch, JournalAnswer>("journal", on: loop, delay: counter.commitTime) {
            batch in
            var answer = failure.answer(batch) ?? journal.perform(batch)
            if failure.isFoundDamaged {
                failure.isFoundDamaged = false
                answer.opened = .setAside(name: "j.corrupt-1", JournalFailure(.corrupt, "the test's disk"), kept: 0)
            }
            return answer
        }
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: network, fleet: counter.server.map { SimulatedFleet(on: loop, to: $0) },
                listen: { [unowned counter] in counter.isListening = true },
                dial: { [unowned counter] in counter.dial($0) }, speaker: speaker, speech: speech,
                printer: counter.printer, radio: radio,
                usePrinter: { [unowned counter] in counter.chosenPrinters.append($0) }, light: light, console: console,
                journal: worker, clock: counter.clock, state: counter.state, log: counter.log, machine: machine,
                supervisor: supervisor, news: { [unowned counter] in counter.take($0) }),
            loop: loop)
    }
}

/// A disk that can be told to fail.
final class TestDisk {
    var isFailing = false
    /// The next batch finds the journal damaged; a new one has been begun.
    var isFoundDamaged = false

    func answer(_ batch: JournalBatch) -> JournalAnswer? {
        guard isFailing else { return nil }
        let replies: [JournalReply] = batch.requests.map { $0.isChange ? .notKept : .unanswered }
        return JournalAnswer(opened: nil, failure: JournalFailure(.full, "the test's disk"), replies: replies)
    }
}

/// A machine around the box that says and does what a test wants.
final class TestMachine {
    var facts = DoctorFacts()
    var network = NetworkReading()
    var settings = [SettingLine(name: "voice.rush", value: "6"), SettingLine(name: "light.brightness", value: "100")]
    /// Why it may not be restarted; nil: it may.
    var restartRefusal: String?
    /// Why nothing can be written.
    var writeRefusal: String?
    private(set) var kept: [UInt8] = []
    private(set) var asked: [MachineRequest] = []

    func perform(_ request: MachineRequest) -> MachineAnswer {
        asked.append(request)
        switch request {
        case .examine:
            return .examined(
                MachineSight(
                    facts: facts, network: network, versions: [("kernel", "6.1")],
                    settings: settings.map { ($0.name, $0.value) }))
        case .settings(let name):
            let found = settings.filter { name == nil || $0.name == name }
            return found.isEmpty ? .refused("there is no setting \(name ?? "")") : .settings(found)
        case .set(let name, let value):
            if let writeRefusal { return .refused(writeRefusal) }
            return .set(
                SettingLine(name: name, value: value), brightness: name == "light.brightness" ? Int(value) : nil)
        case .keep(let file):
            if let writeRefusal { return .refused(writeRefusal) }
            kept = file
            return .kept("/var/lib/counterbox/support.txt")
        case .askRestart: return .mayRestart(restartRefusal)
        }
    }
}

/// What systemd is told.
final class TestSupervisor: ServiceSupervisor {
    var watchdogPeriod: Interval?
    private(set) var words: [String] = []

    func ready() { words.append("READY") }
    func status(_ text: String) { words.append(text) }
    func stillTurning() { words.append("WATCHDOG") }
    func stopping() { words.append("STOPPING") }
    func takeWords() -> [String] {
        defer { words = [] }
        return words
    }
}

final class TestCounter {
    static let key = BoxKey(hex: String(repeating: "ab", count: 32))!
    /// Where a printer on the network is.
    static let printerAddress = PrinterAddress.tcp(host: "192.0.2.7", port: 9100)
    /// Between two looks at what has come.
    static let step = Interval.milliseconds(5)

    var loop = SimulatedLoop()
    let log = MemoryLog()
    // These outlive a pulled plug: the disk, and what stands beside the box.
    let journal = JournalDatabase(path: ":memory:")
    let disk = TestDisk()
    let machine = TestMachine()
    let state = SimulatedState()
    let printer: SimulatedPrinter
    let clock: SimulatedClock
    let button: SimulatedButton
    let commitTime: Interval
    let carrier: PrinterCarrier

    /// How the next start finds the key's file.
    var keyAtStart: KeyFact?
    /// nil while the plug is out.
    private var plugged: TestRun?
    private(set) var hubs: [TestHub] = []
    /// Phrases begun and ended, over all runs.
    private(set) var phrases: [String] = []
    private(set) var phraseEnds: [VoiceEnd] = []
    /// When each of them began and ended.
    private(set) var phraseBegins: [Moment] = []
    private(set) var phraseEndMoments: [Moment] = []
    private(set) var lights: [String] = []
    fileprivate(set) var isListening = false
    /// What the box was told to print on from then on.
    fileprivate(set) var chosenPrinters: [PrinterAddress] = []
    /// Around the box at the next plug.
    var bluetoothDevices: [SimulatedBluetoothDevice] = []
    private let receipts: ReceiptMaker
    let voices: [Voice]
    private let voiceSettings: AnnouncerSettings
    private var printed = 0

    /// The box opens the connection to its hub.
    let dials: Bool
    let heartbeat: Interval?
    /// The server of a fleet's box; nil where hubs speak frames.
    let server: SimulatedFleetServer?
    let seed: UInt64
    /// When the box dialled, and by what time it was to judge the hub.
    private(set) var calls: [(at: Moment, judgedBy: WallTime)] = []
    /// What comes of the next dials.
    var onDial: ((ConnectionID) -> SimulatedNetwork.DialAnswer)?

    /// - Parameter voices: nil for the Chinese one.
    init(
        carrier: PrinterCarrier = .tcp, commitTime: Interval = .milliseconds(2), dials: Bool = false,
        isInFleet: Bool = false, heartbeat: Interval? = nil, clock time: WallTime? = nil, seed: UInt64 = 1,
        voices: [Voice]? = nil,
        voice: AnnouncerSettings = AnnouncerSettings()
    ) throws {
        self.carrier = carrier
        self.dials = dials
        server = isInFleet ? SimulatedFleetServer(on: loop) : nil
        self.heartbeat = heartbeat
        self.seed = seed
        self.commitTime = commitTime
        printer = SimulatedPrinter(on: loop)
        clock = SimulatedClock(on: loop)
        if let time {
            clock.epoch = time + (Moment.zero - loop.now)
            clock.isSynchronised = false
        }
        button = SimulatedButton(on: loop)
        self.voices = try voices ?? [TestResources.voice.get()]
        voiceSettings = voice
        receipts = try TestResources.receipts()
        plug()
    }

    /// What is plugged in.
    var run: TestRun {
        guard let plugged else { preconditionFailure("the plug is out") }
        return plugged
    }

    /// Power comes.
    func plug(volume: Int = 100) {
        isListening = false
        var setup = BoxSetup(
            identity: BoxSession.Identity(
                box: "counter-1", key: Self.key, firmware: Firmware.version, heartbeat: heartbeat),
            voices: voices, voice: voiceSettings, receipts: receipts,
            printer: PrinterLinkSettings(carrier: carrier, pace: 9600, buffer: 4096),
            printerAddress: carrier == .tcp ? Self.printerAddress : .none, volume: volume, seed: seed,
            dials: dials, fleet: server == nil ? nil : FleetSubjects(box: "counter-1"), savedClock: savedClock)
        setup.facts.key = keyAtStart
        plugged = TestRun(self, setup)
        run.runtime.start(buttonIsPressed: false)
        run.console.plug()
    }

    /// The floor of the clock that the box kept.
    var savedClock: WallTime? {
        state.content(of: BoxSetup.clockFile).map { String(decoding: $0.dropLast(), as: UTF8.self) }
            .flatMap { Int64($0) }.map { WallTime(milliseconds: $0) }
    }

    fileprivate func dial(_ time: WallTime) {
        calls.append((loop.now, time))
        run.network.onDial = onDial
        run.network.dial()
    }

    /// Power goes: nothing more is done, and what was on its way to a device is lost.
    func pullPlug() {
        plugged = nil
        printer.disconnect()
        while loop.next() != nil {}
    }

    /// A hub that dials this box now, or after the next plug.
    func hub(_ name: String = "till", connects: Bool = true) -> TestHub {
        let hub = TestHub(name, key: Self.key, network: { [unowned self] in run.network }, loop: loop)
        hubs.append(hub)
        advance(.milliseconds(50))
        if connects {
            hub.connect()
            advance(.milliseconds(50))
        }
        return hub
    }

    /// Lets time pass, and everything happen that happens in it.
    ///
    /// - Parameter step: how often the hubs look at what has come.
    func advance(_ time: Interval, step: Interval = step) {
        let end = loop.now + time
        while loop.now < end, let run = plugged, !run.runtime.isStopped {
            run.runtime.turn(until: min(end, loop.now + step))
            for hub in hubs { hub.run() }
        }
    }

    /// - Returns: whether it became so within the time.
    func advance(until condition: () -> Bool, within limit: Interval = .seconds(60), step: Interval = step) -> Bool {
        let end = loop.now + limit
        while !condition() {
            guard loop.now < end else { return false }
            advance(step, step: step)
        }
        return true
    }

    /// Sets the clock of the box.
    func set(hour: Int, minute: Int, second: Int = 0) {
        clock.epoch = time(hour: hour, minute: minute, second: second) + (.zero - loop.now)
    }

    /// On the day after the firmware's.
    func time(hour: Int, minute: Int, second: Int = 0) -> WallTime {
        let day = Firmware.released.milliseconds / 86_400_000 + 1
        return WallTime(milliseconds: (day * 86_400 + Int64((hour * 60 + minute) * 60 + second - clock.offset)) * 1000)
    }

    /// What was heard since the last call.
    func takeHeard() -> [Int16] { run.speaker.takeHeard().flatMap(\.samples) }

    /// What came out of the printer since the last call, as text. Large text stands apart on the roll, so all spaces are
    /// left out.
    func takePaper() -> String {
        printer.run()
        let bytes = printer.machine.printed
        var paper = VirtualPrinter(profile: receipts.profile)!
        paper.print(Array(bytes[printed...]))
        printed = bytes.count
        return paper.roll.text(showsCodes: true).filter { $0 != " " }
    }

    fileprivate func take(_ news: BoxNews) {
        switch news {
        case .phraseBegan(let words):
            phrases.append(words)
            phraseBegins.append(loop.now)
        case .phraseEnded(let end):
            phraseEnds.append(end)
            phraseEndMoments.append(loop.now)
        case .light(_, let pattern): lights.append(pattern)
        case .receiptEnded, .printer, .frame: break
        }
    }
}
