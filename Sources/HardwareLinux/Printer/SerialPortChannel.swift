// On which RFCOMM channel a printer's serial port is dialled: the one that the configuration fixes, else what the printer
// named when it was last asked, else what it names now.

import HardwareInterface

/// Which RFCOMM channel is dialled, and when the printer is asked for it (SDP).
package struct SerialPortChannel: Equatable, Sendable {
    /// What to do next.
    package enum Step: Equatable, Sendable {
        /// Ask the printer's service records (SDP).
        case ask
        case dial(UInt8)
        case fail(PrinterLinkError)
    }

    private let fixed: UInt8?
    private let usual: UInt8
    /// What the printer named when it was last asked.
    private var named: UInt8?
    /// The channel under way was not asked for in this attempt: the printer may have moved its port since.
    private var isOld = false

    /// - Parameters:
    ///   - fixed: nil asks the printer.
    ///   - usual: where it cannot be asked, or names none.
    package init(fixed: UInt8?, usual: UInt8) {
        self.fixed = fixed
        self.usual = usual
    }

    package mutating func begin() -> Step {
        isOld = fixed == nil && named != nil
        return (fixed ?? named).map { .dial($0) } ?? .ask
    }

    /// - Parameter channel: nil where the printer names none.
    package mutating func answered(_ channel: UInt8?) -> Step {
        named = channel
        return .dial(channel ?? usual)
    }

    /// A printer without service records refuses the question or talks nonsense; one that is away is away.
    package mutating func askingFailed(_ error: PrinterLinkError) -> Step {
        switch error {
        case .refused, .lost, .failed: .dial(usual)
        case .absent, .notPermitted, .unreachable, .timedOut, .busy, .unknownName: .fail(error)
        }
    }

    package mutating func dialFailed(_ error: PrinterLinkError) -> Step {
        guard error == .refused else { return .fail(error) }
        named = nil
        guard isOld else { return .fail(error) }
        isOld = false
        return .ask
    }
}
