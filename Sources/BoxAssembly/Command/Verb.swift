// What every verb of the command line is: a name, a line of help, its options, and what it does.

import Glibc
import HardwareLinux

/// Exit statuses of every verb.
package enum ExitStatus: Int32 {
    case success = 0
    /// What was asked for could not be done, or found something wrong.
    case failure = 1
    /// The words after the program's name make no sense.
    case usage = 2
    /// Of `run` alone: the box has stopped, and its unit is to restart the machine now.
    case restartMachine = 76
}

/// A verb of the command line, as its program's ``VerbTable`` lists it.
package struct Verb: Sendable {
    /// One word, or two (`receipt render`).
    package var name: String
    /// Operands as the help shows them.
    package var operands: String
    package var summary: String
    package var options: [CommandOption]
    package var run: @Sendable (CommandWords) throws(VerbFailure) -> ExitStatus

    package init(
        name: String, operands: String, summary: String, options: [CommandOption],
        run: @escaping @Sendable (CommandWords) throws(VerbFailure) -> ExitStatus
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.options = options
        self.run = run
    }

    func help(of program: String) -> String {
        var text =
            "\(program) \(name)\(options.isEmpty ? "" : " [OPTION]…")\(operands.isEmpty ? "" : " " + operands)\n\n"
        text += "\(summary)\n"
        if !options.isEmpty { text += "\n" + Self.table(options) }
        return text
    }

    private static func table(_ options: [CommandOption]) -> String {
        let rows = options.map { option in
            let short = option.short.map { "-\($0), " } ?? ""
            return ("\(short)--\(option.name)\(option.value.map { " " + $0 } ?? "")", option.help)
        }
        let width = rows.map { $0.0.count }.max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right + "\n"
        }.joined()
    }
}

/// Why a verb ends early: one clear line that says what to do.
package struct VerbFailure: Error {
    package var status: ExitStatus
    package var message: String

    package static func usage(_ message: String) -> VerbFailure { VerbFailure(status: .usage, message: message) }
    package static func failure(_ message: String) -> VerbFailure { VerbFailure(status: .failure, message: message) }
}

/// Standard output and error, written whole.
package enum Terminal {
    package static func print(_ text: String, end: String = "\n") { write(text + end, to: STDOUT_FILENO) }

    package static func complain(_ text: String) { write("\(program): \(text)\n", to: STDERR_FILENO) }

    /// What long work is at, in place of what it was at before; an empty text takes it away. On a terminal only.
    package static func showProgress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
    }

    /// The program's own name, without its folder.
    private static let program =
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "counterbox"

    package static func write(_ bytes: [UInt8]) { write(bytes[...], to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8)[...], to: descriptor) }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

extension CommandWords {
    /// - Throws: usage, naming what may stand there.
    package func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(VerbFailure) -> Choice?
    where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw .usage("--\(name) \(text): one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
}
