// `counterbox config`: what the settings are and what is wrong with them.

import BoxAssembly
import BoxSettings
import HardwareLinux

enum ConfigVerbs {
    private static let options = [
        CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
        CommandOption("board", value: "NAME", "the board, by name or folder (default: what the machine says it is)"),
    ]

    static let check = Verb(
        name: "config check", operands: "[FILE]",
        summary:
            "names each fault and each unknown name of the configuration with its line; exit 1 if there is a fault",
        options: options, run: runCheck)

    static let show = Verb(
        name: "config show", operands: "[FILE]",
        summary: "prints every setting in force, a line each; no secrets", options: options, run: runShow)

    private static func runCheck(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let configuration = try load(words)
        let notes = configuration.notes + configuration.unknownNames
        for note in notes { Terminal.print(note.message) }
        let faults = notes.filter { $0.level == .fault }.count
        Terminal.print(faults == 0 ? "the configuration can be used" : "\(faults) faults: the values below them stand")
        return faults == 0 ? .success : .failure
    }

    private static func runShow(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        for (name, value) in try load(words).settings.describe() { Terminal.print("\(name) \(value)") }
        return .success
    }

    private static func load(_ words: CommandWords) throws(VerbFailure) -> Configuration {
        guard words.operands.count <= 1 else { throw .usage("config takes one FILE") }
        do throws(AssemblyFault) {
            return try Configuration.load(path: words.operands.first ?? words["config"], board: words["board"])
        } catch {
            throw .failure(error.message)
        }
    }
}
