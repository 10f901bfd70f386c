// Finds the verb that is meant and runs it.

import BoxFoundation
import Glibc
import HardwareLinux

/// All verbs of a program: finds the one that is meant, answers `help`, and gives the exit status.
package struct VerbTable: Sendable {
    private let program: String
    private let about: String
    private let verbs: [Verb]

    /// - Parameters:
    ///   - about: one sentence, for the help.
    ///   - verbs: in the order of the help; `version` is added.
    package init(program: String, about: String, verbs: [Verb]) {
        self.program = program
        self.about = about
        self.verbs = verbs + [Self.version(of: program)]
    }

    /// Runs the verb that is meant and ends the program with its status.
    ///
    /// At once, without what libraries do at exit: cnats' threads outlive their connections for a moment, and would use what
    /// OpenSSL takes down then.
    package func main(_ words: [String]) -> Never {
        let status = run(words)
        fflush(nil)
        _exit(status.rawValue)
    }

    package func run(_ words: [String]) -> ExitStatus {
        StandardDescriptors.fill()
        do throws(VerbFailure) {
            return try dispatch(words)
        } catch {
            Terminal.complain(error.message)
            return error.status
        }
    }

    private func dispatch(_ words: [String]) throws(VerbFailure) -> ExitStatus {
        guard let first = words.first else {
            throw VerbFailure.usage("say what to do: \(program) help lists the verbs")
        }
        if ["help", "--help", "-h"].contains(first) { return try help(Array(words.dropFirst())) }
        if first == "--version" { return try dispatch(["version"]) }
        guard let (verb, rest) = find(words) else {
            throw .usage("there is no verb \(first): \(program) help lists them")
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            Terminal.print(verb.help(of: program), end: "")
            return .success
        }
        return try verb.run(parse(rest, for: verb))
    }

    private func parse(_ words: [String], for verb: Verb) throws(VerbFailure) -> CommandWords {
        do {
            return try CommandWords(words, options: verb.options)
        } catch {
            throw .usage("\(error.message): \(program) \(verb.name) --help lists the options")
        }
    }

    /// A verb of two words is looked for first.
    private func find(_ words: [String]) -> (Verb, [String])? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let verb = verbs.first(where: { $0.name == name }) { return (verb, Array(words.dropFirst(count))) }
        }
        return nil
    }

    private func help(_ words: [String]) throws(VerbFailure) -> ExitStatus {
        guard !words.isEmpty else {
            Terminal.print(overview, end: "")
            return .success
        }
        guard let (verb, _) = find(words) else { throw .usage("there is no verb \(words.joined(separator: " "))") }
        Terminal.print(verb.help(of: program), end: "")
        return .success
    }

    private var overview: String {
        let width = verbs.map { $0.name.count }.max() ?? 0
        let rows = verbs.map {
            "  \($0.name)" + String(repeating: " ", count: width - $0.name.count + 2) + $0.summary + "\n"
        }
        return "\(program) VERB [OPTION]…\n\n\(about)\n\n"
            + rows.joined() + "\n\(program) VERB --help says more of each.\n"
    }

    private static func version(of program: String) -> Verb {
        Verb(
            name: "version", operands: "", summary: "prints the version", options: [],
            run: { _ throws(VerbFailure) in
                Terminal.print("\(program) \(Firmware.version)")
                return .success
            })
    }
}
