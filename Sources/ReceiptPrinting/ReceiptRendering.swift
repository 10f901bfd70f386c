// `receipt render` and `receipt decode`: markup to bytes, text or a picture, and bytes back.

import BoxFoundation

/// A profile with what the command line says otherwise.
extension PrinterProfile {
    /// - Parameters:
    ///   - columns: 16 to 255; the paper is as many characters of 12 dots wide.
    ///   - encoding: what iconv calls it: a CJK encoding, or one code page.
    /// - Returns: nil where iconv does not know the encoding.
    package func with(columns: Int?, encoding: String?) -> PrinterProfile? {
        var profile = self
        if let columns {
            profile.columns = columns
            profile.dots = columns * 12
        }
        if let encoding {
            guard let made = PrinterEncoding(encoding) else { return nil }
            profile.encoding = made.isMultibyte ? encoding : nil
            profile.codePages = made.isMultibyte ? [] : [page(named: encoding)]
            // FS & and FS .: double-byte mode on or off.
            profile.modeCommands = [0x1C, made.isMultibyte ? 0x26 : 0x2E]
        }
        return profile
    }

    private func page(named name: String) -> PrinterEncoding.Page {
        let known = codePages.first { $0.name.lowercased() == name.lowercased() }
        return known ?? PrinterEncoding.Page(number: VirtualPrinterText.usualNumber(of: name), name: name)
    }
}

/// What `receipt render` and `receipt decode` do.
package enum ReceiptRendering {
    /// What a receipt is rendered as.
    package enum Form: String, CaseIterable, Sendable { case escpos, text, svg }

    /// What a printer's bytes are shown as.
    package enum DecodedForm: String, CaseIterable, Sendable { case text, svg, commands }

    /// Sets markup, or a template where there is data.
    ///
    /// - Parameter data: the template's; nil takes the source as markup, in which `{{` is a fault.
    package static func render(
        _ source: [UInt8], data: JSON?, as form: Form, with maker: ReceiptMaker
    ) throws(ReceiptFault) -> [UInt8] {
        let bytes = try maker.receipt(source: source, data: data, asText: form == .text)
        guard form == .svg else { return bytes }
        return try decode(bytes, as: .svg, with: maker.profile)
    }

    /// What the paper would show of printer bytes; commands are one a line with their place in the stream.
    package static func decode(
        _ bytes: [UInt8], as form: DecodedForm, with profile: PrinterProfile
    ) throws(ReceiptFault) -> [UInt8] {
        guard var printer = VirtualPrinter(profile: profile) else {
            throw ReceiptFault(.noEncoding(profile.encoding ?? ""), line: 0, column: 0)
        }
        printer.print(bytes)
        switch form {
        case .text: return Array(printer.roll.text(showsCodes: true).utf8)
        case .svg: return Array(printer.roll.svg().utf8)
        case .commands: return printer.commands.flatMap { Array(line(of: $0).utf8) }
        }
    }

    /// Bytes of a parameter list that are shown; a picture's are too many to read.
    private static let mostShown = 24

    /// `0000 ESC @`, `0004 text "AB"`, `0012 GS v 0 00 30 00 18 00 … 1152 bytes`.
    private static func line(of command: EscPosCommand) -> String {
        let place = String(command.range.lowerBound, radix: 16)
        var line = String(repeating: "0", count: max(0, 4 - place.utf8.count)) + place + " " + command.name
        switch command.kind {
        case .text: line += " " + printable(command.parameters)
        case .unknown: line += " (unknown)"
        case .truncated: line += " (the stream ends inside it)"
        default: break
        }
        if command.kind != .text {
            for byte in command.parameters.prefix(mostShown) { line += " " + Hex.text([byte]) }
            if command.parameters.count > mostShown { line += " … \(command.parameters.count) bytes" }
        }
        return line + "\n"
    }

    /// In quotes, or byte by byte where it is more than ASCII: what that says, the printer's state decides.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.allSatisfy { $0 < 0x80 }
            ? JSON.string(String(decoding: bytes, as: UTF8.self)).text
            : bytes.map { Hex.text([$0]) }.joined(separator: " ")
    }
}
