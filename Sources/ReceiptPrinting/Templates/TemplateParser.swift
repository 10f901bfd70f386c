// Reads a template into its parts.

struct TemplateParser {
    private let source: [UInt8]
    private var at = 0
    private var line = 1
    private var lineStart = 0
    /// Whether the place read now stands inside a property of the markup, where other signs are escaped.
    private var inProperty = false

    init(_ source: [UInt8]) { self.source = source }

    mutating func parse() throws(ReceiptFault) -> [ReceiptTemplate.Part] {
        guard source.count <= MarkupReader.mostBytes else {
            throw ReceiptFault(.tooLong("the template is over \(MarkupReader.mostBytes) bytes"), line: 1, column: 1)
        }
        return try parts(until: nil, depth: 0)
    }

    private mutating func parts(until open: [String]?, depth: Int) throws(ReceiptFault) -> [ReceiptTemplate.Part] {
        guard depth <= ReceiptTemplate.mostDepth else { throw fault("sections are nested too deep") }
        var parts: [ReceiptTemplate.Part] = [.line(line)]
        while at < source.count {
            let text = takeText()
            if !text.isEmpty { parts.append(.text(text)) }
            if parts.isEmpty || !text.isEmpty { parts.append(.line(line)) }
            guard at < source.count else { break }
            let tag = try takeTag()
            switch tag.kind {
            case .comment: break
            case .place: parts.append(.place(name: tag.name, inProperty: inProperty))
            case .section(let isInverted):
                let inner = try self.parts(until: tag.name, depth: depth + 1)
                parts.append(.section(name: tag.name, isInverted: isInverted, parts: inner))
                parts.append(.line(line))
            case .end:
                guard tag.name == open else {
                    throw fault(
                        "{{/\(tag.name.joined(separator: "."))}} ends a section that is not open", at: tag.start)
                }
                return parts
            }
        }
        if let open { throw fault("the section {{#\(open.joined(separator: "."))}} has no end") }
        return parts
    }

    // MARK: Text

    /// Text up to the next tag. A property's braces are followed, since `{{` may close up with them: `{code:{{n}}}`.
    private mutating func takeText() -> [UInt8] {
        let start = at
        while at < source.count, !isTag(at) {
            switch source[at] {
            case Sign.backslash where at + 1 < source.count && source[at + 1] != Sign.lineFeed: at += 1
            case Sign.openBrace: inProperty = true
            case Sign.closeBrace: inProperty = false
            case Sign.lineFeed:
                inProperty = false
                line += 1
                lineStart = at + 1
            default: break
            }
            at += 1
        }
        return Array(source[start..<at])
    }

    private func isTag(_ place: Int) -> Bool {
        place + 1 < source.count && source[place] == Sign.openBrace && source[place + 1] == Sign.openBrace
    }

    // MARK: Tags

    private struct Tag {
        enum Kind {
            case place, comment, end
            case section(isInverted: Bool)
        }
        var kind: Kind
        var name: [String]
        var start: Int
    }

    private mutating func takeTag() throws(ReceiptFault) -> Tag {
        let start = at
        guard let end = tagEnd(from: at + 2) else { throw fault("{{ has no }}", at: start) }
        let inside = source[at + 2..<end]
        at = end + 2
        let tag = try tag(inside, start)
        if case .place = tag.kind { return tag }
        skipLineOf(tag: start)
        return tag
    }

    private func tagEnd(from start: Int) -> Int? {
        var i = start
        while i + 1 < source.count {
            if source[i] == Sign.closeBrace, source[i + 1] == Sign.closeBrace { return i }
            i += 1
        }
        return nil
    }

    private func tag(_ inside: ArraySlice<UInt8>, _ start: Int) throws(ReceiptFault) -> Tag {
        let kind: Tag.Kind
        switch inside.first {
        case UInt8(ascii: "!"): return Tag(kind: .comment, name: [], start: start)
        case UInt8(ascii: "#"): kind = .section(isInverted: false)
        case UInt8(ascii: "^"): kind = .section(isInverted: true)
        case UInt8(ascii: "/"): kind = .end
        case UInt8(ascii: "{"), UInt8(ascii: "&"): throw fault("places are always escaped; write {{name}}", at: start)
        case UInt8(ascii: ">"), UInt8(ascii: "="):
            throw fault("partials and other delimiters do not exist here", at: start)
        default: kind = .place
        }
        if case .place = kind { return Tag(kind: kind, name: try name(inside, start), start: start) }
        return Tag(kind: kind, name: try name(inside.dropFirst(), start), start: start)
    }

    /// - Returns: the parts of a dotted name; none for `.` itself.
    private func name(_ bytes: ArraySlice<UInt8>, _ start: Int) throws(ReceiptFault) -> [String] {
        let text = String(decoding: bytes.filter { $0 != Sign.space && $0 != Sign.tab }, as: UTF8.self)
        if text == "." { return [] }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains("") else { throw fault("{{\(text)}} is no name", at: start) }
        return parts
    }

    /// A section's tag or a comment alone on its line takes the line with it.
    private mutating func skipLineOf(tag start: Int) {
        let before = source[lineStart..<start].allSatisfy { $0 == Sign.space || $0 == Sign.tab }
        var end = at
        while end < source.count, source[end] == Sign.space || source[end] == Sign.tab { end += 1 }
        if end < source.count, source[end] == Sign.carriageReturn { end += 1 }
        let inside = source[start..<at].count { $0 == Sign.lineFeed }
        line += inside
        if inside > 0 { lineStart = (source[start..<at].lastIndex(of: Sign.lineFeed) ?? start) + 1 }
        guard before, end == source.count || source[end] == Sign.lineFeed else { return }
        if end < source.count {
            line += 1
            end += 1
        }
        at = end
        lineStart = end
    }

    private func fault(_ what: String, at place: Int? = nil) -> ReceiptFault {
        let place = place ?? min(at, source.count)
        let column = source[min(lineStart, place)..<place].count { $0 & 0xC0 != 0x80 }
        return ReceiptFault(.template(what), line: line, column: column + 1)
    }
}
