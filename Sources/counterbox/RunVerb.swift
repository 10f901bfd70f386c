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
            return try run(Configuration.load(path: words["config"], board: words["board"]))
        } catch {
            throw .failure(error.message)
        }
    }

    /// - Returns: failure where the machine was to be restarted and was not.
    private static func run(_ configuration: Configuration) throws(AssemblyFault) -> ExitStatus {
        ProcessUsage.shareHeap()
        let settings = configuration.settings
        let loop: EpollLoop
        do throws(SystemError) {
            try Files.makeFolder(settings.state)
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw AssemblyFault(error.message)
        }
        configuration.keepCopy()
        let mark = RunMark(settings.state)
        defer { mark.remove() }
        let box = try FirmwareBox(configuration, on: loop)
        // What the voice's files and the settings took while they were read.
        ProcessUsage.giveBackFreed()
        box.runtime.run(buttonIsPressed: box.buttonIsPressed)
        box.close(within: .seconds(1))
        return box.runtime.restartsMachine ? restartMachine() : .success
    }

    private static func restartMachine() -> ExitStatus {
        switch MachinePower().restart() {
        case .byExit: return .restartMachine
        case .underWay: return .success
        case .failed(let why):
            Terminal.complain("the machine was not restarted: \(why)")
            return .failure
        }
    }
}
