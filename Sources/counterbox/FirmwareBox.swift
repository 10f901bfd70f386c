// The firmware's parts on the devices of this machine. A device that is not there is absent, and said to be.

import BoxAssembly
import BoxCore
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
    private let panel: PanelDevices

    init(_ configuration: Configuration, on loop: EpollLoop) throws(AssemblyFault) {
        self.loop = loop
        let settings = configuration.settings
        var setup = try BoxParts.setup(configuration, makesKey: configuration.board.name == "desktop")
        let log = StandardLog()
        network = PushNetwork(settings.push, on: loop)
        fleet = try FleetConnection.device(settings.push, box: setup.identity.box, on: loop)
        journal = try JournalWorker.start(settings.state, on: loop)
        let printer = PrinterDevices.device(at: settings.printer.address, on: loop) ?? AbsentPrinter(on: loop)
        panel = PanelDevices.open(configuration.board, on: loop, log)
        setup.remarks += panel.remarks
        buttonIsPressed = panel.buttonIsPressed
        let network = network
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: network, fleet: fleet, listen: { network.open(log) }, dial: { network.dial(judgingAt: $0) },
                speaker: Self.speaker(settings.speaker, on: loop, log), speech: EspeakProgram(on: loop),
                printer: printer, light: panel.light, console: Self.console(settings.console, on: loop, log),
                journal: journal, clock: SystemClock(), state: StateFolder(settings.state), log: log),
            loop: loop)
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

    /// Lets what is queued for hubs and the printer go out, then ends the journal's thread.
    func close(within limit: Interval) {
        let deadline = loop.now + limit
        while network.isSending || fleet?.isBusy == true, loop.now < deadline {
            loop.wait(until: deadline)
            while loop.next() != nil {}
        }
        journal.stop()
    }
}
