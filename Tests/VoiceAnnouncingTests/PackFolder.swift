import BoxFoundation
import VoiceAnnouncing

/// A pack's folder in memory: the zh-CN pack with its clips changed at will.
struct PackFolder {
    var files: [String: [UInt8]]

    /// The shipped pack.
    init(_ language: String = "zh-CN") throws {
        files = [:]
        for name in ["voice.json", "numbers.rbnf", "phrases.json5"] {
            files[name] = Fixtures.file(name, of: language)
        }
        for clip in try VoiceManifest.read(files["voice.json"] ?? []).clips {
            files[clip.file] = Fixtures.file(clip.file, of: language)
        }
    }

    func read(_ name: String) -> [UInt8]? { files[name] }

    /// Changes the manifest's entry of a clip.
    mutating func edit(_ id: String, _ change: (inout JSONObject) -> Void) throws {
        guard case .object(var root) = try JSONReader.read(files["voice.json"] ?? []),
            var clips = root["clips"]?.array,
            let place = clips.firstIndex(where: { $0["id"]?.string == id }), case .object(var clip) = clips[place]
        else { return }
        change(&clip)
        clips[place] = .object(clip)
        root.set("clips", .array(clips))
        files["voice.json"] = JSON.object(root).bytes
    }

    /// Puts other samples in a clip's place, the manifest right.
    mutating func replace(_ id: String, with bytes: [UInt8], file: String? = nil, frames: Int) throws {
        var name = ""
        try edit(id) { clip in
            if let file { clip.set("file", .string(file)) }
            name = clip["file"]?.string ?? ""
            clip.set("sha256", .string(Self.sha256(bytes)))
            clip.set("frames", .integer(frames))
        }
        files[name] = bytes
    }

    func samples(_ id: String) throws -> [Int16] {
        let clip = try VoiceManifest.read(files["voice.json"] ?? []).clips.first { $0.id == id }
        return WAVFile(files[clip?.file ?? ""] ?? [])?.samples ?? []
    }

    /// Of any bytes, read from the name that the cache would give them.
    static func sha256(_ bytes: [UInt8]) -> String { VoiceManifest.sha256(bytes) }
}
