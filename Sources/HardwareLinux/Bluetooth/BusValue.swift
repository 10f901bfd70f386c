// Values of D-Bus messages.

import CSystemBus

/// A value of the types that BlueZ speaks in. Others (descriptors) read as `other`.
package indirect enum BusValue: Equatable, Sendable {
    case string(String)
    case path(String)
    case signature(String)
    case bool(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case variant(BusValue)
    /// With the elements' signature, since there may be none.
    case array([BusValue], of: String)
    /// An element of a dictionary, which is an array of them.
    case entry(BusValue, BusValue)
    case structure([BusValue])
    case other

    /// `a{sv}`.
    package static func properties(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
        .array(values.map { .entry(.string($0.key), .variant($0.value)) }, of: "{sv}")
    }

    package var signature: String {
        switch self {
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bool: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .variant: "v"
        case .array(_, let element): "a" + element
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .other: "h"
        }
    }

    // MARK: What is wanted of it

    /// Out of its variant.
    package var content: BusValue { if case .variant(let value) = self { value.content } else { self } }

    package var text: String? {
        switch content {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    package var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    package var integer: Int? {
        switch content {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    package var elements: [BusValue] { if case .array(let elements, _) = content { elements } else { [] } }

    /// The entries of a dictionary whose keys are texts.
    package var entries: [(key: String, value: BusValue)] {
        elements.compactMap { element in
            guard case .entry(let key, let value) = element, let text = key.text else { return nil }
            return (text, value.content)
        }
    }

    package subscript(key: String) -> BusValue? { entries.first { $0.key == key }?.value }
}

// MARK: - Reading

extension BusValue {
    /// All that a message carries; what cannot be read ends it.
    static func all(in message: OpaquePointer) -> [BusValue] {
        guard sd_bus_message_rewind(message, 1) >= 0 else { return [] }
        return rest(of: message)
    }

    private static func rest(of message: OpaquePointer) -> [BusValue] {
        var values: [BusValue] = []
        while let value = next(in: message) { values.append(value) }
        return values
    }

    private static func next(in message: OpaquePointer) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
        case "s": return text(message, type).map { .string($0) }
        case "o": return text(message, type).map { .path($0) }
        case "g": return text(message, type).map { .signature($0) }
        case "b": return basic(message, type, Int32(0)).map { .bool($0 != 0) }
        case "y": return basic(message, type, UInt8(0)).map { .byte($0) }
        case "n": return basic(message, type, Int16(0)).map { .int16($0) }
        case "q": return basic(message, type, UInt16(0)).map { .uint16($0) }
        case "i": return basic(message, type, Int32(0)).map { .int32($0) }
        case "u": return basic(message, type, UInt32(0)).map { .uint32($0) }
        case "x": return basic(message, type, Int64(0)).map { .int64($0) }
        case "t": return basic(message, type, UInt64(0)).map { .uint64($0) }
        case "d": return basic(message, type, 0.0).map { .double($0) }
        case let container:
            guard let contents, "avre".contains(container) else { return skip(message) }
            return inside(container, String(cString: contents), message, type)
        }
    }

    private static func skip(_ message: OpaquePointer) -> BusValue? {
        sd_bus_message_skip(message, nil) > 0 ? .other : nil
    }

    private static func inside(
        _ container: Character, _ contents: String, _ message: OpaquePointer, _ type: CChar
    ) -> BusValue? {
        guard sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
        let values = rest(of: message)
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        switch container {
        case "a": return .array(values, of: contents)
        case "v": return values.first.map { .variant($0) }
        case "e": return values.count == 2 ? .entry(values[0], values[1]) : nil
        default: return .structure(values)
        }
    }

    private static func text(_ message: OpaquePointer, _ type: CChar) -> String? {
        basic(message, type, UnsafePointer<CChar>?.none).flatMap { $0 }.map { String(cString: $0) }
    }

    private static func basic<Value>(_ message: OpaquePointer, _ type: CChar, _ empty: Value) -> Value? {
        var value = empty
        let count = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, type, $0) }
        return count > 0 ? value : nil
    }
}

// MARK: - Writing

extension BusValue {
    /// - Returns: false where the message does not take it.
    func append(to message: OpaquePointer) -> Bool {
        switch self {
        case .string(let text), .path(let text), .signature(let text): append(text, to: message)
        case .bool(let value): append(Int32(value ? 1 : 0), to: message)
        case .byte(let value): append(value, to: message)
        case .int16(let value): append(value, to: message)
        case .uint16(let value): append(value, to: message)
        case .int32(let value): append(value, to: message)
        case .uint32(let value): append(value, to: message)
        case .int64(let value): append(value, to: message)
        case .uint64(let value): append(value, to: message)
        case .double(let value): append(value, to: message)
        case .variant(let value): append("v", value.signature, [value], to: message)
        case .array(let elements, let element): append("a", element, elements, to: message)
        case .entry(let key, let value): append("e", key.signature + value.signature, [key, value], to: message)
        case .structure(let members): append("r", members.map(\.signature).joined(), members, to: message)
        case .other: false
        }
    }

    private var type: CChar { CChar(bitPattern: signature.utf8.first ?? 0) }

    private func append(_ text: String, to message: OpaquePointer) -> Bool {
        text.withCString { sd_bus_message_append_basic(message, type, $0) >= 0 }
    }

    private func append<Value>(_ value: Value, to message: OpaquePointer) -> Bool {
        withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type, $0) >= 0 }
    }

    private func append(
        _ container: Unicode.Scalar, _ contents: String, _ values: [BusValue], to message: OpaquePointer
    ) -> Bool {
        guard sd_bus_message_open_container(message, CChar(container.value), contents) >= 0 else { return false }
        return values.allSatisfy { $0.append(to: message) } && sd_bus_message_close_container(message) >= 0
    }
}
