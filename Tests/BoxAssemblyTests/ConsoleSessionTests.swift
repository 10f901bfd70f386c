// A technician's session over a pseudo-terminal: the real console device, the real loop, the whole box, and its answers as
// they arrive at the other end.

import BoxAssembly
import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import PaymentJournal
import TestSupport
import Testing

/// A box on a desk with nothing but its console, and a person's terminal program on it.
private final class Desk {
    let terminal: PseudoTerminal
    let console: TTYConsole
    let runtime: BoxRuntime
    let loop: EpollLoop
    let speaker: SimulatedSpeaker
    private let journal: WorkerThread<JournalBatch, JournalAnswer>
    private let machine: WorkerThread<MachineRequest, MachineAnswer>
    private let folder = TemporaryFolder()
    private var screen = ""

    init() throws {
        terminal = try PseudoTerminal()
        loop = try EpollLoop()
        folder.write(
            Array("{ box: \"desk\", state: \"\(folder.path)\", speaker: { alsa: \"none\" } }".utf8), to: "box.json5")
        let configuration = try Configuration.load(path: "\(folder.path)/box.json5", board: nil)
        let setup = try BoxParts.setup(configuration, makesKey: true)
        journal = try JournalWorker.start(folder.path, on: loop)
        machine = try MachineWorker.start(configuration, on: loop)
        console = TTYConsole(terminal.path, on: loop, log: DeskLog())
        speaker = SimulatedSpeaker(loop: loop)
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: AbsentNetwork(), listen: {}, speaker: speaker, speech: SimulatedSpeech(on: loop),
                printer: AbsentPrinter(on: loop), radio: AbsentRadio(on: loop), usePrinter: { _ in },
                light: AbsentLight(), console: console, journal: journal, clock: SystemClock(),
                state: StateKeeper(folder.path, on: loop), log: DeskLog(), machine: machine), loop: loop)
        runtime.start(buttonIsPressed: nil)
        #expect(wait(for: "counterbox> "), "a terminal is greeted")
    }

    deinit {
        journal.stop()
        machine.stop()
    }

    /// Turns the box until the terminal shows a text, for ten seconds at most.
    func wait(for text: String) -> Bool {
        let limit = loop.now + .seconds(10)
        while !screen.contains(text) {
            guard loop.now < limit else { return false }
            runtime.turn(until: loop.now + .milliseconds(5))
            screen += String(decoding: terminal.read(), as: UTF8.self)
        }
        return true
    }

    /// Types, and takes what comes up to the next prompt.
    func type(_ text: String) -> String { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) -> String {
        screen = ""
        terminal.type(bytes)
        guard wait(for: "\r\ncounterbox> ") else { return "no answer: " + screen }
        return screen
    }

    /// Types without waiting for anything.
    func push(_ bytes: [UInt8]) {
        screen = ""
        terminal.type(bytes)
        runtime.turn(until: loop.now + .milliseconds(1))
    }
}

private final class DeskLog: LogSink {
    func log(_ entry: LogEntry) {}
}

@Suite("A session over a pseudo-terminal")
struct ConsoleSessionTests {
    static let commands = [
        ("help", "says, counted, or shown"), ("help doctor", "usage: doctor"), ("status", "box       desk, counterbox"),
        ("log 5", "counterbox"), ("pushes", "no pushes yet"), ("show x", "error: no push x"), ("say 1", "speaking"),
        ("print hello", "printing"), ("reprint", "error: there is no such receipt"), ("volume 42", "volume 42"),
        ("led", "steady"),
        ("led 30", "steady"), ("printer", "none: no printer"), ("printer status", "none: no printer"),
        ("net", "hub       none connected"), ("config get voice.rush", "voice.rush 6"),
        ("config set voice.rush 3", "in force after the next start"), ("config set voice.rush 0", "error: voice.rush"),
        ("doctor", "ok    journal: kept"), ("trace on", "trace on"), ("trace off", "trace off"),
        ("bundle", "support.txt"), ("nonsense", "error: no such command"), ("statsu", "did you mean status?"),
        ("reboot\rno", "not restarted"),
    ]

    @Test("Every command is answered once, whatever ends its line", arguments: ["\r", "\n", "\r\n"])
    func everyCommand(end: String) throws {
        let desk = try Desk()
        for (command, part) in Self.commands where command != "help" {
            let answer = desk.type(command.replacing("\r", with: end) + end)
            if command.hasPrefix("reboot") { _ = desk.wait(for: part) }
            #expect(answer.contains(part) || desk.wait(for: part), "\(command): \(answer)")
        }
        let help = desk.type("help" + end)
        for name in ["status", "doctor", "config", "bundle", "reboot", "net", "json"] { #expect(help.contains(name)) }
        #expect(
            help.split(separator: "counterbox> ", omittingEmptySubsequences: false).count == 2, "one answer, one prompt"
        )
    }

    @Test("Live views go on until they are stopped: log follow and button")
    func live() throws {
        let desk = try Desk()
        desk.push(Array("log follow\r".utf8))
        #expect(desk.wait(for: "notice box: counterbox"))
        #expect(desk.type("\u{03}").contains("^C"))
        desk.push(Array("button\r".utf8))
        #expect(desk.wait(for: "up\r\n"))
        #expect(desk.type("\u{03}").contains("^C"))
        #expect(desk.type("volume\r").contains("volume "))
    }

    @Test(
        "A line is edited as a terminal's user is used to",
        arguments: [
            ("volmue\u{08}\u{08}\u{08}ume 11\r", "volume 11"), ("volume 12x\u{7f}\r", "volume 12"),
            ("lume 13\u{1b}[H\u{1b}[Cvo\u{1b}[D\u{1b}[D\u{1b}[D\u{08}\r", nil), ("vol\t14\r", "volume 14"),
            ("olume 15\u{01}v\r", "volume 15"), ("garbage\u{15}volume 16\r", "volume 16"),
            ("garbage\u{03}volume 17\r", "volume 17"), ("\u{1b}[5~\u{1b}OPvolume 18\r", "volume 18"),
            ("volume 19\u{1b}[1;5C\r", "volume 19"),
        ] as [(String, String?)])
    func editing(typed: String, answer: String?) throws {
        let desk = try Desk()
        let shown = desk.type(typed)
        guard let answer else { return }
        #expect(shown.contains("\r\n\(answer)\r\n") || desk.wait(for: "\r\n\(answer)\r\n"), "\(shown)")
    }

    @Test("The arrows bring lines back, and Ctrl-L draws the screen anew")
    func history() throws {
        let desk = try Desk()
        _ = desk.type("volume 21\r")
        _ = desk.type("volume 22\r")
        #expect(desk.type("\u{1b}[A\u{1b}[A\r").contains("\r\nvolume 21\r\n"))
        #expect(desk.type("\u{1b}[A\u{1b}[A\u{1b}[B\r").contains("\r\nvolume 21\r\n"))
        desk.push(Array("vol\u{0c}".utf8))
        #expect(desk.wait(for: "\u{1b}[H\u{1b}[2Jcounterbox> vol"))
        #expect(desk.type("ume 23\r").contains("\r\nvolume 23\r\n"))
    }

    @Test("Tab completes, or shows what there is")
    func completion() throws {
        let desk = try Desk()
        #expect(desk.type("s\t").contains("status  show  say") || desk.wait(for: "status  show  say"))
        #expect(desk.type("ta\t\r").contains("box       desk"))
        #expect(desk.type("config g\tvoice.rush\r").contains("voice.rush 6"))
    }

    @Test("Noise, lines without end, binary and escape sequences change nothing and are survived")
    func noise() throws {
        let desk = try Desk()
        var random = SeededRandom(seed: 7)
        for _ in 0..<40 {
            var bytes = (0..<500).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // A machine that says yes to a reboot by chance is one that typed it.
            bytes.removeAll { $0 == UInt8(ascii: "y") }
            desk.push(bytes)
        }
        for _ in 0..<20 { desk.push([UInt8](repeating: UInt8(ascii: "x"), count: 4000)) }
        desk.push(Array("\u{1b}]0;title".utf8) + [UInt8](repeating: 0x41, count: 3000))
        desk.push(Array("\u{1b}P\u{1b}[".utf8) + [UInt8](repeating: UInt8(ascii: "9"), count: 3000))
        desk.push([0x03, 0x03])
        #expect(desk.type("volume 31\r").contains("volume 31") || desk.wait(for: "volume 31\r\n"))
        #expect(desk.type([UInt8](repeating: UInt8(ascii: "a"), count: 2000) + [0x0D]).contains("longer than"))
    }

    @Test("A host that stops reading costs output, which is counted, and never the box's time")
    func stalled() throws {
        let desk = try Desk()
        let began = desk.loop.now
        // Typed by a host that reads nothing of what comes back.
        for _ in 0..<400 { desk.push(Array("help\r".utf8)) }
        #expect(desk.console.dropped > 0)
        #expect(desk.loop.now - began < .seconds(20))
        // It reads again: what was kept comes, then answers as ever.
        desk.push([0x03])
        #expect(desk.wait(for: "counterbox> "))
        #expect(desk.type("volume 41\r").contains("volume 41") || desk.wait(for: "volume 41\r\n"))
    }
}
