// Whoever is at the other end of the cable.

import BoxFoundation
import ServiceConsole

enum ConsoleSubjects {
    /// Any bytes, with answers that repeat what was said: what goes to the terminal holds no control sign but line ends, the
    /// bell, the backspace and the editor's own sequences.
    static func console(_ bytes: [UInt8]) {
        var console = ServiceConsole(greeting: "counterbox")
        show(console.opened())
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let piece = Array(bytes[start..<min(start + 16, bytes.count)])
            let outputs = console.received(piece)
            show(outputs)
            for case .command(let command, let request) in outputs {
                let said = String(decoding: piece, as: UTF8.self)
                show(console.reply(ConsoleReply([said, "\(command)"]), to: request))
            }
        }
        show(console.closed())
    }

    private static func show(_ outputs: [ConsoleOutput]) {
        for case .write(let bytes) in outputs {
            guard let text = String(validating: bytes, as: UTF8.self) else { preconditionFailure("not UTF-8") }
            for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
                let isUsual = [0x07, 0x08, 0x0A, 0x0D, 0x1B].contains(scalar.value)
                precondition(isUsual, "a control sign goes to the terminal")
            }
        }
    }
}
