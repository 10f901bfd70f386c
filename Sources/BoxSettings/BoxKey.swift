// The box's key, which it shares with its hub. It is never shown: what prints a value of this type prints no digit of it.

import BoxFoundation

package struct BoxKey: Equatable, Sendable {
    package static let byteCount = 32

    package enum Fault: Error, Equatable, Sendable {
        case empty
        /// So many digits instead of 64.
        case length(Int)
        case notHex

        /// One line that says what to do.
        package var message: String {
            switch self {
            case .empty: "the key's file is empty; counterbox key new writes one"
            case .length(let digits): "a key is 64 hex digits, not \(digits); counterbox key new writes one"
            case .notHex: "a key is 64 hex digits and nothing else; counterbox key new writes one"
            }
        }
    }

    package let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads a key's file: 64 hex digits of either case, white space around them.
    package static func read(_ text: [UInt8]) throws(Fault) -> BoxKey {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var digits = text.drop(while: isSpace)
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        guard !digits.isEmpty else { throw .empty }
        guard digits.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .notHex }
        guard digits.count == 2 * byteCount else { throw .length(digits.count) }
        guard let bytes = Hex.bytes(String(decoding: digits, as: UTF8.self).lowercased()), let key = BoxKey(bytes)
        else {
            throw .notHex
        }
        return key
    }

    /// What `key new` writes.
    package var text: String { Hex.text(bytes) + "\n" }
}

extension BoxKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
