// PNG to shades of gray by libpng.

import CPNG

/// A PNG to shades of gray: at most 2,097,152 pixels.
package enum PNGReader {
    /// Pixels of one picture: 80 mm paper for four and a half metres; more would hold up the loop.
    package static let mostPixels = 2 << 20
    /// Pixels, before it is scaled down to the paper.
    package static let mostWidth = 8192

    /// Transparent parts are white, as paper is.
    package static func read(_ bytes: [UInt8]) throws(PictureFault) -> GrayPicture {
        if let why = picture_load() { throw PictureFault(what: "libpng cannot be loaded: \(String(cString: why))") }
        let result = bytes.withUnsafeBytes { source in
            Result { () throws(PictureFault) in try read(source) }
        }
        return try result.get()
    }

    /// libpng keeps a pointer to the bytes from its first call to its last.
    private static func read(_ source: UnsafeRawBufferPointer) throws(PictureFault) -> GrayPicture {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0 else {
            throw PictureFault(what: message(image))
        }
        let (width, height) = (Int(image.width), Int(image.height))
        guard width > 0, width <= mostWidth, height > 0, height <= mostPixels / width else {
            throw PictureFault(what: "\(width) x \(height) dots are too many")
        }
        image.format = png_uint_32(PNG_FORMAT_FLAG_ALPHA)
        var pairs = [UInt8](repeating: 0, count: width * height * 2)
        guard pairs.withUnsafeMutableBytes({ png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) }) != 0 else {
            throw PictureFault(what: message(image))
        }
        return GrayPicture(width: width, height: height, grays: onWhite(pairs))
    }

    private static func onWhite(_ pairs: [UInt8]) -> [UInt8] {
        (0..<pairs.count / 2).map { i in
            let (gray, alpha) = (Int(pairs[2 * i]), Int(pairs[2 * i + 1]))
            return UInt8((gray * alpha + 255 * (255 - alpha)) / 255)
        }
    }

    private static func message(_ image: png_image) -> String {
        withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// Why a picture cannot be printed.
package struct PictureFault: Error, Equatable, Sendable {
    package var what: String

    package init(what: String) { self.what = what }
}
