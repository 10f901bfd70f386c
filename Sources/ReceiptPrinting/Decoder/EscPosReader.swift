// Cuts a stream of printer bytes into commands: what each command is called and how long it is.

/// One command, or a run of text.
package struct EscPosCommand: Equatable, Sendable {
    /// What a piece of a printer's stream is.
    package enum Kind: Equatable, Sendable {
        /// Bytes from 20 on.
        case text
        /// One control byte: LF, CR, HT, FF and the like.
        case control(UInt8)
        /// ESC, FS, GS or DLE and the byte behind it.
        case command(UInt8, UInt8)
        /// A command that is not known; its two bytes are skipped.
        case unknown(UInt8, UInt8)
        /// The stream ends inside a command.
        case truncated(UInt8, UInt8?)
    }

    package var kind: Kind
    /// What follows the command's own bytes.
    package var parameters: ArraySlice<UInt8>
    /// In the stream.
    package var range: Range<Int>

    /// `ESC @`, `GS ( k`, `LF`, as Epson's reference names them.
    package var name: String {
        switch kind {
        case .text: "text"
        case .control(let byte): EscPosNames.control(byte)
        case .command(let prefix, let byte), .unknown(let prefix, let byte), .truncated(let prefix, .some(let byte)):
            EscPosNames.command(prefix, byte, parameters)
        case .truncated(let prefix, nil): EscPosNames.control(prefix)
        }
    }
}

struct EscPosReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> EscPosCommand? {
        guard at < bytes.count else { return nil }
        let start = at
        switch bytes[at] {
        case 0x20...:
            while at < bytes.count, bytes[at] >= 0x20 { at += 1 }
            return command(.text, start, start)
        case 0x10, 0x1B, 0x1C, 0x1D: return prefixed(start)
        default:
            at += 1
            return command(.control(bytes[start]), start, at)
        }
    }

    private mutating func prefixed(_ start: Int) -> EscPosCommand {
        let prefix = bytes[start]
        guard start + 1 < bytes.count else {
            at = bytes.count
            return command(.truncated(prefix, nil), start, at)
        }
        let code = bytes[start + 1]
        switch EscPosLengths.length(prefix, code, bytes[(start + 2)...]) {
        case .known(let length) where length <= bytes.count - start - 2:
            at = start + 2 + length
            return command(.command(prefix, code), start, start + 2)
        case .known, .endless:
            at = bytes.count
            return command(.truncated(prefix, code), start, start + 2)
        case .unknown:
            at = start + 2
            return command(.unknown(prefix, code), start, at)
        }
    }

    private func command(_ kind: EscPosCommand.Kind, _ start: Int, _ parameters: Int) -> EscPosCommand {
        EscPosCommand(kind: kind, parameters: bytes[parameters..<at], range: start..<at)
    }
}
