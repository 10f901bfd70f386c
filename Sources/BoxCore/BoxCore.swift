// The box as a value. It routes: what came from a device goes to the subject that decides about it, what the subject wants
// goes out as an effect. It has no clock, no chance and no device of its own.

import BoxDoctor
import BoxFoundation
import FrontPanel
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import ServiceConsole
import VoiceAnnouncing

/// What one of the subjects wants done.
enum SubjectWish {
    case push(ConnectionID, BoxSessionOutput)
    case voice(AnnouncerOutput)
    case paper(PrintSpoolOutput)
    case pairing(PairingOutput)
    case panel(PanelOutput)
    case console(ConsoleOutput)
}

/// The box as a value: ``BoxEvent`` in, ``BoxEffect`` out. Every subject is a part of it, and none of them knows
/// another.
package struct BoxCore {
    let setup: BoxSetup
    var random: SeededRandom

    // The subjects.
    var sessions: [ConnectionID: PushSession] = [:]
    var roster = HubRoster<ConnectionID>()
    /// nil where the box listens.
    var dialler: HubDialler?
    var hubClock: HubClock
    /// A hub of this run said the time that the box goes by.
    var isTimeTold = false
    var ledger = PushLedger()
    var journal = JournalQueue()
    var announcer: Announcer
    var spool: PrintSpool
    var printerPairing: PrinterPairing
    var frontPanel: FrontPanel
    var serviceConsole: ServiceConsole

    // The turn under way.
    var now: Moment
    /// The system's own.
    var systemClock: ClockReading
    /// What the box takes for the time.
    var clock: ClockReading
    var effects: [BoxEffect] = []
    /// What the subjects want, in the order they said it. What comes of doing one goes to the end, so that the frames of
    /// a connection leave in the order in which they were numbered.
    private var wishes: [SubjectWish] = []

    let startedAt: Moment
    var volume: Int
    var isListening = false
    var isStopping = false
    var voiceIsStopped = false
    var paperIsStopped = false
    var isStopped = false

    // Restart.
    var hasAllEntries = false
    var bodiesToCome = 0
    var restored: [PushNumber: JournalEntry] = [:]
    /// Phrases whose age is to be learned, and those behind them.
    var waiting: [WaitingPhrase] = []

    // Pushes.
    /// Hubs that fell silent or went without a word.
    var lostHubs: Set<String> = []
    /// Connections whose hub said goodbye.
    var endedWell: Set<ConnectionID> = []
    /// Connections of which a push was answered `later` in this turn: those behind it are, too.
    var putOff: Set<ConnectionID> = []
    var untoldCursor: [ConnectionID: JournalSequence] = [:]
    var protocolErrors = 0
    var otherBodies = 0
    var toldStatus: BoxStatus?
    var isStatusDue = false
    /// What the fleet's server lacks.
    package internal(set) var fleetFault: FleetFault?

    // The journal.
    var journalTrouble: JournalFailure?
    /// Changes that the disk would not take; tried again.
    var unwritten: [JournalRequest] = []
    /// `BoxTimer.journalRetry` is set.
    var awaitsJournal = false

    // Voice and paper.
    /// For receipts about to be printed, oldest first.
    var payments: [PushNumber: DatedPayment] = [:]
    var lastReceipt: DatedPayment?
    var lastPayment: DatedPayment?
    /// Reprints and test pages of this run: jobs below zero.
    var ownReceipts: [PrintJobID: OwnReceipt] = [:]
    var ownJobs: Int64 = 0
    /// Copies that came out in earlier runs.
    var copiedBefore: [PrintJobID: Int] = [:]
    /// Signs that the printer lacks of which the log was told.
    var toldSigns: Set<Character> = []
    var ownPhrases: Int64 = 0
    /// How things are, as the button asked: cut off where it is held on.
    var statusPhrase: AnnouncementID?
    var printerAddress: PrinterAddress
    /// Who has a printer looked for; nil where nobody does.
    var pairingCaller: PairingCaller?
    /// Texts given to the speech program so far: the number of the last one.
    var speeches: UInt64 = 0

    // Panel and console.
    var faults: Set<FaultCause> = []
    var shownLight: PanelStatus?
    var consoleRequest: ConsoleRequest?
    var liveButton: ConsoleRequest?
    /// What the answers of the machine's worker are for, in their order.
    var machineWork: [MachinePurpose] = []
    /// The support file that the console is given, part by part.
    var supportFile: SupportFileOnItsWay?
    /// Frames of traced connections, the oldest first.
    var frames: [String] = []
    var restartsMachine = false

    // The doctor.
    /// What the worker saw last.
    var seen: MachineSight?
    var journalOpening = JournalOpening.ready
    /// When this run found it damaged; nil: it did not.
    var journalLostAt: Moment?
    /// Ids that came again with another body, the newest last.
    var otherBodyIDs: [String] = []
    /// nil while nothing is known that the setup does not say.
    var speakerTrouble: SpeakerError?
    var speakerWasTried = false
    /// The box itself has had the speaker since the worker was asked to try it.
    var speakerWasUsed = false
    /// Of the last dial, where that is what ended it.
    var certificateFault: (connection: ConnectionID, fault: CertificateFault)?
    /// Since when a hub is missed.
    var hubLostAt: Moment?
    var listenTrouble: String?
    var hadUnderVoltage = false
    var report = DoctorReport(findings: [])
    var isReportDue = true
    /// What STATUS says of the report.
    var doctorStatus = JSONObject()
    var serviceLine = ""
    /// Frames are told to the log, proofs and nonces left out.
    var isTracing = false

    package init(_ setup: BoxSetup, at now: Moment, clock: ClockReading) {
        self.setup = setup
        var random = SeededRandom(seed: setup.seed)
        announcer = Announcer(voices: setup.voices, settings: setup.voice, volume: Volume(setup.volume))
        spool = PrintSpool(setup.printer, random: SeededRandom(seed: random.next()))
        printerPairing = PrinterPairing(profilePIN: setup.receipts.profile.pin)
        printerAddress = setup.printerAddress
        frontPanel = FrontPanel(brightness: setup.brightness, at: now)
        serviceConsole = ServiceConsole(
            greeting: "counterbox \(Firmware.version), box \(setup.identity.box)")
        volume = setup.volume
        dialler = setup.dials ? HubDialler(random: SeededRandom(seed: random.next())) : nil
        hubClock = HubClock(buildDate: Firmware.released, saved: setup.savedClock)
        self.random = random
        (self.now, self.clock, systemClock, startedAt) = (now, clock, clock, now)
    }

    /// - Parameter clock: civil time at this turn.
    /// - Returns: what is to be done, in order.
    package mutating func handle(_ event: BoxEvent, at now: Moment, clock: ClockReading) -> [BoxEffect] {
        guard !isStopped else { return [] }
        self.now = max(now, self.now)
        take(clock)
        route(event)
        drain()
        defer { effects = [] }
        return effects
    }

    mutating func wish(_ wishes: [SubjectWish]) { self.wishes += wishes }

    private mutating func drain() {
        var next = 0
        while next < wishes.count {
            perform(wishes[next])
            next += 1
            if next == wishes.count { noteBusy() }
        }
        wishes = []
        showLight()
    }

    private mutating func perform(_ wish: SubjectWish) {
        switch wish {
        case .push(let connection, let output): perform(output, of: connection)
        case .voice(let output): perform(output)
        case .paper(let output): perform(output)
        case .pairing(let output): perform(output)
        case .panel(let output): perform(output)
        case .console(let output): perform(output)
        }
    }

    private mutating func route(_ event: BoxEvent) {
        switch event {
        case .started(let buttonIsPressed): start(buttonIsPressed: buttonIsPressed)
        case .network(let event): handle(event)
        case .fleet(let event): handle(event)
        case .speaker(let event):
            if case .failed(let error) = event { note(speaker: error) }
            voice { voice, now in voice.handle(PlaybackEvent(event), at: now) }
        case .speakerAnswered(let answer):
            note(answer)
            voice { voice, now in voice.handle(answer, at: now) }
        case .speech(let id, let event): heard(id, event)
        case .printer(let event): paper { spool, now in spool.handle(event, at: now) }
        case .printerAnswered(let answer): handle(answer)
        case .bluetooth(let event): pairing { pairing, now in pairing.handle(event, at: now) }
        case .button(let event):
            panel { panel, now in panel.edge(isPressed: event.isPressed, at: event.at, now: now) }
            showButton()
        case .console(let event): handle(event)
        case .journal(let answer): handle(answer)
        case .machine(let answer): handle(answer)
        case .logged(let entry): show(entry)
        case .listening(let trouble):
            listenTrouble = trouble
            isReportDue = true
        case .timer(let timer): handle(timer)
        case .signal(.terminate): stop()
        case .signal(.reload): log(.notice, "box", "settings are read again at the next start")
        case .turnEnded: endTurn()
        }
    }

    private mutating func start(buttonIsPressed: Bool?) {
        log(.notice, "box", "counterbox \(Firmware.version) starts as \(setup.identity.box)")
        for entry in setup.remarks { log(entry) }
        panel { panel, now in panel.start(isPressed: buttonIsPressed, at: now) }
        set(fault: .setup, setup.hasFault)
        showHub()
        paper { spool, now in spool.start(at: now) }
        tellTimeOfDay()
        examine()
        beginRestore()
    }

    private mutating func handle(_ answer: PrinterAnswer) {
        paper { spool, now in
            switch answer {
            case .wrote(let count): spool.wrote(count, at: now)
            case .writeFailed(let error): spool.writeFailed(error, at: now)
            case .unsent(let count): spool.unsent(count, at: now)
            }
        }
    }

    private mutating func handle(_ timer: BoxTimer) {
        switch timer {
        case .session(let connection, let timer):
            drive(connection) { session, now in session.timer(timer, at: now) }
        case .voice(let timer): voice { voice, now in voice.timer(timer, at: now) }
        case .printer(let timer): paper { spool, now in spool.fired(timer, at: now) }
        case .pairing: pairing { pairing, now in pairing.fired(at: now) }
        case .panel(let timer):
            panel { panel, now in panel.timer(timer, at: now) }
            if timer == .button { showButton() }
        case .age: speakWaiting()
        case .redial: dial { dialler, now in dialler.fired(at: now) }
        case .minute: tellTimeOfDay()
        case .status: sendStatus()
        case .journalRetry: retryJournal()
        case .prune: prune()
        case .stop: finishStop()
        case .examination: examine()
        case .supportFile: giveSupportFile()
        }
    }

    /// What waits to be done together: one journal batch, one STATUS.
    private mutating func endTurn() {
        putOff = []
        renewReport()
        tellStatus()
        if let batch = journal.next() { effects.append(.journal(batch)) }
        if isStopping { goOnStopping() }
    }

    mutating func log(_ level: LogEntry.Level, _ subject: String, _ text: String) {
        log(LogEntry(level, subject, text))
    }

    mutating func log(_ entry: LogEntry) {
        effects.append(.log(entry))
        show(entry)
    }

    private mutating func show(_ entry: LogEntry) {
        let time = CivilTime(clock.time, offset: clock.offset)
        console { console in console.log(entry, at: time) }
    }

    mutating func set(volume value: Int) {
        volume = min(max(value, 0), 100)
        effects.append(.save(Array("\(volume)\n".utf8), as: BoxSetup.volumeFile))
        announcer.setVolume(Volume(volume))
    }
}
