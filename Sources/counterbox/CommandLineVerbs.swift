// Finds the verb that is meant and runs it.

import BoxFoundation
import HardwareLinux

enum CommandLineVerbs {
    static let all: [Verb] = [
        RunVerb.verb, SayVerb.verb, PushVerb.verb, ReceiptVerbs.render, KeyVerb.new, version,
    ]

    static func run(_ words: [String]) -> ExitStatus {
        do throws(VerbFailure) {
            return try dispatch(words)
        } catch {
            Terminal.complain(error.message)
            return error.status
        }
    }

    private static func dispatch(_ words: [String]) throws(VerbFailure) -> ExitStatus {
        guard let first = words.first else { throw .usage("say what to do: counterbox help lists the verbs") }
        if ["help", "--help", "-h"].contains(first) { return try help(Array(words.dropFirst())) }
        if first == "--version" { return try version.run(parse([], for: version)) }
        guard let (verb, rest) = find(words) else {
            throw .usage("there is no verb \(first): counterbox help lists them")
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            Terminal.print(verb.help, end: "")
            return .success
        }
        return try verb.run(parse(rest, for: verb))
    }

    private static func parse(_ words: [String], for verb: Verb) throws(VerbFailure) -> CommandWords {
        do {
            return try CommandWords(words, options: verb.options)
        } catch {
            throw .usage("\(error.message): counterbox \(verb.name) --help lists the options")
        }
    }

    /// A verb of two words is looked for first.
    private static func find(_ words: [String]) -> (Verb, [String])? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let verb = all.first(where: { $0.name == name }) { return (verb, Array(words.dropFirst(count))) }
        }
        return nil
    }

    private static func help(_ words: [String]) throws(VerbFailure) -> ExitStatus {
        guard !words.isEmpty else {
            Terminal.print(overview, end: "")
            return .success
        }
        guard let (verb, _) = find(words) else { throw .usage("there is no verb \(words.joined(separator: " "))") }
        Terminal.print(verb.help, end: "")
        return .success
    }

    private static var overview: String {
        let width = all.map { $0.name.count }.max() ?? 0
        let rows = all.map {
            "  \($0.name)" + String(repeating: " ", count: width - $0.name.count + 2) + $0.summary + "\n"
        }
        return "counterbox VERB [OPTION]…\n\nThe box on a shop's counter that speaks and prints every payment.\n\n"
            + rows.joined() + "\ncounterbox VERB --help says more of each.\n"
    }

    private static let version = Verb(
        name: "version", operands: "", summary: "prints the version", options: [],
        run: { _ throws(VerbFailure) in
            Terminal.print("counterbox \(Firmware.version)")
            return .success
        })
}
