// STATUS: how the box is (`docs/push-protocol.md`, Types).

import BoxFoundation

/// How the box is, as STATUS tells a hub: all of it after WELCOME, then what changed.
package struct BoxStatus: Equatable, Sendable {
    /// How the printer is; the raw values are the wire's.
    package enum Printer: String, CaseIterable, Sendable {
        case ready, none, connecting
        case paperOut = "paper-out"
        case paperLow = "paper-low"
        case coverOpen = "cover-open"
        case asleep, unreachable, unknown, error
    }

    package var printer: Printer
    /// Pushes that have not ended.
    package var queued: Int
    /// 0 to 100.
    package var volume: Int
    package var firmware: String
    package var uptime: Interval
    /// Names beyond the page's own.
    package var more: JSONObject

    package init(
        printer: Printer, queued: Int, volume: Int, firmware: String, uptime: Interval, more: JSONObject = JSONObject()
    ) {
        self.printer = printer
        self.queued = queued
        self.volume = volume
        self.firmware = firmware
        self.uptime = uptime
        self.more = more
    }

    package var object: JSONObject {
        let own = JSON.object([
            "printer": .string(printer.rawValue), "queued": .integer(queued), "volume": .integer(volume),
            "firmware": .string(firmware), "uptime": .integer(uptime.seconds),
        ])
        var all = own.object ?? JSONObject()
        for member in more.members where all[member.name] == nil { all.set(member.name, member.value) }
        return all
    }
}

extension JSONObject {
    /// What differs from `old`, which may be nothing. A name that is gone is null. `uptime` always differs, so it comes
    /// along but is no change by itself.
    func changes(since old: JSONObject?) -> JSONObject? {
        guard let old else { return self }
        var changed = JSONObject(members.filter { old[$0.name] != $0.value })
        for member in old.members where self[member.name] == nil { changed.set(member.name, .null) }
        return changed.members.allSatisfy { $0.name == "uptime" } ? nil : changed
    }
}
