// `counterbox printer`: Bluetooth printers without other tools, and how the configured one is.

import BoxAssembly
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux
import ReceiptPrinting

enum PrinterVerbs {
    /// For a connection over Bluetooth with its search of the channel, and the first answers.
    private static let connectLimit = Interval.seconds(45)
    private static let printLimit = Interval.seconds(120)

    private static let json = CommandOption("json", "prints one JSON object")
    private static let options = [
        CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
        CommandOption("board", value: "NAME", "the board, by name or folder (default: what the machine says it is)"),
        json,
    ]

    static let scan = Verb(
        name: "printer scan", operands: "",
        summary: "lists the Bluetooth devices around, likely printers first; exit 1 where none is a likely printer",
        options: [json], run: runScan)

    static let pair = Verb(
        name: "printer pair", operands: "[ADDRESS]",
        summary:
            "pairs with the Bluetooth printer, or the likeliest one in range, and sets printer.url; "
            + "asks for the PIN where the usual ones fail",
        options: options, run: runPair)

    static let status = Verb(
        name: "printer status", operands: "",
        summary:
            "connects to the configured printer, says how it is, and what is likely wrong; exit 1 if it cannot print",
        options: options, run: runStatus)

    static let test = Verb(
        name: "printer test", operands: "", summary: "prints the self-test page; exit 1 if it does not come out",
        options: options, run: runTest)

    // MARK: - Bluetooth

    private static func runScan(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("printer scan takes no operands") }
        let run = PairingRun(profilePIN: nil, on: try makeLoop())
        guard case .scanned(let found) = try outcome(of: run, .scan) else { return .failure }
        if words.has("json") {
            Terminal.print(JSON.object(["devices": .array(found.map(\.json))]).text)
        } else {
            for device in found { Terminal.print(device.line) }
            if found.isEmpty { Terminal.print("no device answers") }
        }
        return found.contains(where: \.isLikelyPrinter) ? .success : .failure
    }

    private static func runPair(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.count <= 1 else { throw .usage("printer pair takes one ADDRESS") }
        let address = try words.operands.first.map { word throws(VerbFailure) in try bluetoothAddress(word) }
        let configuration = try loadWithoutBox(words)
        let pin = try maker(configuration).profile.pin
        let run = PairingRun(profilePIN: pin, on: try makeLoop())
        guard case .paired(let printer) = try outcome(of: run, .pair(address)) else { return .failure }
        let url = PrinterAddress.bluetooth(address: printer.address, channel: nil).description
        let name = printer.name.isEmpty ? printer.address : printer.name
        let kept = keep(url, configuration)
        if words.has("json") {
            Terminal.print(
                JSON.object(["paired": .string(printer.address), "url": .string(url), "kept": .bool(kept == nil)]).text)
        } else {
            Terminal.print("paired with \(name)")
            Terminal.print(kept ?? "printer.url is \(url) from the box's next start on")
        }
        return kept == nil ? .success : .failure
    }

    private static func keep(_ url: String, _ configuration: Configuration) -> String? {
        do throws(AssemblyFault) {
            try OverlayFile.set("printer.url", to: url, under: configuration)
            return nil
        } catch {
            return "the setting could not be kept: \(error.message); write printer: { url: \"\(url)\" } by hand"
        }
    }

    private static func bluetoothAddress(_ word: String) throws(VerbFailure) -> String {
        do throws(PrinterAddressError) {
            return try PrinterAddress.bluetoothAddress(word)
        } catch {
            throw .usage(error.description)
        }
    }

    private static func outcome(of run: PairingRun, _ order: PairingOrder) throws(VerbFailure) -> PairingEnd {
        let end = run.run(order)
        if case .failed(let words) = end { throw .failure(words) }
        return end
    }

    // MARK: - The configured printer

    private static func runStatus(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let configuration = try loadWithoutBox(words)
        let address = configuration.settings.printer.address
        let loop = try makeLoop()
        let run = try printer(configuration, on: loop)
        run.connect(within: connectLimit)
        let (report, trouble) = (run.report, run.trouble)
        run.close()
        let sighting = trouble == nil ? nil : sighting(of: address, on: loop)
        let status = PrinterSummary(
            report, at: address, profile: configuration.settings.printer.profile, trouble: trouble, sighting)
        Terminal.showProgress("")
        if words.has("json") {
            Terminal.print(JSON.object(status.json).text)
        } else {
            for line in status.lines { Terminal.print(line) }
        }
        return report.state.needsPerson || report.state == .connecting ? .failure : .success
    }

    /// Where a Bluetooth printer takes no connection, a search tells which of the causes are likely.
    private static func sighting(of address: PrinterAddress, on loop: EpollLoop) -> PrinterAdvice.Sighting? {
        guard case .bluetooth(let address, _) = address else { return nil }
        let run = PairingRun(profilePIN: nil, on: loop)
        guard case .scanned = run.run(.scan) else { return .failed(run.fault ?? .cancelled) }
        let device = run.seen[address]
        let isPaired = device?.isPaired ?? false
        return device?.signal != nil ? .seen(isPaired: isPaired) : .notSeen(isPaired: isPaired)
    }

    private static func runTest(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let configuration = try loadWithoutBox(words)
        let run = try printer(configuration, on: try makeLoop())
        let page = try testPage(configuration)
        run.connect(within: connectLimit)
        run.print(page, within: printLimit)
        let report = run.report
        let end = run.end
        run.close()
        Terminal.showProgress("")
        let word = end?.end.rawValue ?? "waiting"
        if words.has("json") {
            Terminal.print(
                JSON.object([
                    "paper": .string(word), "printer": .string(report.state.rawValue), "words": .string(report.words),
                ]).text)
        } else {
            Terminal.print("\(word): \(end?.cause ?? report.words)")
        }
        return end?.end == .printed || end?.end == .sent ? .success : .failure
    }

    private static func testPage(_ configuration: Configuration) throws(VerbFailure) -> [UInt8] {
        let facts = JSON.object([
            "box": .string(configuration.settings.box ?? Machine.boxID), "firmware": .string(Firmware.version),
            "network": .string("-"),
        ])
        let clock = SystemClock().read()
        let maker = try maker(configuration)
        do throws(ReceiptFault) {
            return try maker.testPage(facts, at: CivilTime(clock.time, offset: clock.offset))
        } catch {
            throw .failure("the test page cannot be set: \(error.message)")
        }
    }

    // MARK: - Parts

    private static func printer(_ configuration: Configuration, on loop: EpollLoop) throws(VerbFailure) -> PrinterRun {
        let address = configuration.settings.printer.address
        let profile = try maker(configuration).profile
        guard let device = PrinterDevices.device(at: address, usualChannel: profile.rfcommChannel, on: loop) else {
            throw .failure("no printer is configured: set printer.url, or: counterbox printer pair")
        }
        return PrinterRun(device, PrinterLinkSettings(profile, at: address), on: loop)
    }

    private static func maker(_ configuration: Configuration) throws(VerbFailure) -> ReceiptMaker {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let read = { (file: String) in resources.read(file) }
        do throws(PrinterProfileFault) {
            return try ReceiptMaker(
                profile: PrinterProfile.load(configuration.settings.printer.profile, from: read),
                language: configuration.settings.voice.language, resources: read)
        } catch {
            throw .failure(error.message)
        }
    }

    /// For verbs that take the printer into their own hands, which the running box must not lose.
    private static func loadWithoutBox(_ words: CommandWords) throws(VerbFailure) -> Configuration {
        let configuration: Configuration
        do throws(AssemblyFault) {
            configuration = try Configuration.loadAsBox(path: words["config"], board: words["board"])
        } catch {
            throw .failure(error.message)
        }
        switch RunMark.look(configuration.settings.state) {
        case .notRunning: return configuration
        case .running:
            throw .failure("the box runs and has the printer: ask its console (printer), or stop it first")
        case .unknown:
            throw .failure(
                "whether the box runs and has the printer cannot be seen by this user: ask its console (printer), or "
                    + "call this with sudo")
        }
    }

    private static func makeLoop() throws(VerbFailure) -> EpollLoop {
        do throws(SystemError) {
            return try EpollLoop(takingSignals: true)
        } catch {
            throw .failure(error.message)
        }
    }
}
