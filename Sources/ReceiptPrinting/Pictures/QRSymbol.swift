// QR codes by libqrencode.

import CQRCode

/// A QR code's modules, of at most 2,953 bytes.
package enum QRSymbol {
    /// The modules of a code, one dot each, without a quiet zone.
    ///
    /// - Returns: nil where the data is empty or more than a code can hold.
    package static func modules(of data: [UInt8], level: CodeOptions.Level) -> Bitmap? {
        guard !data.isEmpty, data.count <= mostBytes else { return nil }
        guard let code = QRcode_encodeData(Int32(data.count), data, 0, correction(level)) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        var modules = Bitmap(width: width, height: width)
        for y in 0..<width {
            for x in 0..<width where code.pointee.data[y * width + x] & 1 == 1 { modules[x, y] = true }
        }
        return modules
    }

    /// The most modules that a side of a code with this data has, without working the code out.
    ///
    /// - Returns: nil for longer data: only the code itself tells.
    static func mostWidth(of data: [UInt8]) -> Int? {
        bytesAtHighest.firstIndex { data.count <= $0 }.map { 21 + 4 * $0 }
    }

    /// Bytes that versions 1 to 10 hold at level H (ISO/IEC 18004, table 7).
    private static let bytesAtHighest = [7, 14, 24, 34, 44, 58, 64, 84, 98, 119]

    /// Version 40 at its lowest correction (ISO/IEC 18004).
    package static let mostBytes = 2953

    /// White modules that a reader needs around a code (ISO/IEC 18004).
    package static let quietZone = 4

    private static func correction(_ level: CodeOptions.Level) -> QRecLevel {
        switch level {
        case .l: QR_ECLEVEL_L
        case .m: QR_ECLEVEL_M
        case .q: QR_ECLEVEL_Q
        case .h: QR_ECLEVEL_H
        }
    }
}

extension QRSymbol {
    /// Enlarged, with as much of the quiet zone as `most` dots leave room for.
    static func framed(_ modules: Bitmap, cell: Int, most: Int) -> Bitmap {
        let large = modules.enlarged(by: cell)
        let side = min(quietZone * cell, (most - large.width) / 2)
        let above = quietZone * cell
        var framed = Bitmap(width: large.width + 2 * side, height: large.height + 2 * above)
        for y in 0..<large.height {
            for x in 0..<large.width where large[x, y] { framed[side + x, above + y] = true }
        }
        return framed
    }
}
