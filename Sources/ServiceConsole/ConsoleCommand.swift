// What can be asked at the console.

import BoxFoundation

/// What a line at the console asks for (`docs/technician.md`).
package enum ConsoleCommand: Equatable, Sendable {
    /// All commands, or one in full.
    case help(String?)
    case status
    /// The newest so many entries.
    case log(Int)
    case logFollow
    case pushes(Int)
    /// A push by its hub's id.
    case show(String)
    case say(SayRequest)
    /// A slip with this text; nil is the printer's test page.
    case print(String?)
    /// nil is the last receipt.
    case reprint(String?)
    /// 0 to 100; nil shows it.
    case volume(Int?)
    case led(LEDRequest)
    /// Shows the button live until it is stopped.
    case button
    case printer(PrinterRequest)
    case net
    /// A setting by its dotted name; nil is all.
    case configGet(String?)
    case configSet(String, value: String)
    case doctor
    case trace(Bool)
    /// A support file; false leaves amounts out.
    case bundle(amounts: Bool)
    /// Asked for with a yes, or to be asked back.
    case reboot(isSure: Bool)
    case json(Bool)

    /// The newest entries and pushes that are shown where no number is given.
    package static let usualCount = 20
    /// The most that one answer shows.
    package static let mostCount = 500

    /// It goes on showing until it is stopped.
    package var isLive: Bool { self == .logFollow || self == .button }
}

/// What `led` asks for; brightness is 0 to 100.
package enum LEDRequest: Equatable, Sendable {
    case show
    case identify
    /// 0 to 100.
    case brightness(Int)
}

/// What `printer` asks for.
package enum PrinterRequest: Equatable, Sendable {
    case status
    case scan
    /// nil is the likeliest printer in range.
    case pair(String?)
    /// The answer where pairing asks for a PIN.
    case pin(String)
    case test
}

/// Amounts to speak, or a text.
package struct SayRequest: Equatable, Sendable {
    package var amounts: [Money]
    package var kind: Payment.Kind
    package var channel: PaymentChannel
    package var language: String?

    package init(
        _ amounts: [Money], kind: Payment.Kind = .payment, channel: PaymentChannel = .other, language: String? = nil
    ) {
        self.amounts = amounts
        self.kind = kind
        self.channel = channel
        self.language = language
    }
}

/// Why a line is no command; one line that says what to do.
package struct CommandFault: Error, Equatable, Sendable {
    package var message: String

    init(_ message: String) { self.message = message }
}
