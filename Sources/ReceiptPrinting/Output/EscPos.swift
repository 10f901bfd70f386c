// The printer commands that the box writes and the decoder reads, by the names of Epson's ESC/POS reference.

enum EscPos {
    static let escape: UInt8 = 0x1B
    static let group: UInt8 = 0x1D
    static let file: UInt8 = 0x1C
    static let lineFeed: UInt8 = 0x0A

    /// A command of up to eight bytes, without an array of its own.
    struct Short: Sequence {
        private let bits: UInt64
        private let count: Int

        init(_ a: UInt8, _ b: UInt8) { self.init(UInt64(a) | UInt64(b) << 8, 2) }

        init(_ a: UInt8, _ b: UInt8, _ c: UInt8) { self.init(UInt64(a) | UInt64(b) << 8 | UInt64(c) << 16, 3) }

        /// Two bytes and a number of two bytes, the lower first.
        init(_ a: UInt8, _ b: UInt8, word: Int) {
            self.init(UInt64(a) | UInt64(b) << 8 | UInt64(UInt16(truncatingIfNeeded: word)) << 16, 4)
        }

        private init(_ bits: UInt64, _ count: Int) {
            self.bits = bits
            self.count = count
        }

        static let none = Short(0, 0 as Int)

        func makeIterator() -> Iterator { Iterator(bits: bits, left: count) }

        struct Iterator: IteratorProtocol {
            fileprivate var bits: UInt64
            fileprivate var left: Int

            mutating func next() -> UInt8? {
                guard left > 0 else { return nil }
                defer { (bits, left) = (bits >> 8, left - 1) }
                return UInt8(truncatingIfNeeded: bits)
            }
        }
    }

    /// ESC @
    static let reset: [UInt8] = [0x1B, 0x40]
    /// ESC E
    static func emphasis(_ on: Bool) -> Short { Short(0x1B, 0x45, on ? 1 : 0) }
    /// ESC -
    static func underline(_ on: Bool) -> Short { Short(0x1B, 0x2D, on ? 1 : 0) }
    /// FS -, which Chinese characters have for themselves.
    static func wideUnderline(_ on: Bool) -> Short { Short(0x1C, 0x2D, on ? 1 : 0) }
    /// GS B
    static func inverse(_ on: Bool) -> Short { Short(0x1D, 0x42, on ? 1 : 0) }
    /// GS !
    static func size(_ across: Int, _ down: Int) -> Short { Short(0x1D, 0x21, UInt8((across - 1) << 4 | (down - 1))) }
    /// ESC t
    static func codePage(_ number: UInt8) -> Short { Short(0x1B, 0x74, number) }
    /// ESC a
    static func alignment(_ alignment: HorizontalAlignment) -> Short {
        Short(0x1B, 0x61, alignment == .left ? 0 : alignment == .center ? 1 : 2)
    }
    /// ESC d
    static func feed(lines: Int) -> Short { Short(0x1B, 0x64, UInt8(clamping: lines)) }
    /// GS V
    static func cut(_ cutter: PrinterProfile.Cutter) -> Short {
        switch cutter {
        case .none: .none
        case .partial: Short(0x1D, 0x56, 1)
        case .full: Short(0x1D, 0x56, 0)
        }
    }
    /// GS L
    static func leftMargin(_ dots: Int) -> Short { Short(0x1D, 0x4C, word: dots) }
    /// GS W
    static func areaWidth(_ dots: Int) -> Short { Short(0x1D, 0x57, word: dots) }

    /// GS v 0
    static func raster(bytesPerRow: Int, rows: Int) -> [UInt8] {
        [0x1D, 0x76, 0x30, 0] + word(bytesPerRow) + word(rows)
    }
    /// GS ( L, functions 112 and 50: store, then print.
    static func graphics(width: Int, rows: Int, bytes: Int) -> [UInt8] {
        [0x1D, 0x28, 0x4C] + word(bytes + 10) + [0x30, 0x70, 0x30, 1, 1, 0x31] + word(width) + word(rows)
    }
    static let printGraphics: [UInt8] = [0x1D, 0x28, 0x4C, 2, 0, 0x30, 0x32]
    /// ESC * in its mode of 24 dots a column.
    static func columns24(_ width: Int) -> [UInt8] { [0x1B, 0x2A, 33] + word(width) }
    /// ESC 3
    static func lineSpacing(dots: UInt8) -> Short { Short(0x1B, 0x33, dots) }
    /// ESC 2
    static let defaultLineSpacing: [UInt8] = [0x1B, 0x32]

    /// GS ( k for a QR code of model 2: model, cell, level, data, print.
    static func qrCode(_ data: [UInt8], cell: Int, level: CodeOptions.Level) -> [UInt8] {
        let digit: UInt8 =
            switch level {
            case .l: 48
            case .m: 49
            case .q: 50
            case .h: 51
            }
        var bytes: [UInt8] = [0x1D, 0x28, 0x6B, 4, 0, 0x31, 0x41, 0x32, 0]
        bytes += [0x1D, 0x28, 0x6B, 3, 0, 0x31, 0x43, UInt8(cell)]
        bytes += [0x1D, 0x28, 0x6B, 3, 0, 0x31, 0x45, digit]
        bytes += [0x1D, 0x28, 0x6B] + word(data.count + 3) + [0x31, 0x50, 0x30] + data
        return bytes + [0x1D, 0x28, 0x6B, 3, 0, 0x31, 0x51, 0x30]
    }

    /// GS h, GS w, GS H, then GS k in its form with a length.
    ///
    /// - Returns: nil where the printer's form can't hold the data.
    static func barcode(_ data: [UInt8], _ code: Barcode, _ options: CodeOptions, width: Int) -> [UInt8]? {
        guard let (kind, content) = barcodeData(data, code, options.symbology), content.count <= 255 else { return nil }
        var bytes: [UInt8] = [0x1D, 0x68, UInt8(options.barHeight), 0x1D, 0x77, UInt8(width)]
        bytes += [0x1D, 0x48, options.isReadable ? 2 : 0]
        return bytes + [0x1D, 0x6B, kind, UInt8(content.count)] + content
    }

    private static func barcodeData(
        _ data: [UInt8], _ code: Barcode, _ symbology: CodeOptions.Symbology
    ) -> (UInt8, [UInt8])? {
        let text = Array(code.text.utf8)
        switch symbology {
        case .upc: return text.count == 12 ? (65, text) : (66, text)
        case .ean: return text.count == 13 ? (67, text) : (68, text)
        case .code39: return (69, text)
        case .itf: return (70, text)
        case .codabar: return (71, text)
        case .code93: return (72, data)
        case .code128: return (73, Code128.printerData(data))
        case .qrcode: return nil
        }
    }

    /// Two bytes, the lower first.
    static func word(_ n: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: n), UInt8(truncatingIfNeeded: n >> 8)] }
}
