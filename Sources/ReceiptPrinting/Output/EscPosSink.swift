// A receipt as the bytes of one print job.

/// Writes ESC/POS for one printer. A job begins with a reset and the printer's mode commands, so that it prints the same
/// whatever was printed before, and ends with a line end, the feed to the cutter, and a cut where there is a cutter.
struct EscPosSink: PaperSink, ~Copyable {
    private let profile: PrinterProfile
    private let encoding: PrinterEncoding
    private let isMultibyte: Bool
    private let hasPages: Bool
    private var bytes = GrowingBuffer<UInt8>(capacity: 2048)
    /// What is in force in the printer.
    private var style = TextStyle.normal
    /// The first page, which a reset selects; without pages it means nothing.
    private var page = 0
    private var hasCut = false
    /// Signs of the receipt that the printer lacks, each once, at most `mostLacking`.
    private(set) var lacking: [UInt32] = []
    static let mostLacking = 16
    /// Bytes of one job: some minutes of paper. A small picture file can stand for a very long picture.
    static let mostBytes = 1 << 20

    init(profile: PrinterProfile, encoding: PrinterEncoding) {
        self.profile = profile
        self.encoding = encoding
        isMultibyte = encoding.isMultibyte
        hasPages = !encoding.pages.isEmpty
        bytes.append(EscPos.reset)
        bytes.append(Self.modes(profile, encoding))
    }

    /// What a reset makes the printer forget (field reports 41 to 43).
    private static func modes(_ profile: PrinterProfile, _ encoding: PrinterEncoding) -> [UInt8] {
        profile.modeCommands + (encoding.pages.first.map { Array(EscPos.codePage($0.number)) } ?? [])
    }

    /// Ends the job.
    ///
    /// - Returns: all of its bytes.
    consuming func finish() -> [UInt8] {
        if !hasCut { cut() }
        return Array(bytes.elements)
    }

    mutating func cut() {
        bytes.append(EscPos.feed(lines: profile.feedBeforeCut))
        bytes.append(EscPos.cut(profile.cutter))
        hasCut = true
    }

    // MARK: Text

    mutating func row(_ glyphs: UnsafeBufferPointer<Glyph>) {
        hasCut = false
        for glyph in glyphs {
            if glyph.style != style { change(to: glyph.style) }
            if glyph.scalar < 0x80 {
                bytes.append(UInt8(glyph.scalar))
            } else {
                append(glyph.scalar)
            }
        }
        bytes.append(EscPos.lineFeed)
    }

    private mutating func append(_ scalar: UInt32) {
        let code = encoding.code(for: scalar)
        if code.isStandIn, lacking.count < Self.mostLacking, !lacking.contains(scalar) { lacking.append(scalar) }
        if hasPages, code.page != page, !code.isStandIn { select(page: code.page) }
        for i in 0..<code.count { bytes.append(code.byte(i)) }
    }

    private mutating func select(page: Int) {
        bytes.append(EscPos.codePage(encoding.pages[page].number))
        self.page = page
    }

    private mutating func change(to style: TextStyle) {
        if style.across != self.style.across || style.down != self.style.down {
            bytes.append(EscPos.size(style.across, style.down))
        }
        if style.isEmphasized != self.style.isEmphasized { bytes.append(EscPos.emphasis(style.isEmphasized)) }
        if style.isInverted != self.style.isInverted { bytes.append(EscPos.inverse(style.isInverted)) }
        if style.isUnderlined != self.style.isUnderlined {
            bytes.append(EscPos.underline(style.isUnderlined))
            if isMultibyte { bytes.append(EscPos.wideUnderline(style.isUnderlined)) }
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
        if let fault = lengthFault { throw SinkFault(kind: fault) }
    }

    /// Why the job is too long, if it is.
    var lengthFault: ReceiptFault.Kind? {
        bytes.count > Self.mostBytes ? .tooLong("the receipt is over \(Self.mostBytes) bytes for the printer") : nil
    }

    mutating func code(_ data: [UInt8], _ options: CodeOptions, at place: PaperPlace) throws(SinkFault) {
        guard options.symbology == .qrcode else { return try barcode(data, options, at: place) }
        let room = dots(place.width)
        if profile.hasQRCode, let most = QRSymbol.mostWidth(of: data), !data.isEmpty, most * options.cell <= room {
            return nativeQR(data, options, cell: options.cell, at: place)
        }
        guard let modules = QRSymbol.modules(of: data, level: options.level) else {
            throw SinkFault(kind: .code("\(data.count) bytes are no QR code; it holds 1 to \(QRSymbol.mostBytes)"))
        }
        let cell = min(options.cell, room / modules.width)
        guard cell > 0 else { throw SinkFault(kind: .code("it is wider than its line")) }
        if profile.hasQRCode {
            nativeQR(data, options, cell: cell, at: place)
        } else {
            draw(QRSymbol.framed(modules, cell: cell, most: room), at: place)
        }
    }

    private mutating func nativeQR(_ data: [UInt8], _ options: CodeOptions, cell: Int, at place: PaperPlace) {
        within(place) { $0.bytes.append(EscPos.qrCode(data, cell: cell, level: options.level)) }
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
            within(place) { $0.bytes.append(command) }
        } else {
            draw(code.bitmap(barWidth: width, height: options.barHeight), at: place)
            if options.isReadable { caption(code, width: width, at: place) }
        }
    }

    /// The data under bars that the box has drawn, in the middle of them.
    private mutating func caption(_ code: Barcode, width: Int, at place: PaperPlace) {
        let text = code.text.utf8.prefix(place.width)
        let bars = code.modules * width * profile.columns / profile.dots
        let left = place.alignment.indent(place.width - bars)
        let indent = min(max(0, left + (bars - text.count) / 2), place.width - text.count)
        row(Array(repeating: .space, count: place.left + indent) + text.map { Glyph(UInt32($0)) })
    }

    /// Lets the printer place what only it knows the width of.
    private mutating func within(_ place: PaperPlace, _ body: (inout EscPosSink) -> Void) {
        hasCut = false
        change(to: .normal)
        let isWhole = place.left == 0 && place.width == profile.columns
        if !isWhole { margins(left: dots(place.left), width: dots(place.width)) }
        if place.alignment != .left { bytes.append(EscPos.alignment(place.alignment)) }
        body(&self)
        if place.alignment != .left { bytes.append(EscPos.alignment(.left)) }
        if !isWhole { margins(left: 0, width: profile.dots) }
    }

    private mutating func margins(left: Int, width: Int) {
        bytes.append(EscPos.leftMargin(left))
        bytes.append(EscPos.areaWidth(width))
    }

    private func dots(_ columns: Int) -> Int { columns * profile.dots / profile.columns }

    /// On the whole line the printer aligns a picture; in a part of it white dots do, which every printer knows.
    private mutating func draw(_ bitmap: Bitmap, at place: PaperPlace) {
        let profile = profile
        if place.left == 0, place.width == profile.columns {
            return within(place) { RasterWriter.write(bitmap, profile, to: &$0.bytes) }
        }
        hasCut = false
        change(to: .normal)
        let indent = place.alignment.indent(dots(place.width) - bitmap.width)
        RasterWriter.write(bitmap.indented(by: dots(place.left) + indent), profile, to: &bytes)
    }

    // MARK: Commands

    /// The printer's own commands, as they are; the state they leave is unknown, so the next line sets all of its own.
    mutating func command(_ text: [UInt8]) {
        hasCut = false
        change(to: .normal)
        // The markup is UTF-8; in a command `\xnn` is one byte.
        let command = String(decoding: text, as: UTF8.self).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        bytes.append(command)
        if command.count >= 2, zip(command, command.dropFirst()).contains(where: { [$0, $1] == EscPos.reset }) {
            bytes.append(Self.modes(profile, encoding))
            page = 0
        }
    }
}
