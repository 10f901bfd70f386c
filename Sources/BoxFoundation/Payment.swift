// What a push asks for, after its dialect has been read. PushProtocol makes it; voice and paper are made from it.

/// How the customer paid. The raw values are those of the wire and of the clip ids.
package enum PaymentChannel: String, CaseIterable, Hashable, Sendable {
    case wechat, alipay, unionpay, card, cash, member, other
}

/// One thing to speak and to print.
package struct Payment: Equatable, Sendable {
    /// Whether money came, went back, or only something is to be told.
    package enum Kind: String, CaseIterable, Sendable { case payment, refund, notice }

    /// What is to be heard.
    package enum Speech: Equatable, Sendable {
        /// Prefix, amount and currency.
        case amount
        /// A text instead (UTF-8, from the hub; data, never a command).
        case text(String)
        /// Clips of the voice pack by their ids, in order; where one is unknown the text is spoken.
        case clips([String], otherwise: String)
        case silent
    }

    /// What is to be printed.
    package enum Receipt: Equatable, Sendable {
        /// The short slip made from the payment itself.
        case slip
        case markup(String)
        case template(String, data: JSON)
    }

    /// The most copies of one receipt; a body that asks for more gets this many.
    package static let mostCopies = 5

    package var kind: Kind
    /// nil only for a notice.
    package var amount: Money?
    package var channel: PaymentChannel
    package var speech: Speech
    /// 0 to `mostCopies`.
    package var copies: Int
    package var receipt: Receipt
    /// Printed as given.
    package var order: String?
    /// Printed as given.
    package var time: String?
    /// The hub's wish for this one announcement (`zh-CN`, `en`, …); nil is the box's own.
    package var language: String?

    package init(
        kind: Kind, amount: Money? = nil, channel: PaymentChannel = .other, speech: Speech = .amount, copies: Int = 1,
        receipt: Receipt = .slip, order: String? = nil, time: String? = nil, language: String? = nil
    ) {
        self.kind = kind
        self.amount = amount
        self.channel = channel
        self.speech = speech
        self.copies = copies
        self.receipt = receipt
        self.order = order
        self.time = time
        self.language = language
    }
}

/// How the spoken half of a push ended. The raw values are those of RESULT's `voice`.
package enum VoiceEnd: String, CaseIterable, Sendable { case announced, merged, silent, expired, failed }

/// How the printed half of a push ended. The raw values are those of RESULT's `paper`.
package enum PaperEnd: String, CaseIterable, Sendable { case printed, sent, none, failed }
