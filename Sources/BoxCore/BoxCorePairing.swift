// The printer on the console and the button: how it is and why, which there are, and pairing with one.

import BoxFoundation
import HardwareInterface
import ReceiptPrinting
import ServiceConsole
import VoiceAnnouncing

/// Who has a printer looked for, and is told what comes of it.
enum PairingCaller: Equatable {
    case button
    /// nil where the command has been answered: it goes on, and the log tells the rest.
    case console(ConsoleRequest?)
}

extension BoxCore {
    /// Lets the pairing take something and does what it asks for.
    mutating func pairing(_ event: (inout PrinterPairing, Moment) -> [PairingOutput]) {
        wish(event(&printerPairing, now).map { .pairing($0) })
    }

    mutating func perform(_ output: PairingOutput) {
        switch output {
        case .call(let call): effects.append(.bluetooth(call))
        case .timer(let moment): effects.append(.timer(.pairing, at: moment))
        case .step(let line):
            log(.info, "printer", line)
            tellPairing(ConsoleReply([line], json: JSON.object(["step": .string(line)]).object, continues: true))
        case .askPIN(let line): askForPIN(line)
        case .ended(let end): ended(end)
        }
    }

    // MARK: - The button

    /// The likeliest printer in range is paired with and used.
    mutating func pairByButton() {
        if let statusPhrase { voice { voice, now in voice.cut(statusPhrase, at: now) } }
        statusPhrase = nil
        guard !isStopping else { return }
        sayOwn(.prompts([.pairing]))
        guard !printerPairing.isActive else {
            // One that the console began and nobody waits for any more is this person's now.
            if pairingCaller == .console(nil) { pairingCaller = .button }
            return
        }
        pairingCaller = .button
        pairing { pairing, now in pairing.begin(.pair(nil), canAsk: false, at: now) }
    }

    // MARK: - The console

    mutating func perform(_ command: PrinterRequest, _ request: ConsoleRequest) {
        switch command {
        case .status: answer(printerStatus)
        case .test:
            print(.testPage)
            answerConsole(ok: "printing the test page")
        case .scan: beginPairing(.scan, request)
        case .pair(let text):
            guard let text else { return beginPairing(.pair(nil), request) }
            do throws(PrinterAddressError) {
                beginPairing(.pair(try PrinterAddress.bluetoothAddress(text)), request)
            } catch {
                answerConsole(error: error.description)
            }
        case .pin(let pin): answerPIN(pin, request)
        }
    }

    private mutating func beginPairing(_ order: PairingOrder, _ request: ConsoleRequest) {
        guard !printerPairing.isActive else {
            return answerConsole(error: "a printer is being looked for already: wait for its end")
        }
        pairingCaller = .console(request)
        pairing { pairing, now in pairing.begin(order, canAsk: true, at: now) }
    }

    private mutating func answerPIN(_ pin: String, _ request: ConsoleRequest) {
        guard printerPairing.isAsking else { return answerConsole(error: "no printer asks for a PIN now") }
        guard PrinterPairing.pinLength.contains(pin.utf8.count) else {
            return answerConsole(error: "a PIN has 1 to \(PrinterPairing.pinLength.upperBound) characters")
        }
        pairingCaller = .console(request)
        pairing { pairing, now in pairing.answer(pin: pin, at: now) }
    }

    /// The line is needed for the answer: this command is over, and `printer pin` goes on with it.
    private mutating func askForPIN(_ line: String) {
        let whole = "\(line): printer pin PIN, within \(PrinterPairing.pinTime.seconds) s"
        log(.notice, "printer", whole)
        tellPairing(ConsoleReply([whole], json: JSON.object(["asks": .string("pin")]).object))
        if case .console = pairingCaller { pairingCaller = .console(nil) }
    }

    /// Nobody reads the answer any more.
    mutating func cancelPairing(_ request: ConsoleRequest) {
        guard pairingCaller == .console(request) else { return }
        pairingCaller = nil
        pairing { pairing, _ in pairing.cancel() }
    }

    private mutating func tellPairing(_ reply: ConsoleReply) {
        if case .console(let request?) = pairingCaller { self.reply(reply, to: request) }
    }

    private var printerStatus: ConsoleReply {
        let status = PrinterSummary(
            spool.report, at: printerAddress, profile: setup.receipts.profile.id, trouble: spool.trouble?.error)
        let later = spool.queued > 0 && spool.report.state.needsPerson ? "; they print by themselves then" : ""
        var json = status.json
        json.set("queued", .integer(spool.queued))
        return ConsoleReply(status.lines + ["waiting   \(spool.queued)\(later)"], json: json)
    }

    // MARK: - The end

    private mutating func ended(_ end: PairingEnd) {
        switch end {
        case .scanned(let found): tellPairing(Self.reply(found))
        case .paired(let printer): paired(printer)
        case .failed(let words):
            log(.warning, "printer", words)
            tellPairing(.failed(words))
            if pairingCaller == .button { sayOwn(.prompts([.pairFailed])) }
        }
        pairingCaller = nil
    }

    private static func reply(_ found: [BluetoothNeighbour]) -> ConsoleReply {
        let lines = found.isEmpty ? [PairingTrouble.words(.notFound)] : found.map(\.line)
        return ConsoleReply(lines, json: JSON.object(["devices": .array(found.map(\.json))]).object)
    }

    /// The box prints there from now on.
    private mutating func paired(_ printer: BluetoothNeighbour) {
        let address = PrinterAddress.bluetooth(address: printer.address, channel: nil)
        let line =
            "paired with \(printer.name.isEmpty ? printer.address : printer.name): the box prints there from now on"
        log(.notice, "printer", "\(line) (\(address))")
        printerAddress = address
        isReportDue = true
        effects.append(.usePrinter(address))
        ask(.set("printer.url", value: address.description), for: .pairedPrinter)
        let settings = PrinterLinkSettings(setup.receipts.profile, at: address)
        paper { spool, now in spool.use(settings, at: now) }
        tellPairing(ConsoleReply([line], json: JSON.object(["paired": .string(printer.address)]).object))
        if pairingCaller == .button { sayOwn(.prompts([.paired])) }
    }
}
