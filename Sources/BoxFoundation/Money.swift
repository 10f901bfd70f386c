// Money is integer minor units from the wire to the speaker. It is read from its text; no binary float is ever near it.

/// A currency of ISO 4217: its code and the digits after its decimal point.
package struct Currency: Hashable, Sendable {
    /// Three capital letters.
    package let code: String
    /// Digits of the minor unit: 2 for CNY, 0 for JPY, 3 for KWD.
    package let exponent: Int

    package static let cny = Currency(code: "CNY", exponent: 2)

    /// - Returns: nil where the standard has no such code.
    package init?(code: String) {
        guard let exponent = Self.exponent(of: code) else { return nil }
        self.init(code: code, exponent: exponent)
    }

    private init(code: String, exponent: Int) {
        self.code = code
        self.exponent = exponent
    }

    /// 10 to the power of the exponent.
    package var minorPerMajor: Int64 {
        switch exponent {
        case 0: 1
        case 2: 100
        case 3: 1000
        default: 10_000
        }
    }

    private static func exponent(of code: String) -> Int? {
        guard code.utf8.count == 3 else { return nil }
        if let exponent = uncommonExponents[code] { return exponent }
        return hundredths.contains(code) ? 2 : nil
    }

    /// ISO 4217 list one, the codes whose exponent is not 2 (funds and precious metals, which have none, left out).
    private static let uncommonExponents: [String: Int] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
        "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
        "CLF": 4, "UYW": 4,
    ]

    private static let hundredths: Set<String> = [
        "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BMD", "BND",
        "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CNY", "COP", "COU",
        "CRC", "CUC", "CUP", "CVE", "CZK", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL",
        "GHS", "GIP", "GMD", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IRR", "JMD", "KES",
        "KGS", "KHR", "KPW", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT",
        "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "PAB",
        "PEN", "PGK", "PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP",
        "SLE", "SLL", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TOP", "TRY", "TTD", "TWD",
        "TZS", "UAH", "USD", "USN", "UYU", "UZS", "VED", "VES", "WST", "XCD", "XCG", "YER", "ZAR", "ZMW", "ZWG", "ZWL",
    ]
}

/// An amount of one currency in its minor units (fen for CNY). Never negative: a refund is a kind, not a sign.
package struct Money: Hashable, Sendable {
    package var minor: Int64
    package var currency: Currency

    /// The most that the wire can carry and the voice can read: 9,999,999,999.99 in a currency of hundredths.
    package static let mostMajor: Int64 = 9_999_999_999

    package init(minor: Int64, currency: Currency = .cny) {
        self.minor = minor
        self.currency = currency
    }

    /// Reads `(0|[1-9][0-9]{0,9})(\.[0-9]{1,e})?`, where e is the currency's exponent (`docs/push-protocol.md`, Body).
    ///
    /// - Returns: nil for anything else: a sign, a space, a third decimal, a separator, other digits than ASCII's.
    package init?(_ text: String, currency: Currency = .cny) {
        var text = text
        let minor = text.withUTF8 { Self.minorUnits(of: $0, exponent: currency.exponent) }
        guard let minor else { return nil }
        self.init(minor: minor, currency: currency)
    }

    /// `12.50`, with all of the currency's decimals.
    package var decimal: String {
        let unit = currency.minorPerMajor
        guard currency.exponent > 0 else { return String(minor) }
        let fraction = String(minor % unit)
        return "\(minor / unit)." + String(repeating: "0", count: currency.exponent - fraction.utf8.count) + fraction
    }

    private static func minorUnits(of text: UnsafeBufferPointer<UInt8>, exponent: Int) -> Int64? {
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        let whole = text[..<point]
        guard (1...10).contains(whole.count), whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        var decimals = 0
        if point != text.endIndex {
            decimals = text.endIndex - point - 1
            guard (1...max(1, exponent)).contains(decimals), exponent > 0 else { return nil }
        }
        var minor: Int64 = 0
        for (i, byte) in text.enumerated() where i != point {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            minor = minor * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        for _ in decimals..<exponent { minor *= 10 }
        return minor
    }
}
