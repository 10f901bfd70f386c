// Bluetooth devices around the box: which there are, and bonding with one. Which of them is a printer, which PIN is tried
// and what a person is told is ReceiptPrinting's.

import BoxFoundation

/// A device that answers, or that the box knows from before.
package struct BluetoothNeighbour: Equatable, Sendable {
    /// Capital hex with colons.
    package var address: String
    /// What it calls itself, made safe for a terminal; empty where it has not said so yet.
    package var name: String
    /// Class of Device (Bluetooth Assigned Numbers, 2.8); 0 where it is not known.
    package var deviceClass: UInt32
    /// Signal in dBm as of this search; nil where it has not answered in this search.
    package var signal: Int?
    /// There is a bond.
    package var isPaired: Bool
    package var isConnected: Bool

    package init(
        address: String, name: String = "", deviceClass: UInt32 = 0, signal: Int? = nil, isPaired: Bool = false,
        isConnected: Bool = false
    ) {
        self.address = address
        self.name = name
        self.deviceClass = deviceClass
        self.signal = signal
        self.isPaired = isPaired
        self.isConnected = isConnected
    }
}

/// Why Bluetooth could not do it, by what a person can do.
package enum BluetoothFault: Error, Hashable, Sendable {
    /// The system bus or BlueZ is not there.
    case noService
    case noAdapter
    /// The adapter cannot be switched on (rfkill).
    case adapterOff
    /// The bus or BlueZ does not let this user.
    case notPermitted
    /// The device is not known (any more).
    case notFound
    /// The device did not take the connection.
    case noAnswer
    /// The PIN was wrong, or the device would not be bonded with.
    case notAuthenticated
    /// The device refused outright.
    case refused
    /// Nobody answered in time: the device, or the person who was asked.
    case timedOut
    /// A person gave up, or the device hung up: BlueZ has one word for both.
    case cancelled
    /// BlueZ does something else with it already.
    case busy
    /// Anything else; the text names the error.
    case failed(String)
}

/// What the radio has found, and how a pairing goes.
package enum BluetoothEvent: Equatable, Sendable {
    /// The search goes.
    case searching
    /// A device, or news of one that was told before.
    case found(BluetoothNeighbour)
    /// A device that was told is known no longer.
    case forgotten(address: String)
    /// The search cannot begin or go on.
    case searchFailed(BluetoothFault)
    /// The device being paired wants a PIN: `answer`.
    case pinWanted
    /// The device being paired is to be given this code on its own keys.
    case codeShown(String)
    /// Bonded; the device is trusted from now on.
    case paired(address: String)
    case pairingFailed(BluetoothFault)
}

/// No call blocks.
package protocol BluetoothRadio: AnyObject {
    /// Switches the adapter on where it is off and searches until `stopSearch`. `searching` or `searchFailed` follows, and
    /// `found` for each device, those known from before first.
    func startSearch()

    /// Nothing more is found. Devices found stay known for `pair`, for as long as BlueZ keeps them (half a minute).
    func stopSearch()

    /// Bonds with a device that was found; `paired` or `pairingFailed` follows.
    func pair(_ address: String)

    /// The answer to `pinWanted`; nil refuses.
    func answer(pin: String?)

    /// Drops the bond with a device that was found; `forgotten` follows, and `found` when it answers a search again.
    func forget(_ address: String)

    /// Ends what is under way, and lets go of Bluetooth. Nothing more is heard.
    func rest()
}
