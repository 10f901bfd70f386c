// What the link must know of one printer; filled from the printer's profile and the configuration.

import HardwareInterface

/// What the link has to know of its printer: pace in bytes a second, buffer in bytes, what it confirms.
package struct PrinterLinkSettings: Equatable, Sendable {
    /// How a printer can tell that a job is on paper.
    package enum Confirmation: String, CaseIterable, Sendable {
        /// It cannot: jobs end as `sent`.
        case none
        /// It answers `GS ( H` function 48 with the job's own number when all before it has been printed.
        case processID
        /// It answers `DLE EOT` truly: a fine status after the drain counts.
        case statusAfterDrain
    }

    package var carrier: PrinterCarrier
    /// Bytes a second that the printer keeps up with; at least 1.
    package var pace: Int
    /// Bytes that the printer holds unprinted; at least `leastBuffer`.
    package var buffer: Int
    package var confirmation: Confirmation
    /// Whether it may be asked with `DLE EOT` at all: some print the question.
    package var statusQueries: Bool

    /// A smaller buffer would not hold a command.
    package static let leastBuffer = 64

    package init(
        carrier: PrinterCarrier, pace: Int = 960, buffer: Int = 1024, confirmation: Confirmation = .none,
        statusQueries: Bool = true
    ) {
        self.carrier = carrier
        self.pace = max(1, pace)
        self.buffer = max(Self.leastBuffer, buffer)
        self.confirmation = confirmation
        self.statusQueries = statusQueries
    }

    package init(_ profile: PrinterProfile, at address: PrinterAddress) {
        let confirmation: Confirmation =
            switch profile.confirms {
            case .none: .none
            case .processID: .processID
            case .statusAfterDrain: .statusAfterDrain
            }
        self.init(
            carrier: address.carrier, pace: profile.pace, buffer: profile.buffer, confirmation: confirmation,
            statusQueries: profile.statusQueries && address.canAnswer)
    }
}
