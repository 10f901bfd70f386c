// The key as its file holds it.

import BoxFoundation

extension BoxKey {
    /// Why a file holds no key: it has to be 64 hex digits.
    package enum FileFault: Error, Equatable, Sendable {
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

    /// Reads a key's file: 64 hex digits of either case, white space around them.
    package static func read(_ text: [UInt8]) throws(FileFault) -> BoxKey {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var digits = text.drop(while: isSpace)
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        guard !digits.isEmpty else { throw .empty }
        guard digits.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .notHex }
        guard digits.count == 2 * size else { throw .length(digits.count) }
        guard let key = BoxKey(hex: String(decoding: digits, as: UTF8.self).lowercased()) else { throw .notHex }
        return key
    }
}
