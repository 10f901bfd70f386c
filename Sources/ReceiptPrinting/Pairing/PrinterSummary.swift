// How the printer is and what is likely wrong, as the console and `counterbox printer status` show it.

import BoxFoundation
import HardwareInterface

/// How the printer is and what is likely wrong, as lines and as JSON.
package struct PrinterSummary {
    private let report: PrinterReport
    private let address: PrinterAddress
    private let profile: String
    private let likely: [String]

    /// - Parameter trouble: what the link failed with, where it did.
    package init(
        _ report: PrinterReport, at address: PrinterAddress, profile: String, trouble: PrinterLinkError?,
        _ sighting: PrinterAdvice.Sighting? = nil
    ) {
        self.report = report
        self.address = address
        self.profile = profile
        likely = PrinterAdvice.lines(report.state, at: address, trouble: trouble, sighting)
    }

    package var lines: [String] {
        ["\(report.state.rawValue): \(report.words)", "address   \(address), profile \(profile)"]
            + likely.map { "likely    \($0)" }
    }

    /// For machines.
    package var json: JSONObject {
        let json = JSON.object([
            "printer": .string(report.state.rawValue), "words": .string(report.words),
            "address": .string(address.description), "likely": .array(likely.map { .string($0) }),
        ])
        return json.object ?? JSONObject()
    }
}
