import BoxFoundation
import ServiceConsole
import Testing

/// A technician with a box that answers at once, unless told otherwise.
struct Session {
    var console = ServiceConsole(greeting: "Counterbox test")
    var screen = Screen()
    var written: [UInt8] = []
    var commands: [ConsoleCommand] = []
    var waiting: [ConsoleRequest] = []
    var cancelled: [ConsoleRequest] = []
    var answers = true

    init() { take(console.opened()) }

    mutating func take(_ outputs: [ConsoleOutput]) {
        for output in outputs {
            switch output {
            case .write(let bytes):
                written += bytes
                screen.show(bytes)
            case .command(let command, let request):
                commands.append(command)
                if answers {
                    take(console.reply(ConsoleReply(["done \(commands.count)"]), to: request))
                } else {
                    waiting.append(request)
                }
            case .cancel(let request): cancelled.append(request)
            }
        }
    }

    mutating func type(_ text: String) { take(console.received(Array(text.utf8))) }

    mutating func answer(_ reply: ConsoleReply) { take(console.reply(reply, to: waiting[waiting.count - 1])) }

    /// What was written since the last look.
    mutating func heard() -> String {
        defer { written = [] }
        return String(decoding: written, as: UTF8.self)
    }
}

@Suite("The service console")
struct ServiceConsoleTests {
    static let time = CivilTime(WallTime(milliseconds: 1_700_000_000_000), offset: 0)

    @Test("A terminal is greeted and asked")
    func greeting() {
        var session = Session()
        #expect(session.heard() == "\r\nCounterbox test\r\nhelp lists the commands\r\ncounterbox> ")
    }

    @Test("Every line is answered once, whatever its end and however it is cut", arguments: ["\r", "\n", "\r\n"])
    func lineEnds(end: String) {
        for cut in [1, 2, 3, 1000] {
            var session = Session()
            let bytes = Array("status\(end)net\(end)".utf8)
            for start in stride(from: 0, to: bytes.count, by: cut) {
                session.take(session.console.received(Array(bytes[start..<min(start + cut, bytes.count)])))
            }
            #expect(session.commands == [.status, .net])
            #expect(
                session.screen.lines.suffix(5).map { String($0) } == [
                    "counterbox> status", "done 1", "counterbox> net", "done 2", "counterbox> ",
                ])
        }
    }

    @Test("An empty line is answered by a prompt")
    func emptyLine() {
        var session = Session()
        _ = session.heard()
        session.type("\r")
        #expect(session.heard() == "\r\ncounterbox> ")
    }

    @Test("Lines typed ahead wait for the answer and keep their order")
    func typedAhead() {
        var session = Session()
        session.answers = false
        session.type("doctor\rstatus\rnet\r")
        #expect(session.commands == [.doctor])
        session.answer(ConsoleReply(["fine"]))
        #expect(session.commands == [.doctor, .status])
        session.answer(ConsoleReply(["fine"]))
        session.answer(ConsoleReply(["fine"]))
        #expect(session.commands == [.doctor, .status, .net])
        #expect(session.screen.lines.suffix(3).map { String($0) } == ["counterbox> net", "fine", "counterbox> "])
    }

    @Test("Ctrl-C gives the prompt back, and the late answer is dropped")
    func cancel() {
        var session = Session()
        session.answers = false
        session.type("printer scan\r")
        session.answer(ConsoleReply(["DC:0D:30:00:00:01 Printer"], continues: true))
        session.type("\u{3}")
        #expect(session.cancelled == session.waiting)
        _ = session.heard()
        session.answer(ConsoleReply(["too late"]))
        #expect(session.heard() == "")
        session.type("status\r")
        #expect(session.commands == [.printer(.scan), .status])
        session.answer(ConsoleReply(["fine"]))
        #expect(session.heard() == "status\r\nfine\r\ncounterbox> ")
    }

    @Test(
        "Following the log ends with Enter, Ctrl-C or the next command",
        arguments: ["\r", "\n", "\r\n", "\u{3}", "status\r"])
    func follow(end: String) {
        var session = Session()
        session.take(session.console.log(LogEntry(.warning, "printer", "paper is out"), at: Self.time))
        session.type("log follow\r\n")
        session.take(session.console.log(LogEntry(.info, "printer", "paper is back"), at: Self.time))
        #expect(
            session.screen.lines.suffix(3).map { String($0) } == [
                "2023-11-14 22:13:20 warning printer: paper is out", "2023-11-14 22:13:20 info printer: paper is back",
                "",
            ])
        session.type(end)
        #expect(session.screen.line == "counterbox> ")
        _ = session.heard()
        session.take(session.console.log(LogEntry(.info, "printer", "again"), at: Self.time))
        #expect(session.heard() == "")
        #expect(session.commands == (end == "status\r" ? [.status] : []))
    }

    @Test("The button's live view goes on until it is stopped")
    func button() {
        var session = Session()
        session.answers = false
        session.type("button\r")
        session.answer(ConsoleReply(["up"], continues: true))
        session.answer(ConsoleReply(["down"], continues: true))
        #expect(session.screen.lines.suffix(3).map { String($0) } == ["up", "down", ""])
        session.type("\r")
        #expect(session.cancelled == session.waiting)
        #expect(session.screen.line == "counterbox> ")
    }

    @Test("json on: one object a line, no echo, no prompt")
    func json() throws {
        var session = Session()
        session.type("json on\r")
        _ = session.heard()
        session.answers = false
        session.type("volume\r\n")
        var object = JSONObject()
        object.set("volume", 60)
        session.answer(ConsoleReply(["60"], json: object))
        #expect(session.heard() == "{\"ok\":true,\"volume\":60}\r\n")
        session.type("net\n")
        session.answer(ConsoleReply(["eth0 up", "hub connected"]))
        #expect(session.heard() == "{\"ok\":true,\"lines\":[\"eth0 up\",\"hub connected\"]}\r\n")
        session.type("show 7\n")
        session.answer(.failed("no push has the id 7"))
        #expect(session.heard() == "{\"ok\":false,\"reason\":\"no push has the id 7\"}\r\n")
        session.type("nonsense\n")
        #expect(try JSONReader.read(String(session.heard().dropLast(1)))["ok"] == false)
        session.take(session.console.log(LogEntry(.error, "box", "x"), at: Self.time))
        session.type("log 1\n")
        #expect(
            session.heard()
                == #"{"ok":true,"log":[{"time":"2023-11-14T22:13:20","level":"error","subject":"box","text":"x"}]}"#
                + "\r\n")
        session.type("help\n")
        #expect(
            try JSONReader.read(String(session.heard().dropLast(1)))["commands"]?.array?.count == CommandHelp.all.count)
        session.type("json off\n")
        #expect(session.heard() == "json off\r\ncounterbox> ")
    }

    @Test(
        "Tab completes what is clear and shows what is not",
        arguments: [
            ("st\t", "status "), ("STA\t", "STA"), ("pri\t", "print"), ("printe\t", "printer "),
            ("printer sc\t", "printer scan "),
            ("trace o\t", "trace o"), ("config s\t", "config set "), ("help bu\t", "help bu"), ("zz\t", "zz"),
            ("status x y\t", "status x y"),
        ])
    func completion(keys: String, line: String) {
        var session = Session()
        session.type(keys)
        #expect(session.screen.line == "counterbox> " + line)
    }

    @Test("Tab shows all that is possible and keeps the line")
    func choices() {
        var session = Session()
        session.type("trace o\t")
        #expect(session.screen.lines.suffix(2).map { String($0) } == ["on  off", "counterbox> trace o"])
        session.type("n\r")
        #expect(session.commands == [.trace(true)])
    }

    @Test("Texts from elsewhere cannot steer the terminal")
    func controlCharacters() {
        var session = Session()
        session.answers = false
        session.type("show 7\r")
        _ = session.heard()
        session.answer(ConsoleReply(["order \u{1B}[2J\u{9B}31m\u{7}\r\nreboot"]))
        #expect(session.heard() == "order \u{FFFD}[2J\u{FFFD}31m\u{FFFD}\u{FFFD}\u{FFFD}reboot\r\ncounterbox> ")
    }

    @Test("A peer that echoes all it gets is left alone after a few lines")
    func echoingPeer() {
        var session = Session()
        _ = session.heard()
        session.type("hello\r")
        var rounds = 0
        while case let bytes = Array(session.heard().utf8), !bytes.isEmpty, rounds < 1000 {
            session.take(session.console.received(bytes))
            rounds += 1
        }
        #expect(rounds < 100)
        #expect(session.commands.isEmpty)
        session.type("\u{3}status\r")
        #expect(session.commands == [.status])
    }

    @Test("A port that comes back starts afresh, and nobody's answer goes to the next one")
    func reopened() {
        var session = Session()
        session.answers = false
        session.type("json on\rprinter scan\r")
        let request = session.waiting[0]
        session.take(session.console.closed())
        #expect(session.cancelled == [request])
        session.take(session.console.opened())
        _ = session.heard()
        session.take(session.console.reply(ConsoleReply(["late"]), to: request))
        #expect(session.heard() == "")
        session.type("st\t")
        #expect(session.screen.line == "counterbox> status ")
    }

    @Test("Random bytes never stop it", arguments: 0..<12)
    func noise(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var session = Session()
        session.take(session.console.received(random.bytes(4000)))
        session.type("\u{3}\u{3}\rjson off\r")
        session.commands = []
        session.type("status\r")
        #expect(session.commands == [.status])
    }
}

@Suite("The log ring")
struct LogRingTests {
    @Test("It keeps the newest in order, bounded in lines and bytes")
    func bounded() {
        var ring = LogRing()
        #expect(ring.newest(5).isEmpty)
        for n in 1...1234 { _ = ring.append(LogEntry(.info, "box", String(n)), at: ServiceConsoleTests.time) }
        #expect(ring.newest(3).map(\.entry.text) == ["1232", "1233", "1234"])
        #expect(ring.newest(.max).map(\.entry.text) == (735...1234).map(String.init))
        #expect(ring.newest(-1).isEmpty)
        let long = ring.append(
            LogEntry(.info, "box", String(repeating: "宫", count: 1000)), at: ServiceConsoleTests.time)
        #expect(long.entry.text.utf8.count <= LogRing.mostBytes + 6)
    }
}
