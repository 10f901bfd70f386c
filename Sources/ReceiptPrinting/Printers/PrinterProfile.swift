// A kind of receipt printer as data (`Resources/printers/*.json`): what it prints, how fast, and what it can confirm.

/// The shape is that of the public escpos-printer-db profiles, with what Chinese counter printers need beside it;
/// `docs/receipts.md` lists every name.
package struct PrinterProfile: Equatable, Sendable {
    /// What the printer can say about a job that it was sent.
    package enum Confirmation: String, CaseIterable, Sendable {
        /// Nothing: a job that has drained counts as sent.
        case none
        /// It echoes a process id once everything before it is printed (`GS ( H`).
        case processID
        /// It answers a status question after the job only when the job is printed (`DLE EOT`, `GS r`).
        case statusAfterDrain
    }

    /// What the printer can cut.
    package enum Cutter: String, CaseIterable, Sendable { case none, partial, full }

    /// Which commands draw dots.
    package enum Raster: String, CaseIterable, Sendable {
        /// `GS v 0`, the one that nearly all know.
        case raster
        /// `GS ( L`, buffered graphics.
        case graphics
        /// `ESC *`, lines of 24 dots.
        case column
    }

    /// The name that the configuration gives, `generic-58mm`.
    package var id: String
    /// For people.
    package var name: String

    /// Characters of normal size in a line, 16 to 255.
    package var columns: Int
    /// Dots in a line.
    package var dots: Int
    /// Dots to the inch.
    package var resolution: Int
    /// What iconv calls the encoding of a CJK printer; nil where the printer has `codePages` only.
    package var encoding: String?
    /// The pages that a Western printer switches between, in the order of preference.
    package var codePages: [PrinterEncoding.Page]
    /// Bytes sent right after every reset: Chinese mode on or off, the international character set.
    package var modeCommands: [UInt8]

    package var cutter: Cutter
    /// Lines fed at the end of a job, so that the last one is past the cutter or the tear bar.
    package var feedBeforeCut: Int
    package var hasQRCode: Bool
    package var hasBarcodes: Bool
    package var raster: Raster
    /// The most rows of one picture command.
    package var stripHeight: Int

    /// Bytes a second that it prints for certain.
    package var pace: Int
    /// Bytes that it can hold unprinted.
    package var buffer: Int
    /// The Bluetooth serial port channel where the printer's own record can't be asked, 1 to 30.
    package var rfcommChannel: Int
    package var pin: String?
    package var confirms: Confirmation
    /// Whether it answers `DLE EOT`; some print the question.
    package var statusQueries: Bool
    /// The pulse that opens a cash drawer, the sound of a buzzer; empty where there is none.
    package var drawerCommand: [UInt8]
    package var buzzerCommand: [UInt8]

    /// The encoding that the text of receipts is written in.
    package func makeEncoding() -> PrinterEncoding? {
        if let encoding { return PrinterEncoding(encoding) }
        return PrinterEncoding(pages: codePages)
    }
}

/// A profile that can't be used.
package struct PrinterProfileFault: Error, Equatable, Sendable {
    /// The file, `printers/generic-58mm.json`.
    package var file: String
    /// From 1; nil where the file itself is missing.
    package var line: Int?
    /// What is wrong and what to do.
    package var what: String

    package init(file: String, line: Int?, what: String) {
        self.file = file
        self.line = line
        self.what = what
    }

    /// `printers/x.json, line 4: …`.
    package var message: String { line.map { "\(file), line \($0): \(what)" } ?? "\(file): \(what)" }
}
