// Makes the bytes of a payment's receipt. A receipt at fault costs the receipt, never the payment: a plain slip is
// printed in its place, and the fault says what and where.

import BoxFoundation

/// Whether a receipt is the first of its payment on paper, or may be there already.
package enum ReceiptMark: Sendable {
    case none
    /// 补打: asked for again, or repeated because the link was lost while it printed.
    case repeated
}

/// A receipt for the printer; with a fault it is the plain slip in its place.
package struct MadeReceipt: Equatable, Sendable {
    /// One print job.
    package var bytes: [UInt8]
    /// Why this is the plain slip and not the receipt that was asked for.
    package var fault: ReceiptFault?
    /// Signs that the printer lacks and letters or ? stand in for, each once; for the log. At most 16.
    package var lacking = ""
}

/// What else a receipt sets off on the counter, where the printer's profile has a command for it.
package struct ReceiptSignals: Equatable, Sendable {
    /// With which receipts the cash drawer opens.
    package enum Drawer: Sendable { case never, cash, always }

    /// For which payments and refunds the cash drawer opens.
    package var drawer: Drawer
    /// The printer's buzzer sounds.
    package var buzzer: Bool

    package init(drawer: Drawer = .never, buzzer: Bool = false) {
        self.drawer = drawer
        self.buzzer = buzzer
    }
}

/// One printer's receipts in one language. Not Sendable: it holds iconv's state.
package final class ReceiptMaker {
    package let profile: PrinterProfile
    package let encoding: PrinterEncoding
    package let words: ReceiptWords
    private let signals: ReceiptSignals
    private let resources: (String) -> [UInt8]?
    private var templates: [String: ReceiptTemplate] = [:]

    /// - Parameters:
    ///   - language: `zh-CN`, `en`; where its words are missing, or the printer has no characters for them, `en`.
    ///   - resources: the bytes of a file below `Resources`; nil where there is none.
    package init(
        profile: PrinterProfile, language: String, signals: ReceiptSignals = ReceiptSignals(),
        resources: @escaping (String) -> [UInt8]?
    ) throws(PrinterProfileFault) {
        let file = "printers/\(profile.id).json"
        guard let encoding = profile.makeEncoding() else {
            throw PrinterProfileFault(file: file, line: nil, what: "iconv does not know the encoding of this profile")
        }
        let wanted = [language, "en"].lazy.compactMap { ReceiptWords(language: $0, from: resources) }
        guard let words = wanted.first(where: { encoding.isMultibyte || $0.isWestern }) else {
            throw PrinterProfileFault(file: "receipts/words/\(language).json", line: nil, what: "the words are missing")
        }
        self.profile = profile
        self.encoding = encoding
        self.words = words
        self.signals = signals
        self.resources = resources
    }

    // MARK: Receipts

    /// - Parameters:
    ///   - shop: the name at the head of a slip, where one is known.
    ///   - time: the box's own, printed where the payment brings none.
    package func receipt(for payment: Payment, shop: String?, mark: ReceiptMark, at time: CivilTime) -> MadeReceipt {
        var made = content(for: payment, shop, mark, time)
        // A receipt that comes again opens no drawer.
        if mark == .none { made.bytes = signalCommands(for: payment) + made.bytes }
        return made
    }

    /// First of all, so that the drawer is open before the receipt is out.
    private func signalCommands(for payment: Payment) -> [UInt8] {
        let isMoney = payment.kind != .notice
        let opens =
            switch signals.drawer {
            case .never: false
            case .cash: isMoney && payment.channel == .cash
            case .always: isMoney
            }
        return (opens ? profile.drawerCommand : []) + (signals.buzzer ? profile.buzzerCommand : [])
    }

    private func content(
        for payment: Payment, _ shop: String?, _ mark: ReceiptMark, _ time: CivilTime
    ) -> MadeReceipt {
        let fields = fields(payment, shop, time)
        let facts = facts(payment)
        do throws(ReceiptFault) {
            switch payment.receipt {
            case .slip: return try made(template: payment.kind.rawValue, [fields, facts], mark)
            case .markup(let markup): return try made(markup: Array(markup.utf8), mark)
            case .template(let name, let data): return try made(template: name, [fields, data, facts], mark)
            }
        } catch {
            return plainSlip(fields, facts, mark, because: error)
        }
    }

    /// A template of `Resources/receipts` with data of its own: the test page, the daily summary.
    package func receipt(template: String, data: JSON) throws(ReceiptFault) -> [UInt8] {
        try made(template: template, [data], .none).bytes
    }

    /// The self-test page: what the box is, and everything that the printer should be able to do.
    ///
    /// - Parameter facts: `box`, `firmware`, `network`, each a text, each may be missing.
    package func testPage(_ facts: JSON, at time: CivilTime) throws(ReceiptFault) -> [UInt8] {
        let ruler = (1...profile.columns).map { String($0 % 10) }.joined()
        let own = JSON.object([
            "printer": .string(profile.name), "ruler": .string(ruler), "time": .string(words.time(time)),
            "code": .string("counterbox \(facts["box"]?.string ?? "") \(facts["firmware"]?.string ?? "")"),
        ])
        return try made(template: "test", [own, facts], .none).bytes
    }

    /// Markup as it is.
    package func receipt(markup: [UInt8]) throws(ReceiptFault) -> [UInt8] { try made(markup: markup, .none).bytes }

    /// Markup, or a template where there is data, as a print job or as plain text.
    package func receipt(source: [UInt8], data: JSON?, asText: Bool) throws(ReceiptFault) -> [UInt8] {
        guard let data else { return asText ? try text(source) : try made(markup: source, .none).bytes }
        let filled = try ReceiptTemplate(source).filled(with: [data, JSON.object(["words": words.json])])
        do throws(ReceiptFault) {
            return asText ? try text(filled.markup) : try made(markup: filled.markup, .none).bytes
        } catch {
            throw filled.located(error)
        }
    }

    private func text(_ markup: [UInt8]) throws(ReceiptFault) -> [UInt8] {
        var sink = PlainTextSink()
        try ReceiptSetter.set(markup, columns: profile.columns, encoding: encoding, into: &sink)
        return sink.bytes
    }

    private func made(template name: String, _ data: [JSON], _ mark: ReceiptMark) throws(ReceiptFault) -> MadeReceipt {
        let filled = try template(name).filled(with: data + [JSON.object(["words": words.json])])
        do throws(ReceiptFault) {
            return try made(markup: filled.markup, mark)
        } catch {
            throw filled.located(error)
        }
    }

    private func made(markup: [UInt8], _ mark: ReceiptMark) throws(ReceiptFault) -> MadeReceipt {
        var sink = EscPosSink(profile: profile, encoding: encoding)
        if mark == .repeated { sink.row(markRow) }
        try ReceiptSetter.set(markup, columns: profile.columns, encoding: encoding, into: &sink)
        if let fault = sink.lengthFault { throw ReceiptFault(fault, line: 0, column: 0) }
        let lacking = sink.lacking
        return MadeReceipt(bytes: sink.finish(), lacking: Self.text(lacking))
    }

    private func template(_ name: String) throws(ReceiptFault) -> ReceiptTemplate {
        if let template = templates[name] { return template }
        guard ResourceName.isValid(name), let source = resources("receipts/\(name).receipt") else {
            throw ReceiptFault(.noTemplate(name), line: 0, column: 0)
        }
        let template = try ReceiptTemplate(source)
        templates[name] = template
        return template
    }

    // MARK: What is printed

    /// What the push says was paid: a template's data can't say otherwise.
    private func facts(_ payment: Payment) -> JSON {
        .object([
            "channel": .string(payment.channel.rawValue),
            "kind": .string(payment.kind.rawValue),
            "amount": payment.amount.map { .string(words.money($0)) },
            "decimal": payment.amount.map { .string($0.decimal) },
            "currency": payment.amount.map { .string($0.currency.code) },
        ])
    }

    /// The names that templates may use where their data has no such name.
    private func fields(_ payment: Payment, _ shop: String?, _ time: CivilTime) -> JSON {
        .object([
            "shop": shop.map(JSON.string),
            "title": .string(words.title(payment.channel, payment.kind)),
            "order": payment.order.map(JSON.string),
            "time": .string(payment.time ?? words.time(time)),
            "text": payment.spokenText.map(JSON.string),
        ])
    }

    private var markRow: [Glyph] {
        var style = TextStyle(across: 2, down: 2)
        style.isInverted = true
        let text = glyphs(words["repeated"], style)
        let used = text.reduce(0) { $0 + $1.columns }
        return Array(repeating: .space, count: max(0, profile.columns - used) / 2) + text
    }

    /// The slip of last resort: no template, no markup, nothing that could be at fault.
    private func plainSlip(
        _ fields: JSON, _ facts: JSON, _ mark: ReceiptMark, because fault: ReceiptFault
    ) -> MadeReceipt {
        var sink = EscPosSink(profile: profile, encoding: encoding)
        if mark == .repeated { sink.row(markRow) }
        for name in ["shop", "title", "amount", "text", "order", "time"] {
            guard let text = (facts[name] ?? fields[name])?.string else { continue }
            let style = name == "amount" ? TextStyle(across: 2, down: 2) : .normal
            for row in rows(glyphs(text, style)) { sink.row(row) }
        }
        let lacking = sink.lacking
        return MadeReceipt(bytes: sink.finish(), fault: fault, lacking: Self.text(lacking))
    }

    private static func text(_ scalars: [UInt32]) -> String {
        scalars.reduce(into: "") { text, scalar in
            if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
        }
    }

    private func glyphs(_ text: String, _ style: TextStyle) -> [Glyph] {
        text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.map {
            Glyph($0.value, width: encoding.columns(of: $0.value), style: style)
        }
    }

    private func rows(_ glyphs: [Glyph]) -> [[Glyph]] {
        var rows: [[Glyph]] = [[]]
        var used = 0
        for glyph in glyphs {
            if used + glyph.columns > profile.columns {
                rows.append([])
                used = 0
            }
            rows[rows.count - 1].append(glyph)
            used += glyph.columns
        }
        return rows
    }
}

extension Payment {
    fileprivate var spokenText: String? {
        switch speech {
        case .text(let text): text
        case .clips(_, let text): text
        case .amount, .silent: nil
        }
    }
}

extension ReceiptWords {
    /// Whether a printer with Western code pages alone has all of its signs.
    fileprivate var isWestern: Bool { !json.text.unicodeScalars.contains { $0.value >= 0x2E80 } }
}
