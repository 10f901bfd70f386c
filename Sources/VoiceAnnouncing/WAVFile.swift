// RIFF WAVE as the packs and the tests use it: 16-bit mono PCM, in and out. Every other format goes through SoundDecoder.

/// A RIFF WAVE of 16 bits and one channel.
package struct WAVFile: Equatable, Sendable {
    package var samples: [Int16]
    /// Frames a second.
    package var rate: Int

    package init(samples: [Int16], rate: Int) {
        self.samples = samples
        self.rate = rate
    }

    /// - Returns: nil for anything but whole 16-bit mono PCM.
    package init?(_ bytes: [UInt8]) {
        let found = bytes.withUnsafeBytes { Self.find(in: $0) }
        guard let found else { return nil }
        rate = found.rate
        samples = bytes.withUnsafeBytes { Self.samples(in: UnsafeRawBufferPointer(rebasing: $0[found.data])) }
    }

    /// Little-endian bytes as samples, on a machine of the same order, as all are that run the box; a last odd byte is
    /// left out.
    static func samples(in bytes: UnsafeRawBufferPointer) -> [Int16] {
        let count = bytes.count / 2
        return [Int16](unsafeUninitializedCapacity: count) { samples, filled in
            UnsafeMutableRawBufferPointer(samples).copyBytes(from: bytes[..<(2 * count)])
            filled = count
        }
    }

    /// The file's bytes: a 44-byte header and the samples.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + 2 * samples.count)
        let data = UInt32(2 * samples.count)
        bytes += Array("RIFF".utf8) + Self.little(36 + data) + Array("WAVEfmt ".utf8)
        bytes += Self.little(16 as UInt32) + Self.little(1 as UInt16) + Self.little(1 as UInt16)
        bytes += Self.little(UInt32(rate)) + Self.little(UInt32(2 * rate))
        bytes += Self.little(2 as UInt16) + Self.little(16 as UInt16)
        bytes += Array("data".utf8) + Self.little(data)
        samples.withUnsafeBytes { bytes += $0 }
        return bytes
    }

    private static func find(in bytes: UnsafeRawBufferPointer) -> (rate: Int, data: Range<Int>)? {
        guard bytes.count >= 12, tag(bytes, 0, "RIFF"), tag(bytes, 8, "WAVE") else { return nil }
        var at = 12
        var rate: Int?
        while at + 8 <= bytes.count {
            let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)))
            let body = at + 8
            guard body + length <= bytes.count else { return nil }
            if tag(bytes, at, "fmt ") {
                guard length >= 16, half(bytes, body) == 1, half(bytes, body + 2) == 1, half(bytes, body + 14) == 16
                else { return nil }
                rate = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: body + 4, as: UInt32.self)))
            } else if tag(bytes, at, "data") {
                return rate.map { ($0, body..<body + length) }
            }
            at = body + length + length % 2
        }
        return nil
    }

    private static func tag(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ tag: StaticString) -> Bool {
        (0..<4).allSatisfy { bytes[at + $0] == tag.utf8Start[$0] }
    }

    private static func half(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
    }

    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
