// A counter on a terminal: what the box does is told a line each, and a letter and Enter is a hand on it.

import BoxAssembly
import BoxCore
import BoxFoundation
import BoxRuntime
import Glibc
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import PaymentJournal
import ReceiptPrinting
import VoiceAnnouncing

final class VirtualCounter {
    /// From the end of a job to the look at its paper: the last lines are still being printed.
    private static let paperDelay = Interval.milliseconds(300)

    private let loop: EpollLoop
    private let state: String
    private let network: PushNetwork
    private let fleet: NATSFleet?
    private let speaker: SimulatedSpeaker
    private let printer: SimulatedPrinter
    private let button: SimulatedButton
    private let journal: WorkerThread<JournalBatch, JournalAnswer>
    private let setup: BoxSetup
    private var runtime: BoxRuntime?
    private var input = LineInput()

    private var phrases = 0
    private var isSpoken = false
    private var isPrinted = false
    private var papers = 0
    private var stopsOnce = false

    init(_ configuration: Configuration) throws(AssemblyFault) {
        state = configuration.settings.state
        do throws(SystemError) {
            try Files.makeFolder(state + "/desk")
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw AssemblyFault(error.message)
        }
        var configuration = configuration
        // The desk has a printer of its own, whatever the configuration says of a real one.
        configuration.settings.printer.address = .tcp(host: "desk", port: 9100)
        setup = try BoxParts.setup(configuration, makesKey: true)
        network = PushNetwork(configuration.settings.push, on: loop)
        fleet = try FleetConnection.device(configuration.settings.push, box: setup.identity.box, on: loop)
        speaker = SimulatedSpeaker(loop: loop)
        printer = SimulatedPrinter(on: loop)
        button = SimulatedButton(on: loop)
        journal = try JournalWorker.start(state, on: loop)
    }

    /// Until SIGTERM, Ctrl-C, or `q` and Enter.
    ///
    /// - Parameters:
    ///   - ready: a file that gets a line when the box takes connections.
    ///   - once: stops after the first payment.
    func run(ready: String?, once: Bool) {
        stopsOnce = once
        let runtime = BoxRuntime(setup, devices: devices(ready: ready), loop: loop)
        self.runtime = runtime
        input.watch(on: loop) { [unowned self] in take(line: $0) }
        Terminal.print("b Enter: button   hold Enter: 3 s   paper Enter: paper out or in   q Enter: stop")
        runtime.run(buttonIsPressed: false)
        journal.stop()
    }

    private func devices(ready: String?) -> BoxDevices {
        let log = DeskLog()
        return BoxDevices(
            network: network, fleet: fleet,
            listen: { [unowned self] in
                network.open(log)
                if let ready { try? Files.write(ready, Array("ready\n".utf8)) }
            }, dial: { [unowned self] in network.dial(judgingAt: $0) }, speaker: speaker,
            speech: EspeakProgram(on: loop), printer: printer, light: AbsentLight(), console: AbsentConsole(),
            journal: journal, clock: SystemClock(), state: StateFolder(state), log: log,
            news: { [unowned self] in take($0) })
    }

    // MARK: - What the box does

    private func take(_ news: BoxNews) {
        switch news {
        case .light(let state, let pattern): tell("light", "\(pattern): \(state.name)")
        case .phraseBegan(let words):
            phrases += 1
            _ = speaker.takeHeard()
            tell("speaks", words)
        case .phraseEnded(let end): spoken(end)
        case .receiptEnded(let end, let cause):
            if let cause { tell("paper", "\(end.rawValue): \(cause)") }
            loop.schedule(at: loop.now + Self.paperDelay) { [weak self] in self?.showPaper() }
        case .printer(let report): tell("printer", report.words)
        case .frame(_, let line): tell("frame", line)
        }
    }

    private func spoken(_ end: VoiceEnd) {
        let samples = speaker.takeHeard().flatMap(\.samples)
        guard end == .announced || end == .merged, !samples.isEmpty else { return tell("spoken", end.rawValue) }
        let number = String(phrases)
        let path = "\(state)/desk/phrase-" + String(repeating: "0", count: max(0, 4 - number.count)) + number + ".wav"
        do {
            try Files.write(path, WAVFile(samples: samples, rate: speaker.format?.rate ?? 24_000).bytes)
            tell("spoken", path)
        } catch {
            tell("spoken", error.message)
        }
        isSpoken = true
        stopIfDone()
    }

    private func showPaper() {
        guard var paper = VirtualPrinter(profile: setup.receipts.profile) else { return }
        paper.print(printer.takePaper())
        let lines = paper.roll.text(showsCodes: true).split(separator: "\n", omittingEmptySubsequences: false)
        let width = setup.receipts.profile.columns
        Terminal.print("        +" + String(repeating: "-", count: width + 2))
        for line in lines.reversed().drop(while: \.isEmpty).reversed() { Terminal.print("        | \(line)") }
        Terminal.print("        +" + String(repeating: "-", count: width + 2))
        isPrinted = true
        stopIfDone()
    }

    private func stopIfDone() {
        guard stopsOnce, isSpoken, isPrinted else { return }
        // The hub still has to hear the outcome.
        loop.schedule(at: loop.now + .seconds(1)) { [loop] in loop.post(.signal(.terminate)) }
    }

    private func tell(_ what: String, _ text: String) {
        Terminal.print(what + String(repeating: " ", count: max(1, 8 - what.count)) + text)
    }

    // MARK: - A hand on it

    private func take(line: String) {
        switch line {
        case "b": button.press(for: .milliseconds(100))
        case "bb":
            button.press(for: .milliseconds(80))
            loop.schedule(at: loop.now + .milliseconds(200)) { [button] in button.press(for: .milliseconds(80)) }
        case "hold": button.press(for: .milliseconds(3200))
        case "paper": printer.change { $0.hasPaper.toggle() }
        case "q": loop.post(.signal(.terminate))
        case "": break
        default: tell("desk", "b, bb, hold, paper or q")
        }
    }
}

/// The box's log on standard error, so that standard output tells the story alone.
private final class DeskLog: LogSink {
    private let log = StandardLog(least: .warning)

    func log(_ entry: LogEntry) { log.log(entry) }
}
