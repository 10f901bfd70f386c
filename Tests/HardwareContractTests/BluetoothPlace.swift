// A radio and what is around it.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import TestSupport
import Testing

enum BluetoothPlaceKind: String, CaseIterable, CustomTestStringConvertible {
    case simulated, bluez

    var testDescription: String { rawValue }

    /// Those that this machine can have.
    static var here: [BluetoothPlaceKind] { PrivateBus.isInstalled ? allCases : [.simulated] }

    func make(_ devices: [SimulatedBluetoothDevice]) throws -> any BluetoothPlace {
        switch self {
        case .simulated: SimulatedBluetooth(devices)
        case .bluez: try BlueZBluetooth(devices)
        }
    }
}

protocol BluetoothPlace: AnyObject {
    var loop: any EventLoop { get }
    var radio: any BluetoothRadio { get }
    /// PINs that the device was given, in order.
    var pins: [String] { get }
    var isSearching: Bool { get }
    func fail(_ fault: BluetoothFault)
}

extension BluetoothPlace {
    @discardableResult
    func run(until isDone: ([BluetoothEvent]) -> Bool) -> [BluetoothEvent] {
        var events: [BluetoothEvent] = []
        let limit = loop.now + .seconds(10)
        while !isDone(events), loop.now < limit {
            if case .bluetooth(let event) = loop.next() { events.append(event) }
            if !isDone(events) { loop.wait(until: min(limit, loop.now + .milliseconds(20))) }
        }
        return events
    }

    func run(for interval: Interval) -> [BluetoothEvent] {
        let end = loop.now + interval
        return run { _ in loop.now >= end }
    }

    /// Searches until the device is there.
    func find(_ address: String) {
        radio.startSearch()
        let events = run { $0.contains(.searching) && $0.contains { $0.found(address)?.signal != nil } }
        #expect(events.contains { $0.found(address)?.signal != nil })
        radio.stopSearch()
    }
}

extension BluetoothEvent {
    func found(_ address: String) -> BluetoothNeighbour? {
        if case .found(let device) = self, device.address == address { device } else { nil }
    }

    /// The last word of a pairing.
    var endsPairing: Bool {
        switch self {
        case .paired, .pairingFailed: true
        default: false
        }
    }
}

final class SimulatedBluetooth: BluetoothPlace {
    let simulatedLoop = SimulatedLoop()
    let simulated: SimulatedRadio
    var loop: any EventLoop { simulatedLoop }
    var radio: any BluetoothRadio { simulated }
    var pins: [String] { simulated.pins }
    var isSearching: Bool { simulated.isSearching }

    init(_ devices: [SimulatedBluetoothDevice]) {
        simulated = SimulatedRadio(on: simulatedLoop)
        simulated.devices = devices
    }

    func fail(_ fault: BluetoothFault) { simulated.fault = fault }
}

/// The real radio on a private bus, where a stand-in for BlueZ answers.
final class BlueZBluetooth: BluetoothPlace {
    let epoll: EpollLoop
    let daemon: PrivateBus
    let blueZ: StandInBlueZ
    let radio: any BluetoothRadio
    var loop: any EventLoop { epoll }
    var pins: [String] { blueZ.pins }
    var isSearching: Bool { blueZ.isSearching }

    init(_ devices: [SimulatedBluetoothDevice]) throws {
        epoll = try EpollLoop()
        daemon = try PrivateBus()
        blueZ = StandInBlueZ(on: try SystemBus(to: daemon.address, on: epoll))
        blueZ.devices = devices
        radio = BlueZRadio(bus: daemon.address, on: epoll)
        run { [blueZ] _ in blueZ.isReady }
    }

    func fail(_ fault: BluetoothFault) {
        switch fault {
        case .noAdapter: blueZ.hasAdapter = false
        case .adapterOff: (blueZ.isPowered, blueZ.isBlocked) = (false, true)
        case .noService: blueZ.fault = BusFault("org.freedesktop.DBus.Error.ServiceUnknown")
        default: blueZ.fault = BusFault("org.freedesktop.DBus.Error.AccessDenied")
        }
    }
}
