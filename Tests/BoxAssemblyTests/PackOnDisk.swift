// A voice pack in a folder of this test's own: the shipped Chinese one, its clips in another form at will.

import BoxFoundation
import CSound
import Glibc
import HardwareLinux
import VoiceAnnouncing

final class PackOnDisk {
    enum Form {
        case asShipped
        /// All clips, or the first alone, which takes less time.
        case mp3, firstMP3
    }

    let path: String
    /// What ships.
    static let shipped: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/") + "/Resources/voice/zh-CN"
    }()

    init(_ form: Form = .asShipped) throws {
        var template = Array("/tmp/counterbox-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in Files.names(in: Self.shipped) where form != .mp3 || !name.hasSuffix(".wav") {
            try Files.write("\(path)/\(name)", Files.read("\(Self.shipped)/\(name)", limit: 1 << 22))
        }
        let files = form == .asShipped ? [] : try (form == .mp3 ? Self.mp3 : Self.firstMP3).get()
        for (name, bytes) in files { try write(bytes, to: name) }
    }

    deinit {
        for name in Files.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private static let mp3 = Result { try encoded(.max) }
    private static let firstMP3 = Result { try encoded(1) }

    /// So many clips as MP3s of 44.1 kHz in stereo, and the manifest that names them.
    private static func encoded(_ count: Int) throws -> [(String, [UInt8])] {
        guard case .object(var root) = try JSONReader.read(Files.read("\(shipped)/voice.json", limit: 1 << 20)),
            let clips = root["clips"]?.array
        else { return [] }
        var files: [(String, [UInt8])] = []
        var changed: [JSON] = []
        for case .object(var clip) in clips {
            guard files.count < count else {
                changed.append(.object(clip))
                continue
            }
            let name = "\(clip["id"]?.string ?? "").mp3"
            let wav = WAVFile(try Files.read("\(shipped)/\(clip["file"]?.string ?? "")", limit: 1 << 22))
            let bytes = try encode(wav?.samples ?? [])
            files.append((name, bytes))
            clip.set("file", .string(name))
            clip.set("sha256", .string(VoiceManifest.sha256(bytes)))
            changed.append(.object(clip))
        }
        root.set("clips", .array(changed))
        return files + [("voice.json", JSON.object(root).bytes)]
    }

    /// Brought to its rate by the plainest means: a test hears no difference.
    private static func encode(_ samples: [Int16]) throws -> [UInt8] {
        var template = Array("/tmp/counterbox-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError.last("mkstemp") }
        close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        var info = SF_INFO()
        (info.samplerate, info.channels) = (44_100, 2)
        info.format = Int32(SF_FORMAT_MPEG) | Int32(SF_FORMAT_MPEG_LAYER_III)
        guard let sound = sf_open(path, Int32(SFM_WRITE), &info) else { return [] }
        let count = samples.count * 441 / 240
        var frames = [Int16](repeating: 0, count: 2 * count)
        for i in 0..<count {
            frames[2 * i] = samples[i * 240 / 441]
            frames[2 * i + 1] = frames[2 * i]
        }
        _ = sf_writef_short(sound, frames, sf_count_t(count))
        sf_close(sound)
        return try Files.read(path, limit: 1 << 22)
    }

    func write(_ bytes: [UInt8], to name: String) throws { try Files.write("\(path)/\(name)", bytes) }

    func remove(_ name: String) { unlink("\(path)/\(name)") }
}
