// What to look at, most likely first, for each state that the printer may be in: for `printer status`.

import BoxFoundation
import HardwareInterface

package enum PrinterAdvice {
    /// What a search for the printer showed, where one was made.
    package enum Sighting: Equatable, Sendable {
        /// It answers a search.
        case seen(isPaired: Bool)
        /// It does not; there may be a bond all the same.
        case notSeen(isPaired: Bool)
        case failed(BluetoothFault)
    }

    /// Causes and what to do, each a line; none where nothing is wrong.
    package static func lines(_ state: PrinterState, at address: PrinterAddress, _ sighting: Sighting? = nil)
        -> [String]
    {
        switch state {
        case .ready, .none, .connecting: []
        case .unreachable, .asleep: unreachable(address, sighting)
        case .paperOut: ["the roll is used up, or put in the wrong way round, or the cover is not quite shut"]
        case .paperLow: ["the roll is nearly used up; it prints on for some metres"]
        case .coverOpen: ["the cover is not shut until it clicks on both sides"]
        case .unknown:
            ["this printer does not tell how it is: look at its own lights", "its profile is another: printer.profile"]
        case .error:
            [
                "its own lights say more: paper, cover, cutter, heat",
                "the box may not use it: see the log for a permission that is missing",
            ]
        }
    }

    private static func unreachable(_ address: PrinterAddress, _ sighting: Sighting?) -> [String] {
        switch address {
        case .none: []
        case .bluetooth(let address, _): bluetooth(address, sighting)
        case .tcp(let host, let port):
            [
                "it is off, or has gone to sleep: press its power button",
                "\(host) is not its address any more: its test page shows it (hold its feed button while switching on)",
                "its port is not \(port), or another computer holds it",
                "box and printer are in different networks, such as one in the guests' Wi-Fi",
            ]
        case .file(let path), .serial(let path, _):
            [
                "its cable is loose, or it is off: \(path) is there only while it is on",
                "it got another name after it was plugged in again: look for it in /dev",
            ]
        }
    }

    private static func bluetooth(_ address: String, _ sighting: Sighting?) -> [String] {
        let pair = "counterbox printer pair \(address)"
        switch sighting {
        case .failed(let fault)?: return [PairingTrouble.words(fault)]
        case .seen(isPaired: false)?: return ["it is on and near, and not paired with this box: \(pair)"]
        case .seen(isPaired: true)?:
            return [
                "it is on and near, but takes no connection: a phone or another box holds it: disconnect it there",
                "it has lost its bond with this box (a reset does that): \(pair)",
            ]
        case .notSeen(isPaired: true)?:
            return [
                "it is off, or has gone to sleep: press its power button",
                "it is out of range: ten metres, fewer behind a wall",
                "a phone holds it, and it answers nobody else meanwhile: disconnect it there",
            ]
        case .notSeen(isPaired: false)?:
            return [
                "it was never paired with this box: switch it on and near: \(pair)",
                "\(address) is not its address: counterbox printer scan lists those around",
            ]
        case nil:
            return [
                "it is off, or has gone to sleep: press its power button",
                "it is out of range: ten metres, fewer behind a wall",
                "a phone or another box holds it: disconnect it there",
                "it has lost its bond with this box (a reset does that): printer pair \(address)",
            ]
        }
    }
}

extension BluetoothNeighbour {
    /// For machines.
    package var json: JSON {
        .object([
            "address": .string(address), "name": .string(name), "class": .integer(Int(deviceClass)),
            "signal": signal.map { .integer($0) }, "paired": .bool(isPaired), "connected": .bool(isConnected),
            "printer": .bool(isLikelyPrinter),
        ])
    }
}
