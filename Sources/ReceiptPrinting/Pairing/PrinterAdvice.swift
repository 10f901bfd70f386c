// What to look at, most likely first, for each state that the printer may be in: for `printer status`.

import BoxFoundation
import HardwareInterface

/// What to look at, the likeliest first.
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
    ///
    /// - Parameter trouble: what the link failed with, where it did.
    package static func lines(
        _ state: PrinterState, at address: PrinterAddress, trouble: PrinterLinkError?, _ sighting: Sighting? = nil
    ) -> [String] {
        if let trouble {
            if case .bluetooth(let device, _) = address { return bluetooth(device, trouble, sighting) }
            return wired(trouble, address)
        }
        return switch state {
        case .ready, .none, .connecting, .asleep, .unreachable: []
        case .paperOut: ["the roll is used up, or put in the wrong way round, or the cover is not quite shut"]
        case .paperLow: ["the roll is nearly used up; it prints on for some metres"]
        case .coverOpen: ["the cover is not shut until it clicks on both sides"]
        case .unknown:
            ["this printer does not tell how it is: look at its own lights", "its profile is another: printer.profile"]
        case .error:
            ["its own lights say more: paper, cover, cutter, heat", "switching it off and on clears most errors"]
        }
    }

    // MARK: - Network and cable

    private static func wired(_ trouble: PrinterLinkError, _ address: PrinterAddress) -> [String] {
        switch (trouble, address) {
        case (.busy, _): [held]
        case (.refused, .tcp(let host, let port)):
            [
                "another device has \(host) now: the printer's test page shows its own (hold its feed button while "
                    + "switching on)",
                "it listens on another port than \(port); nearly all take 9100",
                "it has just been switched on: some need half a minute",
            ]
        case (.unknownName, .tcp(let host, _)):
            [
                "\(host) is misspelt, or this network knows no such name: its number always works",
                "the box has no network",
            ]
        case (_, .tcp(let host, _)):
            [
                "it is off, or has gone to sleep: press its power button",
                "\(host) is not its address any more: its test page shows it (hold its feed button while switching on)",
                "box and printer are in different networks, such as one in the guests' Wi-Fi",
            ]
        case (.notPermitted, .file): ["the box's user is not in the group lp"]
        case (.notPermitted, .serial): ["the box's user is not in the group dialout"]
        case (_, .file(let path)), (_, .serial(let path, _)):
            [
                "its cable is loose, or it is off: \(path) is there only while it is on",
                "it got another name when it was plugged in again: look for it in /dev",
            ]
        case (_, .none), (_, .bluetooth): []
        }
    }

    private static let held = "another program holds it, or the box itself: systemctl stop counterbox"

    // MARK: - Bluetooth

    private static func bluetooth(
        _ address: String, _ trouble: PrinterLinkError, _ sighting: Sighting?
    ) -> [String] {
        let pair = "counterbox printer pair \(address)"
        switch (trouble, sighting) {
        case (_, .failed(let fault)?): return [PairingTrouble.words(fault)]
        case (.busy, _): return [held, "a phone or another box holds it: disconnect it there"]
        case (.refused, _):
            return [
                "it has no serial port, or is busy with another connection: switch it off and on", "it is no printer",
            ]
        case (_, .seen(isPaired: false)?): return ["it is on and near, and not paired with this box: \(pair)"]
        case (_, .seen(isPaired: true)?):
            return [
                "it is on and near, but takes no connection: a phone or another box holds it: disconnect it there",
                "it has lost its bond with this box (a reset does that): \(pair)",
            ]
        case (_, .notSeen(isPaired: false)?):
            return [
                "it was never paired with this box: switch it on and near: \(pair)",
                "\(address) is not its address: counterbox printer scan lists those around",
            ]
        case (_, .notSeen(isPaired: true)?): return away
        case (.absent, nil):
            return ["Bluetooth is switched off or not there: rfkill unblock bluetooth; systemctl start bluetooth"]
        case (_, nil): return away + ["it has lost its bond with this box (a reset does that): \(pair)"]
        }
    }

    private static let away = [
        "it is off, or has gone to sleep: press its power button",
        "it is out of range: ten metres, fewer behind a wall",
        "a phone or another box holds it, and it answers nobody else meanwhile: disconnect it there",
    ]
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
