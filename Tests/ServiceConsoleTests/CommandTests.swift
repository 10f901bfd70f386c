import BoxFoundation
import ServiceConsole
import Testing

@Suite("Console commands")
struct CommandTests {
    @Test(
        "A line is a command",
        arguments: [
            ("help", .help(nil)), ("help SAY", .help("say")), ("status", .status), ("  STATUS  ", .status),
            ("log", .log(20)),
            ("log 5", .log(5)), ("log follow", .logFollow), ("pushes", .pushes(20)), ("pushes 500", .pushes(500)),
            ("show 2026-0017", .show("2026-0017")), ("show \"an id with spaces\"", .show("an id with spaces")),
            ("print", .print(nil)), ("print Hello  world ", .print("Hello  world")), ("print \"  x \"", .print("  x ")),
            ("print \"a\" and \"b\"", .print("\"a\" and \"b\"")), ("reprint", .reprint(nil)),
            ("reprint A7", .reprint("A7")),
            ("volume", .volume(nil)), ("volume 0", .volume(0)), ("volume 100", .volume(100)), ("led", .led(.show)),
            ("led identify", .led(.identify)), ("led 40", .led(.brightness(40))), ("button", .button),
            ("printer", .printer(.status)), ("printer status", .printer(.status)), ("printer scan", .printer(.scan)),
            ("printer pair DC:0D:30:00:00:01", .printer(.pair("DC:0D:30:00:00:01"))),
            ("printer pair", .printer(.pair(nil))), ("printer pin 0000", .printer(.pin("0000"))),
            ("printer test", .printer(.test)), ("net", .net), ("config get", .configGet(nil)),
            ("config get voice.rush", .configGet("voice.rush")),
            ("config set voice.rush 4", .configSet("voice.rush", value: "4")),
            ("config set printer.url \"tcp://10.0.0.9:9100\"", .configSet("printer.url", value: "tcp://10.0.0.9:9100")),
            ("doctor", .doctor), ("trace on", .trace(true)), ("trace off", .trace(false)),
            ("bundle", .bundle(amounts: false)),
            ("bundle amounts", .bundle(amounts: true)), ("reboot", .reboot(isSure: false)),
            ("reboot yes", .reboot(isSure: true)), ("json on", .json(true)),
            ("json off", .json(false)),
        ] as [(String, ConsoleCommand)])
    func commands(line: String, command: ConsoleCommand) throws {
        #expect(try ConsoleCommand.read(line) == command)
    }

    @Test("An empty line is none", arguments: ["", "   "])
    func empty(line: String) throws {
        #expect(try ConsoleCommand.read(line) == nil)
    }

    @Test(
        "say takes its words in any order",
        arguments: [
            ("say 12.50", SayRequest([Money(minor: 1250)])),
            ("say 12.5 0 wechat", SayRequest([Money(minor: 1250), Money(minor: 0)], channel: .wechat)),
            ("say refund alipay 3", SayRequest([Money(minor: 300)], kind: .refund, channel: .alipay)),
            ("say 3 USD en", SayRequest([Money(minor: 300, currency: Currency(code: "USD")!)], language: "en")),
            ("say JPY 500 zh-CN", SayRequest([Money(minor: 500, currency: Currency(code: "JPY")!)], language: "zh-CN")),
        ])
    func say(line: String, request: SayRequest) throws {
        #expect(try ConsoleCommand.read(line) == .say(request))
    }

    @Test(
        "What is no command says what would be one",
        arguments: [
            ("stauts", "did you mean status?"), ("statu", "did you mean status?"), ("pusehs 5", "did you mean pushes?"),
            ("xyzzy", "help lists them all"), ("AT+CGMI", "help lists them all"), ("status now", "usage: status"),
            ("log five", "from 1 to 500"), ("log 0", "from 1 to 500"), ("pushes 501", "from 1 to 500"),
            ("show", "usage: show ID"),
            ("volume 101", "from 0 to 100"), ("volume -1", "from 0 to 100"), ("volume loud", "from 0 to 100"),
            ("led red", "from 0 to 100"), ("printer pin", "usage: printer"), ("printer fix", "usage: printer"),
            ("config", "usage: config"), ("config set voice.rush", "usage: config"), ("trace", "usage: trace on | off"),
            ("json maybe", "usage: json on | off"), ("bundle all", "usage: bundle"), ("reboot now", "usage: reboot"),
            ("say", "usage: say"), ("say wechat", "usage: say"), ("say 12.505", "bad-amount: 12.505"),
            ("say -1", "bad-amount: -1"),
            ("say 1,000", "bad-amount: 1,000"), ("say 1.5 JPY", "bad-amount: 1.5"), ("say １２", "no amount"),
            ("say 5 visa!", "no amount"),
        ])
    func faults(line: String, part: String) {
        do throws(CommandFault) {
            Issue.record("read as \(String(describing: try ConsoleCommand.read(line)))")
        } catch {
            #expect(error.message.contains(part), "\(error.message)")
        }
    }

    @Test(
        "Every command in the table can be read and every one that can be read is in the table",
        arguments: CommandHelp.all.map(\.name))
    func table(name: String) {
        let help = CommandHelp.of(name)
        #expect(help?.usage.hasPrefix(name) == true)
        do throws(CommandFault) { _ = try ConsoleCommand.read(name) } catch {
            #expect(error.message.hasPrefix("usage: " + name))
        }
    }
}
