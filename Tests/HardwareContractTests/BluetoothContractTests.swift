import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import TestSupport
import Testing

/// What every radio keeps to: the simulated one, and BlueZ over a real D-Bus.
@Suite struct BluetoothContractTests {
    static let address = "DC:0D:30:00:00:01"

    static func printer(
        pin: String? = nil, _ change: (inout SimulatedBluetoothDevice) -> Void = { _ in }
    ) -> SimulatedBluetoothDevice {
        var device = SimulatedBluetoothDevice(
            BluetoothNeighbour(address: address, name: "MTP-II", deviceClass: 0x04_0680, signal: -48), pin: pin)
        change(&device)
        return device
    }

    @Test("A search tells names, classes and signals", arguments: BluetoothPlaceKind.here)
    func search(kind: BluetoothPlaceKind) throws {
        let phone = BluetoothNeighbour(
            address: "AC:37:43:00:00:02", name: "手机", deviceClass: 0x5A_020C, signal: -71)
        let place = try kind.make([Self.printer(), SimulatedBluetoothDevice(phone)])
        place.radio.startSearch()
        let events = place.run { events in
            events.contains(.searching) && events.contains { $0.found(phone.address) != nil }
                && events.contains { $0.found(Self.address) != nil }
        }
        #expect(events.compactMap { $0.found(Self.address) }.last == Self.printer().neighbour)
        #expect(events.compactMap { $0.found(phone.address) }.last == phone)
        #expect(place.isSearching)
        place.radio.stopSearch()
        place.run { _ in !place.isSearching }
        #expect(!place.isSearching)
    }

    @Test("A bond from before is told, and whether the device answers", arguments: BluetoothPlaceKind.here)
    func bonded(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([
            Self.printer {
                $0.neighbour.isPaired = true; $0.isInRange = false
            }
        ])
        place.radio.startSearch()
        let events = place.run { $0.contains(.searching) && $0.contains { $0.found(Self.address) != nil } }
        let found = events.compactMap { $0.found(Self.address) }.last
        #expect(found?.isPaired == true && found?.signal == nil)
    }

    @Test("A printer without a PIN just pairs", arguments: BluetoothPlaceKind.here)
    func justWorks(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer()])
        place.find(Self.address)
        place.radio.pair(Self.address)
        let events = place.run { $0.contains(where: \.endsPairing) }
        #expect(events.last == .paired(address: Self.address))
        #expect(place.pins.isEmpty)
        if let real = place as? BlueZBluetooth { #expect(real.blueZ.trusted == [Self.address]) }
    }

    @Test("A printer's PIN of 0000 is given without a question", arguments: BluetoothPlaceKind.here)
    func usualPIN(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer(pin: "0000")])
        place.find(Self.address)
        place.radio.pair(Self.address)
        let events = place.run { $0.contains(where: \.endsPairing) }
        #expect(events.filter { $0 == .pinWanted }.isEmpty)
        #expect(events.last == .paired(address: Self.address))
    }

    @Test("Another PIN is asked for, and a wrong one fails", arguments: BluetoothPlaceKind.here)
    func askedPIN(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer(pin: "8888")])
        place.find(Self.address)
        for (pin, end) in [
            ("1234", BluetoothEvent.pairingFailed(.notAuthenticated)), ("8888", .paired(address: Self.address)),
        ] {
            place.radio.pair(Self.address)
            let asked = place.run { $0.contains(.pinWanted) }
            #expect(asked.contains(.pinWanted))
            place.radio.answer(pin: pin)
            #expect(place.run { $0.contains(where: \.endsPairing) }.last == end)
        }
        #expect(place.pins == ["0000", "1234", "0000", "8888"])
    }

    @Test("A PIN that nobody knows ends the pairing", arguments: BluetoothPlaceKind.here)
    func refusedPIN(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer(pin: "8888")])
        place.find(Self.address)
        place.radio.pair(Self.address)
        place.run { $0.contains(.pinWanted) }
        place.radio.answer(pin: nil)
        #expect(place.run { $0.contains(where: \.endsPairing) }.last == .pairingFailed(.cancelled))
    }

    @Test("A bond that was dropped can be made again", arguments: BluetoothPlaceKind.here)
    func forget(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer { $0.neighbour.isPaired = true }])
        place.radio.startSearch()
        place.run { $0.contains { $0.found(Self.address)?.signal != nil } }
        place.radio.forget(Self.address)
        let events = place.run { events in events.contains { $0.found(Self.address)?.isPaired == false } }
        #expect(events.contains(.forgotten(address: Self.address)))
        place.radio.stopSearch()
        place.radio.pair(Self.address)
        #expect(place.run { $0.contains(where: \.endsPairing) }.last == .paired(address: Self.address))
    }

    @Test("A printer that has gone does not take the connection", arguments: BluetoothPlaceKind.here)
    func gone(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer()])
        place.find(Self.address)
        if let real = place as? BlueZBluetooth { real.blueZ.devices[0].isInRange = false }
        if let simulated = place as? SimulatedBluetooth { simulated.simulated.devices[0].isInRange = false }
        place.radio.pair(Self.address)
        #expect(place.run { $0.contains(where: \.endsPairing) }.last == .pairingFailed(.noAnswer))
    }

    @Test("A device that was not found cannot be paired with", arguments: BluetoothPlaceKind.here)
    func unknown(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([])
        place.radio.startSearch()
        place.run { $0.contains(.searching) }
        place.radio.pair(Self.address)
        #expect(place.run { $0.contains(where: \.endsPairing) }.last == .pairingFailed(.notFound))
    }

    @Test("After rest nothing is heard, and a search can begin anew", arguments: BluetoothPlaceKind.here)
    func rest(kind: BluetoothPlaceKind) throws {
        let place = try kind.make([Self.printer(pin: "8888")])
        place.find(Self.address)
        place.radio.pair(Self.address)
        place.run { $0.contains(.pinWanted) }
        place.radio.rest()
        #expect(place.run(for: .milliseconds(500)).isEmpty)
        place.find(Self.address)
    }

    @Test(
        "What stands in the way is told by what can be done",
        arguments: BluetoothPlaceKind.here, [BluetoothFault.noService, .noAdapter, .adapterOff, .notPermitted])
    func faults(kind: BluetoothPlaceKind, fault: BluetoothFault) throws {
        let place = try kind.make([Self.printer()])
        place.fail(fault)
        place.radio.startSearch()
        #expect(place.run { !$0.isEmpty } == [.searchFailed(fault)])
    }
}

/// What only the real radio has: a bus that is not there, goes, or never answers.
@Suite(.enabled(if: PrivateBus.isInstalled, "dbus-daemon is not installed"))
struct BlueZRadioTests {
    private static func events(_ loop: EpollLoop, for interval: Interval = .milliseconds(200)) -> [BluetoothEvent] {
        loop.run(for: interval).compactMap { if case .bluetooth(let event) = $0 { event } else { nil } }
    }

    @Test("A machine without a bus has no Bluetooth service")
    func noBus() throws {
        let loop = try EpollLoop()
        let radio = BlueZRadio(bus: "unix:path=/tmp/counterbox-no-bus", on: loop)
        for _ in 0..<2 {
            radio.startSearch()
            #expect(Self.events(loop) == [.searchFailed(.noService)])
        }
    }

    @Test("A bus without BlueZ has no Bluetooth service")
    func noBlueZ() throws {
        let (loop, daemon) = (try EpollLoop(), try PrivateBus())
        let radio = BlueZRadio(bus: daemon.address, on: loop)
        radio.startSearch()
        let events = loop.run { !$0.isEmpty }.events
        guard events.count == 1, case .bluetooth(.searchFailed(.noService)) = events[0] else {
            return #expect(Bool(false), "not told")
        }
    }

    @Test("A bus that goes in the middle of a search is told once")
    func busGoes() throws {
        let place = try BlueZBluetooth([BluetoothContractTests.printer()])
        place.radio.startSearch()
        place.run { $0.contains(.searching) }
        _ = place.run(for: .milliseconds(100))
        place.daemon.end()
        #expect(place.run(for: .milliseconds(300)) == [.searchFailed(.noService)])
    }

    @Test("A bus that goes in the middle of a pairing ends the pairing")
    func busGoesWhilePairing() throws {
        let place = try BlueZBluetooth([BluetoothContractTests.printer(pin: "8888")])
        place.find(BluetoothContractTests.address)
        place.radio.pair(BluetoothContractTests.address)
        place.run { $0.contains(.pinWanted) }
        place.daemon.end()
        #expect(place.run(for: .milliseconds(300)) == [.pairingFailed(.noService)])
    }

    @Test("An adapter that is off is switched on")
    func power() throws {
        let place = try BlueZBluetooth([BluetoothContractTests.printer()])
        place.blueZ.isPowered = false
        place.find(BluetoothContractTests.address)
        #expect(place.blueZ.isPowered)
    }

    @Test("A question about another device, or from somebody who is not BlueZ, is refused")
    func strangers() throws {
        let place = try BlueZBluetooth([BluetoothContractTests.printer(pin: "8888")])
        place.find(BluetoothContractTests.address)
        place.radio.pair(BluetoothContractTests.address)
        place.run { $0.contains(.pinWanted) }
        let stranger = try SystemBus(to: place.daemon.address, on: place.epoll)
        let box = try #require(place.blueZ.boxName)
        var answers: [String] = []
        let ask = { (bus: SystemBus, path: String) in
            bus.call(
                box, "/org/counterbox/agent", "org.bluez.Agent1", "RequestConfirmation", [.path(path), .uint32(1)]
            ) {
                if case .failure(let fault) = $0 { answers.append(fault.name) } else { answers.append("allowed") }
            }
        }
        ask(place.blueZ.bus, "/org/bluez/hci0/dev_00_00_00_00_00_00")
        place.run { _ in answers.count == 1 }
        ask(stranger, StandInBlueZ.path(of: BluetoothContractTests.address))
        place.run { _ in answers.count == 2 }
        #expect(answers.first == "org.bluez.Error.Rejected")
        #expect(answers.count == 2 && !answers.contains("allowed"))
    }

    @Test("No call waits for a BlueZ that never answers, and no turn of the loop is longer than 20 ms")
    func silent() throws {
        let longest = try LongestCall.ofBest { calls in
            let place = try BlueZBluetooth([BluetoothContractTests.printer()])
            place.find(BluetoothContractTests.address)
            place.run { _ in !place.isSearching }
            let before = place.blueZ.calls.count
            place.blueZ.isSilent = true
            let radio = place.radio
            let all: [() -> Void] = [
                { radio.startSearch() }, { radio.pair(BluetoothContractTests.address) }, { radio.answer(pin: "1") },
                { radio.forget(BluetoothContractTests.address) }, { radio.stopSearch() }, { radio.rest() },
            ]
            for call in all {
                calls.measure(call)
                let end = place.loop.now + .milliseconds(50)
                while place.loop.now < end {
                    calls.measure { place.loop.wait(until: place.loop.now) }
                    _ = place.loop.next()
                }
            }
            let heard = place.blueZ.calls.dropFirst(before)
            for name in ["SetDiscoveryFilter", "Pair", "RemoveDevice", "StopDiscovery"] {
                #expect(heard.contains(name), "\(name) in \(heard)")
            }
        }
        #expect(longest <= LongestCall.limit)
    }

    @Test("A device's name cannot speak to the terminal")
    func names() throws {
        let place = try BlueZBluetooth([
            BluetoothContractTests.printer { $0.neighbour.name = "evil\u{1B}[2J\u{202E}\nprinter" }
        ])
        place.radio.startSearch()
        let events = place.run { $0.contains { $0.found(BluetoothContractTests.address) != nil } }
        #expect(events.compactMap { $0.found(BluetoothContractTests.address) }.last?.name == "evil[2Jprinter")
    }
}
