// Linear barcodes as widths of bars and spaces, each from its standard. Used where the box draws the code itself, and by
// the virtual printer.

/// A code ready to draw.
package struct Barcode: Equatable, Sendable {
    /// Bar, space, bar, … in modules; begins and ends with a bar.
    package var widths: [UInt8]
    /// What is printed under the bars.
    package var text: String

    /// - Throws: what the data lacks, in words.
    package init(_ data: [UInt8], _ symbology: CodeOptions.Symbology) throws(BarcodeFault) {
        guard !data.isEmpty, data.count <= Self.mostBytes else {
            throw BarcodeFault(what: "a barcode holds 1 to \(Self.mostBytes) bytes")
        }
        switch symbology {
        case .upc: self = try EANCode.upc(data)
        case .ean: self = try EANCode.ean(data)
        case .code39: self = try TwoWidthCode.code39(data)
        case .itf: self = try TwoWidthCode.interleaved(data)
        case .codabar: self = try TwoWidthCode.codabar(data)
        case .code93: self = try Code93.code(data)
        case .code128: self = try Code128.code(data)
        case .qrcode: throw BarcodeFault(what: "a QR code is no barcode")
        }
    }

    init(widths: [UInt8], text: String) {
        self.widths = widths
        self.text = text
    }

    /// Of the data of one code; what does not fit the paper is a fault of its own.
    package static let mostBytes = 255

    /// Modules of the whole code.
    package var modules: Int { widths.reduce(0) { $0 + Int($1) } }

    /// - Parameters:
    ///   - barWidth: dots of a module.
    ///   - height: dots.
    package func bitmap(barWidth: Int, height: Int) -> Bitmap {
        var row = Bitmap(width: modules * barWidth, height: 1)
        var x = 0
        for (i, width) in widths.enumerated() {
            for _ in 0..<Int(width) * barWidth {
                if i % 2 == 0 { row[x, 0] = true }
                x += 1
            }
        }
        return Bitmap(
            width: row.width, height: height, bits: Array(repeatElement(row.bits, count: height).joined()))
    }

    /// Runs of equal bits of a pattern, the highest first.
    static func runs(of pattern: UInt16, bits: Int) -> [UInt8] {
        var runs: [UInt8] = []
        var last: UInt16 = 0
        for bit in (0..<bits).reversed() {
            let value = pattern >> UInt16(bit) & 1
            if runs.isEmpty || value != last { runs.append(1) } else { runs[runs.count - 1] += 1 }
            last = value
        }
        return runs
    }
}

/// What data a code cannot hold.
package struct BarcodeFault: Error, Equatable, Sendable {
    package var what: String

    package init(what: String) { self.what = what }
}
