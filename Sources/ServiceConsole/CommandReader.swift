// A line becomes a command, or a line that says what was expected.

import BoxFoundation

extension ConsoleCommand {
    /// - Returns: nil for an empty line.
    package static func read(_ line: String) throws(CommandFault) -> ConsoleCommand? {
        var words = CommandWords(line)
        guard let name = words.next() else { return nil }
        guard let help = CommandHelp.of(name.lowercased()) else { throw unknown(name) }
        let command = try read(help.name, &words)
        guard words.isEmpty else { throw usage(help.name) }
        return command
    }

    private static func unknown(_ name: String) -> CommandFault {
        let near = NearestName.of(name, among: CommandHelp.all.lazy.map(\.name))
        let shown = String(name.prefix(40))
        return CommandFault(
            "no such command: \(shown); " + (near.map { "did you mean \($0)?" } ?? "help lists them all"))
    }

    private static func usage(_ name: String) -> CommandFault {
        CommandFault("usage: \(CommandHelp.of(name)?.usage ?? name)")
    }

    private static func read(_ name: String, _ words: inout CommandWords) throws(CommandFault) -> ConsoleCommand {
        switch name {
        case "help": return .help(words.next()?.lowercased())
        case "log": return try log(&words)
        case "pushes": return .pushes(try count(words.next(), name))
        case "show": return .show(try required(words.next(), name))
        case "say": return .say(try say(&words))
        case "print": return .print(words.rest())
        case "reprint": return .reprint(words.next())
        case "volume": return .volume(try words.next().map { word throws(CommandFault) in try percent(word, name) })
        case "led": return .led(try led(words.next()))
        case "printer": return .printer(try printer(&words))
        case "config": return try config(&words)
        case "trace": return .trace(try onOff(words.next(), name))
        case "json": return .json(try onOff(words.next(), name))
        case "reboot": return .reboot(isSure: try yes(words.next(), name))
        case "bundle": return .bundle(amounts: try bundle(words.next()))
        default: return try single(name)
        }
    }

    /// The commands of one word.
    private static func single(_ name: String) throws(CommandFault) -> ConsoleCommand {
        switch name {
        case "status": .status
        case "button": .button
        case "net": .net
        case "doctor": .doctor
        default: throw usage(name)
        }
    }

    private static func log(_ words: inout CommandWords) throws(CommandFault) -> ConsoleCommand {
        let word = words.next()
        return word == "follow" ? .logFollow : .log(try count(word, "log"))
    }

    private static func led(_ word: String?) throws(CommandFault) -> LEDRequest {
        switch word {
        case nil: .show
        case "identify": .identify
        case let word?: .brightness(try percent(word, "led"))
        }
    }

    private static func printer(_ words: inout CommandWords) throws(CommandFault) -> PrinterRequest {
        switch words.next() {
        case nil, "status": .status
        case "scan": .scan
        case "test": .test
        case "pair": .pair(words.next())
        case "pin": .pin(try required(words.next(), "printer"))
        default: throw usage("printer")
        }
    }

    private static func config(_ words: inout CommandWords) throws(CommandFault) -> ConsoleCommand {
        switch words.next() {
        case "get": return .configGet(words.next())
        case "set":
            let name = try required(words.next(), "config")
            guard let value = words.rest() else { throw usage("config") }
            return .configSet(name, value: value)
        default: throw usage("config")
        }
    }

    private static func bundle(_ word: String?) throws(CommandFault) -> Bool {
        guard word == nil || word == "amounts" else { throw usage("bundle") }
        return word != nil
    }

    // MARK: say

    private static func say(_ words: inout CommandWords) throws(CommandFault) -> SayRequest {
        var request = SayRequest([])
        var amounts: [String] = []
        var currency = Currency.cny
        while let word = words.next() {
            if let channel = PaymentChannel(rawValue: word) {
                request.channel = channel
            } else if word == "refund" || word == "payment" {
                request.kind = word == "refund" ? .refund : .payment
            } else if let named = Currency(code: word.uppercased()) {
                currency = named
            } else if word.utf8.first.map({ $0 < UInt8(ascii: "A") }) == true {
                amounts.append(word)
            } else if isLanguage(word) {
                request.language = word
            } else {
                throw CommandFault(
                    "\(word) is no amount, channel, currency or language; usage: \(CommandHelp.of("say")?.usage ?? "")")
            }
        }
        guard !amounts.isEmpty else { throw usage("say") }
        for text in amounts {
            guard let money = Money(text, currency: currency) else {
                throw CommandFault("bad-amount: \(text); an amount looks like 12.50")
            }
            request.amounts.append(money)
        }
        return request
    }

    /// `en`, `zh-CN`.
    private static func isLanguage(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = word.utf8.allSatisfy {
            $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") || $0 == UInt8(ascii: "-")
        }
        return isPlain && (1...3).contains(parts.count) && (2...3).contains(parts[0].utf8.count) && !parts.contains("")
    }

    // MARK: Words

    private static func required(_ word: String?, _ name: String) throws(CommandFault) -> String {
        guard let word else { throw usage(name) }
        return word
    }

    private static func count(_ word: String?, _ name: String) throws(CommandFault) -> Int {
        guard let word else { return usualCount }
        guard let count = Int(word), (1...mostCount).contains(count) else {
            throw CommandFault("\(name): a number from 1 to \(mostCount), not \(word)")
        }
        return count
    }

    private static func percent(_ word: String, _ name: String) throws(CommandFault) -> Int {
        guard let percent = Int(word), (0...100).contains(percent) else {
            throw CommandFault("\(name): a number from 0 to 100, not \(word)")
        }
        return percent
    }

    private static func yes(_ word: String?, _ name: String) throws(CommandFault) -> Bool {
        guard word == nil || word == "yes" else { throw usage(name) }
        return word != nil
    }

    private static func onOff(_ word: String?, _ name: String) throws(CommandFault) -> Bool {
        guard word == "on" || word == "off" else { throw usage(name) }
        return word == "on"
    }
}

/// The words of a line: parted by spaces, double quotes keep spaces together.
struct CommandWords {
    private var left: Substring

    init(_ line: String) {
        left = line[...]
        skipSpace()
    }

    var isEmpty: Bool { left.isEmpty }

    mutating func next() -> String? {
        guard let first = left.first else { return nil }
        defer { skipSpace() }
        if first == "\"", let end = left.dropFirst().firstIndex(of: "\"") {
            let word = left[left.index(after: left.startIndex)..<end]
            left = left[left.index(after: end)...]
            return String(word)
        }
        let word = left.prefix { $0 != " " }
        left = left.dropFirst(word.count)
        return String(word)
    }

    /// All that is left, one pair of quotes around it taken away; nil where nothing is.
    mutating func rest() -> String? {
        guard !left.isEmpty else { return nil }
        defer { left = "" }
        while left.last == " " { left.removeLast() }
        let isQuoted =
            left.count > 1 && left.first == "\"" && left.last == "\""
            && left.dropFirst().dropLast().allSatisfy { $0 != "\"" }
        return String(isQuoted ? left.dropFirst().dropLast() : left)
    }

    private mutating func skipSpace() { left = left.drop { $0 == " " } }
}
