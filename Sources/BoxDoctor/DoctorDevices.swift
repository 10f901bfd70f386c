// What the doctor says of speaker, voice, printer, panel and console.

import BoxFoundation
import BoxSettings
import HardwareInterface

extension Doctor {
    // MARK: Sound

    static func speaker(_ fact: SpeakerFact) -> Finding {
        switch fact {
        case .none: .note("speaker", "none is configured")
        case .ready(let name): .fine("speaker", name)
        case .inUse(let name): .fine("speaker", "\(name): the running box has it; its console says how it is")
        case .failed(let name, .gone):
            .fault(
                "speaker", "there is no sound device \(name)", cause: "it is unplugged, or the name is wrong",
                cure: "plug it in; aplay -L lists the names for speaker.alsa")
        case .failed(let name, .busy):
            .fault("speaker", "another program has \(name)", cure: "stop it, or use a name that mixes, such as default")
        case .failed(let name, .underrun): .note("speaker", "\(name) ran dry", cause: "the machine is too busy")
        case .failed(let name, .suspended): .note("speaker", "\(name) is waking up")
        case .failed(let name, .failed(let why)):
            .fault(
                "speaker", "\(name): \(why)", cause: "no right to use it, or it cannot play 16-bit mono",
                cure: "add the box's user to the group audio, or use plughw:")
        }
    }

    static func voice(_ fact: VoiceFact) -> [Finding] {
        var findings: [Finding] = []
        if let refusal = fact.refusal {
            findings.append(
                .fault(
                    "voice", "\(fact.pack) was refused: \(refusal); the built-in voice speaks",
                    cure: "counterbox voice check \(fact.pack)"))
        } else {
            findings.append(.fine("voice", "\(fact.language), \(fact.pack)"))
        }
        if !fact.speaksFreeText {
            findings.append(
                .note(
                    "voice", "free texts are a chime only", cause: "espeak-ng is not installed",
                    cure: "apt install espeak-ng"))
        }
        return findings
    }

    // MARK: Printer

    /// Tries in a row after which a Bluetooth printer may have forgotten the box.
    static let triesBeforeBondIsDoubted = 5

    static func printer(_ fact: PrinterFact) -> Finding {
        switch fact {
        case .none: .note("printer", "none is configured")
        case .ready(let url): .fine("printer", url)
        case .connecting(let url): .note("printer", "connecting to \(url)")
        case .inUse(let url): .fine("printer", "\(url): the running box has it; its console says how it is")
        case .paperOut:
            .fault("printer", "the paper is out", cure: "put a new roll in; what waits is printed by itself")
        case .paperLow: .note("printer", "the paper is low", cure: "have a new roll at hand")
        case .coverOpen: .fault("printer", "the cover is open", cure: "close it; what waits is printed by itself")
        case .error(let text):
            .fault(
                "printer", "it reports an error: \(text)", cause: "a jam, or it is too hot",
                cure: "switch it off and on, look into the paper's way")
        case .failed(let carrier, let error, let tries): link(carrier, error, tries)
        }
    }

    private static func link(_ carrier: PrinterAddress, _ error: PrinterLinkError, _ tries: Int) -> Finding {
        let (what, cause, cure) =
            if case .bluetooth = carrier { bluetooth(error, tries) } else { wired(carrier, error) }
        return .fault("printer", "\(carrier): \(what)", cause: cause, cure: cure)
    }

    private static func bluetooth(_ error: PrinterLinkError, _ tries: Int) -> (String, String?, String) {
        switch error {
        case .absent: ("this machine has no Bluetooth", "it is switched off or blocked", "rfkill unblock bluetooth")
        case .notPermitted:
            ("no right to use Bluetooth", nil, "run the box by its unit, or add its user to the group bluetooth")
        case .refused:
            (
                "it refuses", "another channel is right, or a phone holds it",
                "wait: the channel is asked again; disconnect the phone"
            )
        case .busy: ("busy", "a phone or another program holds it", "disconnect the phone")
        case .lost: ("the link was lost", "out of range, switched off or asleep", "bring it nearer, switch it on")
        case .unreachable, .timedOut:
            (
                "it does not answer",
                tries >= triesBeforeBondIsDoubted
                    ? "off, asleep, out of range, held by a phone, or it has forgotten this box"
                    : "off, asleep, out of range, or held by a phone",
                tries >= triesBeforeBondIsDoubted
                    ? "switch it on, disconnect phones; else pair it again: printer pair"
                    : "switch it on, bring it nearer, disconnect phones"
            )
        case .unknownName: ("its address is not known", nil, "printer scan; printer pair ADDRESS")
        case .failed(let why): (why, nil, "switch it off and on")
        }
    }

    private static func wired(_ carrier: PrinterAddress, _ error: PrinterLinkError) -> (String, String?, String) {
        let isNetwork = if case .tcp = carrier { true } else { false }
        switch error {
        case .absent: return ("it is not there", "the cable is out, or it is switched off", "plug it in, switch it on")
        case .notPermitted:
            return (
                "no right to use it", nil, "add the box's user to the group " + (isNetwork ? "netdev" : "lp or dialout")
            )
        case .refused:
            return (
                "it refuses", "another port is right, or it is no printer",
                "check printer.url; most printers listen on 9100"
            )
        case .unreachable: return ("unreachable", "it is off, or in another network", "switch it on, check its address")
        case .timedOut:
            return (
                "no answer", "it is off, or its address has changed",
                "switch it on, print its own status page for the address"
            )
        case .busy: return ("busy", "another program holds it", "stop that program (cups, or ModemManager)")
        case .lost: return ("the link was lost", "it was switched off or unplugged", "switch it on, check the cable")
        case .unknownName: return ("the name is not known", "no DNS, or a mistyped name", "check printer.url")
        case .failed(let why): return (why, nil, "switch it off and on")
        }
    }

    // MARK: Panel and console

    static func panel(_ facts: DoctorFacts) -> [Finding] {
        var findings = [facts.light.map { panel("light", $0) }].compactMap { $0 }
        if facts.isButtonStuck {
            findings.append(
                .fault(
                    "button", "it is stuck", cause: "it is jammed, or its wire touches another",
                    cure: "free it, look at the wiring"))
        } else if let button = facts.button {
            findings.append(panel("button", button))
        }
        return findings
    }

    private static func panel(_ subject: String, _ fact: PanelFact) -> Finding {
        switch fact {
        case .none: .note(subject, "the board has none")
        case .ready: .fine(subject, "ready")
        case .noChip(let line):
            .fault(
                subject, "this machine has no GPIO chip for \(line)",
                cause: "another board than configured, or its driver is missing",
                cure: "check --board, and the boot configuration")
        case .missing(let line):
            .fault(
                subject, "no chip has the line \(line)", cause: "another board than configured",
                cure: "check --board, and the board's file")
        case .notPermitted(let line):
            .fault(subject, "no right to use \(line)", cure: "add the box's user to the group gpio")
        case .taken(let line, let owner):
            .fault(
                subject, "\(line) is used by \(owner)",
                cure: "stop it, or remove its overlay from the boot configuration")
        case .failed(let line, let why): .fault(subject, "\(line): \(why)", cure: "send the support file")
        }
    }

    static func console(_ fact: ConsoleFact) -> Finding {
        switch fact {
        case .none: .note("console", "none is configured")
        case .ready(let port): .fine("console", port)
        case .missing(let port):
            .note(
                "console", "\(port) is not there (yet)", cause: "the USB gadget is not set up",
                cure: "enable the gadget's unit, see the board's page")
        case .notPermitted(let port):
            .fault("console", "no right to use \(port)", cure: "add the box's user to the group dialout")
        case .failed(let port, let why): .fault("console", "\(port): \(why)", cure: "send the support file")
        }
    }
}
