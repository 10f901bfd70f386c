// The technician's terminal: bytes in; bytes out and commands for the box. What only concerns the console (help, the log,
// the form of answers) it answers itself. One line is answered before the next is looked at.

import BoxFoundation

/// Names a command until its answer, so that an answer which comes too late is not taken for another's.
package struct ConsoleRequest: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }
}

/// The answer to a command: lines for people, an object for machines.
package struct ConsoleReply: Equatable, Sendable {
    package var isOK: Bool
    /// For people.
    package var lines: [String]
    /// For machines: its members follow `ok`. Where there is none, the lines are given.
    package var json: JSONObject?
    /// More of the same answer follows (a live view, a scan that goes on).
    package var continues: Bool

    package init(isOK: Bool = true, _ lines: [String], json: JSONObject? = nil, continues: Bool = false) {
        self.isOK = isOK
        self.lines = lines
        self.json = json
        self.continues = continues
    }

    /// A refusal in one line that says what to do.
    package static func failed(_ line: String) -> ConsoleReply { ConsoleReply(isOK: false, [line]) }
}

/// What the console wants done.
package enum ConsoleOutput: Equatable, Sendable {
    case write([UInt8])
    /// To be answered by `reply`.
    case command(ConsoleCommand, ConsoleRequest)
    /// The answer is wanted no more: a live view or a scan ends.
    case cancel(ConsoleRequest)
}

/// The technician's terminal as a value: bytes in, bytes and commands out. One line is answered before the next.
package struct ServiceConsole {
    package static let prompt = "counterbox> "
    /// Bytes typed ahead of an answer; what is over is dropped.
    package static let mostTypedAhead = 4096
    /// Lines in a row that are no command, after which the console falls silent until one is or Ctrl-C comes: at the other
    /// end is a machine that sends noise, or one that echoes what it gets.
    package static let mostUnknown = 8

    private enum Doing: Equatable {
        case line
        case following
        case waiting(ConsoleRequest, isLive: Bool)
    }

    private let greeting: String
    /// Those that this box can do.
    private let commands: [CommandHelp]
    private var editor = LineEditor(prompt: prompt)
    private var doing = Doing.line
    private var typedAhead: [UInt8] = []
    private var isJSON = false
    private var unknown = 0
    private var requests = 0
    /// A yes is waited for: whatever the next line is, it is the answer.
    private var isAskingForReboot = false
    /// The last byte was a carriage return: a line feed right after it is the same line's end.
    private var isAfterReturn = false
    package private(set) var ring = LogRing()

    /// - Parameters:
    ///   - greeting: what a terminal shows first, such as the box's name and version.
    ///   - without: commands that this box cannot do: the help leaves them out.
    package init(greeting: String, without: Set<String> = []) {
        self.greeting = greeting
        commands = CommandHelp.all.filter { !without.contains($0.name) }
    }

    // MARK: The port

    package mutating func opened() -> [ConsoleOutput] {
        let stopped = forget()
        return stopped + [
            .write(
                TerminalText.lineEnd + TerminalText.line(greeting) + TerminalText.line("help lists the commands")
                    + editor.opening)
        ]
    }

    package mutating func closed() -> [ConsoleOutput] { forget() }

    /// Whoever was there is gone: half a line, a live view and the form of answers are not for the next one.
    private mutating func forget() -> [ConsoleOutput] {
        let stopped = stop()
        editor = LineEditor(prompt: Self.prompt)
        isAskingForReboot = false
        isJSON = false
        unknown = 0
        isAfterReturn = false
        return stopped
    }

    package mutating func received(_ bytes: [UInt8]) -> [ConsoleOutput] {
        var outputs: [ConsoleOutput] = []
        for byte in bytes { outputs += received(byte) }
        return Self.joined(outputs)
    }

    private mutating func received(_ byte: UInt8) -> [ConsoleOutput] {
        let isSameEnd = isAfterReturn && byte == 0x0A
        isAfterReturn = byte == 0x0D
        guard doing != .line else { return typed(byte) }
        // The editor, which saw the return, swallows it.
        if isSameEnd, typedAhead.isEmpty { return typed(byte) }
        if byte == 0x03 { return stop() + typed(byte) }
        if isLive, byte == 0x0D || byte == 0x0A, !isSameEnd {
            let line = typedAhead + [byte]
            return stop() + line.flatMap { typed($0) }
        }
        if typedAhead.count < Self.mostTypedAhead { typedAhead.append(byte) }
        return []
    }

    /// A byte that has been looked at for line ends before.
    private mutating func received(again byte: UInt8) -> [ConsoleOutput] {
        guard doing != .line else { return typed(byte) }
        typedAhead.append(byte)
        return []
    }

    private var isLive: Bool {
        switch doing {
        case .following, .waiting(_, isLive: true): true
        case .line, .waiting: false
        }
    }

    /// Ends what is running; what was typed ahead is gone.
    private mutating func stop() -> [ConsoleOutput] {
        let running = doing
        doing = .line
        typedAhead = []
        if case .waiting(let request, _) = running { return [.cancel(request)] }
        return []
    }

    // MARK: Lines

    private mutating func typed(_ byte: UInt8) -> [ConsoleOutput] {
        var outputs: [ConsoleOutput] = []
        for output in editor.receive(byte) {
            switch output {
            case .echo(let bytes): outputs += echo(bytes)
            case .line(let line): outputs += answer(line)
            case .lineTooLong:
                outputs += refused("the line is longer than \(LineEditor.mostBytes) bytes and was thrown away")
            case .interrupt:
                unknown = 0
                isAskingForReboot = false
                outputs += prompted()
            case .complete(let text): outputs += complete(text)
            }
        }
        return outputs
    }

    private mutating func answer(_ line: String) -> [ConsoleOutput] {
        // Our own prompt coming back is an echo, not a person.
        if line.hasPrefix(Self.prompt.dropLast()) { return refused("") }
        if isAskingForReboot { return answerReboot(line) }
        do throws(CommandFault) {
            guard let command = try ConsoleCommand.read(line) else { return prompted() }
            unknown = 0
            return perform(command)
        } catch {
            return refused(error.message)
        }
    }

    private mutating func refused(_ message: String) -> [ConsoleOutput] {
        if isSilent { return [] }
        unknown += 1
        if isSilent { return shown(.failed("silent until Ctrl-C or a command comes")) }
        return message.isEmpty ? prompted() : finished(.failed(message))
    }

    private var isSilent: Bool { unknown == Self.mostUnknown }

    private mutating func perform(_ command: ConsoleCommand) -> [ConsoleOutput] {
        switch command {
        case .help(let name): return finished(help(name))
        case .json(let isOn):
            isJSON = isOn
            return finished(ConsoleReply([isOn ? "json on" : "json off"], json: JSONObject()))
        case .log(let count):
            let lines = ring.newest(count)
            return finished(ConsoleReply(lines.map(\.text), json: Self.object("log", lines.map(\.json))))
        case .reboot(isSure: false):
            // A machine has no second thoughts.
            guard !isJSON else { return finished(.failed("reboot yes restarts the machine")) }
            isAskingForReboot = true
            return finished(ConsoleReply([Self.rebootQuestion]))
        case .logFollow:
            doing = .following
            return shown(ConsoleReply(ring.newest(ConsoleCommand.usualCount).map(\.text), continues: true))
        default:
            requests += 1
            doing = .waiting(ConsoleRequest(requests), isLive: command.isLive)
            return [.command(command, ConsoleRequest(requests))]
        }
    }

    private static let rebootQuestion =
        "restart the machine? nothing is lost; yes and Enter does it, anything else does not"

    private mutating func answerReboot(_ line: String) -> [ConsoleOutput] {
        isAskingForReboot = false
        let word = line.split(separator: " ").joined().lowercased()
        guard word == "y" || word == "yes" else { return finished(ConsoleReply(["not restarted"])) }
        return perform(.reboot(isSure: true))
    }

    private func help(_ name: String?) -> ConsoleReply {
        guard let name else {
            let all = commands.map { JSON.object(["command": .string($0.name), "usage": .string($0.usage)]) }
            return ConsoleReply(CommandHelp.overview(commands), json: Self.object("commands", all))
        }
        guard let help = CommandHelp.of(name) else { return .failed("no such command: \(name); help lists them all") }
        return ConsoleReply(["usage: " + help.usage, help.summary])
    }

    private mutating func complete(_ text: String) -> [ConsoleOutput] {
        let completion = CommandCompletion.of(text, among: commands)
        if !completion.choices.isEmpty {
            let choices = TerminalText.line(completion.choices.joined(separator: "  "))
            return echo(TerminalText.lineEnd + choices + editor.opening)
        }
        return editor.insert(completion.insertion).flatMap { output -> [ConsoleOutput] in
            if case .echo(let bytes) = output, !completion.insertion.isEmpty { echo(bytes) } else { [] }
        }
    }

    // MARK: Answers

    /// The answer to a command; one that nobody waits for any more is dropped.
    package mutating func reply(_ reply: ConsoleReply, to request: ConsoleRequest) -> [ConsoleOutput] {
        guard case .waiting(request, _) = doing else { return [] }
        return reply.continues ? shown(reply) : finished(reply)
    }

    /// Keeps a log entry, and shows it where the log is followed.
    package mutating func log(_ entry: LogEntry, at time: CivilTime) -> [ConsoleOutput] {
        let line = ring.append(entry, at: time)
        guard doing == .following else { return [] }
        return shown(ConsoleReply([line.text], json: line.json.object, continues: true))
    }

    private mutating func finished(_ reply: ConsoleReply) -> [ConsoleOutput] {
        doing = .line
        let ahead = typedAhead
        typedAhead = []
        // Bytes typed ahead of a command that is among them wait on.
        return shown(reply) + prompted() + ahead.flatMap { received(again: $0) }
    }

    private func shown(_ reply: ConsoleReply) -> [ConsoleOutput] {
        guard isJSON else {
            let bytes = reply.lines.flatMap { TerminalText.line((reply.isOK ? "" : "error: ") + $0) }
            return bytes.isEmpty ? [] : [.write(bytes)]
        }
        var object = JSONObject()
        object.set("ok", .bool(reply.isOK))
        if !reply.isOK { object.set("reason", .string(reply.lines.joined(separator: "; "))) }
        for member in reply.json?.members ?? [] { object.set(member.name, member.value) }
        if reply.json == nil, reply.isOK { object.set("lines", .array(reply.lines.map { .string($0) })) }
        return [.write(JSON.object(object).bytes + TerminalText.lineEnd)]
    }

    private func prompted() -> [ConsoleOutput] { isJSON || isSilent ? [] : [.write(editor.opening)] }

    private func echo(_ bytes: [UInt8]) -> [ConsoleOutput] {
        isJSON || isSilent || bytes.isEmpty ? [] : [.write(bytes)]
    }

    private static func object(_ name: String, _ values: [JSON]) -> JSONObject {
        var object = JSONObject()
        object.set(name, .array(values))
        return object
    }

    /// Neighbouring writes as one, so that a pasted line is not a hundred writes.
    private static func joined(_ outputs: [ConsoleOutput]) -> [ConsoleOutput] {
        var joined: [ConsoleOutput] = []
        for output in outputs {
            if case .write(let bytes) = output, case .write(let before)? = joined.last {
                joined[joined.count - 1] = .write(before + bytes)
            } else {
                joined.append(output)
            }
        }
        return joined
    }
}
