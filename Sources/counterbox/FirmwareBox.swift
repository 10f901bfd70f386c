// The firmware's parts on the devices of this machine. A device that is not there is absent, and said to be.

import BoxAssembly
import BoxCore
import BoxDoctor
import BoxFoundation
import BoxRuntime
import BoxSettings
import HardwareInterface
import HardwareLinux
import PaymentJournal

final class FirmwareBox {
    let runtime: BoxRuntime
    let buttonIsPressed: Bool?
    private let loop: EpollLoop
    private let network: PushNetwork
    private let fleet: NATSFleet?
    private let journal: WorkerThread<JournalBatch, JournalAnswer>
    private let machine: WorkerThread<MachineRequest, MachineAnswer>
    private let state: StateKeeper
    private let panel: PanelDevices

    init(_ configuration: Configuration, on loop: EpollLoop) throws(AssemblyFault) {
        self.loop = loop
        let settings = configuration.settings
        var setup = try BoxParts.setup(configuration, makesKey: configuration.board.name == "desktop")
        let standardLog = StandardLog()
        let log = DeviceLog(standardLog, on: loop)
        network = PushNetwork(settings.push, on: loop)
        fleet = try FleetConnection.device(settings.push, box: setup.identity.box, on: loop)
        journal = try JournalWorker.start(settings.state, on: loop)
        machine = try MachineWorker.start(configuration, on: loop)
        state = StateKeeper(settings.state, on: loop)
        let channel = setup.receipts.profile.rfcommChannel
        let printer = ExchangeablePrinter(
            PrinterDevices.device(at: settings.printer.address, usualChannel: channel, on: loop)
                ?? AbsentPrinter(on: loop), on: loop)
        panel = PanelDevices.open(configuration.board, on: loop, log)
        setup.remarks += panel.remarks
        setup.facts.light = panel.lightFact
        setup.facts.button = panel.buttonFact
        if let name = settings.speaker.alsa {
            let fact = SpeakerProbe.fact(name)
            setup.facts.speaker = fact
            if case .failed(_, let error) = fact {
                setup.remarks.append(LogEntry(.warning, "voice", "the speaker \(name) cannot be used yet: \(error)"))
            }
        }
        buttonIsPressed = panel.buttonIsPressed
        let network = network
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: network, fleet: fleet, listen: { network.open(log) }, dial: { network.dial(judgingAt: $0) },
                speaker: Self.speaker(settings.speaker, on: loop, log), speech: EspeakProgram(on: loop),
                printer: printer, radio: BlueZRadio(on: loop),
                usePrinter: { [loop] in
                    printer.use(
                        PrinterDevices.device(at: $0, usualChannel: channel, on: loop) ?? AbsentPrinter(on: loop))
                }, light: panel.light,
                console: Self.console(settings.console, on: loop, log), journal: journal, clock: SystemClock(),
                state: state, log: standardLog, machine: machine, supervisor: ServiceNotifier()),
            loop: loop)
        log.runtime = runtime
        network.onListening = { [loop, weak runtime] trouble in
            // Not from within the call that it comes of.
            loop.schedule(at: loop.now) { runtime?.tell(.listening(trouble)) }
        }
    }

    private static func speaker(
        _ settings: SpeakerSettings, on loop: EpollLoop, _ log: any LogSink
    ) -> any SpeakerDevice {
        settings.alsa.map { ALSASpeaker($0, on: loop, log: log) } ?? AbsentSpeaker()
    }

    private static func console(
        _ settings: ConsoleSettings, on loop: EpollLoop, _ log: any LogSink
    ) -> any ConsoleDevice {
        settings.port.map { TTYConsole($0, on: loop, log: log) } ?? AbsentConsole()
    }

    /// Lets what is queued for hubs and the printer go out, then ends the threads of the disk.
    func close(within limit: Interval) {
        let deadline = loop.now + limit
        while network.isSending || fleet?.isBusy == true, loop.now < deadline {
            loop.wait(until: deadline)
            while loop.next() != nil {}
        }
        machine.abandon()
        journal.stop()
        state.stop()
    }
}
