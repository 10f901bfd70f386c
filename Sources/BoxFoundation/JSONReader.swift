// One reader for JSON (RFC 8259) and JSON5 (spec.json5.org). It is ours because no decoder at hand tells a number's own
// text, a name given twice, the depth and the line of a fault; see ARCHITECTURE.md, Libraries.

/// What is wrong with a text and where.
package struct JSONFault: Error, Equatable, Sendable {
    /// What is wrong with a JSON text.
    package enum Kind: Equatable, Sendable {
        case unexpected(String)
        case endOfText
        case nameTwice(String)
        case tooDeep
        case badUTF8
        case unpairedSurrogate
        case badNumber
        case badEscape
        case controlCharacter
        case moreAfterValue
    }

    package var kind: Kind
    /// From 1.
    package var line: Int
    /// In bytes, from 1.
    package var column: Int

    package init(kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }

    package var message: String {
        switch kind {
        case .unexpected(let what): "unexpected \(what)"
        case .endOfText: "the text ends too early"
        case .nameTwice(let name): "the name \"\(name)\" stands twice in one object"
        case .tooDeep: "nested deeper than \(JSONReader.mostDepth)"
        case .badUTF8: "not UTF-8"
        case .unpairedSurrogate: "an unpaired surrogate"
        case .badNumber: "not a number"
        case .badEscape: "an unknown escape"
        case .controlCharacter: "a control character inside a text"
        case .moreAfterValue: "something follows the value"
        }
    }
}

/// Reads JSON (RFC 8259) and JSON5 (spec.json5.org) to values, nested 32 deep at most. A name given twice is a fault.
package struct JSONReader: ~Copyable {
    /// Which of the two is read. The wire speaks JSON; people write JSON5.
    package enum Dialect: Sendable {
        case json
        /// Comments, trailing commas, bare names, single quotes, hexadecimal numbers and a byte order mark as well.
        /// `NaN` and `Infinity` are not taken: no setting means them.
        case json5
    }

    /// Arrays and objects inside one another (`docs/push-protocol.md`, Frame).
    package static let mostDepth = 32

    private let bytes: UnsafeBufferPointer<UInt8>
    private let dialect: Dialect
    private var at = 0
    private var depth = 0
    /// Lines are counted only up to `lineAt`, when somebody asks: names ask in JSON5, faults always.
    private var line = 1
    private var lineAt = 0

    package static func read(_ text: String, as dialect: Dialect = .json) throws(JSONFault) -> JSON {
        try read(Array(text.utf8), as: dialect)
    }

    package static func read(_ bytes: [UInt8], as dialect: Dialect = .json) throws(JSONFault) -> JSON {
        try read(bytes[...], as: dialect)
    }

    package static func read(_ bytes: ArraySlice<UInt8>, as dialect: Dialect = .json) throws(JSONFault) -> JSON {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(JSONFault) -> JSON in
                var reader = JSONReader(buffer, dialect)
                return try reader.document()
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ dialect: Dialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    // MARK: Values

    private mutating func document() throws(JSONFault) -> JSON {
        if dialect == .json5, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        try skipSpace()
        let value = try value()
        try skipSpace()
        guard at == bytes.count else { throw fault(.moreAfterValue) }
        return value
    }

    private mutating func value() throws(JSONFault) -> JSON {
        guard at < bytes.count else { throw fault(.endOfText) }
        switch bytes[at] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "'") where dialect == .json5: return .string(try string())
        case UInt8(ascii: "t") where take("true"): return .bool(true)
        case UInt8(ascii: "f") where take("false"): return .bool(false)
        case UInt8(ascii: "n") where take("null"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "+") where dialect == .json5: return .number(try number())
        case UInt8(ascii: ".") where dialect == .json5: return .number(try number())
        default: throw unexpected()
        }
    }

    private mutating func object() throws(JSONFault) -> JSON {
        try enter()
        var members: [JSONObject.Member] = []
        var seen: Set<ExactText> = []
        while true {
            try skipSpace()
            if take(UInt8(ascii: "}")) {
                guard members.isEmpty || dialect == .json5 else { throw fault(.unexpected("} after a comma"), back: 1) }
                break
            }
            let start = at
            let name = try memberName()
            // A list is searched while it is short; a long one gets a set, so that no object costs the square of its size.
            if members.count == 16 { seen = Set(members.map { ExactText($0.name) }) }
            let isKnown =
                members.count < 16
                ? members.contains { $0.name.utf8.elementsEqual(name.utf8) } : !seen.insert(ExactText(name)).inserted
            if isKnown { throw fault(.nameTwice(name), back: at - start) }
            let line = dialect == .json5 ? Int32(truncatingIfNeeded: lineNumber(at: start)) : 1
            try skipSpace()
            try expect(UInt8(ascii: ":"))
            try skipSpace()
            members.append(JSONObject.Member(name: name, value: try value(), line: line))
            try skipSpace()
            if take(UInt8(ascii: "}")) { break }
            try expect(UInt8(ascii: ","))
        }
        depth -= 1
        return .object(JSONObject(members))
    }

    private mutating func array() throws(JSONFault) -> JSON {
        try enter()
        var elements: [JSON] = []
        while true {
            try skipSpace()
            if take(UInt8(ascii: "]")) {
                guard elements.isEmpty || dialect == .json5 else {
                    throw fault(.unexpected("] after a comma"), back: 1)
                }
                break
            }
            elements.append(try value())
            try skipSpace()
            if take(UInt8(ascii: "]")) { break }
            try expect(UInt8(ascii: ","))
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func enter() throws(JSONFault) {
        at += 1
        depth += 1
        if depth > Self.mostDepth { throw fault(.tooDeep, back: 1) }
    }

    // MARK: Texts

    private mutating func memberName() throws(JSONFault) -> String {
        guard at < bytes.count else { throw fault(.endOfText) }
        let quote = bytes[at]
        if quote == UInt8(ascii: "\"") || (quote == UInt8(ascii: "'") && dialect == .json5) { return try string() }
        guard dialect == .json5 else { throw unexpected() }
        let start = at
        while at < bytes.count, Self.isBareNameByte(bytes[at], first: at == start) { at += 1 }
        guard at > start else { throw unexpected() }
        return try text(start..<at)
    }

    private static func isBareNameByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 0x80...:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): !first
        default: false
        }
    }

    private mutating func string() throws(JSONFault) -> String {
        let quote = bytes[at]
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != quote, bytes[at] != UInt8(ascii: "\\"), mayStand(bytes[at]) { at += 1 }
        if at < bytes.count, bytes[at] == quote {
            at += 1
            return try text(start..<(at - 1))
        }
        return try escapedString(from: start, quote: quote)
    }

    /// JSON5 takes control characters in a text, but no line end.
    private func mayStand(_ byte: UInt8) -> Bool {
        byte >= 0x20 || (dialect == .json5 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r"))
    }

    private mutating func escapedString(from start: Int, quote: UInt8) throws(JSONFault) -> String {
        var plain = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            if byte == quote {
                at += 1
                guard let string = String(validating: plain, as: UTF8.self) else {
                    throw fault(.badUTF8, back: at - start)
                }
                return string
            }
            guard mayStand(byte) else { throw fault(.controlCharacter) }
            at += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &plain) } else { plain.append(byte) }
        }
        throw fault(.endOfText)
    }

    private mutating func escape(into plain: inout [UInt8]) throws(JSONFault) {
        guard at < bytes.count else { throw fault(.endOfText) }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(byte)
        case UInt8(ascii: "b"): plain.append(0x08)
        case UInt8(ascii: "f"): plain.append(0x0C)
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "r"): plain.append(0x0D)
        case UInt8(ascii: "t"): plain.append(0x09)
        case UInt8(ascii: "u"): plain += Array(String(Character(try unicodeEscape())).utf8)
        default:
            guard dialect == .json5 else { throw fault(.badEscape, back: 1) }
            try json5Escape(byte, into: &plain)
        }
    }

    private mutating func json5Escape(_ byte: UInt8, into plain: inout [UInt8]) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): _ = take(UInt8(ascii: "\n"))
        case UInt8(ascii: "v"): plain.append(0x0B)
        case UInt8(ascii: "0"):
            if at < bytes.count, Self.isDigit(bytes[at]) { throw fault(.badEscape, back: 1) }
            plain.append(0)
        case UInt8(ascii: "x"): plain += Array(String(Character(Unicode.Scalar(UInt8(try hexDigits(2))))).utf8)
        case 0xE2 where take("\u{2028}", after: 1) || take("\u{2029}", after: 1): break
        case UInt8(ascii: "1")...UInt8(ascii: "9"), 0..<0x20: throw fault(.badEscape, back: 1)
        default: plain.append(byte)
        }
    }

    private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
        let first = try hexDigits(4)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\u") else { throw fault(.unpairedSurrogate) }
        let second = try hexDigits(4)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault(.unpairedSurrogate) }
        return scalar
    }

    private mutating func hexDigits(_ count: Int) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard at < bytes.count else { throw fault(.endOfText) }
            guard let digit = Self.hexValue(bytes[at]) else { throw fault(.badEscape) }
            value = value << 4 | digit
            at += 1
        }
        return value
    }

    private func text(_ range: Range<Int>) throws(JSONFault) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[range])
        guard let string = String(validating: slice, as: UTF8.self) else {
            throw fault(.badUTF8, back: at - range.lowerBound)
        }
        return string
    }

    // MARK: Numbers

    /// - Returns: the number's own text; JSON5's forms (`+1`, `.5`, `5.`, `0x1F`) rewritten as JSON's.
    private mutating func number() throws(JSONFault) -> String {
        let start = at
        let json5 = dialect == .json5
        if !take(UInt8(ascii: "-")) { _ = json5 && take(UInt8(ascii: "+")) }
        if json5, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "0"), bytes[at + 1] | 0x20 == UInt8(ascii: "x") {
            return try hexNumber(negative: bytes[start] == UInt8(ascii: "-"))
        }
        let whole = skipDigits()
        if whole > 1, bytes[at - whole] == UInt8(ascii: "0") { throw fault(.badNumber) }
        var decimals = 0
        let point = take(UInt8(ascii: "."))
        if point { decimals = skipDigits() }
        guard whole > 0 || (json5 && decimals > 0), !point || decimals > 0 || json5 else { throw fault(.badNumber) }
        let mantissa = start..<at
        var exponent = at..<at
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            let begin = at
            at += 1
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            guard skipDigits() > 0 else { throw fault(.badNumber) }
            exponent = begin..<at
        }
        guard json5 else { return String(decoding: bytes[start..<at], as: UTF8.self) }
        return Self.jsonForm(bytes[mantissa], wholeDigits: whole, decimals: decimals, point: point)
            + String(decoding: bytes[exponent], as: UTF8.self)
    }

    private static func jsonForm(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, wholeDigits: Int, decimals: Int, point: Bool
    ) -> String {
        let negative = text.first == UInt8(ascii: "-")
        var digits = String(decoding: text, as: UTF8.self)
        if negative || digits.hasPrefix("+") { digits.removeFirst() }
        if wholeDigits == 0 { digits = "0" + digits }
        if point, decimals == 0 { digits.removeLast() }
        return (negative ? "-" : "") + digits
    }

    private mutating func hexNumber(negative: Bool) throws(JSONFault) -> String {
        at += 2
        var value: UInt64 = 0
        let start = at
        while at < bytes.count, let digit = Self.hexValue(bytes[at]) {
            guard value >> 60 == 0 else { throw fault(.badNumber) }
            value = value << 4 | UInt64(digit)
            at += 1
        }
        guard at > start else { throw fault(.badNumber) }
        return (negative ? "-" : "") + String(value)
    }

    private mutating func skipDigits() -> Int {
        let start = at
        while at < bytes.count, Self.isDigit(bytes[at]) { at += 1 }
        return at - start
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    // MARK: Space and signs

    private mutating func skipSpace() throws(JSONFault) {
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): at += 1
            case 0x0B where dialect == .json5, 0x0C where dialect == .json5: at += 1
            case UInt8(ascii: "/") where dialect == .json5: try skipComment()
            case 0xC2 where dialect == .json5 && take("\u{A0}"): break
            case 0xE2 where dialect == .json5 && (take("\u{2028}") || take("\u{2029}")): break
            case 0xEF where dialect == .json5 && take("\u{FEFF}"): break
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        if take("//") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n"), bytes[at] != UInt8(ascii: "\r") { at += 1 }
        } else if take("/*") {
            while !take("*/") {
                guard at < bytes.count else { throw fault(.endOfText) }
                at += 1
            }
        } else {
            throw unexpected()
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    /// - Parameter after: bytes of the word that have been taken before.
    private mutating func take(_ word: StaticString, after start: Int = 0) -> Bool {
        let count = word.utf8CodeUnitCount - start
        guard at + count <= bytes.count else { return false }
        for i in 0..<count where bytes[at + i] != word.utf8Start[start + i] { return false }
        at += count
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard at < bytes.count else { throw fault(.endOfText) }
        guard take(byte) else { throw unexpected() }
    }

    // MARK: Faults

    private func unexpected() -> JSONFault {
        guard at < bytes.count else { return fault(.endOfText) }
        let byte = bytes[at]
        return fault(
            .unexpected((0x21...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "byte 0x" + Hex.text([byte])))
    }

    private func fault(_ kind: JSONFault.Kind, back: Int = 0) -> JSONFault {
        let place = max(0, at - back)
        var line = 1
        var lineStart = 0
        for i in 0..<min(place, bytes.count) where bytes[i] == UInt8(ascii: "\n") {
            line += 1
            lineStart = i + 1
        }
        return JSONFault(kind: kind, line: line, column: place - lineStart + 1)
    }

    private mutating func lineNumber(at place: Int) -> Int {
        while lineAt < place {
            if bytes[lineAt] == UInt8(ascii: "\n") { line += 1 }
            lineAt += 1
        }
        return line
    }
}
