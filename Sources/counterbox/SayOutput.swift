// Amounts as texts become words, names of clips, or samples; a line each.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import VoiceAnnouncing

/// What is said around an amount.
struct AmountRequest {
    var channel: PaymentChannel
    var kind: Payment.Kind
    var currency: Currency
    var isBare: Bool

    init(_ words: CommandWords) throws(VerbFailure) {
        channel = try words.choice("channel") ?? .other
        kind = try words.choice("kind") ?? .payment
        guard kind != .notice else { throw .usage("--kind notice: one of payment, refund") }
        let code = words["currency"] ?? "CNY"
        guard let currency = Currency(code: code) else { throw .usage("--currency \(code): no code of ISO 4217") }
        self.currency = currency
        isBare = words.has("bare")
    }
}

struct SayOutput {
    /// What is written to standard output at a time.
    private static let chunk = 1 << 16

    private let request: AmountRequest
    private let voice: Voice
    private let mode: SayVerb.Mode
    private var text: [UInt8] = []
    private(set) var isFaulty = false
    /// Kept where the amounts are to be heard.
    private(set) var payments: [Payment] = []

    init(_ request: AmountRequest, voice: Voice, _ mode: SayVerb.Mode) {
        self.request = request
        self.voice = voice
        self.mode = mode
    }

    mutating func add(_ line: ArraySlice<UInt8>) {
        guard let money = Money(String(decoding: line, as: UTF8.self), currency: request.currency) else {
            isFaulty = true
            text += Array("bad-amount\n".utf8)
            return
        }
        switch mode {
        case .speak, .file:
            let speech: Payment.Speech = request.isBare ? .text(words(money)) : .amount
            payments.append(
                Payment(kind: request.kind, amount: money, channel: request.channel, speech: speech, copies: 0))
            return
        case .clips:
            let ids = voice.phrase(words(money)).flatMap { voice.pack?.ids(of: $0) } ?? []
            text += Array(ids.joined(separator: " ").utf8)
        case .words:
            if request.isBare {
                voice.wording.append(money, to: &text)
            } else {
                text += Array(words(money).utf8)
            }
        }
        text.append(UInt8(ascii: "\n"))
        if text.count > Self.chunk { flush() }
    }

    private func words(_ money: Money) -> String {
        request.isBare
            ? voice.wording.amount(money)
            : voice.wording.payment(money, channel: request.channel, isRefund: request.kind == .refund)
    }

    /// All of them one after the other, as they are heard.
    var samples: [Int16] {
        payments.flatMap { payment in
            voice.phrase(words(payment.amount ?? Money(minor: 0))).map { voice.samples(of: $0) } ?? []
        }
    }

    mutating func flush() {
        Terminal.write(text)
        text = []
    }
}

enum SayInput {
    /// A line at most; a longer one is no amount.
    private static let mostLine = 256

    /// Calls `body` for every line of standard input, without its end.
    static func forEachLine(_ body: (ArraySlice<UInt8>) -> Void) {
        var pending: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var rest = chunk[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                if pending.isEmpty { body(trimmed(rest[..<end])) } else { body(trimmed((pending + rest[..<end])[...])) }
                pending.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            pending += rest.prefix(max(0, mostLine - pending.count))
        }
        if !pending.isEmpty { body(trimmed(pending[...])) }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
