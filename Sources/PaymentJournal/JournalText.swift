// A push as the console, the support file and `show` write it: for people a line or a few, for machines an object.

import BoxFoundation

extension JournalEntry {
    /// `#12 2026-11-29 payment wechat 12.50 CNY, voice announced, paper printed, told, id 20261129-0017`.
    ///
    /// - Parameter amounts: false leaves the amount out, for a file that leaves the shop.
    package func line(amounts: Bool = true) -> String {
        var what = [record.kind.rawValue]
        if record.kind != .notice { what.append(record.channel.rawValue) }
        if amounts, let amount = record.amount { what += [amount.decimal, amount.currency.code] }
        return "\(sequence) \(record.day) \(what.joined(separator: " ")), voice \(voiceText), paper \(paperText), "
            + "\(isTold ? "told" : "not told"), id \(record.id)"
    }

    /// All that is known, a name and a value each.
    package func details(amounts: Bool = true) -> [(name: String, value: String)] {
        var lines = [("number", sequence.description), ("hub", record.hub), ("id", record.id), ("day", record.day)]
        lines.append(("kind", record.kind.rawValue))
        if record.kind != .notice { lines.append(("channel", record.channel.rawValue)) }
        if amounts, let amount = record.amount { lines.append(("amount", "\(amount.decimal) \(amount.currency.code)")) }
        lines.append(("age on arrival", "\(record.age.milliseconds) ms of \(record.ttl.seconds) s"))
        lines.append(("voice", voiceText))
        lines.append(("paper", paperText + (record.copies > 1 ? ", \(copied) of \(record.copies) copies" : "")))
        if let reason = record.reason { lines.append(("reason", reason)) }
        if let detail = record.detail { lines.append(("detail", detail)) }
        lines.append(("outcome", isTold ? "told to the hub" : hasEnded ? "not told to the hub yet" : "open"))
        return lines
    }

    package func json(amounts: Bool = true) -> JSONObject {
        let amount = amounts ? record.amount : nil
        return JSON.object([
            "number": .integer(sequence.number), "hub": .string(record.hub), "id": .string(record.id),
            "day": .string(record.day), "received": .integer(record.received.milliseconds),
            "kind": .string(record.kind.rawValue), "channel": .string(record.channel.rawValue),
            "amount": amount.map { .string($0.decimal) }, "currency": amount.map { .string($0.currency.code) },
            "voice": voice.end.map { .string($0.rawValue) }, "paper": paper.end.map { .string($0.rawValue) },
            "cause": cause.map { .string($0) }, "reason": record.reason.map { .string($0) },
            "detail": record.detail.map { .string($0) }, "told": .bool(isTold),
        ]).object ?? JSONObject()
    }

    private var cause: String? { if case .ended(_, let cause) = paper { cause } else { nil } }

    private var voiceText: String {
        switch voice {
        case .waiting: "waiting"
        case .begun: "begun"
        case .ended(let end): end.rawValue
        }
    }

    private var paperText: String {
        switch paper {
        case .waiting: "waiting"
        case .begun: "begun"
        case .ended(let end, let cause): end.rawValue + (cause.map { " (\($0))" } ?? "")
        }
    }
}

extension DayTotal {
    /// `3 payments, 1234.50 CNY`.
    package var line: String {
        let noun = count == 1 ? kind.rawValue : kind.rawValue + "s"
        guard let currency else { return "\(count) \(noun)" }
        return "\(count) \(noun), \(Money(minor: minor, currency: currency).decimal) \(currency.code)"
    }
}
