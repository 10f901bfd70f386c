// BlueZ as far as the box speaks with it, served on a private bus: adapters and devices as objects, a search, and the
// pairing dialogue with the agent of whoever called `Pair`. Names and arguments are those of BlueZ's own documentation.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated

final class StandInBlueZ {
    static let adapterPath = "/org/bluez/hci0"

    let bus: SystemBus
    /// It has its name, and its objects are there.
    private(set) var isReady = false
    /// What every call is answered with instead.
    var fault: BusFault?
    var hasAdapter = true
    var isPowered = true
    /// rfkill holds the adapter off.
    var isBlocked = false
    /// Every call is heard and none is answered, but for the one that the pairing begins with.
    var isSilent = false
    var devices: [SimulatedBluetoothDevice] = []
    var ownPIN: String? = "0000"

    private(set) var pins: [String] = []
    private(set) var isSearching = false
    private(set) var trusted: Set<String> = []
    /// Calls in the order they came, by their names.
    private(set) var calls: [String] = []
    private var agents: [String: String] = [:]
    /// The name on the bus of whoever registered an agent.
    var boxName: String? { agents.keys.first }
    /// Objects that callers have been told of.
    private var told: Set<String> = []

    init(on bus: SystemBus) {
        self.bus = bus
        bus.onMessage = { [unowned self] message in
            guard message.isCall, message.path.hasPrefix("/org/bluez") || message.path == "/" else { return false }
            take(message)
            return true
        }
        bus.call(
            SystemBus.driver, SystemBus.driverPath, SystemBus.driver, "RequestName", [.string("org.bluez"), .uint32(0)]
        ) { [unowned self] _ in isReady = true }
    }

    private func take(_ call: BusMessage) {
        calls.append(call.member)
        guard !isSilent || call.member == "RegisterAgent" else { return }
        if let fault { return bus.answer(call, .failure(fault)) }
        switch call.member {
        case "GetManagedObjects": bus.answer(call, .success([objects]))
        case "Set": set(call)
        case "SetDiscoveryFilter", "StopDiscovery":
            if call.member == "StopDiscovery" { isSearching = false }
            bus.answer(call, .success([]))
        case "StartDiscovery":
            guard isPowered else { return bus.answer(call, .failure(BusFault("org.bluez.Error.NotReady"))) }
            isSearching = true
            bus.answer(call, .success([]))
            look()
        case "RegisterAgent":
            agents[call.sender] = call.arguments[0].text
            bus.answer(call, .success([]))
        case "RemoveDevice": remove(call)
        case "Pair": pair(call)
        default: bus.answer(call, .failure(BusFault("org.freedesktop.DBus.Error.UnknownMethod")))
        }
    }

    // MARK: - Objects

    static func path(of address: String) -> String {
        adapterPath + "/dev_" + String(address.map { $0 == ":" ? "_" : $0 })
    }

    private var objects: BusValue {
        var entries: [BusValue] = []
        if hasAdapter {
            let adapter = BusValue.properties(["Powered": .bool(isPowered), "Address": .string("00:1A:7D:DA:71:13")])
            entries.append(Self.object(Self.adapterPath, "org.bluez.Adapter1", adapter))
        }
        for device in devices where device.neighbour.isPaired || told.contains(device.neighbour.address) {
            told.insert(device.neighbour.address)
            entries.append(
                Self.object(
                    Self.path(of: device.neighbour.address), "org.bluez.Device1", properties(device, isSeen: false)))
        }
        return .array(entries, of: "{oa{sa{sv}}}")
    }

    private static func object(_ path: String, _ interface: String, _ properties: BusValue) -> BusValue {
        .entry(.path(path), .array([.entry(.string(interface), properties)], of: "{sa{sv}}"))
    }

    private func properties(_ device: SimulatedBluetoothDevice, isSeen: Bool) -> BusValue {
        let it = device.neighbour
        var values: [BusValue] = [
            .entry(.string("Address"), .variant(.string(it.address))),
            .entry(.string("Name"), .variant(.string(it.name))),
            .entry(.string("Class"), .variant(.uint32(it.deviceClass))),
            .entry(.string("Paired"), .variant(.bool(it.isPaired))),
            .entry(.string("Connected"), .variant(.bool(it.isConnected))),
            // What the box does not read, of shapes that it must not stumble over.
            .entry(.string("UUIDs"), .variant(.array([.string("00001101-0000-1000-8000-00805f9b34fb")], of: "s"))),
            .entry(
                .string("ManufacturerData"),
                .variant(.array([.entry(.uint16(76), .variant(.array([.byte(1), .byte(2)], of: "y")))], of: "{qv}"))),
        ]
        if isSeen { values.append(.entry(.string("RSSI"), .variant(.int16(Int16(it.signal ?? -60))))) }
        return .array(values, of: "{sv}")
    }

    /// Devices answer the search: new ones appear, known ones get a signal.
    func look() {
        guard isSearching else { return }
        for device in devices where device.isFindable && device.isInRange {
            let path = Self.path(of: device.neighbour.address)
            if told.insert(device.neighbour.address).inserted {
                let interfaces = BusValue.array(
                    [.entry(.string("org.bluez.Device1"), properties(device, isSeen: true))], of: "{sa{sv}}")
                bus.signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.path(path), interfaces])
            } else {
                tell(path, ["RSSI": .int16(Int16(device.neighbour.signal ?? -60))])
            }
        }
    }

    private func tell(_ path: String, _ properties: KeyValuePairs<String, BusValue>) {
        bus.signal(
            path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string("org.bluez.Device1"), .properties(properties), .array([], of: "s")])
    }

    private func set(_ call: BusMessage) {
        switch call.arguments[1].text {
        case "Powered":
            guard !isBlocked else {
                return bus.answer(call, .failure(BusFault("org.bluez.Error.Blocked", "Blocked through rfkill")))
            }
            isPowered = true
        case "Trusted":
            trusted.formUnion(devices.map(\.neighbour.address).filter { Self.path(of: $0) == call.path })
        default: break
        }
        bus.answer(call, .success([]))
    }

    private func remove(_ call: BusMessage) {
        bus.answer(call, .success([]))
        guard let index = index(of: call.arguments[0].text ?? "") else { return }
        devices[index].neighbour.isPaired = false
        told.remove(devices[index].neighbour.address)
        bus.signal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
            [call.arguments[0], .array([.string("org.bluez.Device1")], of: "s")])
        look()
    }

    private func index(of path: String) -> Int? {
        devices.firstIndex { Self.path(of: $0.neighbour.address) == path }
    }

    // MARK: - Pairing

    private func pair(_ call: BusMessage) {
        guard let index = index(of: call.path) else {
            return bus.answer(call, .failure(BusFault("org.freedesktop.DBus.Error.UnknownObject")))
        }
        let device = devices[index]
        guard device.isInRange else {
            return bus.answer(call, .failure(BusFault("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout")))
        }
        if let fault = device.pairingFault { return bus.answer(call, .failure(Self.error(fault))) }
        guard let pin = device.pin else { return confirm(call, index) }
        if device.neighbour.isPrinterClass, let ownPIN {
            pins.append(ownPIN)
            if ownPIN == pin { return bond(call, index) }
        }
        askPIN(call, index, pin)
    }

    private static func error(_ fault: BluetoothFault) -> BusFault {
        switch fault {
        case .refused: BusFault("org.bluez.Error.AuthenticationRejected")
        case .busy: BusFault("org.bluez.Error.InProgress")
        case .timedOut: BusFault("org.bluez.Error.AuthenticationTimeout")
        case .failed(let text): BusFault("org.bluez.Error.Failed", text)
        default: BusFault("org.bluez.Error.AuthenticationFailed")
        }
    }

    /// Secure simple pairing: the agent confirms.
    private func confirm(_ call: BusMessage, _ index: Int) {
        askAgent(call, "RequestAuthorization", [.path(call.path)]) { [unowned self] answer in
            if case .success = answer { bond(call, index) } else { bus.answer(call, .failure(Self.error(.refused))) }
        }
    }

    private func askPIN(_ call: BusMessage, _ index: Int, _ pin: String) {
        askAgent(call, "RequestPinCode", [.path(call.path)]) { [unowned self] answer in
            guard case .success(let message) = answer else {
                return bus.answer(call, .failure(BusFault("org.bluez.Error.AuthenticationCanceled")))
            }
            let given = message.arguments.first?.text ?? ""
            pins.append(given)
            if given == pin { bond(call, index) } else { bus.answer(call, .failure(Self.error(.notAuthenticated))) }
        }
    }

    private func askAgent(
        _ call: BusMessage, _ member: String, _ arguments: [BusValue],
        _ onAnswer: @escaping (Result<BusMessage, BusFault>) -> Void
    ) {
        guard let agent = agents[call.sender] else { return bus.answer(call, .failure(Self.error(.refused))) }
        bus.call(call.sender, agent, "org.bluez.Agent1", member, arguments, onAnswer: onAnswer)
    }

    private func bond(_ call: BusMessage, _ index: Int) {
        devices[index].neighbour.isPaired = true
        tell(call.path, ["Paired": .bool(true)])
        bus.answer(call, .success([]))
    }
}

extension BluetoothNeighbour {
    fileprivate var isPrinterClass: Bool { deviceClass & 0x1FFF == 0x0680 }
}
