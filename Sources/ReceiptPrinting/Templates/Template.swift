// Templates: ReceiptLine with Mustache's places and sections. What fills a place is data: it is escaped so that it can
// start no command, column, property or control code, and keeps its own spaces.

import BoxFoundation

/// `{{name}}`, `{{a.b}}`, `{{.}}`, `{{#section}}…{{/section}}`, `{{^inverted}}…{{/inverted}}`, `{{! comment }}`.
/// Unescaped places (`{{{`, `{{&`), partials and other delimiters do not exist here.
package struct ReceiptTemplate: Sendable {
    /// Sections within sections.
    package static let mostDepth = 16

    enum Part: Sendable {
        case text([UInt8])
        case place(name: [String], inProperty: Bool)
        case section(name: [String], isInverted: Bool, parts: [Part])
        /// The source line that begins here.
        case line(Int)
    }

    let parts: [Part]

    package init(_ source: [UInt8]) throws(ReceiptFault) {
        var parser = TemplateParser(source)
        parts = try parser.parse()
    }

    /// Markup with every place filled.
    struct Filled {
        var markup: [UInt8] = []
        /// The template's line of each line of the markup.
        var lines: [Int] = [1]

        /// A fault of the markup, told in lines of the template.
        func located(_ fault: ReceiptFault) -> ReceiptFault {
            guard (1...lines.count).contains(fault.line) else { return fault }
            var fault = fault
            fault.line = lines[fault.line - 1]
            return fault
        }
    }

    /// The markup that comes of filling the places with one object.
    package func markup(with data: JSON) throws(ReceiptFault) -> [UInt8] { try filled(with: [data]).markup }

    /// - Parameter data: the innermost context last; a name is looked for from there outwards.
    func filled(with data: [JSON]) throws(ReceiptFault) -> Filled {
        var filler = TemplateFiller(contexts: data)
        try filler.fill(parts)
        // The line end that editors put at the end of a file is none of the receipt.
        if filler.filled.markup.last == Sign.lineFeed { filler.filled.markup.removeLast() }
        return filler.filled
    }
}

private struct TemplateFiller {
    var filled = ReceiptTemplate.Filled()
    private var contexts: [JSON]
    private var line = 1

    init(contexts: [JSON]) { self.contexts = contexts }

    mutating func fill(_ parts: [ReceiptTemplate.Part]) throws(ReceiptFault) {
        for part in parts {
            switch part {
            case .line(let number): line = number
            case .text(let bytes): append(bytes)
            case .place(let name, let inProperty):
                append(TemplateText.escaped(text(of: value(name)), inProperty: inProperty))
            case .section(let name, let isInverted, let parts): try fill(section: value(name), isInverted, parts)
            }
            guard filled.markup.count <= MarkupReader.mostBytes else {
                throw ReceiptFault(
                    .tooLong("the filled template is over \(MarkupReader.mostBytes) bytes"), line: line, column: 1)
            }
        }
    }

    private mutating func fill(
        section value: JSON?, _ isInverted: Bool, _ parts: [ReceiptTemplate.Part]
    ) throws(ReceiptFault) {
        let shown = Self.isShown(value)
        if isInverted {
            if !shown { try fill(parts) }
            return
        }
        guard shown, let value else { return }
        for context in value.array ?? [value] {
            contexts.append(context)
            try fill(parts)
            contexts.removeLast()
        }
    }

    private static func isShown(_ value: JSON?) -> Bool {
        switch value {
        case nil, .null, .bool(false): false
        case .array(let elements): !elements.isEmpty
        case .string(let text): !text.isEmpty
        default: true
        }
    }

    private func value(_ name: [String]) -> JSON? {
        guard let first = name.first else { return contexts.last }
        guard var value = contexts.reversed().lazy.compactMap({ $0[first] }).first else { return nil }
        for part in name.dropFirst() {
            guard let inner = value[part] else { return nil }
            value = inner
        }
        return value
    }

    private func text(of value: JSON?) -> String {
        switch value {
        case .string(let text): text
        case .number(let text): text
        case .bool(let bool): bool ? "true" : "false"
        default: ""
        }
    }

    private mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            filled.markup.append(byte)
            if byte == Sign.lineFeed { filled.lines.append(line) } else { filled.lines[filled.lines.count - 1] = line }
        }
    }
}

enum TemplateText {
    /// Data as markup that prints as just that data.
    static func escaped(_ text: String, inProperty: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case Sign.lineFeed: bytes += [Sign.backslash, UInt8(ascii: "n")]
            case 0..<0x20, 0x7F: break
            case Sign.backslash, Sign.pipe, Sign.openBrace, Sign.closeBrace: bytes += [Sign.backslash, byte]
            case Sign.semicolon where inProperty: bytes += [Sign.backslash, byte]
            case Sign.space where !inProperty: bytes.append(Sign.tilde)
            case Sign.minus, Sign.equal, Sign.tilde, Sign.underscore, Sign.quote, Sign.backquote, Sign.caret:
                bytes += inProperty ? [byte] : [Sign.backslash, byte]
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
