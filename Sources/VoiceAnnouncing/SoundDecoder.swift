// Any sound file that libsndfile reads (WAV, FLAC, MP3, Ogg, AIFF …), from memory, to mono samples.

import CSound
import Glibc

struct SoundDecoder {
    /// Seconds of one clip at most.
    static let mostSeconds = 60
    /// What is below this at the ends of a compressed clip is padding (-50 dB of full scale).
    private static let silence: Float = 0.003
    /// What is kept of it.
    private static let keptMilliseconds = 5

    var samples: [Float]
    var rate: Int
    /// Frames of the file at its own rate.
    var frames: Int
    /// The encoder may have put silence around the sound.
    var isLossy: Bool

    /// - Returns: why not, where it can't be read.
    static func decode(_ bytes: [UInt8]) -> Result<SoundDecoder, SoundFault> {
        if let why = sound_use() { return .failure(SoundFault(text: String(cString: why))) }
        defer { sound_leave() }
        return bytes.withUnsafeBytes { buffer in
            var file = MemoryFile(bytes: buffer, at: 0)
            return withUnsafeMutablePointer(to: &file) { read(UnsafeMutableRawPointer($0)) }
        }
    }

    /// Gives the decoders' memory back: the next clip that needs them loads them again.
    static func rest() { sound_rest() }

    private static func read(_ memory: UnsafeMutableRawPointer) -> Result<SoundDecoder, SoundFault> {
        var info = SF_INFO()
        var io = MemoryFile.callbacks
        guard let file = sf_open_virtual(&io, Int32(SFM_READ), &info, memory) else {
            return .failure(SoundFault(text: String(cString: sf_strerror(nil))))
        }
        defer { sf_close(file) }
        let channels = Int(info.channels)
        let rate = Int(info.samplerate)
        guard (1...8).contains(channels), (4000...192_000).contains(rate) else {
            return .failure(SoundFault(text: "\(channels) channels at \(rate) Hz"))
        }
        var mono: [Float] = []
        var block: [Float] = Array(repeating: 0, count: 4096 * channels)
        while true {
            let count = Int(sf_readf_float(file, &block, 4096))
            guard count > 0 else { break }
            for i in 0..<count {
                mono.append((0..<channels).reduce(Float(0)) { $0 + block[i * channels + $1] } / Float(channels))
            }
            guard mono.count <= mostSeconds * rate else {
                return .failure(SoundFault(text: "longer than \(mostSeconds) s"))
            }
        }
        let isLossy = [SF_FORMAT_OGG, SF_FORMAT_MPEG].contains { Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int($0) }
        return .success(SoundDecoder(samples: mono, rate: rate, frames: mono.count, isLossy: isLossy))
    }

    /// At `rate`, without the padding of a lossy encoder.
    func prepared(rate: Int) -> [Int16] {
        SoundConverter.integers(SoundConverter.convert(isLossy ? trimmed() : samples, from: self.rate, to: rate))
    }

    private func trimmed() -> [Float] {
        guard let first = samples.firstIndex(where: { abs($0) > Self.silence }),
            let last = samples.lastIndex(where: { abs($0) > Self.silence })
        else { return samples }
        let kept = rate * Self.keptMilliseconds / 1000
        return Array(samples[max(0, first - kept)...min(samples.count - 1, last + kept)])
    }
}

struct SoundFault: Error {
    var text: String
}

/// Bytes in memory as libsndfile's virtual file.
private struct MemoryFile {
    let bytes: UnsafeRawBufferPointer
    var at: Int

    static let callbacks = SF_VIRTUAL_IO(
        get_filelen: { sf_count_t(MemoryFile.of($0).pointee.bytes.count) },
        seek: { offset, whence, data in
            let file = MemoryFile.of(data)
            let base = whence == SEEK_CUR ? file.pointee.at : whence == SEEK_END ? file.pointee.bytes.count : 0
            file.pointee.at = min(max(0, base + Int(offset)), file.pointee.bytes.count)
            return sf_count_t(file.pointee.at)
        },
        read: { target, count, data in
            let file = MemoryFile.of(data)
            let taken = min(max(0, Int(count)), file.pointee.bytes.count - file.pointee.at)
            if taken > 0, let target, let base = file.pointee.bytes.baseAddress {
                target.copyMemory(from: base + file.pointee.at, byteCount: taken)
            }
            file.pointee.at += taken
            return sf_count_t(taken)
        },
        write: { _, _, _ in 0 },
        tell: { sf_count_t(MemoryFile.of($0).pointee.at) })

    static func of(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<MemoryFile> {
        guard let data else { preconditionFailure("libsndfile hands back what it was given") }
        return data.assumingMemoryBound(to: MemoryFile.self)
    }
}
