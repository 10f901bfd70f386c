// `counterbox run`: the box. The one place where the firmware's parts are put together.

import BoxAssembly
import BoxCore
import BoxFoundation
import BoxRuntime
import BoxSettings
import HardwareInterface
import HardwareLinux
import PaymentJournal

enum RunVerb {
    static let verb = Verb(
        name: "run", operands: "", summary: "runs the box until SIGTERM",
        options: [
            CommandOption(
                "board", value: "NAME", "the board, by name or folder (default: what the machine says it is)"),
            CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("run takes no operands") }
        do throws(AssemblyFault) {
            try run(Configuration.load(path: words["config"], board: words["board"]))
            return .success
        } catch {
            throw .failure(error.message)
        }
    }

    private static func run(_ configuration: Configuration) throws(AssemblyFault) {
        let settings = configuration.settings
        let loop: EpollLoop
        do throws(SystemError) {
            try Files.makeFolder(settings.state)
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw AssemblyFault(error.message)
        }
        configuration.keepCopy()
        let box = try FirmwareBox(configuration, on: loop)
        run(box, on: loop, telling: ServiceNotifier())
        box.close(within: .seconds(1))
    }

    /// Turns until the box has stopped, and feeds systemd's watchdog after turns: a loop that hangs is started anew.
    private static func run(_ box: FirmwareBox, on loop: EpollLoop, telling service: ServiceNotifier) {
        box.runtime.start(buttonIsPressed: box.buttonIsPressed)
        service.ready()
        var due = service.watchdogPeriod.map { loop.now + $0 }
        while !box.runtime.isStopped {
            box.runtime.turn(until: due)
            guard let moment = due, let period = service.watchdogPeriod, loop.now >= moment else { continue }
            service.stillTurning()
            due = loop.now + period
        }
        service.stopping()
    }
}
