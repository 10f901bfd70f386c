// `counterbox setup`: the one file that a new box is told everything by becomes the files that its parts read.

import BoxAssembly
import BoxFoundation
import BoxSettings
import HardwareLinux

enum SetupVerb {
    /// Bytes of the file at most.
    private static let mostBytes = 1 << 20

    static let verb = Verb(
        name: "setup", operands: "FILE FOLDER",
        summary: "checks a new box's \(SetupFile.name) and writes what it says into FOLDER, a file each: "
            + "counterbox.json5, box.key, wpa_supplicant.conf, timezone, and in files those that it brings; where there is a fault, none",
        options: [], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.count == 2 else { throw .usage("setup takes FILE and FOLDER") }
        let (file, folder) = (words.operands[0], words.operands[1])
        do throws(SystemError) {
            let (setup, notes) = SetupFile.read(try Files.read(file, limit: mostBytes), file: file)
            for note in notes { Terminal.complain(note.message) }
            guard !notes.contains(where: { $0.level == .fault }) else { return .failure }
            let beside = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
            var files: [(name: String, bytes: [UInt8])] = []
            for name in setup.files { files.append((name, try Files.read(beside + name, limit: mostBytes))) }
            try write(setup, into: folder)
            if !files.isEmpty { try Files.makeFolder(folder + "/files") }
            for (name, bytes) in files { try Files.create("\(folder)/files/\(name)", bytes) }
        } catch {
            throw .failure(error.message)
        }
        return .success
    }

    private static func write(_ setup: SetupFile, into folder: String) throws(SystemError) {
        try Files.makeFolder(folder)
        func write(_ text: String?, as name: String) throws(SystemError) {
            if let text { try Files.create("\(folder)/\(name)", Array((text + "\n").utf8)) }
        }
        if !setup.settings.members.isEmpty {
            try write(JSON.object(setup.settings).text, as: "counterbox.json5")
        }
        try write(setup.key, as: "box.key")
        try write(setup.wifi?.configuration, as: "wpa_supplicant.conf")
        try write(setup.timeZone, as: "timezone")
    }
}
