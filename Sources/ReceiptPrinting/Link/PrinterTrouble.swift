// Why a printer cannot be reached, in words of what a person can do.

import BoxFoundation
import HardwareInterface

/// Why a printer cannot be reached, in words of what a person can do.
package enum PrinterTrouble {
    /// Failed attempts in a row after which a Bluetooth printer is no longer taken to be only off or away.
    package static let manyAttempts = 10

    /// One sentence without a full stop.
    ///
    /// - Parameter attempts: how many failed in a row.
    package static func words(
        _ error: PrinterLinkError, _ carrier: PrinterCarrier, attempts: Int = 1
    ) -> String {
        if carrier == .bluetooth, attempts >= manyAttempts, [.unreachable, .timedOut].contains(error) {
            return "the printer has not answered for long: if it is on, near and held by no phone, its bond is lost: "
                + "pair it again"
        }
        return words(once: error, carrier)
    }

    private static func words(once error: PrinterLinkError, _ carrier: PrinterCarrier) -> String {
        switch error {
        case .absent: absent(carrier)
        case .notPermitted: notPermitted(carrier)
        case .refused: refused(carrier)
        case .unreachable, .timedOut: unreachable(carrier)
        case .busy: busy(carrier)
        case .lost: "the printer was there and is gone: switched off, asleep or out of range"
        case .unknownName: "the printer's name is not known in this network: use its number (tcp://192.168.1.50:9100)"
        case .failed(let text): "the printer's link failed: \(text)"
        }
    }

    /// What the light and STATUS show while the error lasts.
    package static func state(_ error: PrinterLinkError) -> PrinterState {
        switch error {
        case .absent, .refused, .unreachable, .timedOut, .busy, .lost: .unreachable
        case .notPermitted, .unknownName, .failed: .error
        }
    }

    private static func absent(_ carrier: PrinterCarrier) -> String {
        switch carrier {
        case .none: "no printer is configured"
        case .bluetooth: "this box has no Bluetooth adapter, or it is switched off"
        case .tcp: "this box has no network"
        case .file, .serial: "the printer's cable is not plugged in, or the printer is off"
        }
    }

    private static func notPermitted(_ carrier: PrinterCarrier) -> String {
        switch carrier {
        case .bluetooth: "the printer refused the box: the bond may be lost, pair it again"
        case .serial: "the box may not open the port: add its user to the group dialout"
        case .file: "the box may not open the printer: add its user to the group lp"
        case .tcp, .none: "the box may not open the link: look at the firewall and the service's sandbox"
        }
    }

    private static func refused(_ carrier: PrinterCarrier) -> String {
        switch carrier {
        case .bluetooth: "the printer refuses the connection: switch it off and on, and fix no channel in its address"
        default: "the address answers but takes no print data: is it the printer's, and is the port right (9100)"
        }
    }

    private static func unreachable(_ carrier: PrinterCarrier) -> String {
        switch carrier {
        case .bluetooth:
            "the printer does not answer: it is off, asleep, out of range, held by a phone, or the bond is lost"
        case .tcp: "the printer does not answer: it is off, asleep, not in this network, or its address has changed"
        case .file, .serial, .none: "the printer does not answer: it is off or its cable is loose"
        }
    }

    private static func busy(_ carrier: PrinterCarrier) -> String {
        switch carrier {
        case .bluetooth: "the printer is held by another phone or box: disconnect it there"
        default: "another program holds the printer: close it"
        }
    }
}
