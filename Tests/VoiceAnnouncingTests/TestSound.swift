// Sound files made in memory by libsndfile, as shops' packs come: WAV, FLAC, MP3, any rate, stereo.

import CSound
import VoiceAnnouncing

enum TestSound: String, CaseIterable {
    case wav, flac, mp3

    private var format: Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_WAV) | Int32(SF_FORMAT_PCM_16)
        case .flac: Int32(SF_FORMAT_FLAC) | Int32(SF_FORMAT_PCM_16)
        case .mp3: Int32(SF_FORMAT_MPEG) | Int32(SF_FORMAT_MPEG_LAYER_III)
        }
    }

    /// - Parameter samples: mono; every channel gets the same.
    func file(_ samples: [Int16], rate: Int, channels: Int) -> [UInt8] {
        var target = Target()
        withUnsafeMutablePointer(to: &target) { target in
            var info = SF_INFO()
            info.samplerate = Int32(rate)
            info.channels = Int32(channels)
            info.format = format
            var io = Target.callbacks
            guard let file = sf_open_virtual(&io, Int32(SFM_WRITE), &info, target) else { return }
            let frames = samples.flatMap { sample in (0..<channels).map { _ in sample } }
            _ = sf_writef_short(file, frames, sf_count_t(samples.count))
            sf_close(file)
        }
        return target.bytes
    }

    private struct Target {
        var bytes: [UInt8] = []
        var at = 0

        static let callbacks = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(of($0).pointee.bytes.count) },
            seek: { offset, whence, data in
                let target = of(data)
                let base = whence == 1 ? target.pointee.at : whence == 2 ? target.pointee.bytes.count : 0
                target.pointee.at = base + Int(offset)
                return sf_count_t(target.pointee.at)
            },
            read: { _, _, _ in 0 },
            write: { source, count, data in
                let target = of(data)
                let end = target.pointee.at + Int(count)
                while target.pointee.bytes.count < end { target.pointee.bytes.append(0) }
                target.pointee.bytes.replaceSubrange(
                    target.pointee.at..<end, with: UnsafeRawBufferPointer(start: source, count: Int(count)))
                target.pointee.at = end
                return count
            },
            tell: { sf_count_t(of($0).pointee.at) })

        static func of(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Target> {
            data!.assumingMemoryBound(to: Target.self)
        }
    }
}
