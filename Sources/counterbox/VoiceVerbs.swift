// `counterbox voice`: judges voice packs.

import BoxAssembly
import BoxFoundation
import HardwareLinux
import VoiceAnnouncing

enum VoiceVerbs {
    static let check = Verb(
        name: "voice check", operands: "DIR",
        summary: "judges a voice pack: what would be refused, what would be heard as a fault, what to do",
        options: [], run: runCheck)

    private static func runCheck(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.count == 1 else { throw .usage("voice check takes one DIR") }
        let path = words.operands[0]
        guard !Files.names(in: path).isEmpty else { throw .failure("\(path) is no folder with files in it") }
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let folder = VoiceFolder(at: path, resources)
        let check = VoiceCheck.check { folder.read($0) }
        Terminal.print(check.table, end: "")
        return check.isRefused ? .failure : .success
    }
}
