// The configuration out of files, as a power cut may leave them.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import Testing

@Suite("The configuration's files")
struct ConfigurationTests {
    /// A state folder with a configuration beside it.
    private struct Place {
        let folder: String
        var file: String { folder + "/box.json5" }

        init() throws {
            var template = Array("/tmp/counterbox-configuration-XXXXXX".utf8CString)
            let made = try #require(mkdtemp(&template))
            folder = String(cString: made)
            try Files.write(file, Array("{ state: \"\(folder)\" }".utf8))
        }

        func remove() {
            for name in Files.names(in: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }

        func load() throws -> Configuration { try Configuration.load(path: file, board: nil) }
    }

    @Test(
        "A name of something that does not come with the firmware is a fault; an own pack brings its language",
        arguments: [
            ("voice: { language: \"xx\" }", ["voice.language"]),
            ("voice: { language: \"xx\", pack: \"/srv/xx\" }", []),
            ("voice: { also: [\"en\", \"xx\"] }", ["voice.also"]),
            ("voice: { chime: \"gong\" }, printer: { profile: \"generic58\" }", ["voice.chime", "printer.profile"]),
            ("voice: { language: \"en\", chime: \"bell\" }, printer: { profile: \"western-80mm\" }", []),
        ])
    func unknownNames(text: String, names: [String]) throws {
        let place = try Place()
        defer { place.remove() }
        try Files.write(place.file, Array("{ state: \"\(place.folder)\", \(text) }".utf8))
        let configuration = try place.load()
        #expect(configuration.notes.isEmpty)
        #expect(configuration.unknownNames.map(\.name) == names)
        #expect(
            Examination(configuration).facts().notes.map(\.name) == names, "the doctor says so, too")
    }

    @Test(
        "A configuration that a power cut left empty or half: the last good copy",
        arguments: ["", "{ state: \"/var", "[]"])
    func damagedFile(half: String) throws {
        let place = try Place()
        defer { place.remove() }
        let good = Array("{ box: \"counter-7\", state: \"\(place.folder)\" }".utf8)
        try Files.write(place.file, good)
        try place.load().keepCopy()
        try Files.write(place.file, Array(half.utf8))
        let configuration = try place.load()
        #expect(configuration.settings.box == "counter-7")
        #expect(configuration.settings.state == place.folder)
        #expect(configuration.notes.contains { $0.text.contains("last good copy") })
    }

    @Test("What config set wrote lies over the file", arguments: ["", "{\"voice\":{\"ru", "[]"])
    func damaged(half: String) throws {
        let place = try Place()
        defer { place.remove() }
        let state = StateFolder(place.folder)
        #expect(state.save(Array("{\"voice\":{\"rush\":3}}".utf8), as: "settings.json5"))
        #expect(state.save(Array("{\"voice\":{\"rush\":4}}".utf8), as: "settings.json5"))
        #expect(try place.load().settings.voice.rush == 4)
        // What a power cut leaves of a file that was never synced.
        try Files.write(place.folder + "/settings.json5", Array(half.utf8))
        let configuration = try place.load()
        #expect(configuration.settings.voice.rush == 3, "the last good copy")
        #expect(configuration.notes.allSatisfy { $0.level != .fault })
    }
}
