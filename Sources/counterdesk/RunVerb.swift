// `counterdesk run`: the virtual counter. The very same box as the firmware, on simulated devices and in real time; its
// pushes come in over TCP as they do on a real one.

import BoxAssembly
import BoxFoundation
import HardwareLinux

enum RunVerb {
    static let verb = Verb(
        name: "run", operands: "",
        summary: "runs the virtual counter: shows the light, each phrase with its WAV, each receipt as text",
        options: [
            CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
            CommandOption("ready", value: "FILE", "writes a line there (a FIFO, say) when the box takes connections"),
            CommandOption("once", "stops when the first payment has been spoken and printed"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("run takes no operands") }
        do throws(AssemblyFault) {
            let configuration = try Configuration.load(path: words["config"], board: "desktop")
            let counter = try VirtualCounter(configuration)
            counter.run(ready: words["ready"], once: words.has("once"))
            return .success
        } catch {
            throw .failure(error.message)
        }
    }
}
