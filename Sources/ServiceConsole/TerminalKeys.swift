// Bytes of a terminal become keys: UTF-8 is put together, escape sequences are understood or swallowed whole. Any byte in
// any order is harmless.

/// What was typed.
enum TerminalKey: Equatable {
    case character(Unicode.Scalar)
    case enter
    case backspace, delete
    case left, right, home, end
    case up, down
    case tab
    /// Ctrl-C.
    case interrupt
    /// Ctrl-L.
    case redraw
    /// Ctrl-K, Ctrl-U, Ctrl-W.
    case eraseToEnd, eraseLine, eraseWord
}

struct TerminalKeys {
    /// Bytes of a terminal's answer or title that are swallowed; what goes on after that is text again.
    static let mostSwallowed = 256

    private enum Phase: Equatable {
        case plain
        /// A carriage return was an Enter: a line feed right after it is the same one.
        case afterReturn
        /// Inside a character of UTF-8 that wants so many more bytes.
        case character([UInt8], wants: Int)
        case escape
        /// `ESC [`, with the first number so far.
        case control(Int?, first: Bool, length: Int)
        /// `ESC O`.
        case single
        /// `ESC ]`, `ESC P` and their like, until BEL, `ESC \` or a line end.
        case swallowed(Int)
    }

    private var phase = Phase.plain

    /// - Returns: the key that this byte completes.
    mutating func receive(_ byte: UInt8) -> TerminalKey? {
        switch phase {
        case .plain: return plain(byte)
        case .afterReturn:
            phase = .plain
            return byte == 0x0A ? nil : plain(byte)
        case .character(let bytes, let wants): return character(bytes + [byte], wants: wants - 1)
        case .escape: return escape(byte)
        case .control(let number, let first, let length):
            return control(byte, number: number, first: first, length: length)
        case .single:
            phase = .plain
            return byte < 0x20 ? plain(byte) : Self.key(final: byte, number: nil)
        case .swallowed(let count): return swallow(byte, count)
        }
    }

    private mutating func plain(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x0D:
            phase = .afterReturn
            return .enter
        case 0x0A: return .enter
        case 0x1B:
            phase = .escape
            return nil
        case 0x20...0x7E: return .character(Unicode.Scalar(byte))
        case 0xC2...0xF4:
            phase = .character([byte], wants: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
            return nil
        default: return Self.controlKey(byte)
        }
    }

    private static func controlKey(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x01: .home
        case 0x02: .left
        case 0x03: .interrupt
        case 0x05: .end
        case 0x06: .right
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0B: .eraseToEnd
        case 0x0C: .redraw
        case 0x0E: .down
        case 0x10: .up
        case 0x15: .eraseLine
        case 0x17: .eraseWord
        default: nil
        }
    }

    /// Bytes that make no character are dropped; what broke off a character is a key of its own.
    private mutating func character(_ bytes: [UInt8], wants: Int) -> TerminalKey? {
        guard let last = bytes.last, last & 0xC0 == 0x80 else {
            phase = .plain
            return bytes.last.flatMap { plain($0) }
        }
        guard wants == 0 else {
            phase = .character(bytes, wants: wants)
            return nil
        }
        phase = .plain
        guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first, scalar.value >= 0xA0 else {
            return nil
        }
        return .character(scalar)
    }

    // MARK: Escape sequences

    private mutating func escape(_ byte: UInt8) -> TerminalKey? {
        phase = .plain
        switch byte {
        case UInt8(ascii: "["): phase = .control(nil, first: true, length: 0)
        case UInt8(ascii: "O"): phase = .single
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            phase = .swallowed(0)
        case 0..<0x20: return plain(byte)
        default: break
        }
        return nil
    }

    private mutating func control(_ byte: UInt8, number: Int?, first: Bool, length: Int) -> TerminalKey? {
        switch byte {
        case 0..<0x20:
            phase = .plain
            return plain(byte)
        case 0x40...0x7E:
            phase = .plain
            return Self.key(final: byte, number: number)
        case 0x20...0x3F where length < Self.mostSwallowed:
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let next = first && isDigit ? min(999, (number ?? 0) * 10 + Int(byte & 15)) : number
            phase = .control(next, first: first && isDigit, length: length + 1)
        default: phase = .plain
        }
        return nil
    }

    private static func key(final: UInt8, number: Int?) -> TerminalKey? {
        switch (final, number) {
        case (UInt8(ascii: "A"), _): .up
        case (UInt8(ascii: "B"), _): .down
        case (UInt8(ascii: "C"), _): .right
        case (UInt8(ascii: "D"), _): .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1), (UInt8(ascii: "~"), 7): .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4), (UInt8(ascii: "~"), 8): .end
        case (UInt8(ascii: "~"), 3): .delete
        default: nil
        }
    }

    private mutating func swallow(_ byte: UInt8, _ count: Int) -> TerminalKey? {
        switch byte {
        case 0x07: phase = .plain
        case 0x1B: phase = .escape
        case 0x03, 0x0A, 0x0D:
            phase = .plain
            return plain(byte)
        default: phase = count < Self.mostSwallowed ? .swallowed(count + 1) : .plain
        }
        return nil
    }
}
