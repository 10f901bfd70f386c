// The words of the receipts as data, `Resources/receipts/words/<language>.json`.

import BoxFoundation

/// The words of one language, and how it writes money and time.
package struct ReceiptWords: Sendable {
    package let language: String
    /// The whole file; templates name its members as `{{words.order}}`.
    package let json: JSON

    /// - Returns: nil where there is no such language or its file is at fault.
    package init?(language: String, from resources: (String) -> [UInt8]?) {
        guard ResourceName.isValid(language), let bytes = resources("receipts/words/\(language).json") else {
            return nil
        }
        // A language at fault is as good as none: the caller has another to fall back on, and says so.
        guard let json = try? JSONReader.read(bytes, as: .json5), json.object != nil else { return nil }
        self.language = language
        self.json = json
    }

    package subscript(name: String) -> String { json[name]?.string ?? name }

    /// `微信收款`, `WeChat refund`.
    package func title(_ channel: PaymentChannel, _ kind: Payment.Kind) -> String {
        switch kind {
        case .payment: self["\(channel.rawValue)_received"]
        case .refund: self["\(channel.rawValue)_refund"]
        case .notice: self["notice"]
        }
    }

    /// The amount as the language writes it: its pattern for the currency, its grouping of thousands.
    package func money(_ money: Money) -> String {
        let pattern =
            json["money"]?[money.currency.code]?.string ?? json["money"]?["other"]?.string ?? "{amount} {code}"
        let parts = money.decimal.split(separator: ".", maxSplits: 1)
        var amount = Self.grouped(parts[0], by: json["grouping"]?.string ?? "")
        if parts.count == 2 { amount += (json["point"]?.string ?? ".") + parts[1] }
        return Self.replaced(pattern, ["{amount}": amount, "{code}": money.currency.code])
    }

    /// A time of the box's own clock as the language writes it.
    package func time(_ time: CivilTime) -> String {
        let pattern = json["clock"]?.string ?? "{year}-{month}-{day} {hour}:{minute}:{second}"
        let months = json["months"]?.array?.compactMap(\.string) ?? []
        let name = months.indices.contains(time.month - 1) ? months[time.month - 1] : "\(time.month)"
        return Self.replaced(
            pattern,
            [
                "{year}": "\(time.year)", "{month}": Self.two(time.month), "{monthName}": name,
                "{day}": Self.two(time.day),
                "{hour}": Self.two(time.hour), "{minute}": Self.two(time.minute), "{second}": Self.two(time.second),
            ])
    }

    private static func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }

    private static func grouped(_ digits: Substring, by sign: String) -> String {
        var text = ""
        for (i, digit) in digits.enumerated() {
            if i > 0, (digits.count - i) % 3 == 0 { text += sign }
            text.append(digit)
        }
        return text
    }

    private static func replaced(_ pattern: String, _ values: [String: String]) -> String {
        var text = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let name = String(rest[open...close])
            text += values[name] ?? name
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
