// A push's body to what is to be spoken and printed (`docs/push-protocol.md`, Body of a PUSH).

import BoxFoundation

/// A body to a `Payment`, or the reason why it is refused (`docs/push-protocol.md`, Body of a PUSH).
package enum PaymentReader {
    /// Reads the box's own form and every dialect; the first that fits decides.
    package static func read(_ body: JSON) -> Result<Payment, PushRefusal> {
        Result { () throws(PushRefusal) in
            guard let body = body.object else { throw .badBody }
            if body.given("kind") != nil || body.given("aps") == nil { return try own(body) }
            return try dialect(body)
        }
    }

    // MARK: The box's own form

    private static func own(_ body: JSONObject) throws(PushRefusal) -> Payment {
        guard let kind = body["kind"]?.string.flatMap(Payment.Kind.init(rawValue:)) else { throw .badKind }
        let receipt = receipt(body["receipt"])
        let speech = try speech(body["say"], kind, hasReceipt: receipt != nil)
        return Payment(
            kind: kind, amount: kind == .notice ? nil : try amount(body), channel: channel(body["channel"]),
            speech: speech, copies: copies(body["print"]) ?? (kind == .notice ? 0 : 1), receipt: receipt ?? .slip,
            order: body["order"]?.string, time: body["time"]?.string, language: body["language"]?.string)
    }

    private static func amount(_ body: JSONObject) throws(PushRefusal) -> Money {
        let code = body["currency"]?.string ?? Currency.cny.code
        guard let currency = Currency(code: code) else { throw .badCurrency }
        let fen: Money? = if let fen = body.given("fen") { try minorUnits(fen, currency) } else { nil }
        guard let amount = body.given("amount") else {
            guard let fen else { throw .badAmount }
            return fen
        }
        guard let text = amount.string ?? amount.numberText, let money = Money(text, currency: currency),
            fen == nil || fen == money
        else { throw .badAmount }
        return money
    }

    private static func minorUnits(_ value: JSON, _ currency: Currency) throws(PushRefusal) -> Money {
        guard let minor = value.integer, (0...999_999_999_999).contains(minor),
            minor / currency.minorPerMajor <= Money.mostMajor
        else { throw .badAmount }
        return Money(minor: minor, currency: currency)
    }

    private static func channel(_ value: JSON?) -> PaymentChannel {
        value?.string.flatMap(PaymentChannel.init(rawValue:)) ?? .other
    }

    private static func speech(
        _ value: JSON?, _ kind: Payment.Kind, hasReceipt: Bool
    ) throws(PushRefusal) -> Payment.Speech {
        if value?.bool == false, kind != .notice || hasReceipt { return .silent }
        // A text with nothing in it would be silence where something is to be heard.
        if let text = value?.string, !text.isBlank { return .text(text) }
        guard kind == .notice else { return .amount }
        guard hasReceipt else { throw .badBody }
        return .silent
    }

    private static func receipt(_ value: JSON?) -> Payment.Receipt? {
        if let markup = value?["markup"]?.string { return .markup(markup) }
        guard let template = value?["template"]?.string else { return nil }
        let data = value?["data"]
        return .template(template, data: data?.object == nil ? .object([:]) : data ?? .object([:]))
    }

    /// - Returns: nil where the wish counts as absent.
    private static func copies(_ value: JSON?) -> Int? {
        if let bool = value?.bool { return bool ? 1 : 0 }
        guard let number = value?.double, number >= 0 else { return nil }
        if number >= Double(Payment.mostCopies) { return Payment.mostCopies }
        return number == Double(Int(number)) ? Int(number) : nil
    }
}

extension JSONObject {
    /// A member that is there and not null.
    func given(_ name: String) -> JSON? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }
}
