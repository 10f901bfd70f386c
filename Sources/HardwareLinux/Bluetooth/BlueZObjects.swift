// What BlueZ knows: its adapters and the devices that each has seen, by their paths on the bus.

import BoxFoundation
import HardwareInterface

struct BlueZObjects {
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"

    struct Adapter: Equatable {
        var isPowered: Bool
    }

    private(set) var adapters: [String: Adapter] = [:]
    private(set) var devices: [String: BluetoothNeighbour] = [:]

    /// The path of a device; of one that several adapters know, of that which hears it best.
    func path(of address: String) -> String? {
        devices.filter { $0.value.address == address }
            .max { a, b in (a.value.signal ?? .min, b.key) < (b.value.signal ?? .min, a.key) }?.key
    }

    /// The adapter that a device hangs below.
    func adapter(of device: String) -> String? { adapters.keys.first { device.hasPrefix($0 + "/") } }

    /// - Returns: whether something of the object may be told.
    mutating func add(_ path: String, _ interfaces: BusValue) -> Bool {
        for (name, properties) in interfaces.entries {
            switch name {
            case Self.adapter: adapters[path] = Adapter(isPowered: properties["Powered"]?.bool ?? false)
            case Self.device:
                guard let address = properties["Address"]?.text else { continue }
                devices[path] = BluetoothNeighbour(address: address.uppercased())
                _ = change(path, Self.device, properties, gone: [])
            default: break
            }
        }
        return devices[path] != nil
    }

    mutating func change(_ path: String, _ interface: String, _ properties: BusValue, gone: [String]) -> Bool {
        if interface == Self.adapter, let isPowered = properties["Powered"]?.bool {
            adapters[path]?.isPowered = isPowered
        }
        guard interface == Self.device, var device = devices[path] else { return false }
        for (name, value) in properties.entries { device.take(name, value) }
        if gone.contains("RSSI") { device.signal = nil }
        guard device != devices[path] else { return false }
        devices[path] = device
        return true
    }

    /// - Returns: the device that is gone.
    mutating func remove(_ path: String, _ interfaces: [String]) -> BluetoothNeighbour? {
        if interfaces.contains(Self.adapter) { adapters[path] = nil }
        return interfaces.contains(Self.device) ? devices.removeValue(forKey: path) : nil
    }
}

extension BluetoothNeighbour {
    /// Characters of a name that are kept: a device says of itself what it likes.
    private static let mostName = 40

    fileprivate mutating func take(_ property: String, _ value: BusValue) {
        switch property {
        case "Name": name = Self.safe(value.text ?? "")
        case "Class": deviceClass = UInt32(truncatingIfNeeded: value.integer ?? 0)
        case "RSSI": signal = value.integer
        case "Paired": isPaired = value.bool ?? false
        case "Connected": isConnected = value.bool ?? false
        default: break
        }
    }

    private static func safe(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(mostName))
    }
}
