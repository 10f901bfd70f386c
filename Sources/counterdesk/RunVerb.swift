// `counterdesk run`: the virtual counter. The very same box as the firmware, on simulated devices and in real time, shown
// on a page; its pushes come in over TCP as they do on a real one.

import BoxAssembly
import BoxFoundation
import HardwareLinux

enum RunVerb {
    private static let usualPort: UInt16 = 7780
    private static let usualPrinter = "generic-80mm"

    static let verb = Verb(
        name: "run", operands: "",
        summary: "runs the virtual counter: a page at http://127.0.0.1:\(usualPort), and a line for all that happens",
        options: [
            CommandOption("config", value: "FILE", "the configuration (default: \(Configuration.usualPath))"),
            CommandOption("port", value: "N", "the page's port (default: \(usualPort)); 0 takes a free one"),
            CommandOption("printer", value: "PROFILE", "the counter's printer (default: \(usualPrinter))"),
            CommandOption("ready", value: "FILE", "writes a line there (a FIFO, say) when the box takes connections"),
            CommandOption("once", "without the page: stops when the first payment has been spoken and printed"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("run takes no operands") }
        let port = try port(words)
        do throws(AssemblyFault) {
            let configuration = try Configuration.load(path: words["config"], board: "desktop")
            let counter = try VirtualCounter(
                configuration, printer: words["printer"] ?? usualPrinter, ready: words["ready"],
                once: words.has("once"))
            if !words.has("once") { try counter.open(port: port) }
            try counter.run()
            return .success
        } catch {
            throw .failure(error.message)
        }
    }

    private static func port(_ words: CommandWords) throws(VerbFailure) -> UInt16 {
        guard let text = words["port"] else { return usualPort }
        guard let port = UInt16(text) else { throw .usage("--port \(text): a number from 0 to 65535") }
        return port
    }
}
