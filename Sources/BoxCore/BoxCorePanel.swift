// The light says how the box is; the button asks for something again.

import BoxFoundation
import FrontPanel
import HardwareInterface
import PaymentJournal
import ReceiptPrinting
import VoiceAnnouncing

/// What the light calls a fault; each comes and goes by itself.
enum FaultCause {
    /// Something that the box was put together from cannot be used.
    case setup
    case journal
    /// The last phrase could not be heard.
    case voice
}

extension BoxCore {
    /// Lets the panel take something and does what it asks for.
    mutating func panel(_ event: (inout FrontPanel, Moment) -> [PanelOutput]) {
        wish(event(&frontPanel, now).map { .panel($0) })
    }

    mutating func perform(_ output: PanelOutput) {
        switch output {
        case .gesture(let gesture): handle(gesture)
        case .acknowledge: break
        case .stuck:
            isReportDue = true
            log(.warning, "panel", "the button is stuck: it is left alone until it is let go")
        case .freed:
            isReportDue = true
            log(.notice, "panel", "the button is free again")
        case .light(let brightness): effects.append(.light(brightness))
        case .timer(let timer, let moment): effects.append(.timer(.panel(timer), at: moment))
        }
    }

    /// Tells whoever looks on when the light means something else.
    mutating func showLight() {
        let status = frontPanel.status
        guard shownLight?.pattern != status.pattern || shownLight?.state != status.state else { return }
        shownLight = status
        effects.append(.lightMeaning(LightMeaning(status.state)))
        effects.append(.news(.light(status.state, pattern: status.pattern)))
    }

    mutating func set(fault: FaultCause, _ isSo: Bool) {
        if isSo { faults.insert(fault) } else { faults.remove(fault) }
        isReportDue = true
        set(.fault, !faults.isEmpty)
    }

    mutating func set(_ state: LightState, _ isSo: Bool) {
        panel { panel, now in panel.set(state, isSo, at: now) }
    }

    /// Busy is what a customer waits for: a phrase, or a receipt that can come out.
    mutating func noteBusy() {
        let isPrinting = spool.queued > 0 && !spool.report.state.needsPerson && spool.report.state != .none
        set(.busy, announcer.isSpeaking || isPrinting || printerPairing.isActive)
    }

    private mutating func handle(_ gesture: ButtonGesture) {
        log(.info, "panel", "the button: \(gesture.rawValue)")
        switch gesture {
        case .short: reprint(.button)
        case .double: journal.add(.lastPayment, for: .repeatLast)
        case .hold: journal.add(.dayTotals(day: CivilTime(clock.time, offset: clock.offset).date), for: .sayDay)
        case .longHold: pairByButton()
        }
    }
}

extension LightMeaning {
    fileprivate init(_ state: LightState) {
        switch state {
        case .ready: self = .ready
        case .busy: self = .busy
        case .noHub: self = .noHub
        case .printer: self = .printer
        case .fault: self = .fault
        }
    }
}
