// The pairing agent (org.bluez.Agent1): BlueZ asks it for the PIN, and whether a device may be bonded with.

import BoxFoundation
import HardwareInterface

/// Answers for the one device that is being paired; every other is refused.
final class BlueZAgent {
    static let path = "/org/counterbox/agent"
    private static let interface = "org.bluez.Agent1"
    private static let rejected = BusFault("org.bluez.Error.Rejected", "not wanted")
    private static let cancelled = BusFault("org.bluez.Error.Canceled", "nobody answered")

    private let bus: SystemBus
    private let tell: (BluetoothEvent) -> Void
    private var device: String?
    /// The question that waits for a PIN.
    private var question: BusMessage?

    init(on bus: SystemBus, _ tell: @escaping (BluetoothEvent) -> Void) {
        self.bus = bus
        self.tell = tell
    }

    /// What `RegisterAgent` takes. With a keyboard and a display every way of pairing is open; with a printer, which has
    /// neither, it comes to a PIN or to no question at all.
    var registration: [BusValue] { [.path(Self.path), .string("KeyboardDisplay")] }

    var isBusy: Bool { device != nil }

    func begin(device: String) { self.device = device }

    func end() {
        device = nil
        question = nil
    }

    func answer(_ pin: String?) {
        guard let question else { return }
        self.question = nil
        bus.answer(question, Self.reply(to: question, pin))
    }

    private static func reply(to question: BusMessage, _ pin: String?) -> Result<[BusValue], BusFault> {
        guard let pin else { return .failure(cancelled) }
        guard question.member == "RequestPasskey" else { return .success([.string(pin)]) }
        guard let key = UInt32(pin), key <= 999_999 else { return .failure(rejected) }
        return .success([.uint32(key)])
    }

    /// - Returns: false where the call is none of an agent's.
    func take(_ call: BusMessage) -> Bool {
        guard call.path == Self.path, call.interface == Self.interface else { return false }
        switch call.member {
        case "Release": bus.answer(call, .success([]))
        case "Cancel":
            question = nil
            bus.answer(call, .success([]))
        default:
            guard let device, call.arguments.first?.text == device else {
                bus.answer(call, .failure(Self.rejected))
                break
            }
            ask(call)
        }
        return true
    }

    private func ask(_ call: BusMessage) {
        switch call.member {
        case "RequestPinCode", "RequestPasskey":
            question = call
            tell(.pinWanted)
        // A person has named this device: that is the confirmation.
        case "RequestConfirmation", "RequestAuthorization", "AuthorizeService": bus.answer(call, .success([]))
        case "DisplayPinCode", "DisplayPasskey":
            let code = call.arguments.dropFirst().first
            let digits = code?.text ?? code?.integer.map { Self.sixDigits($0) } ?? ""
            bus.answer(call, .success([]))
            tell(.codeShown(digits))
        default: bus.answer(call, .failure(Self.rejected))
        }
    }

    private static func sixDigits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
