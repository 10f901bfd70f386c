import BoxAssembly
import BoxFoundation
import Testing

@Suite("What an image tells of itself")
struct SystemImageTests {
    private static let release = "NAME=\"Debian\"\nIMAGE_ID=counterbox-rpi-4\nIMAGE_VERSION=0.2.0\n"

    private func lines(_ release: String = release, _ commandLine: String = "", _ notices: String = "") -> [String] {
        SystemImage(release: release, commandLine: commandLine, notices: notices).remarks.map(\.text)
    }

    @Test("The log begins with the image, its version and the system that runs")
    func system() {
        #expect(lines(Self.release, "quiet root=x rauc.slot=B\n") == ["image counterbox-rpi-4 0.2.0, system B"])
        #expect(lines() == ["image counterbox-rpi-4 0.2.0"])
    }

    @Test("What became of updates and of the data partition is told in its order")
    func notices() {
        let told = lines(Self.release, "", "the data partition was mended\nupdate: a.raucb is installed\n").dropFirst()
        #expect(told == ["kept: the data partition was mended", "kept: update: a.raucb is installed"])
    }

    @Test("A machine without an image of ours tells nothing", arguments: ["", "IMAGE_ID=other\n", "NAME=\"Debian\"\n"])
    func none(release: String) {
        #expect(lines(release, "rauc.slot=A", "a line\n").isEmpty)
    }

    @Test("A damaged file of notices gives a few lines without controls")
    func damaged() {
        let line = String(repeating: "x", count: 500)
        let told = lines(Self.release, "", (0..<40).map { "\($0)\u{1B}\u{0}\(line)\n" }.joined()).dropFirst()
        #expect(told.count == 12)
        #expect(told.first?.hasPrefix("kept: 28??x") == true)
        #expect(told.allSatisfy { $0.count == 246 })
    }
}
