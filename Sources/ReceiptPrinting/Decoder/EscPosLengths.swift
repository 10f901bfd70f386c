// How many bytes belong to each ESC/POS command (Epson's reference; the buzzer and cutter forms of other makers too).

enum EscPosLengths {
    enum Length: Equatable {
        /// Bytes after the command's own two.
        case known(Int)
        /// More than the stream has.
        case endless
        case unknown
    }

    static func length(_ prefix: UInt8, _ code: UInt8, _ rest: ArraySlice<UInt8>) -> Length {
        switch prefix {
        case 0x1B: escape(code, rest)
        case 0x1D: group(code, rest)
        case 0x1C: file(code, rest)
        default: dataLink(code, rest)
        }
    }

    // MARK: ESC

    private static func escape(_ code: UInt8, _ rest: ArraySlice<UInt8>) -> Length {
        switch code {
        case UInt8(ascii: "@"), UInt8(ascii: "2"), UInt8(ascii: "i"), UInt8(ascii: "m"), UInt8(ascii: "S"),
            UInt8(ascii: "L"), UInt8(ascii: "<"), UInt8(ascii: "v"), 0x0C:
            return .known(0)
        case UInt8(ascii: "!"), UInt8(ascii: "-"), UInt8(ascii: "E"), UInt8(ascii: "G"), UInt8(ascii: "M"),
            UInt8(ascii: "a"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "J"), UInt8(ascii: "K"),
            UInt8(ascii: "3"), UInt8(ascii: "t"), UInt8(ascii: "R"), UInt8(ascii: "{"), UInt8(ascii: "V"),
            UInt8(ascii: "r"), UInt8(ascii: "T"), UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "="),
            UInt8(ascii: " "), UInt8(ascii: "u"), UInt8(ascii: "U"):
            return .known(1)
        case UInt8(ascii: "$"), UInt8(ascii: "\\"), UInt8(ascii: "c"), UInt8(ascii: "f"), UInt8(ascii: "B"):
            return .known(2)
        case UInt8(ascii: "p"): return .known(3)
        case UInt8(ascii: "W"): return .known(8)
        case UInt8(ascii: "D"):
            guard let end = rest.prefix(33).firstIndex(of: 0) else { return rest.count < 33 ? .endless : .known(32) }
            return .known(end - rest.startIndex + 1)
        case UInt8(ascii: "*"): return bitImage(rest)
        case UInt8(ascii: "&"): return characters(rest)
        case UInt8(ascii: "("): return counted(rest)
        default: return .unknown
        }
    }

    /// m, nL, nH, then one or three bytes a column.
    private static func bitImage(_ rest: ArraySlice<UInt8>) -> Length {
        guard let columns = word(rest, 1), let mode = byte(rest, 0) else { return .endless }
        return .known(3 + columns * (mode >= 32 ? 3 : 1))
    }

    /// y, first, last, then for each character its width and y bytes a column.
    private static func characters(_ rest: ArraySlice<UInt8>) -> Length {
        guard let height = byte(rest, 0), let first = byte(rest, 1), let last = byte(rest, 2) else { return .endless }
        var length = 3
        for _ in 0..<max(0, last - first + 1) {
            guard let width = byte(rest, length) else { return .endless }
            length += 1 + width * height
        }
        return .known(length)
    }

    // MARK: GS

    private static func group(_ code: UInt8, _ rest: ArraySlice<UInt8>) -> Length {
        switch code {
        case UInt8(ascii: ":"): return .known(0)
        case UInt8(ascii: "!"), UInt8(ascii: "B"), UInt8(ascii: "h"), UInt8(ascii: "w"), UInt8(ascii: "H"),
            UInt8(ascii: "f"), UInt8(ascii: "/"), UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "I"),
            UInt8(ascii: "b"), UInt8(ascii: "T"), UInt8(ascii: "j"):
            return .known(1)
        case UInt8(ascii: "L"), UInt8(ascii: "W"), UInt8(ascii: "P"), UInt8(ascii: "\\"), UInt8(ascii: "$"):
            return .known(2)
        case UInt8(ascii: "^"), UInt8(ascii: "z"): return .known(3)
        case UInt8(ascii: "g"): return .known(4)
        case UInt8(ascii: "V"):
            guard let mode = byte(rest, 0) else { return .endless }
            return .known(mode >= 65 && mode <= 104 ? 2 : 1)
        case UInt8(ascii: "k"): return barcode(rest)
        case UInt8(ascii: "v"), UInt8(ascii: "Q"): return raster(rest)
        case UInt8(ascii: "("): return counted(rest)
        case UInt8(ascii: "8"):
            guard let low = word(rest, 1), let high = word(rest, 3) else { return .endless }
            return .known(5 + low + high << 16)
        case UInt8(ascii: "*"):
            guard let x = byte(rest, 0), let y = byte(rest, 1) else { return .endless }
            return .known(2 + x * y * 8)
        default: return .unknown
        }
    }

    /// Kinds 0 to 6 end with NUL, kinds from 65 have a length.
    private static func barcode(_ rest: ArraySlice<UInt8>) -> Length {
        guard let kind = byte(rest, 0) else { return .endless }
        if kind >= 65 {
            guard let count = byte(rest, 1) else { return .endless }
            return .known(2 + count)
        }
        guard let end = rest.dropFirst().firstIndex(of: 0) else { return .endless }
        return .known(end - rest.startIndex + 1)
    }

    /// 0, m, xL, xH, yL, yH, data.
    private static func raster(_ rest: ArraySlice<UInt8>) -> Length {
        guard let width = word(rest, 2), let height = word(rest, 4) else { return .endless }
        return .known(6 + width * height)
    }

    // MARK: FS, DLE

    private static func file(_ code: UInt8, _ rest: ArraySlice<UInt8>) -> Length {
        switch code {
        case UInt8(ascii: "&"), UInt8(ascii: "."): return .known(0)
        case UInt8(ascii: "!"), UInt8(ascii: "-"), UInt8(ascii: "W"), UInt8(ascii: "C"): return .known(1)
        case UInt8(ascii: "S"), UInt8(ascii: "p"), UInt8(ascii: "?"): return .known(2)
        case UInt8(ascii: "2"): return .known(74)
        case UInt8(ascii: "("): return counted(rest)
        case UInt8(ascii: "q"): return storedImages(rest)
        default: return .unknown
        }
    }

    private static func storedImages(_ rest: ArraySlice<UInt8>) -> Length {
        guard let count = byte(rest, 0) else { return .endless }
        var length = 1
        for _ in 0..<count {
            guard let x = word(rest, length), let y = word(rest, length + 2) else { return .endless }
            length += 4 + x * y * 8
        }
        return .known(length)
    }

    private static func dataLink(_ code: UInt8, _ rest: ArraySlice<UInt8>) -> Length {
        switch code {
        case 0x04: return .known((byte(rest, 0) ?? 0) >= 7 ? 2 : 1)
        case 0x05: return .known(1)
        case 0x14:
            switch byte(rest, 0) {
            case nil: return .endless
            case 8: return .known(8)
            default: return .known(3)
            }
        default: return .unknown
        }
    }

    // MARK: Numbers

    /// A byte of function, then a length, then as many bytes: `GS ( k pL pH …`.
    private static func counted(_ rest: ArraySlice<UInt8>) -> Length {
        guard let count = word(rest, 1) else { return .endless }
        return .known(3 + count)
    }

    private static func byte(_ rest: ArraySlice<UInt8>, _ i: Int) -> Int? {
        i < rest.count ? Int(rest[rest.startIndex + i]) : nil
    }

    private static func word(_ rest: ArraySlice<UInt8>, _ i: Int) -> Int? {
        guard let low = byte(rest, i), let high = byte(rest, i + 1) else { return nil }
        return low | high << 8
    }
}
