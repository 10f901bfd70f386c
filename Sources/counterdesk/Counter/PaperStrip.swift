// The paper that hangs out of the counter's printer: it grows by whole lines and is torn off at a cut.

import BoxFoundation
import ReceiptPrinting

/// A piece of paper as it looks now.
package struct PaperPiece: Equatable, Sendable {
    package var svg: String
    package var text: String

    package init(svg: String, text: String) {
        self.svg = svg
        self.text = text
    }
}

/// What the strip did.
package enum PaperChange: Equatable, Sendable {
    case grew(PaperPiece)
    /// Cut off, or torn off by hand.
    case torn(PaperPiece)
}

/// The paper that hangs out of the printer, as pieces of SVG and text.
package struct PaperStrip {
    /// Bytes of one piece at most; a longer one is torn.
    package static let mostBytes = 256 << 10

    private let profile: PrinterProfile
    private var bytes: [UInt8] = []
    /// Of `bytes`: as many as are lines on paper.
    private var shown = 0

    package init(_ profile: PrinterProfile) { self.profile = profile }

    /// - Parameter more: what came onto paper.
    package mutating func print(_ more: [UInt8]) -> [PaperChange] {
        guard !more.isEmpty else { return [] }
        bytes += more
        var changes: [PaperChange] = []
        while let end = endOfPiece { changes += tear(at: end) }
        guard let end = endOfLines, end > shown else { return changes }
        shown = end
        if let piece = piece(end) { changes.append(.grew(piece)) }
        return changes
    }

    /// A hand tears off what hangs out.
    package mutating func tear() -> [PaperChange] { bytes.isEmpty ? [] : tear(at: bytes.count) }

    private mutating func tear(at end: Int) -> [PaperChange] {
        defer {
            bytes.removeFirst(end)
            shown = 0
        }
        guard let piece = piece(end) else { return [] }
        return [.torn(piece)]
    }

    private func piece(_ end: Int) -> PaperPiece? {
        guard var printer = VirtualPrinter(profile: profile) else { return nil }
        printer.print(Array(bytes[..<end]))
        return PaperPiece(svg: printer.roll.svg(), text: printer.roll.text(showsCodes: true))
    }

    private var endOfPiece: Int? {
        commands.first { $0.isCut }?.range.upperBound ?? (bytes.count > Self.mostBytes ? bytes.count : nil)
    }

    private var endOfLines: Int? { commands.last { $0.movesPaper }?.range.upperBound }

    private var commands: [EscPosCommand] {
        guard var printer = VirtualPrinter(profile: profile) else { return [] }
        printer.print(bytes)
        return printer.commands
    }
}

extension EscPosCommand {
    /// `GS V`, `ESC i`, `ESC m`.
    fileprivate var isCut: Bool {
        switch kind {
        case .command(0x1D, UInt8(ascii: "V")), .command(0x1B, UInt8(ascii: "i")), .command(0x1B, UInt8(ascii: "m")):
            true
        default: false
        }
    }

    /// A line is on paper with it: line feeds, feeds, pictures and codes.
    fileprivate var movesPaper: Bool {
        switch kind {
        case .control(let byte): byte == 0x0A || byte == 0x0C
        case .command(0x1B, let code): "dJeK*".utf8.contains(code)
        case .command(0x1D, let code): "v(k/8".utf8.contains(code)
        default: false
        }
    }
}
