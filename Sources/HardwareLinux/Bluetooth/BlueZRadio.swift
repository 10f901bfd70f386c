// Bluetooth by BlueZ, over the system bus (https://git.kernel.org/pub/scm/bluetooth/bluez.git/tree/doc). The bus is held
// only while something is under way, so that a box that pairs nothing is never woken by it. Needs no root: Debian's bus
// lets every user talk to BlueZ, upstream's those of the group `bluetooth`.

import BoxFoundation
import Glibc
import HardwareInterface

/// Bluetooth by BlueZ, over the system bus.
package final class BlueZRadio: BluetoothRadio {
    /// A device's answers, and those of a person who looks for the PIN; BlueZ itself gives a person one minute.
    private static let pairLimit = Interval.seconds(90)
    private static let service = "org.bluez"

    private enum Stage { case resting, opening, open }

    private let address: String?
    private let loop: any DescriptorLoop
    private var bus: SystemBus?
    private var stage = Stage.resting
    private var objects = BlueZObjects()
    private var agent: BlueZAgent?
    /// BlueZ's own name on the bus.
    private var owner = ""
    private var isSearchWanted = false
    /// Adapters that were asked to search.
    private var searching: Set<String> = []
    /// Adapters whose answer to the start of a search is awaited.
    private var starting = 0
    /// Tells answers for this session from those for one that is over.
    private var session = 0

    /// - Parameter address: of the bus, `unix:path=…`; nil is the system's.
    package init(bus address: String? = nil, on loop: any DescriptorLoop) {
        self.address = address
        self.loop = loop
    }

    package func startSearch() {
        isSearchWanted = true
        switch stage {
        case .resting: open()
        case .opening: break
        case .open: beginSearch()
        }
    }

    package func stopSearch() {
        isSearchWanted = false
        for path in searching.sorted() { call(path, BlueZObjects.adapter, "StopDiscovery") }
        searching = []
    }

    package func pair(_ address: String) {
        guard stage == .open, let bus, let path = objects.path(of: address) else {
            return later(.pairingFailed(.notFound))
        }
        let agent = agent ?? BlueZAgent(on: bus) { [weak self] in self?.post($0) }
        self.agent = agent
        agent.begin(device: path)
        call("/org/bluez", "org.bluez.AgentManager1", "RegisterAgent", agent.registration) { [unowned self] answer in
            if case .failure(let fault) = answer, fault.name != "org.bluez.Error.AlreadyExists" {
                return post(.pairingFailed(BluetoothFault(fault)))
            }
            bond(path, address)
        }
    }

    package func answer(pin: String?) { agent?.answer(pin) }

    package func forget(_ address: String) {
        guard let path = objects.path(of: address), let adapter = objects.adapter(of: path) else {
            return later(.forgotten(address: address))
        }
        call(adapter, BlueZObjects.adapter, "RemoveDevice", [.path(path)]) { [unowned self] answer in
            // BlueZ tells of the device that went, too; whichever is first.
            if case .failure(let fault) = answer { post(.pairingFailed(BluetoothFault(fault))) }
        }
    }

    package func rest() {
        session += 1
        // BlueZ ends the search, the pairing and the agent of a program that leaves the bus.
        bus?.close()
        bus = nil
        stage = .resting
        agent = nil
        objects = BlueZObjects()
        (isSearchWanted, searching, starting, owner) = (false, [], 0, "")
    }

    // MARK: - The session

    private func open() {
        do throws(SystemError) {
            let bus = try SystemBus(to: address ?? SystemBus.usualAddress, on: loop)
            self.bus = bus
            bus.onMessage = { [weak self] in self?.take($0) ?? false }
            bus.onLost = { [weak self] in self?.lost() }
            stage = .opening
            bus.listen("type='signal',sender='\(Self.service)'")
            call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { [unowned self] in opened($0) }
        } catch {
            later(.searchFailed(error.errno == EACCES || error.errno == EPERM ? .notPermitted : .noService))
        }
    }

    private func opened(_ answer: Result<BusMessage, BusFault>) {
        switch answer {
        case .failure(let fault): fail(BluetoothFault(fault))
        case .success(let message):
            stage = .open
            owner = message.sender
            for (path, interfaces) in message.arguments.first?.entries ?? [] {
                if objects.add(path, interfaces) { tell(path) }
            }
            if isSearchWanted { beginSearch() }
        }
    }

    private func lost() {
        bus = nil
        fail(.noService)
    }

    private func fail(_ fault: BluetoothFault) {
        let (isPairing, isSearching) = (agent?.isBusy == true, isSearchWanted)
        rest()
        if isPairing { post(.pairingFailed(fault)) } else if isSearching { post(.searchFailed(fault)) }
    }

    // MARK: - Searching

    private func beginSearch() {
        let adapters = objects.adapters.keys.sorted()
        guard !adapters.isEmpty else { return fail(.noAdapter) }
        for path in adapters where !searching.contains(path) {
            starting += 1
            searching.insert(path)
            if objects.adapters[path]?.isPowered == true { discover(on: path) } else { power(path) }
        }
    }

    private func power(_ path: String) {
        let on: [BusValue] = [.string(BlueZObjects.adapter), .string("Powered"), .variant(.bool(true))]
        call(path, "org.freedesktop.DBus.Properties", "Set", on) { [unowned self] answer in
            if case .failure(let fault) = answer {
                let known = BluetoothFault(fault)
                // BlueZ says no more of one that rfkill or the driver holds off.
                return started(path, known == .notPermitted ? known : .adapterOff)
            }
            discover(on: path)
        }
    }

    /// Classic Bluetooth alone: a search for both takes twice the time.
    private func discover(on path: String) {
        let filter = BusValue.properties(["Transport": .string("bredr")])
        call(path, BlueZObjects.adapter, "SetDiscoveryFilter", [filter]) { [unowned self] _ in
            call(path, BlueZObjects.adapter, "StartDiscovery") { [unowned self] answer in
                switch answer {
                // It searches already.
                case .failure(let fault) where BluetoothFault(fault) != .busy: started(path, BluetoothFault(fault))
                case .failure, .success: started(path, nil)
                }
            }
        }
    }

    /// One adapter that works is enough.
    private func started(_ path: String, _ fault: BluetoothFault?) {
        starting -= 1
        if fault != nil { searching.remove(path) }
        guard isSearchWanted else { return }
        if fault == nil {
            post(.searching)
        } else if let fault, starting == 0, searching.isEmpty {
            fail(fault)
        }
    }

    // MARK: - Pairing

    private func bond(_ path: String, _ address: String) {
        call(path, BlueZObjects.device, "Pair", within: Self.pairLimit) { [unowned self] answer in
            agent?.end()
            if case .failure(let fault) = answer, fault.name != "org.bluez.Error.AlreadyExists" {
                return post(.pairingFailed(BluetoothFault(fault)))
            }
            trust(path, address)
        }
    }

    /// A trusted device may connect to the box without anybody being asked.
    private func trust(_ path: String, _ address: String) {
        let trusted: [BusValue] = [.string(BlueZObjects.device), .string("Trusted"), .variant(.bool(true))]
        call(path, "org.freedesktop.DBus.Properties", "Set", trusted) { [unowned self] answer in
            switch answer {
            case .failure(let fault): post(.pairingFailed(BluetoothFault(fault)))
            case .success: post(.paired(address: address))
            }
        }
    }

    // MARK: - What BlueZ says

    private func take(_ message: BusMessage) -> Bool {
        if message.isCall { return message.sender == owner && agent?.take(message) == true }
        guard message.sender == owner || owner.isEmpty else { return false }
        let arguments = message.arguments
        switch message.member {
        case "InterfacesAdded" where arguments.count == 2:
            guard let path = arguments[0].text else { return false }
            if objects.add(path, arguments[1]) { tell(path) }
        case "InterfacesRemoved" where arguments.count == 2:
            guard let path = arguments[0].text else { return false }
            if let gone = objects.remove(path, arguments[1].elements.compactMap(\.text)) {
                post(.forgotten(address: gone.address))
            }
        case "PropertiesChanged" where arguments.count == 3:
            let gone = arguments[2].elements.compactMap(\.text)
            if objects.change(message.path, arguments[0].text ?? "", arguments[1], gone: gone) { tell(message.path) }
        default: return false
        }
        return true
    }

    private func tell(_ path: String) {
        if let device = objects.devices[path] { post(.found(device)) }
    }

    private func post(_ event: BluetoothEvent) { loop.post(.bluetooth(event)) }

    /// From a later turn, as every answer.
    private func later(_ event: BluetoothEvent) {
        let session = session
        loop.schedule(at: loop.now) { [weak self] in
            guard let self, self.session == session else { return }
            if case .searchFailed = event { rest() }
            post(event)
        }
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        within limit: Interval = SystemBus.callLimit,
        onAnswer: @escaping (Result<BusMessage, BusFault>) -> Void = { _ in }
    ) {
        let session = session
        bus?.call(Self.service, path, interface, member, arguments, within: limit) { [weak self] answer in
            guard let self, self.session == session else { return }
            onAnswer(answer)
        }
    }
}
