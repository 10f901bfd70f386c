// The settings that change how an amount is read. docs/voice.md has them as one table.

/// `voice.two` and `voice.decimals`.
package struct VoiceStyle: Hashable, Sendable {
    /// Whether a 2 is 两 where people say so, or always 二.
    package enum Two: String, CaseIterable, Sendable {
        /// 两 where a native speaker says it.
        case liang
        /// Always 二.
        case er
    }

    /// By the point, or in minor units.
    package enum Decimals: String, CaseIterable, Sendable {
        /// 十二点五元.
        case point
        /// 十二元五角, in every currency whose minor units the language names.
        case jiaofen
    }

    package var two: Two
    package var decimals: Decimals

    package init(two: Two = .liang, decimals: Decimals = .point) {
        self.two = two
        self.decimals = decimals
    }
}

/// What the box says of itself. The raw values are the names in `prompts` of phrases.json5.
package enum VoicePrompt: String, CaseIterable, Hashable, Sendable {
    case paperOut = "paper_out"
    case coverOpen = "cover_open"
    case printerTrouble = "printer_trouble"
    case printerDown = "printer_down"
    case printerUp = "printer_up"
    case printerNone = "printer_none"
    case networkDown = "net_down"
    case networkUp = "net_up"
    case ready
    case pairing
    case paired
    case pairFailed = "pair_failed"
    case test
    case noReceipt = "no_receipt"
}
