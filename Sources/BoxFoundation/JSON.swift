// JSON as the wire page asks for it: a number keeps its own text, a name given twice is a fault, and every fault knows
// its line. JSONReader makes these values; `text` writes them.

/// A JSON value (RFC 8259).
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// The number's own text (`12.50` stays `12.50`): money is never read through binary floating point.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

/// The members of an object in the order they were written. Names are compared byte for byte.
package struct JSONObject: Sendable {
    /// One name with its value, and the line on which it stands (0 where it was not read from a text).
    package struct Member: Sendable {
        package var name: String
        package var value: JSON
        /// The line of the name in its source, from 1; 0 where it was not read from a text.
        package var line: Int32
    }

    package var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    package subscript(name: String) -> JSON? { member(name)?.value }

    package func member(_ name: String) -> Member? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Sets a member, in its old place or at the end; nil takes it away.
    package mutating func set(_ name: String, _ value: JSON?) {
        let place = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        switch (place, value) {
        case (let place?, let value?): members[place].value = value
        case (let place?, nil): members.remove(at: place)
        case (nil, let value?): members.append(Member(name: name, value: value, line: 0))
        case (nil, nil): break
        }
    }
}

extension JSON {
    /// A member of an object; nil for any other value.
    package subscript(name: String) -> JSON? { object?[name] }

    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
    package var string: String? { if case .string(let string) = self { string } else { nil } }
    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    package var numberText: String? { if case .number(let text) = self { text } else { nil } }
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// An integer written as one (no point, no exponent) that fits 64 bits; nil for anything else.
    package var integer: Int64? { numberText.flatMap { Int64($0) } }

    /// A number as the nearest double, for settings and layout; nil where it is too large for one. Never for money.
    package var double: Double? { numberText.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    package static func integer(_ n: some BinaryInteger) -> JSON { .number(String(n)) }

    /// An object of these members, those with nil left out.
    package static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(
            JSONObject(
                members.compactMap { name, value in
                    value.map { JSONObject.Member(name: name, value: $0, line: 0) }
                }))
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .number(String(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: Equatable {
    /// The same value: numbers by their text, objects whatever the order of their names.
    package static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSONObject: Equatable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.members.count == b.members.count && a.members.allSatisfy { b[$0.name] == $0.value }
    }
}

// MARK: - Writing

extension JSON {
    /// The shortest text: no white space, only what must be escaped.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// `text` in UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += Array("null".utf8)
        case .bool(let bool): bytes += Array((bool ? "true" : "false").utf8)
        case .number(let text): bytes += Array(text.utf8)
        case .string(let string): Self.append(string, to: &bytes)
        case .array(let array):
            bytes.append(UInt8(ascii: "["))
            for (i, element) in array.enumerated() {
                if i > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (i, member) in object.members.enumerated() {
                if i > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
            case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
            case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
            case 0..<0x20, 0x7F: bytes += Array("\\u00".utf8) + Array(Hex.text([byte]).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
