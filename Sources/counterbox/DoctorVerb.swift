// `counterbox doctor`: checks every device and setting. Where the box runs, what it has in its hands is left to it.

import BoxAssembly
import BoxDoctor
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

enum DoctorVerb {
    static let verb = Verb(
        name: "doctor", operands: "",
        summary: "checks every device and setting, names causes and cures; exit 1 if anything fails",
        options: [
            CommandOption("json", "one JSON object for machines"),
            CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
            CommandOption(
                "board", value: "NAME", "the board, by name or folder (default: what the machine says it is)"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("doctor takes no operands") }
        let report: DoctorReport
        do throws(AssemblyFault) {
            let configuration = try Configuration.loadAsBox(path: words["config"], board: words["board"])
            report = Doctor.examine(try facts(configuration))
        } catch {
            throw .failure(error.message)
        }
        if words.has("json") {
            Terminal.print(JSON.object(report.json).text)
        } else {
            for line in report.lines { Terminal.print(line) }
        }
        return report.exitStatus == 0 ? .success : .failure
    }

    private static func facts(_ configuration: Configuration) throws(AssemblyFault) -> DoctorFacts {
        let loop: EpollLoop
        do throws(SystemError) { loop = try EpollLoop() } catch { throw AssemblyFault(error.message) }
        let settings = configuration.settings
        let box = RunMark.look(settings.state)
        var facts = Examination(configuration).facts()
        facts.box = box
        facts.journal = JournalFact(file: "\(settings.state)/\(JournalWorker.fileName)")
        let clock = SystemClock().read()
        facts.clock = ClockFact(
            isSynchronised: clock.isSynchronised, isBeforeBuild: clock.time < Firmware.released, isFromHub: false)
        facts.voice = BoxParts.voiceFact(configuration)
        switch box {
        case .running:
            panel(configuration.board, isRunning: true, on: loop, &facts)
            leave(settings, &facts)
        case .notRunning:
            panel(configuration.board, isRunning: false, on: loop, &facts)
            probe(settings, on: loop, &facts)
        case .unknown: (facts.speaker, facts.hub, facts.printer) = (nil, nil, nil)
        }
        return facts
    }

    /// What the running box has in its hands is not touched: a phrase or a receipt may begin at any moment.
    private static func leave(_ settings: Settings, _ facts: inout DoctorFacts) {
        facts.speaker = settings.speaker.alsa.map { .inUse(name: $0) } ?? SpeakerFact.none
        facts.hub = settings.push.map { .inUse($0.place, dials: $0.dials) } ?? .unusable
        let printer = settings.printer.address
        facts.printer = printer == .none ? PrinterFact.none : .inUse(url: printer.description)
    }

    private static func probe(_ settings: Settings, on loop: EpollLoop, _ facts: inout DoctorFacts) {
        facts.speaker = settings.speaker.alsa.map { SpeakerProbe.fact($0) } ?? SpeakerFact.none
        let probe = LinkProbe(on: loop)
        facts.hub = probe.hub(settings.push)
        facts.printer = probe.printer(settings.printer.address)
    }

    /// A line that the running box has is as it should be.
    private static func panel(_ board: Board, isRunning: Bool, on loop: EpollLoop, _ facts: inout DoctorFacts) {
        let panel = PanelDevices.open(board, on: loop, StandardLog(least: .error))
        let isOwn = { (fact: PanelFact) -> Bool in
            if case .taken(_, "counterbox") = fact { isRunning } else { false }
        }
        facts.light = isOwn(panel.lightFact) ? .ready : panel.lightFact
        facts.button = isOwn(panel.buttonFact) ? .ready : panel.buttonFact
        // Nobody has been seen to press it: a key that is down now is a finger, or stuck.
        if panel.buttonIsPressed == true { facts.isButtonStuck = true }
    }
}
