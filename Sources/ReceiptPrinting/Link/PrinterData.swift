// A receipt for the link: its bytes, and where between them the printer may be asked something.

/// A receipt's bytes, and the places between commands at which the printer may be asked something.
package struct PrinterData: Equatable, Sendable {
    package var bytes: [UInt8]
    /// Offsets, ascending, at which a command has ended and the next has not begun: only there may a status question come
    /// between. A question inside of a command would be taken for its data. Start and end need not be listed.
    package var breaks: [Int]

    package init(_ bytes: [UInt8], breaks: [Int]) {
        self.bytes = bytes
        self.breaks = breaks
    }

    /// Finds the breaks: after each line, and after each command that is long, such as the strip of a picture. Behind a
    /// command that is not known, nothing is certain any more, and there are none.
    package init(_ bytes: [UInt8]) {
        self.init(bytes, breaks: Self.breaks(in: bytes))
    }

    /// Bytes from which on a command is long.
    private static let longCommand = 64

    private static func breaks(in bytes: [UInt8]) -> [Int] {
        var breaks: [Int] = []
        var reader = EscPosReader(bytes)
        while let command = reader.next() {
            switch command.kind {
            case .control(0x0A): breaks.append(command.range.upperBound)
            case .command where command.range.count >= longCommand: breaks.append(command.range.upperBound)
            case .unknown, .truncated: return breaks
            case .text, .control, .command: break
            }
        }
        return breaks
    }
}
