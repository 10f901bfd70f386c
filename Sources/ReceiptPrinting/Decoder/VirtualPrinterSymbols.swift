// Codes that a printer draws from their data: GS k, GS ( k.

/// What `GS ( k` has set up.
struct SymbolStore {
    var cell = 3
    var level = CodeOptions.Level.l
    var data: [UInt8] = []
    var other: [UInt8] = []
}

extension VirtualPrinter {
    /// `GS k m …`, in its form that ends with NUL and its form with a length.
    mutating func barcode(_ p: ArraySlice<UInt8>) {
        guard let kind = p.first else { return }
        let data = kind >= 65 ? Array(p.dropFirst(2)) : Array(p.dropFirst().dropLast())
        let kinds: [CodeOptions.Symbology] = [.upc, .upc, .ean, .ean, .code39, .itf, .codabar, .code93, .code128]
        let index = Int(kind >= 65 ? kind - 65 : kind)
        guard index < kinds.count else { return note("barcode of kind \(kind)") }
        let symbology = kinds[index]
        let content = symbology == .code128 ? Code128Printed(data) : Code128Printed(plain: data)
        guard let code = (try? content.code(symbology)) ?? withCheckDigit(data, symbology) else {
            return note("\(symbology.rawValue) that is none: \(printable(data))")
        }
        let bars = code.bitmap(barWidth: state.barWidth, height: state.barHeight)
        drawBarcode(bars, name: symbology.rawValue, text: code.text)
    }

    /// A wrong check digit is printed all the same, put right.
    private func withCheckDigit(_ data: [UInt8], _ symbology: CodeOptions.Symbology) -> Barcode? {
        guard symbology == .ean || symbology == .upc else { return nil }
        return try? Barcode(Array(data.dropLast()), symbology)
    }

    private mutating func drawBarcode(_ bars: Bitmap, name: String, text: String) {
        if state.isPending { endLine() }
        let x = state.leftMargin + state.indent(bars.width)
        let middle = x + bars.width / 2
        if state.barText & 1 == 1 { caption(text, middle: middle) }
        add(code: name, text, bars, x: x)
        if state.barText & 2 == 2 { caption(text, middle: middle) }
    }

    /// What stands above or under bars is part of the code, not a line of text: it is drawn, and read with the code.
    private mutating func caption(_ text: String, middle: Int) {
        let x = max(0, middle - text.unicodeScalars.count * 6)
        roll.captions.append(PaperRoll.Caption(text: text, x: x, y: state.y))
        note(text)
        move(by: VirtualPrinterState.cellHeight)
    }

    /// `GS ( k`: cn, fn, then the function's own.
    mutating func symbol(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 2 else { return }
        guard p[0] == 49 else { return otherSymbol(p) }
        switch p[1] {
        case 67: graphics.symbol.cell = min(max(1, Int(p.count > 2 ? p[2] : 3)), 16)
        case 69: graphics.symbol.level = [.l, .m, .q, .h][Int((p.count > 2 ? p[2] : 48) & 3)]
        case 80: graphics.symbol.data = Array(p.dropFirst(3))
        case 81: drawQRCode()
        default: break
        }
    }

    private mutating func drawQRCode() {
        let symbol = graphics.symbol
        guard let modules = QRSymbol.modules(of: symbol.data, level: symbol.level) else {
            return note("QR code without data")
        }
        if state.isPending { endLine() }
        let picture = modules.enlarged(by: symbol.cell)
        let x = state.leftMargin + state.indent(picture.width)
        add(code: "QR", printable(symbol.data), picture, x: x)
    }

    /// PDF417 and the rest of the family: told in words, not drawn.
    private mutating func otherSymbol(_ p: [UInt8]) {
        if p[1] == 80 { graphics.symbol.other = Array(p.dropFirst(3)) }
        guard p[1] == 81 else { return }
        let text = (p[0] == 48 ? "PDF417 " : "2D code \(p[0]) ") + printable(graphics.symbol.other)
        if state.isPending { endLine() }
        let half = (text.unicodeScalars.count + 2) * 6
        caption("[\(text)]", middle: state.leftMargin + state.indent(2 * half) + half)
    }

    private func printable(_ data: [UInt8]) -> String {
        String(decoding: data, as: UTF8.self).unicodeScalars
            .reduce(into: "") { $0.unicodeScalars.append($1.value < 0x20 || $1.value == 0x7F ? "." : $1) }
    }
}

/// The data of `GS k 73`, in which `{A`, `{B` and `{C` switch the code set.
private struct Code128Printed {
    private let data: [UInt8]
    private let isCoded: Bool

    init(_ data: [UInt8]) {
        self.data = data
        isCoded = data.first == 0x7B
    }

    init(plain data: [UInt8]) {
        self.data = data
        isCoded = false
    }

    func code(_ symbology: CodeOptions.Symbology) throws(BarcodeFault) -> Barcode {
        isCoded ? try coded() : try Barcode(data, symbology)
    }

    private func coded() throws(BarcodeFault) -> Barcode {
        var values: [Int] = []
        var text = ""
        var set = Code128.CodeSet.b
        var i = 0
        while i < data.count {
            if data[i] == 0x7B, i + 1 < data.count, let next = Self.set(data[i + 1]) {
                set = next
                values.append(values.isEmpty ? Code128.start(set) : Code128.change(set))
                i += 2
                continue
            }
            if data[i] == 0x7B { i += 1 }
            guard i < data.count else { break }
            append(data[i], set, &values, &text)
            i += 1
        }
        guard values.count > 1, values.allSatisfy({ (0...105).contains($0) }) else {
            throw BarcodeFault(what: "no Code 128")
        }
        return Barcode(widths: Code128.widths(values), text: text)
    }

    private static func set(_ letter: UInt8) -> Code128.CodeSet? {
        switch letter {
        case 0x41: .a
        case 0x42: .b
        case 0x43: .c
        default: nil
        }
    }

    private func append(_ byte: UInt8, _ set: Code128.CodeSet, _ values: inout [Int], _ text: inout String) {
        switch set {
        case .c:
            values.append(Int(byte))
            text += byte < 10 ? "0\(byte)" : "\(byte)"
        default:
            values.append(byte < 0x20 ? Int(byte) + 64 : Int(byte) - 32)
            if (0x20..<0x7F).contains(byte) { text.unicodeScalars.append(UnicodeScalar(byte)) }
        }
    }
}
