// Pictures that a printer takes as dots: GS v 0, GS ( L, ESC *, GS *.

/// What was stored to be printed by a later command.
struct StoredGraphics {
    var buffer: [Bitmap] = []
    var defined: Bitmap?
    var symbol = SymbolStore()
}

extension VirtualPrinter {
    /// `GS v 0 m xL xH yL yH data`.
    mutating func raster(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 6 else { return }
        let (bytesPerRow, rows) = (Int(p[2]) | Int(p[3]) << 8, Int(p[4]) | Int(p[5]) << 8)
        let bitmap = Bitmap(width: bytesPerRow * 8, height: rows, bits: p[6...])
        draw(bitmap.stretched(across: p[1] & 1 == 1 ? 2 : 1, down: p[1] & 2 == 2 ? 2 : 1))
    }

    /// The functions of `GS ( L` and `GS 8 L`: m, fn, then their own.
    mutating func graphics(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 2 else { return }
        switch p[1] {
        case 112 where p.count >= 10:
            let (width, rows) = (Int(p[6]) | Int(p[7]) << 8, Int(p[8]) | Int(p[9]) << 8)
            // No more rows than the data has: a header alone takes no memory.
            let bitmap = Bitmap(
                width: width, height: min(rows, (p.count - 10) / max(1, (width + 7) / 8)), bits: p[10...])
            graphics.buffer.append(bitmap.stretched(across: max(1, min(Int(p[3]), 2)), down: max(1, min(Int(p[4]), 2))))
        case 2, 50:
            for bitmap in graphics.buffer { draw(bitmap) }
            graphics.buffer = []
        default: break
        }
    }

    /// `ESC * m nL nH data`: columns of 8 or 24 dots inside the line.
    mutating func columnImage(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 3 else { return }
        let width = Int(p[1]) | Int(p[2]) << 8
        let parts = p[0] >= 32 ? 3 : 1
        var bitmap = Bitmap(width: width, height: parts * 8)
        for x in 0..<width {
            for part in 0..<parts {
                for bit in 0..<8 where p[3 + x * parts + part] >> (7 - UInt8(bit)) & 1 == 1 {
                    bitmap[x, part * 8 + bit] = true
                }
            }
        }
        let isDense = p[0] & 1 == 1
        placeInLine(bitmap.stretched(across: isDense ? 1 : 2, down: parts == 1 ? 3 : 1))
    }

    /// Column pictures stand in the line like characters and print with it.
    mutating func placeInLine(_ bitmap: Bitmap) {
        let x = state.advance(by: bitmap.width)
        state.lineHeight = max(state.lineHeight, bitmap.height)
        add(picture: bitmap, x: x)
    }

    /// `GS * x y data`: stored by columns, 8 dots a byte.
    mutating func define(_ p: ArraySlice<UInt8>) {
        let p = Array(p)
        guard p.count >= 2 else { return }
        let (width, height) = (Int(p[0]) * 8, Int(p[1]) * 8)
        var bitmap = Bitmap(width: width, height: height)
        for (i, byte) in p[2...].enumerated() {
            for bit in 0..<8 where byte >> (7 - UInt8(bit)) & 1 == 1 {
                bitmap[i / Int(p[1]), i % Int(p[1]) * 8 + bit] = true
            }
        }
        graphics.defined = bitmap
    }

    mutating func printDefined(_ mode: UInt8) {
        guard let bitmap = graphics.defined else { return }
        draw(bitmap.stretched(across: mode & 1 == 1 ? 2 : 1, down: mode & 2 == 2 ? 2 : 1))
    }

    /// Puts a picture below what stands in the line, at the alignment in force.
    mutating func draw(_ bitmap: Bitmap) {
        if state.isPending { endLine() }
        guard bitmap.width > 0, bitmap.height > 0 else { return }
        let x = state.leftMargin + state.indent(bitmap.width)
        add(picture: bitmap, x: x)
        move(by: bitmap.height)
    }
}

extension Bitmap {
    func stretched(across: Int, down: Int) -> Bitmap {
        if across == 1, down == 1 { return self }
        var large = Bitmap(width: width * across, height: height * down)
        for y in 0..<large.height {
            for x in 0..<large.width where self[x / across, y / down] { large[x, y] = true }
        }
        return large
    }
}
