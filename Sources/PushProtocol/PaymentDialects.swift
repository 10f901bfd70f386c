// Bodies that merchants' back ends already send to phones, taken as they are (`docs/push-protocol.md`, Body of a PUSH).
// Each dialect is told by a name that it has; the first that fits decides.

import BoxFoundation

extension PaymentReader {
    /// Clips of one `soundCommand` at most; a longer one is spoken by its alert.
    static var mostClips: Int { 100 }

    static func dialect(_ body: JSONObject) throws(PushRefusal) -> Payment {
        guard let aps = body["aps"]?.object else { throw .badBody }
        let alert = AlertText(aps["alert"])
        if let data = body["data"]?.string { return try aggregator(body, aps, alert, data) }
        if let command = aps.given("soundCommand") { return soundCommand(command, alert) }
        if let isVoice = body.given("isVoice") { return try voiceFlag(isVoice, body, aps, alert) }
        let flags = [body.given("isLogin"), body.given("isRead")]
        if flags.contains(where: { $0 != nil }) { return titleAndBody(flags, alert) }
        return try amountInAps(aps, alert)
    }

    // MARK: The dialects

    private static func aggregator(
        _ body: JSONObject, _ aps: JSONObject, _ alert: AlertText, _ data: String
    ) throws(PushRefusal) -> Payment {
        guard let type = body["type"]?.flagNumber, type == 2 || type == 3 else { return .silentNotice }
        let data = nested(data)
        let amount = try carried(data?["sum_amount"])
        let channel: PaymentChannel? =
            switch data?["pay_type"]?.flagNumber {
            case 1, 3: .wechat
            case 2, 4: .alipay
            case 5: .member
            default: nil
            }
        var payment = Payment(dialect: alert, amount: amount, channel: channel ?? alert.channel)
        if channel != nil, amount != nil {
            payment.speech = .amount
        } else if !alert.isEmpty {
            payment.speech = .text(alert.text)
        }
        if aps["sound"]?.isNothing ?? true { payment.speech = .silent }
        return payment
    }

    private static func soundCommand(_ command: JSON, _ alert: AlertText) -> Payment {
        let text = command.string ?? command.numberText ?? ""
        let names = text.split { ",，、".contains($0) || $0.isWhitespace }.map(String.init)
        var payment = Payment(dialect: alert, amount: alert.paidAmount, channel: alert.channel)
        if !alert.isEmpty { payment.speech = .text(alert.text) }
        if (1...mostClips).contains(names.count) { payment.speech = .clips(names, otherwise: alert.text) }
        return payment
    }

    private static func voiceFlag(
        _ isVoice: JSON, _ body: JSONObject, _ aps: JSONObject, _ alert: AlertText
    ) throws(PushRefusal) -> Payment {
        if isVoice.isZero { return .silentNotice }
        let outer = try carried(body["amount"])
        let inner = try carried(aps["amount"])
        return Payment(dialect: alert, amount: outer ?? inner ?? alert.amount, channel: alert.channel)
    }

    private static func titleAndBody(_ flags: [JSON?], _ alert: AlertText) -> Payment {
        var payment = Payment(dialect: alert, amount: alert.paidAmount, channel: alert.channel)
        let isSpoken = flags.allSatisfy { $0?.isYes ?? false } && !alert.isEmpty
        payment.speech = isSpoken ? .text(alert.text) : .silent
        return payment
    }

    private static func amountInAps(_ aps: JSONObject, _ alert: AlertText) throws(PushRefusal) -> Payment {
        guard let amount = try carried(aps["amount"]) else {
            return Payment(dialect: alert, amount: alert.paidAmount, channel: alert.channel)
        }
        return Payment(dialect: alert, amount: amount.minor == 0 ? nil : amount, channel: alert.channel)
    }

    // MARK: Parts

    /// An amount in yuan that a dialect carries, as number or text; nil where it carries none.
    private static func carried(_ value: JSON?) throws(PushRefusal) -> Money? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string ?? value.numberText else { throw .badAmount }
        if text.isEmpty { return nil }
        guard let money = Money(text) else { throw .badAmount }
        return money
    }

    /// JSON inside a text; some back ends write it as a text inside a text.
    private static func nested(_ text: String) -> JSONObject? {
        guard let value = parsed(text) else { return nil }
        return value.object ?? value.string.flatMap(parsed)?.object
    }

    private static func parsed(_ text: String) -> JSON? {
        do { return try JSONReader.read(text) } catch { return nil }
    }
}

extension Payment {
    /// What is neither heard nor printed.
    fileprivate static let silentNotice = Payment(kind: .notice, speech: .silent, copies: 0)

    /// With an amount: prefix and amount, and a short slip. Without: the alert as a notice.
    fileprivate init(dialect alert: AlertText, amount: Money?, channel: PaymentChannel) {
        if let amount {
            self.init(kind: alert.isRefund ? .refund : .payment, amount: amount, channel: channel)
        } else {
            self.init(kind: .notice, speech: alert.isEmpty ? .silent : .text(alert.text), copies: 0)
        }
    }
}

/// Numbers and flags as number, text or boolean.
extension JSON {
    fileprivate var flagNumber: Int64? { integer ?? string.flatMap { Int64($0) } }

    /// 0, "0", "0.0", false or "false".
    fileprivate var isZero: Bool {
        switch self {
        case .bool(let bool): !bool
        case .number(let text): Double(text) == 0
        case .string(let text): text == "false" || Double(text) == 0
        default: false
        }
    }

    /// "Y" and its like, 1 or true.
    fileprivate var isYes: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let text): Double(text) == 1
        case .string(let text): ["Y", "y", "YES", "Yes", "yes", "true", "1"].contains(text)
        default: false
        }
    }

    /// Null, an empty text or false.
    fileprivate var isNothing: Bool {
        switch self {
        case .null: true
        case .bool(let bool): !bool
        case .string(let text): text.isEmpty
        default: false
        }
    }
}
