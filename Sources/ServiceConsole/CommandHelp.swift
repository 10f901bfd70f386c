// The commands as a table: what `help` shows, what Tab completes, and what a mistyped word is compared with.

/// A command as `help` shows it.
package struct CommandHelp: Sendable {
    package let name: String
    package let usage: String
    package let summary: String
    /// Words that may come second, for Tab.
    package let words: [String]

    private init(_ name: String, _ usage: String, _ summary: String, words: [String] = []) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.words = words
    }

    package static let all = [
        CommandHelp("help", "help [COMMAND]", "this list, or one command in full"),
        CommandHelp("status", "status", "how the box is: network, hub, printer, voice, queue, today's count and sum"),
        CommandHelp(
            "log", "log [N | follow]", "the newest log entries; follow shows new ones until Enter or Ctrl-C",
            words: ["follow"]),
        CommandHelp("pushes", "pushes [N]", "the newest pushes and what became of them"),
        CommandHelp("show", "show ID", "all that is known of one push"),
        CommandHelp(
            "say", "say AMOUNT… [CHANNEL] [refund] [CURRENCY] [LANGUAGE]",
            "speaks amounts, for instance: say 12.50 wechat, or: say 3 refund USD en",
            words: ["wechat", "alipay", "unionpay", "card", "cash", "member", "refund"]),
        CommandHelp("print", "print [TEXT]", "prints a slip with the text, or the test page"),
        CommandHelp("reprint", "reprint [ID]", "prints a receipt again, marked; without an id the last one"),
        CommandHelp("volume", "volume [0-100]", "shows or sets the volume"),
        CommandHelp(
            "led", "led [identify | 0-100]",
            "shows the light's state; identify winks for 10 s; a number is the brightness", words: ["identify"]),
        CommandHelp("button", "button", "shows the button live until Enter or Ctrl-C"),
        CommandHelp(
            "printer", "printer [status | scan | pair [ADDRESS] | pin PIN | test]", "the receipt printer",
            words: ["status", "scan", "pair", "pin", "test"]),
        CommandHelp("net", "net", "addresses, links and connections"),
        CommandHelp(
            "config", "config get [NAME] | config set NAME VALUE", "the settings, by dotted names such as voice.rush",
            words: ["get", "set"]),
        CommandHelp("doctor", "doctor", "checks everything and names causes and cures"),
        CommandHelp(
            "trace", "trace on | off", "records the frames of the hub's connection, without secrets",
            words: ["on", "off"]),
        CommandHelp(
            "bundle", "bundle [amounts]",
            "shows and keeps one file for support, without secrets; amounts are left out unless asked for",
            words: ["amounts"]),
        CommandHelp(
            "reboot", "reboot [yes]", "restarts the machine; nothing is lost; without yes it asks", words: ["yes"]),
        CommandHelp(
            "json", "json on | off", "answers as one JSON object a line, without prompt and echo", words: ["on", "off"]),
    ]

    package static func of(_ name: String) -> CommandHelp? { all.first { $0.name == name } }

    /// `  volume [0-100]        shows or sets the volume`.
    static func overview(_ commands: [CommandHelp]) -> [String] {
        let width = commands.map(\.name.utf8.count).max() ?? 0
        return commands.map { $0.name + String(repeating: " ", count: width + 2 - $0.name.utf8.count) + $0.summary }
    }
}

/// What Tab adds.
struct CommandCompletion: Equatable {
    /// To be put at the cursor.
    var insertion: String
    /// Where it is not clear: all that is possible.
    var choices: [String]

    static func of(_ line: String, among commands: [CommandHelp]) -> CommandCompletion {
        let names = commands.map(\.name)
        let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        let isNewWord = line.isEmpty || line.last == " "
        switch (words.count, isNewWord) {
        case (0, _): return CommandCompletion(of: "", among: names)
        case (1, false): return CommandCompletion(of: words[0], among: names)
        case (1, true): return CommandCompletion(of: "", among: second(words[0], names))
        case (2, false): return CommandCompletion(of: words[1], among: second(words[0], names))
        default: return CommandCompletion(insertion: "", choices: [])
        }
    }

    private static func second(_ command: String, _ names: [String]) -> [String] {
        command == "help" ? names : CommandHelp.of(command)?.words ?? []
    }

    private init(insertion: String, choices: [String]) {
        self.insertion = insertion
        self.choices = choices
    }

    private init(of start: String, among names: [String]) {
        let fitting = names.filter { $0.hasPrefix(start) }
        if fitting.count == 1 {
            self.init(insertion: fitting[0].dropFirst(start.count) + " ", choices: [])
        } else {
            let common = Self.commonPrefix(fitting).dropFirst(start.count)
            self.init(insertion: String(common), choices: common.isEmpty ? fitting : [])
        }
    }

    private static func commonPrefix(_ names: [String]) -> String {
        guard var common = names.first else { return "" }
        for name in names { while !name.hasPrefix(common) { common.removeLast() } }
        return common
    }
}
