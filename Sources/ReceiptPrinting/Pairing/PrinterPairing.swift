// Looking for Bluetooth printers, and pairing with one: what is done in which order, which PIN is tried, and what a person
// is told. The radio's calls are BluetoothRadio's.

import BoxFoundation
import HardwareInterface

/// What is asked of the radio.
package enum BluetoothCall: Equatable, Sendable {
    case startSearch
    case stopSearch
    case pair(String)
    case answer(pin: String?)
    case forget(String)
    case rest
}

/// What a pairing is asked for: a look around, or one device, or the likeliest (nil).
package enum PairingOrder: Equatable, Sendable {
    /// What is there.
    case scan
    /// The device of this address; nil is the likeliest printer in range.
    case pair(String?)
}

/// What it came to.
package enum PairingEnd: Equatable, Sendable {
    /// Likely printers first.
    case scanned([BluetoothNeighbour])
    /// Bonded and trusted.
    case paired(BluetoothNeighbour)
    /// For a person: what is wrong and what to do.
    case failed(String)
}

/// What it wants done.
package enum PairingOutput: Equatable, Sendable {
    case call(BluetoothCall)
    /// Sets the one timer, or with nil cancels it.
    case timer(at: Moment?)
    /// What is being done, in one line.
    case step(String)
    /// A person has to say the PIN: `answer`.
    case askPIN(String)
    /// Nothing is under way any more.
    case ended(PairingEnd)
}

/// Looks for Bluetooth printers for 12 s and pairs with one: `docs/printers.md` says which PINs are tried and who is
/// asked.
package struct PrinterPairing: Sendable {
    /// One inquiry takes 10.24 s (Bluetooth Core, 7.1.1); names come right behind it.
    package static let searchTime = Interval.seconds(12)
    /// BlueZ gives a person one minute.
    package static let pinTime = Interval.seconds(55)
    /// The radio always ends by itself; longer than that, and it is broken.
    package static let mostTime = Interval.seconds(120)
    /// Before a printer is called again: its old link has to be gone, else its end ends the new attempt. BlueZ waits so, too.
    package static let pauseTime = Interval.seconds(3)
    /// PINs that a person may try.
    package static let mostAsked = 3
    /// Devices remembered in one search.
    package static let mostDevices = 200
    /// `printer pin`: what a Bluetooth PIN may be, in bytes (Core, Vol 3 C 3.2.3.3).
    package static let pinLength = 1...16

    private enum Phase: Equatable {
        case idle
        /// The radio was asked to search and has not begun.
        case starting
        case searching
        /// An old bond is being dropped.
        case forgetting(String)
        case bonding(String)
        /// A person is asked for the PIN.
        case asking(String)
        /// It is called again in a moment.
        case pausing(String)
    }

    /// Of the printer's profile, tried besides the usual ones.
    private let profilePIN: String?
    private var phase = Phase.idle
    private var order = PairingOrder.scan
    private var canAsk = false
    private var devices: [String: BluetoothNeighbour] = [:]
    /// PINs still to try, the next one first.
    private var pins: [String] = []
    private var asked = 0
    /// A PIN was given in the attempt under way.
    private var isPINGiven = false
    private var isRetried = false
    /// A person did not want to say the PIN.
    private var isGivenUp = false
    private var outputs: [PairingOutput] = []

    package init(profilePIN: String?) { self.profilePIN = profilePIN }

    package var isActive: Bool { phase != .idle }
    /// `answer` is waited for.
    package var isAsking: Bool { if case .asking = phase { true } else { false } }

    // MARK: - What happens

    /// - Parameter canAsk: there is somebody who can be asked for a PIN.
    /// - Returns: nothing while another order is under way.
    package mutating func begin(_ order: PairingOrder, canAsk: Bool, at now: Moment) -> [PairingOutput] {
        guard phase == .idle else { return [] }
        (self.order, self.canAsk) = (order, canAsk)
        (devices, pins, asked, isPINGiven, isRetried) = ([:], [], 0, false, false)
        phase = .starting
        outputs = [.call(.startSearch), .timer(at: now + Self.mostTime)]
        step("searching for \(Self.searchTime.seconds) s")
        return finish()
    }

    package mutating func handle(_ event: BluetoothEvent, at now: Moment) -> [PairingOutput] {
        switch event {
        case .searching:
            guard phase == .starting else { break }
            phase = .searching
            emit(.timer(at: now + Self.searchTime))
            if case .pair(let address?) = order, let device = devices[address] { saw(device, at: now) }
        case .found(let device): found(device, at: now)
        case .forgotten(let address): forgotten(address, at: now)
        case .searchFailed(let fault): if phase != .idle { fail(PairingTrouble.words(fault)) }
        case .pinWanted: pinWanted(at: now)
        case .codeShown(let code): if phase != .idle { step("type \(code) on the printer") }
        case .paired(let address): paired(address)
        case .pairingFailed(let fault): pairingFailed(fault, at: now)
        }
        return finish()
    }

    package mutating func fired(at now: Moment) -> [PairingOutput] {
        switch phase {
        case .idle: break
        case .searching: searched(at: now)
        case .asking:
            emit(.call(.answer(pin: nil)))
            fail(PairingTrouble.words(.timedOut))
        case .pausing(let address): attempt(address, at: now)
        case .starting, .bonding: fail(PairingTrouble.words(.timedOut))
        case .forgetting: fail(PairingTrouble.notFound)
        }
        return finish()
    }

    /// What a person typed; nil gives up.
    package mutating func answer(pin: String?, at now: Moment) -> [PairingOutput] {
        guard case .asking(let address) = phase else { return [] }
        phase = .bonding(address)
        (isPINGiven, isGivenUp) = (pin != nil, pin == nil)
        emit(.call(.answer(pin: pin)))
        emit(.timer(at: now + Self.mostTime))
        return finish()
    }

    /// Nobody waits for it any more.
    package mutating func cancel() -> [PairingOutput] {
        guard phase != .idle else { return [] }
        phase = .idle
        return [.call(.rest), .timer(at: nil)]
    }

    // MARK: - Searching

    private mutating func found(_ device: BluetoothNeighbour, at now: Moment) {
        guard phase != .idle, devices.count < Self.mostDevices || devices[device.address] != nil else { return }
        let device = devices[device.address].map { device.adding($0) } ?? device
        devices[device.address] = device
        if phase == .searching { saw(device, at: now) }
    }

    /// The device that was asked for is paired as soon as it answers.
    private mutating func saw(_ device: BluetoothNeighbour, at now: Moment) {
        guard order == .pair(device.address) else { return }
        if device.isPaired && device.isConnected { return end(.paired(device)) }
        if device.signal != nil { take(device, at: now) }
    }

    private mutating func searched(at now: Moment) {
        let found = devices.values.sorted(by: BluetoothNeighbour.order)
        switch order {
        case .scan: end(.scanned(found))
        case .pair(nil):
            guard let best = found.first(where: { $0.isLikelyPrinter && $0.signal != nil }) else {
                return fail(PairingTrouble.noneFound)
            }
            take(best, at: now)
        case .pair(let address?):
            // One that hides may take a connection all the same. An old bond is kept: the printer may be only off.
            guard let known = devices[address] else { return fail(PairingTrouble.notFound) }
            if known.isPaired { return fail(PairingTrouble.words(.noAnswer)) }
            take(known, at: now)
        }
    }

    /// An old bond of a printer that is there is dropped: whoever pairs again has a reason to.
    private mutating func take(_ device: BluetoothNeighbour, at now: Moment) {
        guard device.isPaired else { return bond(device, at: now) }
        step("dropping the old bond with \(device.address)")
        order = .pair(device.address)
        phase = .forgetting(device.address)
        emit(.call(.forget(device.address)))
        emit(.timer(at: now + Self.searchTime))
    }

    private mutating func forgotten(_ address: String, at now: Moment) {
        devices[address] = nil
        guard phase == .forgetting(address) else { return }
        phase = .searching
        emit(.timer(at: now + Self.searchTime))
    }

    // MARK: - Pairing

    private mutating func bond(_ device: BluetoothNeighbour, at now: Moment) {
        pins = Self.pins(for: device, profilePIN)
        emit(.call(.stopSearch))
        step("pairing with \(device.name.isEmpty ? device.address : "\(device.name) (\(device.address))")")
        attempt(device.address, at: now)
    }

    private mutating func attempt(_ address: String, at now: Moment) {
        phase = .bonding(address)
        (isPINGiven, isGivenUp) = (false, false)
        emit(.call(.pair(address)))
        emit(.timer(at: now + Self.mostTime))
    }

    private mutating func attemptAgain(_ address: String, at now: Moment) {
        phase = .pausing(address)
        emit(.timer(at: now + Self.pauseTime))
    }

    /// To a printer BlueZ itself says 0000 before it asks: there ours comes last, in case that BlueZ was built without.
    private static func pins(for device: BluetoothNeighbour, _ profilePIN: String?) -> [String] {
        let usual = device.isOfPrinterClass ? ["1234", profilePIN, "0000"] : ["0000", "1234", profilePIN]
        var pins: [String] = []
        for pin in usual.compactMap({ $0 }) where !pins.contains(pin) { pins.append(pin) }
        return pins
    }

    private mutating func pinWanted(at now: Moment) {
        guard case .bonding(let address) = phase else { return }
        if !pins.isEmpty {
            isPINGiven = true
            emit(.call(.answer(pin: pins.removeFirst())))
        } else if canAsk, asked < Self.mostAsked {
            asked += 1
            phase = .asking(address)
            emit(.timer(at: now + Self.pinTime))
            emit(.askPIN("the printer wants its PIN"))
        } else {
            emit(.call(.answer(pin: nil)))
            fail(PairingTrouble.noPIN)
        }
    }

    private mutating func paired(_ address: String) {
        guard case .bonding(address) = phase else { return }
        var device = devices[address] ?? BluetoothNeighbour(address: address)
        device.isPaired = true
        end(.paired(device))
    }

    private mutating func pairingFailed(_ fault: BluetoothFault, at now: Moment) {
        let address: String
        switch phase {
        case .bonding(let under), .asking(let under): address = under
        case .forgetting: return fail(PairingTrouble.words(fault))
        case .idle, .starting, .searching, .pausing: return
        }
        // BlueZ calls it cancelled where the printer hangs up, as some do after a wrong PIN.
        let isHungUp = fault == .cancelled && !isGivenUp
        let isWrongPIN = isPINGiven && (isHungUp || [.notAuthenticated, .refused, .noAnswer].contains(fault))
        if isWrongPIN, !pins.isEmpty || (canAsk && asked < Self.mostAsked) {
            step("that PIN was wrong")
            isRetried = false
            return attemptAgain(address, at: now)
        }
        if isWrongPIN { return fail(PairingTrouble.noPIN) }
        // The end of a search, or a printer that has just woken, makes the first call fail.
        if !isRetried, isHungUp || [.noAnswer, .busy].contains(fault) {
            isRetried = true
            return attemptAgain(address, at: now)
        }
        fail(PairingTrouble.words(isHungUp ? .noAnswer : fault))
    }

    // MARK: - Outputs

    private mutating func fail(_ words: String) { end(.failed(words)) }

    private mutating func end(_ end: PairingEnd) {
        phase = .idle
        emit(.call(.rest))
        emit(.timer(at: nil))
        emit(.ended(end))
    }

    private mutating func step(_ line: String) { emit(.step(line)) }
    private mutating func emit(_ output: PairingOutput) { outputs.append(output) }

    private mutating func finish() -> [PairingOutput] {
        defer { outputs = [] }
        return outputs
    }
}
