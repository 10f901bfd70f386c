// What ships in Resources, read once.

import BoxFoundation
import Glibc
import ReceiptPrinting
import Testing
import VoiceAnnouncing

enum TestResources {
    private static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/") + "/Resources/"
    }()

    /// The Chinese voice, read from 150 files: once for all tests.
    static let voice = Result { () throws(VoicePackFault) in try Voice.load { read("voice/zh-CN/" + $0) } }

    static let english = Result { () throws(VoicePackFault) in try Voice.load { read("voice/en/" + $0) } }

    /// The one that ships.
    static func chime() throws -> Chime { try #require(read("voice/chime/bell.wav").flatMap { Chime($0) }) }

    static func receipts() throws -> ReceiptMaker {
        try ReceiptMaker(
            profile: PrinterProfile.load("generic-58mm", from: read), language: "zh-CN", resources: read)
    }

    static func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(folder + name, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return bytes
    }
}
