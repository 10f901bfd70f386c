// Bluetooth for the simulator and for tests: devices around the box, each with its own way of pairing.

import BoxFoundation
import HardwareInterface

/// A device in range and its way of pairing.
package struct SimulatedBluetoothDevice: Sendable {
    package var neighbour: BluetoothNeighbour
    /// nil pairs without a question.
    package var pin: String?
    /// It answers a search; a printer that is connected elsewhere often does not.
    package var isFindable = true
    /// It answers at all.
    package var isInRange = true
    /// What pairing ends with, whatever it is told.
    package var pairingFault: BluetoothFault?

    package init(_ neighbour: BluetoothNeighbour, pin: String? = nil) {
        self.neighbour = neighbour
        self.pin = pin
    }
}

/// A radio with devices around it.
package final class SimulatedRadio: BluetoothRadio {
    /// From a call to what comes of it.
    package var delay = Interval.milliseconds(200)
    /// What a search ends with at once: no adapter, no BlueZ.
    package var fault: BluetoothFault?
    /// BlueZ's own answer to a printer that wants a PIN, before the box is asked; nil gives none.
    package var ownPIN: String? = "0000"
    package var devices: [SimulatedBluetoothDevice] = []

    /// PINs that were tried, in order.
    package private(set) var pins: [String] = []
    package private(set) var isSearching = false
    /// The box holds the radio: between the first call and `rest`.
    package private(set) var isHeld = false

    private let loop: any EventLoop
    /// Known to the radio, by address.
    private var known: [String: BluetoothNeighbour] = [:]
    private var pairing: String?
    private var isAsking = false
    /// Tells what was scheduled for an earlier session.
    private var session = 0

    package init(on loop: any EventLoop) { self.loop = loop }

    package func startSearch() {
        isHeld = true
        later { radio in
            if let fault = radio.fault { return radio.end(.searchFailed(fault)) }
            radio.isSearching = true
            radio.post(.searching)
            for device in radio.devices where device.neighbour.isPaired {
                var bonded = device.neighbour
                bonded.signal = nil
                radio.tell(bonded)
            }
            radio.look()
        }
    }

    package func stopSearch() { isSearching = false }

    package func pair(_ address: String) {
        later { radio in
            guard radio.known[address] != nil else { return radio.post(.pairingFailed(.notFound)) }
            guard let device = radio.device(address), device.isInRange else {
                return radio.post(.pairingFailed(.noAnswer))
            }
            radio.pairing = address
            if let fault = device.pairingFault { return radio.finish(.pairingFailed(fault)) }
            guard let pin = device.pin else { return radio.bond(address) }
            if device.neighbour.deviceClass & 0x1FFF == 0x0680, let own = radio.ownPIN {
                radio.pins.append(own)
                if own == pin { return radio.bond(address) }
            }
            radio.isAsking = true
            radio.post(.pinWanted)
        }
    }

    package func answer(pin: String?) {
        guard isAsking, let address = pairing else { return }
        isAsking = false
        if let pin { pins.append(pin) }
        later { radio in
            guard let pin else { return radio.finish(.pairingFailed(.cancelled)) }
            if pin == radio.device(address)?.pin {
                radio.bond(address)
            } else {
                radio.finish(.pairingFailed(.notAuthenticated))
            }
        }
    }

    package func forget(_ address: String) {
        later { radio in
            radio.known[address] = nil
            radio.change(address) { $0.neighbour.isPaired = false }
            radio.post(.forgotten(address: address))
            if radio.isSearching { radio.look() }
        }
    }

    package func rest() {
        session += 1
        (isSearching, isHeld, isAsking, pairing) = (false, false, false, nil)
        known = [:]
    }

    /// A device comes into sight of a search under way, or of the next.
    package func add(_ device: SimulatedBluetoothDevice) {
        devices.append(device)
        if isSearching { look() }
    }

    // MARK: - Inside

    private func look() {
        later { radio in
            guard radio.isSearching else { return }
            for device in radio.devices where device.isFindable && device.isInRange {
                var found = device.neighbour
                found.signal = found.signal ?? -60
                if radio.known[found.address] != found { radio.tell(found) }
            }
        }
    }

    private func tell(_ neighbour: BluetoothNeighbour) {
        known[neighbour.address] = neighbour
        post(.found(neighbour))
    }

    private func bond(_ address: String) {
        change(address) { $0.neighbour.isPaired = true }
        finish(.paired(address: address))
    }

    private func finish(_ event: BluetoothEvent) {
        pairing = nil
        post(event)
    }

    private func end(_ event: BluetoothEvent) {
        rest()
        post(event)
    }

    private func device(_ address: String) -> SimulatedBluetoothDevice? {
        devices.first { $0.neighbour.address == address }
    }

    private func change(_ address: String, _ change: (inout SimulatedBluetoothDevice) -> Void) {
        for i in devices.indices where devices[i].neighbour.address == address { change(&devices[i]) }
    }

    private func post(_ event: BluetoothEvent) { loop.post(.bluetooth(event)) }

    private func later(_ work: @escaping (SimulatedRadio) -> Void) {
        let session = session
        loop.schedule(at: loop.now + delay) { [weak self] in
            guard let self, self.session == session else { return }
            work(self)
        }
    }
}
