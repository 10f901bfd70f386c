// The box alive: wait, take one event, perform its effects until there are none, wait again. The same on the board and in
// simulation; only the devices and the loop differ.

import BoxCore
import BoxFoundation
import HardwareInterface
import PaymentJournal
import VoiceAnnouncing

/// What the box reaches the world with.
package struct BoxDevices {
    package var network: any NetworkDevice
    /// nil where hubs speak frames.
    package var fleet: (any FleetDevice)?
    /// Called once, when the box is ready for connections.
    package var listen: () -> Void
    /// Called where the box is to dial its hub; certificates are judged by this time.
    package var dial: (WallTime) -> Void
    package var speaker: any SpeakerDevice
    package var speech: any SpeechProgram
    package var printer: any PrinterDevice
    /// Looks for printers and pairs with them.
    package var radio: any BluetoothRadio
    /// Called when another printer was chosen: puts that printer's device in the old one's place.
    package var usePrinter: (PrinterAddress) -> Void
    package var light: any LightDevice
    package var console: any ConsoleDevice
    package var journal: any Worker<JournalBatch, JournalAnswer>
    /// nil: nobody here can look at the machine or change its settings.
    package var machine: (any Worker<MachineRequest, MachineAnswer>)?
    package var supervisor: any ServiceSupervisor
    package var clock: any WallClock
    package var state: any StateWriter
    package var log: any LogSink
    /// For whoever looks on.
    package var news: (BoxNews) -> Void

    package init(
        network: any NetworkDevice, fleet: (any FleetDevice)? = nil, listen: @escaping () -> Void,
        dial: @escaping (WallTime) -> Void = { _ in },
        speaker: any SpeakerDevice, speech: any SpeechProgram, printer: any PrinterDevice,
        radio: any BluetoothRadio, usePrinter: @escaping (PrinterAddress) -> Void, light: any LightDevice,
        console: any ConsoleDevice,
        journal: any Worker<JournalBatch, JournalAnswer>, clock: any WallClock, state: any StateWriter,
        log: any LogSink, machine: (any Worker<MachineRequest, MachineAnswer>)? = nil,
        supervisor: any ServiceSupervisor = AbsentSupervisor(), news: @escaping (BoxNews) -> Void = { _ in }
    ) {
        self.machine = machine
        self.supervisor = supervisor
        self.network = network
        self.fleet = fleet
        self.listen = listen
        self.dial = dial
        self.speaker = speaker
        self.speech = speech
        self.printer = printer
        self.radio = radio
        self.usePrinter = usePrinter
        self.light = light
        self.console = console
        self.journal = journal
        self.clock = clock
        self.state = state
        self.log = log
        self.news = news
    }
}

/// The loop's turn: waits, takes one event, performs the core's effects until there are none. The same on a board, on
/// the desk and in the simulator.
package final class BoxRuntime {
    /// Events handled in one turn at most; then timers have their turn and the journal gets its batch.
    private static let mostEventsInTurn = 1000

    private var core: BoxCore
    let devices: BoxDevices
    private let loop: any EventLoop
    private var timers = TimerTable()
    private var clock: ClockReading
    package private(set) var isStopped = false
    /// The machine is to be restarted now that the box has stopped.
    package private(set) var restartsMachine = false
    /// nil where nobody waits for it.
    private var watchdogDue: Moment?
    private var isReady = false

    package init(_ setup: BoxSetup, devices: BoxDevices, loop: any EventLoop) {
        self.devices = devices
        self.loop = loop
        clock = devices.clock.read()
        core = BoxCore(setup, at: loop.now, clock: clock)
    }

    /// Until the box has stopped.
    package func run(buttonIsPressed: Bool? = nil) {
        start(buttonIsPressed: buttonIsPressed)
        while !isStopped { turn(until: nil) }
    }

    package func start(buttonIsPressed: Bool? = nil) {
        handle(.started(buttonIsPressed: buttonIsPressed))
        handle(.turnEnded)
    }

    /// When the box next has something to do by itself.
    package var nextTimer: Moment? { timers.earliest }

    /// Something that whoever put the box together has to say, outside of a turn.
    package func tell(_ event: BoxEvent) {
        guard !isStopped else { return }
        clock = devices.clock.read()
        handle(event)
        handle(.turnEnded)
    }

    /// One turn: waits for events, a timer or `limit`, and handles what there is.
    package func turn(until limit: Moment?) {
        loop.wait(until: [timers.earliest, limit, watchdogDue].compactMap { $0 }.min())
        clock = devices.clock.read()
        var count = 0
        while count < Self.mostEventsInTurn, !isStopped, let event = loop.next() {
            take(event)
            count += 1
        }
        let now = loop.now
        while !isStopped, let timer = timers.takeDue(at: now) { handle(.timer(timer)) }
        handle(.turnEnded)
        report()
    }

    /// To whoever watches over the service: only a loop that has turned says so.
    private func report() {
        if !isReady {
            isReady = true
            devices.supervisor.ready()
        }
        guard let period = devices.supervisor.watchdogPeriod, watchdogDue.map({ $0 <= loop.now }) ?? true else {
            return
        }
        devices.supervisor.stillTurning()
        watchdogDue = loop.now + period
    }

    private func take(_ event: DeviceEvent) {
        switch event {
        case .network(let event): handle(.network(event))
        case .fleet(let event): handle(.fleet(event))
        case .speaker(let event): handle(.speaker(event))
        case .speech(let id, let event): handle(.speech(id, event))
        case .printer(let event): handle(.printer(event))
        case .bluetooth(let event): handle(.bluetooth(event))
        case .button(let event): handle(.button(event))
        case .console(let event): handle(.console(event))
        case .signal(let event): handle(.signal(event))
        case .worker:
            for answer in devices.journal.takeAnswers() { handle(.journal(answer)) }
            for answer in devices.machine?.takeAnswers() ?? [] { handle(.machine(answer)) }
        }
    }

    /// Hands the core one event and performs what it wants, and what the answers to that make it want, in order.
    private func handle(_ event: BoxEvent) {
        var events = [event]
        while !events.isEmpty, !isStopped {
            let event = events.removeFirst()
            for effect in core.handle(event, at: loop.now, clock: clock) {
                if let answer = perform(effect) { events.append(answer) }
            }
        }
    }

    // MARK: - Effects

    private func perform(_ effect: BoxEffect) -> BoxEvent? {
        switch effect {
        case .listen: devices.listen()
        case .dial(let time): if let fleet = devices.fleet { fleet.dial() } else { devices.dial(time) }
        case .send(let bytes, let connection): devices.network.send(bytes, on: connection)
        case .close(let connection): devices.network.close(connection)
        case .fleet(let call, let connection): devices.fleet?.perform(call, on: connection)
        case .speaker(let call): return call.perform(on: devices.speaker).map { .speakerAnswered($0) }
        case .speak(let id, let words, let language): devices.speech.speak(id, words, language: language)
        case .stopSpeech: devices.speech.stop()
        case .printer(let call): return perform(call).map { .printerAnswered($0) }
        case .bluetooth(let call): perform(call)
        case .usePrinter(let address): devices.usePrinter(address)
        case .light(let brightness): devices.light.set(brightness: brightness)
        case .lightMeaning(let meaning): devices.light.show(meaning)
        case .machine(let request):
            guard let machine = devices.machine else { return .machine(.absent) }
            machine.submit(request)
        case .serviceStatus(let line): devices.supervisor.status(line)
        case .restartMachine: restartsMachine = true
        case .console(let bytes): devices.console.write(bytes)
        case .journal(let batch): devices.journal.submit(batch)
        case .timer(let timer, let moment): timers.set(timer, at: moment)
        case .save(let bytes, let name): save(bytes, as: name)
        case .log(let entry): devices.log.log(entry)
        case .news(let news): devices.news(news)
        case .stopping: devices.supervisor.stopping()
        case .stop: isStopped = true
        }
        return nil
    }

    private func save(_ bytes: [UInt8], as name: String) {
        devices.state.write(bytes, as: name) { [log = devices.log] in
            log.log(LogEntry(.error, "box", "\(name) could not be kept: is the state folder there and writable?"))
        }
    }
}
