// The packs that ship, read from Resources, and ICU's own reading of a number.

import BoxFoundation
import CICU
import Glibc
import VoiceAnnouncing

enum Fixtures {
    static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/") + "/Resources/voice"
    }()

    static func file(_ name: String, of language: String) -> [UInt8]? {
        guard let file = fopen("\(folder)/\(language)/\(name)", "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block: [UInt8] = Array(repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return bytes
    }

    static func wording(_ language: String, two: VoiceStyle.Two = .liang, decimals: VoiceStyle.Decimals = .point)
        throws -> Wording
    {
        try Voice.loadWording(style: VoiceStyle(two: two, decimals: decimals)) { file($0, of: language) }
    }

    static func voice(_ language: String) throws -> Voice { try Voice.load { file($0, of: language) } }
}

/// The independent reading: ICU's spell-out numbers with CLDR's rules.
final class ICUReading {
    private let format: UnsafeMutablePointer<UNumberFormat?>
    private var buffer: [CChar] = Array(repeating: 0, count: 2048)

    init?(_ locale: String, ruleSet: String? = nil) {
        guard let format = spellout_open(locale) else { return nil }
        self.format = format
        if let ruleSet, spellout_choose(format, ruleSet) == 0 { return nil }
    }

    deinit { spellout_close(format) }

    func words(_ number: Int64) -> [UInt8] {
        let length = spellout_words(format, number, &buffer, Int32(buffer.count))
        return buffer[..<Int(length)].map { UInt8(bitPattern: $0) }
    }

    /// - Parameter hundredths: the number times a hundred, below 10^12: a double holds it to the last digit.
    func words(hundredths: Int64) -> [UInt8] {
        let number = Double(hundredths) / 100
        let length = spellout_decimal_words(format, number, &buffer, Int32(buffer.count))
        return buffer[..<Int(length)].map { UInt8(bitPattern: $0) }
    }
}
