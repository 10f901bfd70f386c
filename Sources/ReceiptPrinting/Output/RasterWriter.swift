// A bitmap as the picture commands that a printer knows, in strips that it can hold.

enum RasterWriter {
    static func write(_ bitmap: Bitmap, _ profile: PrinterProfile, to bytes: inout GrowingBuffer<UInt8>) {
        if profile.raster == .column { return writeColumns(bitmap, to: &bytes) }
        let strip = rowsInStrip(bitmap.bytesPerRow, profile)
        for start in stride(from: 0, to: bitmap.height, by: strip) {
            let rows = start..<min(bitmap.height, start + strip)
            let data = bitmap.rows(rows)
            if profile.raster == .graphics {
                bytes.append(EscPos.graphics(width: bitmap.width, rows: rows.count, bytes: data.count))
                bytes.append(data)
                bytes.append(EscPos.printGraphics)
            } else {
                bytes.append(EscPos.raster(bytesPerRow: bitmap.bytesPerRow, rows: rows.count))
                bytes.append(data)
            }
        }
    }

    /// Never over the profile's strip, a byte's count (field report 54) or half of the printer's buffer.
    private static func rowsInStrip(_ bytesPerRow: Int, _ profile: PrinterProfile) -> Int {
        max(1, min(profile.stripHeight, 255, profile.buffer / 2 / max(bytesPerRow, 1)))
    }

    /// Lines of 24 dots, the paper moved by just as much.
    private static func writeColumns(_ bitmap: Bitmap, to bytes: inout GrowingBuffer<UInt8>) {
        bytes.append(EscPos.lineSpacing(dots: 24))
        for top in stride(from: 0, to: bitmap.height, by: 24) {
            bytes.append(EscPos.columns24(bitmap.width))
            for x in 0..<bitmap.width {
                for part in 0..<3 {
                    var byte: UInt8 = 0
                    for bit in 0..<8 {
                        let y = top + part * 8 + bit
                        if y < bitmap.height, bitmap[x, y] { byte |= 0x80 >> UInt8(bit) }
                    }
                    bytes.append(byte)
                }
            }
            bytes.append(EscPos.lineFeed)
        }
        bytes.append(EscPos.defaultLineSpacing)
    }
}
