import BoxSettings
import Testing

@Suite("A settings file and its last good copy")
struct SettingsCopyTests {
    private func copy(_ file: String?, _ lastGood: String?) -> SettingsCopy {
        SettingsCopy(file: file.map { Array($0.utf8) }, lastGood: lastGood.map { Array($0.utf8) })
    }

    @Test(
        "An empty or half file is replaced by the copy (field row 103)",
        arguments: ["", "{ voice: { ru", "\0\0\0\0", "{} }"])
    func damaged(file: String) {
        let chosen = copy(file, "{ voice: {} }")
        #expect(chosen.bytes == Array("{ voice: {} }".utf8))
        #expect(chosen.isLastGood && !chosen.isToBeKept)
    }

    @Test(
        "A good file is used, and kept where it is new", arguments: [nil, "{ voice: {} }", "{ half", "{ light: {} }"])
    func good(lastGood: String?) {
        let chosen = copy("{ light: {} }", lastGood)
        #expect(chosen.bytes == Array("{ light: {} }".utf8))
        #expect(!chosen.isLastGood)
        #expect(chosen.isToBeKept == (lastGood != "{ light: {} }"))
    }

    @Test("A file that was taken away is not brought back")
    func removed() {
        #expect(copy(nil, "{ voice: {} }").bytes == nil)
        #expect(!copy(nil, "{ voice: {} }").isLastGood)
    }

    @Test("Where both are damaged the file's own fault is told", arguments: [nil, "", "{ half"])
    func both(lastGood: String?) {
        let chosen = copy("{ ha", lastGood)
        #expect(chosen.bytes == Array("{ ha".utf8))
        #expect(!chosen.isLastGood && !chosen.isToBeKept)
    }
}
