import BoxFoundation
import ReceiptPrinting
import Testing

@Suite struct PictureTests {
    /// The picture commands of a job: width in bytes, rows, data bytes.
    private func rasters(_ bytes: [UInt8], _ profile: PrinterProfile) throws -> [(Int, Int, Int)] {
        var printer = try #require(VirtualPrinter(profile: profile))
        printer.print(bytes)
        return printer.commands.filter { $0.name == "GS v 0" }.map { command in
            let p = Array(command.parameters)
            return (Int(p[2]) | Int(p[3]) << 8, Int(p[4]) | Int(p[5]) << 8, p.count - 6)
        }
    }

    private func pictures(_ bytes: [UInt8], _ profile: PrinterProfile) throws -> [(Bitmap, Int, Int)] {
        var printer = try #require(VirtualPrinter(profile: profile))
        printer.print(bytes)
        return printer.roll.items.compactMap { item in
            if case .picture(let bitmap, let x, let y) = item { (bitmap, x, y) } else { nil }
        }
    }

    /// Field reports 54, 56, 57: strips of at most 255 rows, headers that tell the data's length, no white between.
    @Test(arguments: [(128, 48), (220, 220), (384, 288), (13, 7), (576, 300), (1, 1), (700, 90)])
    func aPictureLeavesInStripsThatThePrinterCanHold(width: Int, height: Int) throws {
        for id in ["generic-58mm", "generic-80mm"] {
            let profile = ReceiptFixtures.profile(id)
            let markup = "{image:\(PNGFixture.base64(width: width, height: height))}"
            let bytes = try ReceiptFixtures.maker(id).receipt(markup: Array(markup.utf8))
            let strips = try rasters(bytes, profile)
            for (bytesPerRow, rows, data) in strips {
                #expect(bytesPerRow * rows == data)
                #expect(rows <= min(255, profile.stripHeight))
                #expect(data <= profile.buffer / 2)
                #expect(bytesPerRow <= min((width + 7) / 8, (profile.dots + 7) / 8))
            }
            let scaled = width > profile.dots ? max(1, height * profile.dots / width) : height
            #expect(strips.map(\.1).reduce(0, +) == scaled)
            let parts = try pictures(bytes, profile)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.2 + $0.0.height == $1.2 })
        }
    }

    /// Field report 57.
    @Test func aPictureOfMetresNeverFillsThePrintersBuffer() throws {
        let profile = ReceiptFixtures.profile("generic-58mm")
        let bytes = try ReceiptFixtures.maker().receipt(markup: Array("{image:\(PNGFixture.white384x5400)}".utf8))
        let strips = try rasters(bytes, profile)
        #expect(strips.map(\.1).reduce(0, +) == 5400)
        #expect(strips.allSatisfy { $0.2 <= profile.buffer / 2 && $0.0 == 48 })
    }

    /// Field report 54.
    @Test func aPictureOf288RowsGoesInTwoOnADesktopPrinter() throws {
        let markup = "{image:\(PNGFixture.base64(width: 64, height: 288))}"
        let bytes = try ReceiptFixtures.maker("generic-80mm").receipt(markup: Array(markup.utf8))
        #expect(try rasters(bytes, ReceiptFixtures.profile("generic-80mm")).map(\.1) == [255, 33])
    }

    /// All three ways to send dots show the same dots at the same place.
    @Test func everyRasterCommandShowsTheSamePicture() throws {
        var shown: [[Bool]] = []
        for raster in PrinterProfile.Raster.allCases {
            var profile = ReceiptFixtures.profile("generic-80mm")
            profile.raster = raster
            let maker = try ReceiptMaker(profile: profile, language: "en", resources: ReceiptFixtures.resource)
            let bytes = try maker.receipt(
                markup: Array("{image:\(PNGFixture.base64(width: 96, height: 60))}|".utf8.dropLast()))
            var dots = [Bool](repeating: false, count: 576 * 100)
            for (bitmap, left, top) in try pictures(bytes, profile) {
                for y in 0..<bitmap.height {
                    for x in 0..<bitmap.width where bitmap[x, y] { dots[(top + y) * 576 + left + x] = true }
                }
            }
            shown.append(dots)
        }
        #expect(shown[0].contains(true))
        #expect((shown[0] == shown[1]) == true)
        #expect((shown[0] == shown[2]) == true)
    }

    @Test(arguments: [
        ("{image:%}", 240), ("|{image:%}", 0), ("{image:%}|", 480), ("{width:24;align:right}\n|{image:%}", 288),
    ])
    func aPictureIsDrawnToTheSideOfItsColumn(markup: String, x: Int) throws {
        let profile = ReceiptFixtures.profile("generic-80mm")
        let filled = markup.replacingFirst("%", with: PNGFixture.base64(width: 96, height: 8))
        let bytes = try ReceiptFixtures.maker("generic-80mm").receipt(markup: Array(filled.utf8))
        let (bitmap, left, _) = try #require(try pictures(bytes, profile).first)
        let first = (0..<bitmap.width).first { bitmap[$0, 0] }
        #expect(try left + #require(first) == x)
    }

    @Test func shadesBecomeAsManyDots() {
        let half = GrayPicture(width: 64, height: 64, grays: Array(repeating: 191, count: 64 * 64))
        #expect(half.isPhoto)
        let dots = half.diffused().bits.reduce(0) { $0 + $1.nonzeroBitCount }
        #expect((950...1100).contains(dots), "a quarter of 4096, \(dots)")
        #expect(!half.thresholded().bits.contains { $0 != 0 })
    }

    @Test func aLargePictureIsScaledToTheMeanOfItsDots() {
        let grays = (0..<16 * 8).map { $0 % 16 < 8 ? UInt8(0) : 255 }
        let small = GrayPicture(width: 16, height: 8, grays: grays).fitted(to: 4)
        #expect(small.width == 4)
        #expect(small.height == 2)
        #expect(small.grays == [0, 0, 255, 255, 0, 0, 255, 255])
    }

    @Test func aPictureThatIsNoneIsTold() {
        #expect(throws: PictureFault.self) { try PNGReader.read([1, 2, 3]) }
        #expect(throws: PictureFault.self) { try PNGReader.read([]) }
        let cut = PNGFixture.png(width: 64, height: 64)
        #expect(throws: PictureFault.self) { try PNGReader.read(Array(cut.prefix(cut.count / 2))) }
    }

    @Test func aPictureOfTooManyDotsTakesNoMemory() {
        #expect(throws: PictureFault(what: "100000 x 100000 dots are too many")) {
            try PNGReader.read(PNGFixture.empty(width: 100_000, height: 100_000))
        }
    }
}

/// Gray PNG files made on the spot: stored (not compressed) deflate blocks.
enum PNGFixture {
    /// A frame of black around a checkerboard of 4 dots.
    static func png(width: Int, height: Int) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let isEdge = x == 0 || y == 0 || x == width - 1 || y == height - 1
                rows.append(isEdge || (x / 4 + y / 4) % 2 == 0 ? 0 : 255)
            }
        }
        return header(width: width, height: height) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    static func base64(width: Int, height: Int) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = png(width: width, height: height)
        var text = ""
        for i in stride(from: 0, to: bytes.count, by: 3) {
            let part = Array(bytes[i..<min(i + 3, bytes.count)])
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for k in 0..<4 { text.append(k <= part.count ? digits[bits >> (18 - 6 * k) & 63] : "=") }
        }
        return text
    }

    /// Compressed well, as the other fixtures are not.
    static let white384x5400 =
        "iVBORw0KGgoAAAANSUhEUgAAAYAAABUYAQAAAADuGKThAAADHElEQVR42u3LoQEAAAwCIP9/Wm9YWYJOehRBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARBEARB"
        + "EARBEAThIwwCpMaR4KYGGAAAAABJRU5ErkJggg=="

    static func header(width: Int, height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(width) + big(height) + [8, 0, 0, 0, 0])
    }

    /// Says how large it is and holds nothing.
    static func empty(width: Int, height: Int) -> [UInt8] {
        header(width: width, height: height) + chunk("IDAT", []) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(data.count) + body + big(Int(crc(body)))
    }

    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var at = 0
        repeat {
            let count = min(65535, data.count - at)
            bytes += [at + count == data.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
            bytes += [UInt8(~count & 255), UInt8(~count >> 8 & 255)] + data[at..<at + count]
            at += count
        } while at < data.count
        var (a, b) = (1, 0)
        for byte in data {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return bytes + big(b << 16 | a)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func big(_ n: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: n >> (24 - 8 * $0)) } }
}
