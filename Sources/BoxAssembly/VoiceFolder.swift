// Where a voice lies: a folder that somebody configured, or what comes with the firmware.

import BoxFoundation
import Glibc
import HardwareLinux
import VoiceAnnouncing

/// A folder with a voice. Grammar and phrases that it lacks are those of the built-in voice of its language.
package struct VoiceFolder {
    /// What a language is made of besides clips: a pack that has none of its own takes those of its language.
    private static let words = ["numbers.rbnf", "phrases.json5"]

    /// For messages.
    package let name: String
    private let path: String
    private let resources: ResourceFolder

    /// - Parameter path: a folder of somebody's own.
    package init(at path: String, _ resources: ResourceFolder) {
        (name, self.path, self.resources) = (path, path, resources)
    }

    /// - Returns: nil where the firmware has no such language.
    package init?(builtIn language: String, _ resources: ResourceFolder) {
        guard Self.isName(language) else { return nil }
        name = language
        path = "\(resources.path)/voice/\(language)"
        self.resources = resources
        guard read("phrases.json5") != nil else { return nil }
    }

    /// A file of the folder; nil where it cannot be read.
    package func read(_ file: String) -> [UInt8]? {
        if let bytes = bytes(file) { return bytes }
        guard Self.words.contains(file), let manifest = bytes("voice.json"),
            let language = (try? JSONReader.read(manifest))?["language"]?.string, Self.isName(language)
        else { return nil }
        return resources.read("voice/\(language)/\(file)")
    }

    private func bytes(_ file: String) -> [UInt8]? {
        try? Files.read("\(path)/\(file)", limit: ResourceFolder.mostFileBytes)
    }

    private static func isName(_ text: String) -> Bool { !text.isEmpty && !text.contains("/") && !text.hasPrefix(".") }
}

/// Packs made ready, in the state folder: those whose clips take time to decode or to bring to another rate.
package final class VoiceCache {
    /// Of one pack.
    private static let mostBytes = 2 * VoicePack.mostSamples + (1 << 20)
    private static let prefix = "voice-"

    private let folder: String
    private var used: Set<String> = []

    package init(_ state: String) { folder = state }

    /// Loads a voice, from here where it is.
    package func load(_ voice: VoiceFolder, style: VoiceStyle) throws(VoicePackFault) -> Voice {
        var firstClip: (name: String, rate: Int?)?
        var name: String?
        let loaded = try Voice.load(
            style: style,
            prepared: {
                name = $0
                return try? Files.read("\(folder)/\($0)", limit: Self.mostBytes)
            },
            file: { file in
                let bytes = voice.read(file)
                if firstClip == nil, let bytes, !file.hasSuffix(".json"), !file.hasSuffix(".json5"),
                    !file.hasSuffix(".rbnf")
                {
                    firstClip = (file, WAVFile(bytes)?.rate)
                }
                return bytes
            })
        if let name { used.insert(name) }
        // Clips that are ready as they lie are read as fast as a copy of them would be.
        if let name, let firstClip, let pack = loaded.pack, firstClip.rate != pack.rate {
            keep(pack, of: voice, as: name)
        }
        return loaded
    }

    /// Takes away what no voice used.
    package func prune() {
        for name in Files.names(in: folder) where name.hasPrefix(Self.prefix) && !used.contains(name) {
            unlink("\(folder)/\(name)")
        }
    }

    /// Not synced: what a power cut damages is known by its hash and made anew.
    private func keep(_ pack: VoicePack, of voice: VoiceFolder, as name: String) {
        guard let manifest = voice.read("voice.json") else { return }
        let path = "\(folder)/\(name)"
        do throws(SystemError) {
            try Files.makeFolder(folder)
            try Files.write(path, pack.prepared(manifest: manifest))
        } catch {
            // The next start prepares it again.
            unlink(path)
        }
    }
}
