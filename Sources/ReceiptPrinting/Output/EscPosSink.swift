// A receipt as the bytes of one print job.

/// Writes ESC/POS for one printer. A job begins with a reset and the printer's mode commands, so that it prints the same
/// whatever was printed before, and ends with a line end, the feed to the cutter, and a cut where there is a cutter.
struct EscPosSink: PaperSink {
    private let profile: PrinterProfile
    private let encoding: PrinterEncoding
    private(set) var bytes: [UInt8] = []
    /// What is in force in the printer.
    private var style = TextStyle.normal
    private var page = -1
    private var hasCut = false

    init(profile: PrinterProfile, encoding: PrinterEncoding) {
        self.profile = profile
        self.encoding = encoding
        bytes.reserveCapacity(2048)
        reset()
    }

    /// ESC @ and what it forgets.
    private mutating func reset() {
        bytes += EscPos.reset
        bytes += profile.modeCommands
        style = .normal
        page = -1
        if !encoding.pages.isEmpty { select(page: 0) }
    }

    /// Ends the job; nothing is written after it.
    mutating func finish() {
        if !hasCut { cut() }
    }

    mutating func cut() {
        bytes += EscPos.feed(lines: profile.feedBeforeCut)
        bytes += EscPos.cut(profile.cutter)
        hasCut = true
    }

    // MARK: Text

    mutating func row(_ glyphs: [Glyph]) {
        hasCut = false
        for glyph in glyphs {
            if glyph.style != style { change(to: glyph.style) }
            if glyph.scalar < 0x80 {
                bytes.append(UInt8(glyph.scalar))
            } else {
                append(encoding.code(for: glyph.scalar))
            }
        }
        bytes.append(EscPos.lineFeed)
    }

    private mutating func append(_ code: PrinterEncoding.Code) {
        if code.page != page, !encoding.pages.isEmpty { select(page: code.page) }
        for i in 0..<code.count { bytes.append(code.byte(i)) }
    }

    private mutating func select(page: Int) {
        bytes += EscPos.codePage(encoding.pages[page].number)
        self.page = page
    }

    private mutating func change(to style: TextStyle) {
        if style.across != self.style.across || style.down != self.style.down {
            bytes += EscPos.size(style.across, style.down)
        }
        if style.isEmphasized != self.style.isEmphasized { bytes += EscPos.emphasis(style.isEmphasized) }
        if style.isInverted != self.style.isInverted { bytes += EscPos.inverse(style.isInverted) }
        if style.isUnderlined != self.style.isUnderlined {
            bytes += EscPos.underline(style.isUnderlined)
            if encoding.isMultibyte { bytes += EscPos.wideUnderline(style.isUnderlined) }
        }
        self.style = style
    }

    // MARK: Pictures and codes

    mutating func picture(base64: [UInt8], at place: PaperPlace) throws(SinkFault) {
        guard let png = Base64.bytes(base64) else { throw SinkFault(kind: .picture("it is not base64")) }
        let picture: GrayPicture
        do throws(PictureFault) {
            picture = try PNGReader.read(png)
        } catch {
            throw SinkFault(kind: .picture(error.what))
        }
        let fitted = picture.fitted(to: max(1, dots(place.width)))
        draw(fitted.isPhoto ? fitted.diffused() : fitted.thresholded(), at: place)
    }

    mutating func code(_ data: [UInt8], _ options: CodeOptions, at place: PaperPlace) throws(SinkFault) {
        guard options.symbology == .qrcode else { return try barcode(data, options, at: place) }
        guard let modules = QRSymbol.modules(of: data, level: options.level) else {
            throw SinkFault(kind: .code("\(data.count) bytes are no QR code; it holds 1 to \(QRSymbol.mostBytes)"))
        }
        let cell = min(options.cell, dots(place.width) / modules.width)
        guard cell > 0 else { throw SinkFault(kind: .code("it is wider than its line")) }
        if profile.hasQRCode {
            within(place) { $0.bytes += EscPos.qrCode(data, cell: cell, level: options.level) }
        } else {
            draw(QRSymbol.framed(modules, cell: cell, most: dots(place.width)), at: place)
        }
    }

    private mutating func barcode(_ data: [UInt8], _ options: CodeOptions, at place: PaperPlace) throws(SinkFault) {
        let code: Barcode
        do throws(BarcodeFault) {
            code = try Barcode(data, options.symbology)
        } catch {
            throw SinkFault(kind: .code(error.what))
        }
        let width = min(options.barWidth, dots(place.width) / code.modules)
        guard width > 0 else { throw SinkFault(kind: .code("it is wider than its line")) }
        if profile.hasBarcodes, width > 1, let command = EscPos.barcode(data, code, options, width: width) {
            within(place) { $0.bytes += command }
        } else {
            draw(code.bitmap(barWidth: width, height: options.barHeight), at: place)
            if options.isReadable { caption(code, width: width, at: place) }
        }
    }

    /// The data under bars that the box has drawn, in the middle of them.
    private mutating func caption(_ code: Barcode, width: Int, at place: PaperPlace) {
        let text = code.text.utf8.prefix(place.width)
        let bars = code.modules * width * profile.columns / profile.dots
        let free = max(0, place.width - bars)
        let left =
            switch place.alignment {
            case .left: 0
            case .center: free / 2
            case .right: free
            }
        let indent = min(max(0, left + (bars - text.count) / 2), place.width - text.count)
        row(Array(repeating: .space, count: place.left + indent) + text.map { Glyph(UInt32($0)) })
    }

    /// Lets the printer place what only it knows the width of.
    private mutating func within(_ place: PaperPlace, _ body: (inout EscPosSink) -> Void) {
        hasCut = false
        change(to: .normal)
        let isWhole = place.left == 0 && place.width == profile.columns
        if !isWhole { bytes += EscPos.leftMargin(dots(place.left)) + EscPos.areaWidth(dots(place.width)) }
        if place.alignment != .left { bytes += EscPos.alignment(place.alignment) }
        body(&self)
        if place.alignment != .left { bytes += EscPos.alignment(.left) }
        if !isWhole { bytes += EscPos.leftMargin(0) + EscPos.areaWidth(profile.dots) }
    }

    private func dots(_ columns: Int) -> Int { columns * profile.dots / profile.columns }

    private mutating func draw(_ bitmap: Bitmap, at place: PaperPlace) {
        hasCut = false
        change(to: .normal)
        let free = max(0, dots(place.width) - bitmap.width)
        let indent =
            switch place.alignment {
            case .left: 0
            case .center: free / 2
            case .right: free
            }
        RasterWriter.write(bitmap.indented(by: dots(place.left) + indent), profile, to: &bytes)
    }

    // MARK: Commands

    /// The printer's own commands, as they are; the state they leave is unknown, so the next line sets all of its own.
    mutating func command(_ text: [UInt8]) {
        hasCut = false
        change(to: .normal)
        // The markup is UTF-8; in a command `\xnn` is one byte.
        let command = String(decoding: text, as: UTF8.self).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        bytes += command
        if command.count >= 2, zip(command, command.dropFirst()).contains(where: { [$0, $1] == EscPos.reset }) {
            bytes += profile.modeCommands
            page = -1
            if !encoding.pages.isEmpty { select(page: 0) }
        }
    }
}
