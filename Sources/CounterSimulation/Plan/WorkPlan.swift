// What a shop's back end and its people do: pushes, commands, gestures, console lines, each at its moment. Settled before
// the run by chance of its own, so that faults change nothing about it.

import BoxFoundation
import PushProtocol

/// What a push asks for, as the checkers know it: written down beside the body and not read out of it.
package struct PushIntent: Sendable {
    /// What the push asks to be heard.
    package enum Voice: Equatable, Sendable {
        /// Prefix and amount.
        case amount
        /// A text; what exactly is heard is not compared.
        case text
        case silent
    }

    package var id: String
    package var body: JSON
    package var isRefund = false
    package var channel = PaymentChannel.other
    /// In fen; of its own in the whole run, so that it names its push. nil where none is spoken or printed.
    package var fen: Int64?
    package var voice = Voice.amount
    /// Copies on paper.
    package var copies = 1
    /// Printed somewhere on its receipt; nil where only the amount is.
    package var order: String?
    /// The reason of a refusal; nil for a good one.
    package var refusal: PushRefusal?
    /// Its receipt is at fault: a slip comes in its place, with a remark.
    package var hasBadReceipt = false
    /// Seconds; nil leaves it to the box.
    package var ttl: Int?
    /// Seconds it lay at the hub before it is sent for the first time.
    package var age = 0
    /// Which hub, from 0.
    package var hub = 0
}

/// One thing that a back end or a person does.
package enum Work: Sendable {
    case push(PushIntent)
    case command(ReceivedCommand.Kind)
    /// Presses of so many milliseconds, with as long a gap between them.
    case button(presses: Int, milliseconds: Int)
    case console(String)
}

/// Work at its moment, counted from the start.
package struct WorkItem: Sendable {
    package var at: Interval
    package var work: Work
}

/// All that happens to a shop in a run, faults apart.
package struct WorkPlan: Sendable {
    package private(set) var items: [WorkItem] = []

    private var random: SeededRandom
    /// 12.50 is what the console says.
    private var usedAmounts: Set<Int64> = [SimulatedWorld.consoleFen]
    private var count = 0
    private let shop: Shop

    /// - Parameter length: nothing comes later.
    package init(seed: UInt64, shop: Shop, length: Interval) {
        random = SeededRandom(seed: seed ^ 0x776F_726B)
        self.shop = shop
        var hourStart = Interval.zero
        var hour = shop.firstHour
        while hourStart < length {
            plan(hour: hour % 24, from: hourStart, to: min(length, hourStart + .minutes(60)))
            hourStart = hourStart + .minutes(60)
            hour += 1
        }
        items.sort { $0.at < $1.at }
    }

    private mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    private mutating func plan(hour: Int, from start: Interval, to end: Interval) {
        let rate = shop.pushes(anHourAt: hour)
        if rate > 0 {
            let mean = Interval.minutes(60) / rate
            var at = start + random.interval(in: .zero...mean)
            while at < end {
                // In a rush several at once.
                let burst = shop.kind == .supermarket && chance(1, in: 12) ? Int.random(in: 3...15, using: &random) : 1
                for _ in 0..<(chance(1, in: 30) ? 2 : burst) {
                    items.append(WorkItem(at: at, work: .push(push())))
                    if !chance(1, in: 3) { at = at + random.interval(in: .zero ... .milliseconds(700)) }
                }
                at = at + random.interval(in: .milliseconds(1)...(mean * 2))
            }
        }
        let isOpen = rate > 0
        for _ in 0..<Int.random(in: 0...(isOpen ? 4 : 1), using: &random) {
            let at = random.interval(in: start...end)
            items.append(WorkItem(at: at, work: hand()))
        }
    }

    // MARK: - Commands and hands

    private mutating func hand() -> Work {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .command(.volume(pick([30, 50, 60, 80, 100])))
        case 1: .command(.reprint(push: nil))
        case 2: .command(.status)
        case 3: .command(.identify)
        case 4: .command(.say("请到三号桌取餐"))
        case 5: .button(presses: 1, milliseconds: pick([60, 150, 600]))
        case 6: .button(presses: 2, milliseconds: 90)
        case 7: .button(presses: 1, milliseconds: pick([3300, 11_000]))
        case 8:
            .console(pick(["status", "pushes 5", "printer status", "volume 70", "log", "help", "say 12.50", "led"]))
        default: .console(pick(["json on", "reprint", "print hello", "trace on", "trace off", "button", "nonsense"]))
        }
    }

    // MARK: - Pushes

    private mutating func push() -> PushIntent {
        count += 1
        var intent = PushIntent(id: "p\(count)", body: .null)
        intent.hub = shop.hubs > 1 && chance(1, in: 3) ? 1 : 0
        if chance(1, in: 10) { intent.ttl = pick([30, 60, 120, 3600]) }
        if chance(1, in: 20) { intent.age = pick([5, 40, 300, 700]) }
        let odd = shop.kind == .mixed ? 60 : 8
        if !chance(odd, in: 100) {
            own(&intent)
        } else {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: refund(&intent)
            case 1: notice(&intent)
            case 2: bad(&intent)
            case 3: markup(&intent)
            case 4: badReceipt(&intent)
            case 5: template(&intent)
            case 6: aggregator(&intent)
            case 7: soundCommand(&intent)
            case 8: voiceFlag(&intent)
            case 9: amountInAps(&intent)
            case 10: titleAndBody(&intent)
            default: copiesOrSilence(&intent)
            }
        }
        return intent
    }

    /// An amount as shops have them, of its own in this run.
    private mutating func amount() -> Int64 {
        while true {
            let most: Int64 = pick([3000, 12_000, 12_000, 50_000, 500_000, 99_999_999])
            var fen = Int64.random(in: 1...most, using: &random)
            if chance(1, in: 3) { fen = fen / 100 * 100 }
            if fen > 0, usedAmounts.insert(fen).inserted { return fen }
        }
    }

    private static func decimal(_ fen: Int64) -> String {
        let rest = fen % 100
        if rest == 0 { return "\(fen / 100)" }
        return "\(fen / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
    }

    private mutating func own(_ intent: inout PushIntent, kind: String = "payment") {
        let fen = amount()
        intent.fen = fen
        intent.channel = pick(PaymentChannel.allCases)
        intent.order = "N\(intent.id)E"
        var body = JSONObject()
        body.set("kind", .string(kind))
        if chance(1, in: 4) { body.set("fen", .integer(fen)) } else { body.set("amount", .string(Self.decimal(fen))) }
        body.set("channel", .string(intent.channel.rawValue))
        body.set("order", .string(intent.order ?? ""))
        body.set("time", "2026-11-29T18:05:00+08:00")
        intent.body = .object(body)
    }

    private mutating func set(_ name: String, _ value: JSON, in intent: inout PushIntent) {
        var body = intent.body.object ?? JSONObject()
        body.set(name, value)
        intent.body = .object(body)
    }

    private mutating func refund(_ intent: inout PushIntent) {
        own(&intent, kind: "refund")
        intent.isRefund = true
    }

    private mutating func copiesOrSilence(_ intent: inout PushIntent) {
        own(&intent)
        if chance(1, in: 2) {
            intent.copies = Int.random(in: 0...3, using: &random)
            set("print", .integer(intent.copies), in: &intent)
        }
        if chance(1, in: 2) {
            intent.voice = .silent
            set("say", false, in: &intent)
        }
    }

    private mutating func notice(_ intent: inout PushIntent) {
        intent.voice = .text
        intent.copies = 0
        intent.body = .object(["kind": "notice", "say": .string(pick(["请取餐", "三号桌结账", "打烊了", "Hello"]))])
        guard chance(1, in: 2) else { return }
        intent.copies = 1
        intent.order = "N\(intent.id)E"
        set("print", 1, in: &intent)
        set("order", .string(intent.order ?? ""), in: &intent)
    }

    private mutating func bad(_ intent: inout PushIntent) {
        own(&intent)
        intent.voice = .silent
        intent.copies = 0
        intent.fen = nil
        intent.order = nil
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            intent.refusal = .badAmount
            set("amount", "0.003", in: &intent)
        case 1:
            intent.refusal = .badKind
            set("kind", "gift", in: &intent)
        case 2:
            intent.refusal = .badCurrency
            set("currency", "ABC", in: &intent)
        default:
            intent.refusal = .badBody
            intent.body = "hello"
        }
    }

    private mutating func markup(_ intent: inout PushIntent) {
        own(&intent)
        // Long enough to be larger than a small buffer, now and then.
        let lines = (0..<pick([1, 8, 60])).map { "|面条 \($0 + 1)|12.00|\n" }.joined()
        let text = "^^招牌面馆\n\(lines)-\n单号 | \(intent.order ?? "")\n合计 | \(Self.decimal(intent.fen ?? 0))\n"
        set("receipt", .object(["markup": .string(text)]), in: &intent)
    }

    private mutating func badReceipt(_ intent: inout PushIntent) {
        own(&intent)
        intent.hasBadReceipt = true
        set("receipt", .object(["template": "no-such-template", "data": .object([:])]), in: &intent)
    }

    private mutating func template(_ intent: inout PushIntent) {
        own(&intent)
        let item = JSON.object(["name": "牛肉面", "qty": 2, "price": "3.00"])
        let data = JSON.object(["shop": "招牌面馆", "items": .array([item, item])])
        set("receipt", .object(["template": "payment", "data": data]), in: &intent)
    }

    // MARK: - Bodies of other back ends

    private mutating func aggregator(_ intent: inout PushIntent) {
        let fen = amount()
        intent.fen = fen
        let type = pick([1, 2, 3, 4, 5])
        intent.channel = type == 5 ? .member : type % 2 == 1 ? .wechat : .alipay
        let data = JSON.object(["pay_type": .integer(type), "sum_amount": .string(Self.decimal(fen))])
        intent.body = .object([
            "aps": .object(["alert": "到账", "sound": "default"]), "type": 2, "data": .string(data.text),
        ])
    }

    private mutating func soundCommand(_ intent: inout PushIntent) {
        intent.voice = .text
        intent.copies = 0
        intent.body = .object(["aps": .object(["alert": "收款", "soundCommand": "wechat_received,unknown_clip"])])
    }

    private mutating func voiceFlag(_ intent: inout PushIntent) {
        let fen = amount()
        intent.fen = fen
        intent.channel = .alipay
        let text = "支付宝到账\(Self.decimal(fen))元"
        intent.body = .object([
            "aps": .object(["alert": .object(["title": "收款", "body": .string(text)])]), "isVoice": "1",
        ])
    }

    private mutating func amountInAps(_ intent: inout PushIntent) {
        let fen = amount()
        intent.fen = fen
        let text = "錢到啦收款\(Self.decimal(fen))元"
        intent.body = .object(["aps": .object(["alert": .string(text), "amount": .string(Self.decimal(fen))])])
    }

    private mutating func titleAndBody(_ intent: inout PushIntent) {
        intent.voice = .text
        intent.copies = 0
        let alert = JSON.object(["title": "打烊", "body": "请清点"])
        intent.body = .object(["aps": .object(["alert": alert]), "isLogin": "Y", "isRead": "Y"])
    }
}
