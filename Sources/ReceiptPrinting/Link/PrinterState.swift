// What the light, the console and the wire page's STATUS say of the printer.

import BoxFoundation

/// The raw values are those of STATUS's `printer` (`docs/push-protocol.md`, Types).
package enum PrinterState: String, CaseIterable, Sendable {
    case ready, none, connecting
    case paperOut = "paper-out"
    case paperLow = "paper-low"
    case coverOpen = "cover-open"
    case asleep, unreachable, unknown, error

    /// A person has to do something before the printer prints again.
    package var needsPerson: Bool {
        switch self {
        case .ready, .none, .connecting, .paperLow, .unknown: false
        case .paperOut, .coverOpen, .asleep, .unreachable, .error: true
        }
    }
}

/// A state and what it means, for a person.
package struct PrinterReport: Equatable, Sendable {
    package var state: PrinterState
    /// One sentence without a full stop: what is, and what to do about it.
    package var words: String

    package init(_ state: PrinterState, _ words: String) {
        self.state = state
        self.words = words
    }
}
