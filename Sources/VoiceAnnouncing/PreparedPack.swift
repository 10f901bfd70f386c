// A pack made ready once: its clips decoded, resampled and faded, in one file that is read back in a few milliseconds.
// Its name in the cache is the manifest's hash, and the manifest holds the hash of every clip.

import BoxFoundation

/// A pack decoded, resampled and faded once, as one file of the state folder.
package enum PreparedPack {
    private static let magic = Array("CBVP\u{1}".utf8)

    /// What the cache calls the pack with this manifest.
    package static func name(manifest: [UInt8]) -> String { "voice-" + SHA256.hex(manifest).prefix(32) }
}

extension VoicePack {
    /// The bytes to keep: magic, the manifest's hash, the hash of the rest, then each clip's samples in the manifest's
    /// order, little-endian, its count in front.
    package func prepared(manifest: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(clips.reduce(0) { $0 + 4 + 2 * $1.samples.count })
        for clip in clips {
            withUnsafeBytes(of: UInt32(clip.samples.count).littleEndian) { body += $0 }
            clip.samples.withUnsafeBytes { body += $0 }
        }
        return PreparedPack.header(manifest: manifest, body: body) + body
    }

    /// The pack as `prepared` kept it.
    ///
    /// - Returns: nil where the bytes are of another manifest, or damaged: then it is loaded anew.
    package static func load(manifest bytes: [UInt8], prepared: [UInt8]) -> VoicePack? {
        guard let manifest = try? VoiceManifest.read(bytes) else { return nil }
        let headerCount = PreparedPack.header(manifest: [], body: []).count
        guard prepared.count > headerCount else { return nil }
        let body = Array(prepared[headerCount...])
        guard prepared.starts(with: PreparedPack.header(manifest: bytes, body: body)) else { return nil }
        var clips: [Clip] = []
        var at = 0
        for entry in manifest.clips {
            guard let samples = PreparedPack.samples(in: body, at: &at) else { return nil }
            clips.append(Clip(id: entry.id, text: entry.text, samples: samples, pause: entry.pause))
        }
        return VoicePack(language: manifest.language, licence: manifest.licence, rate: manifest.rate, clips: clips)
    }
}

extension PreparedPack {
    static func header(manifest: [UInt8], body: [UInt8]) -> [UInt8] {
        magic + Array(SHA256.hex(manifest).utf8) + Array(SHA256.hex(body).utf8)
    }

    static func samples(in body: [UInt8], at place: inout Int) -> [Int16]? {
        guard place + 4 <= body.count else { return nil }
        return body.withUnsafeBytes { bytes in
            let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            let start = place + 4
            guard count <= VoicePack.mostSamples, start + 2 * count <= bytes.count else { return nil }
            place = start + 2 * count
            return WAVFile.samples(in: UnsafeRawBufferPointer(rebasing: bytes[start..<start + 2 * count]))
        }
    }
}
