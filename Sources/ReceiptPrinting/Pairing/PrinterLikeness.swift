// Which of the Bluetooth devices around is a receipt printer: by what it says it is, then by its name.

import HardwareInterface

extension BluetoothNeighbour {
    /// Class of Device: the major class Imaging with the printer's bit (Assigned Numbers, 2.8.2.7).
    package var isOfPrinterClass: Bool { deviceClass >> 8 & 0x1F == 6 && deviceClass & 0x80 != 0 }

    /// How likely it is a printer: 3 says so itself, 2 is called like one, 1 may be anything, 0 says that it is something
    /// else.
    package var likeness: Int {
        if isOfPrinterClass { return 3 }
        let name = self.name.lowercased()
        if Self.nameParts.contains(where: name.holds) || Self.nameStarts.contains(where: name.hasPrefix) {
            return 2
        }
        // Miscellaneous and uncategorised: what cheap modules say.
        return [0, 0x1F].contains(deviceClass >> 8 & 0x1F) ? 1 : 0
    }

    package var isLikelyPrinter: Bool { likeness >= 2 }

    private static let nameParts = ["printer", "receipt", "打印", "小票", "pos58", "pos80"]
    /// What makers of small printers call theirs.
    private static let nameStarts = [
        "mtp-", "mpt-", "mpt2", "mpt3", "rpp", "pt-", "pt2", "xp-", "gp-", "tm-", "sp-", "star", "bt-58", "bt-80",
        "hm-a",
        "qr-", "cc3", "qs-", "jp-", "pos-", "zj-", "mht-",
    ]

    /// What was heard of it before in the same search, perhaps by another adapter, fills what is not known now.
    func adding(_ before: BluetoothNeighbour) -> BluetoothNeighbour {
        var all = self
        if name.isEmpty { all.name = before.name }
        if deviceClass == 0 { all.deviceClass = before.deviceClass }
        all.signal = [signal, before.signal].compactMap { $0 }.max()
        return all
    }

    /// Likely printers first, then those without a bond, then the strongest; equal ones by address.
    package static func order(_ a: BluetoothNeighbour, _ b: BluetoothNeighbour) -> Bool {
        let first = (a.likeness, a.isPaired ? 0 : 1, a.signal ?? Int(Int16.min))
        let second = (b.likeness, b.isPaired ? 0 : 1, b.signal ?? Int(Int16.min))
        return first == second ? a.address < b.address : first > second
    }

    /// `DC:0D:30:00:00:01  -48 dBm  printer   paired  MTP-II`.
    package var line: String {
        func wide(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let strength = signal.map { "\($0) dBm" } ?? "no answer"
        let bond = isPaired ? "paired" : "-"
        return wide(address, 19) + wide(strength, 11) + wide(kind, 10) + wide(bond, 8)
            + (name.isEmpty ? "(no name)" : name)
    }

    /// What it says it is.
    private var kind: String {
        if isOfPrinterClass { return "printer" }
        if likeness == 2 { return "printer?" }
        switch deviceClass >> 8 & 0x1F {
        case 1: return "computer"
        case 2: return "phone"
        case 3: return "network"
        case 4: return "audio"
        case 5: return "keyboard"
        case 6: return "imaging"
        case 7: return "watch"
        case 8: return "toy"
        default: return "unknown"
        }
    }
}
