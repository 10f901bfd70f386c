import BoxFoundation
import BoxSettings
import HardwareLinux
import Testing

/// Every folder of `board` is whole: what board/README.md asks for is there, and its files agree with each other.
@Suite("The boards' folders")
struct BoardFolderTests {
    static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/") + "/board"
    }()
    static let names = Files.names(in: folder).filter { $0 != "README.md" }

    private static func text(_ name: String) -> String? {
        (try? Files.read("\(folder)/\(name)", limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func board(_ name: String) throws -> Board {
        let json = try #require(text("\(name)/board.json"))
        let (board, notes) = Board.read(Array(json.utf8), name: "", file: "board.json")
        #expect(notes == [])
        return board
    }

    @Test("There are boards, and the page names each of them")
    func page() throws {
        let page = try #require(Self.text("README.md"))
        #expect(Set(["desktop", "lab", "qemu-virt", "rpi-4", "rpi-zero-2w"]).isSubset(of: Self.names))
        for name in Self.names { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    @Test("A board says what it is and, of every feature, whether it has it", arguments: names)
    func whole(name: String) throws {
        let board = try Self.board(name)
        #expect(board.name == name)
        #expect(board.title != name && board.soc != nil)
        #expect(board.features.count == BoardFeature.allCases.count)
        let reader = SettingsReader.read([board.layer])
        #expect(reader.notes == [])
        let has = { (feature: BoardFeature) in board.features[feature] != BoardTrial.none }
        #expect(has(.light) == (board.light != nil))
        #expect(has(.button) == (board.button != nil))
        #expect(has(.sound) == (reader.settings.speaker.alsa != nil))
        #expect(has(.console) == (reader.settings.console.port != nil))
        #expect((board.gadget != nil) == (reader.settings.console.port == "/dev/ttyGS0"))
        if let sound = board.sound { #expect(reader.settings.speaker.alsa?.contains("CARD=\(sound.card)") == true) }
    }

    @Test("Lines are found by a chip's label and a name", arguments: names)
    func lines(name: String) throws {
        for line in try Self.lines(of: name) { #expect(!line.chips.isEmpty) }
    }

    @Test("What is wired is drawn, and the page names every line", arguments: names)
    func wiring(name: String) throws {
        let board = try Self.board(name)
        guard board.features.values.contains(.paper) || board.features.values.contains(.board) else { return }
        guard board.light != nil || board.button != nil else { return }
        let page = try #require(Self.text("\(name)/wiring.md"))
        #expect(page.contains("](wiring.svg)"))
        let drawing = try #require(Self.text("\(name)/wiring.svg"))
        for line in try Self.lines(of: name) {
            #expect(page.contains("`\(line.line)`"), "\(line.line)")
            #expect(drawing.contains(line.line), "\(line.line)")
        }
        if let amplifier = board.sound?.amplifier { #expect(page.contains(amplifier) && drawing.contains(amplifier)) }
        #expect(drawing.contains("USB"))
    }

    @Test(
        "A board with an image has a command line, a reason for each of its words, places in memory, and a list of packages",
        arguments: names)
    func image(name: String) throws {
        guard let line = Self.text("\(name)/cmdline.txt") else {
            for file in ["config.txt", "boot.txt", "packages", "firmware"] {
                #expect(Self.text("\(name)/\(file)") == nil, "\(file) without cmdline.txt")
            }
            return
        }
        #expect(line.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "one line with its end")
        let reasons = try #require(Self.text("\(name)/cmdline.md"))
        for word in line.split(whereSeparator: \.isWhitespace) { #expect(reasons.contains("`\(word)`"), "\(word)") }
        let places = try #require(Self.text("\(name)/boot.txt"), "boot.txt")
        for place in ["kernel_addr=0x", "initrd_addr=0x"] { #expect(places.contains("\n" + place), "\(place)") }
        let packages = try #require(Self.text("\(name)/packages"), "packages")
        // Firmware that a board has packages for is looked for in its image by name.
        #expect(!packages.contains("\nfirmware-") || Self.text("\(name)/firmware") != nil, "firmware")
    }

    @Test("Each setting of config.txt and each package has a reason above it", arguments: names)
    func reasons(name: String) throws {
        for file in ["boot.txt", "config.txt", "packages", "firmware"] {
            var above = ""
            for line in Self.text("\(name)/\(file)")?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
                if !line.isEmpty, !line.hasPrefix("#") { #expect(!above.isEmpty, "\(file): \(line)") }
                above = String(line)
            }
        }
    }

    @Test("Each overlay that config.txt names has its source beside it", arguments: names)
    func overlays(name: String) throws {
        for line in Self.text("\(name)/config.txt")?.split(separator: "\n") ?? [] where line.hasPrefix("dtoverlay=") {
            let overlay = line.dropFirst("dtoverlay=".count).prefix { $0 != "," }
            let source = try #require(Self.text("\(name)/overlays/\(overlay).dts"), "\(overlay)")
            guard source.contains("simple-audio-card,name") else { continue }
            let card = try Self.board(name).sound?.card ?? ""
            #expect(source.contains("simple-audio-card,name = \"\(card)\""))
        }
    }

    private static func lines(of name: String) throws -> [BoardLine] {
        let board = try board(name)
        var lines = [board.button].compactMap { $0 }
        if case .line(let line) = board.light { lines.append(line) }
        return lines
    }
}
