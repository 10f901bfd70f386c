// Why there is no pairing, in words of what a person can do.

import HardwareInterface

/// Why there is no pairing, in words of what a person can do.
package enum PairingTrouble {
    /// One sentence without a full stop.
    package static func words(_ fault: BluetoothFault) -> String {
        switch fault {
        case .noService: "Bluetooth's service is not running: systemctl start bluetooth (package bluez)"
        case .noAdapter: "this box has no Bluetooth adapter, or its driver or firmware is missing"
        case .adapterOff: "the Bluetooth adapter cannot be switched on: rfkill unblock bluetooth"
        case .notPermitted: "this user may not use Bluetooth: add it to the group bluetooth"
        case .notFound: notFound
        case .noAnswer:
            "the printer does not take the connection: it is off, asleep, out of range, or held by a phone"
        case .notAuthenticated:
            "the printer would not pair: its PIN is another, or it keeps an old bond: reset it and try again"
        case .refused: "the printer refused: put it into its pairing mode (its manual says how) and try again"
        case .timedOut: "nobody answered in time: is the printer on and near, and was its PIN typed"
        case .cancelled: "the pairing was broken off"
        case .busy: "Bluetooth is busy with another pairing: try again in a minute"
        case .failed(let text): "Bluetooth failed: \(text)"
        }
    }

    static let notFound =
        "the printer was not found: is it on, near, in its pairing mode, and not connected to a phone"
    static let noneFound =
        "no printer was found: switch it on, bring it near, and disconnect it from any phone"
    static let noPIN =
        "the printer wants a PIN that is none of the usual: pair it at the console, which asks for it"
}
