// Causes provoked on this machine: files that are missing, closed, wrong or in the way.

import BoxAssembly
import BoxDoctor
import BoxFoundation
import BoxSettings
import Glibc
import HardwareInterface
import HardwareLinux
import PaymentJournal
import TestSupport
import Testing

@Suite("The doctor's look at the machine")
struct ExaminationTests {
    private let folder = TemporaryFolder()
    private var state: String { "\(folder.path)/state" }

    private func facts(_ more: String = "") throws -> DoctorFacts {
        folder.write(Array("{ state: \"\(state)\", \(more) }".utf8), to: "box.json5")
        return Examination(try Configuration.load(path: "\(folder.path)/box.json5", board: nil)).facts()
    }

    @Test("A state folder that is missing, a file, or there")
    func stateFolder() throws {
        #expect(try facts().state == .missing(path: state))
        folder.write([1], to: "state")
        #expect(try facts().state == .noFolder(path: state))
        unlink(state)
        try Files.makeFolder(state)
        #expect(try facts().state == .ready(path: state))
        // Root may write anywhere.
        guard geteuid() != 0 else { return }
        chmod(state, 0o500)
        #expect(try facts().state == .notWritable(path: state))
        chmod(state, 0o700)
    }

    @Test("A key that is missing, open to others, no key, closed to us, or right")
    func key() throws {
        try Files.makeFolder(state)
        let path = "\(state)/box.key"
        #expect(try facts().key == .missing(path: path))
        try Files.create(path, Array("beef\n".utf8))
        guard case .unusable(path, _) = try facts().key else {
            Issue.record("not unusable")
            return
        }
        try Files.write(path, Array((String(repeating: "ab", count: 32) + "\n").utf8))
        #expect(try facts().key == .ready)
        chmod(path, 0o644)
        #expect(try facts().key == .exposed(path: path, mode: 0o644))
        guard geteuid() != 0 else { return }
        chmod(path, 0)
        #expect(try facts().key == .unreadable(path: path))
    }

    @Test("A fleet's box has no key, but credentials: missing, open to others, without a seed, or right")
    func credentials() throws {
        try Files.makeFolder(state)
        let path = "\(state)/nkey"
        let push = "push: { mode: \"nats\", url: \"nats://127.0.0.1\", credentials: \"\(path)\" }"
        #expect(try facts(push).credentials == .missing(path: path))
        #expect(try facts(push).key == nil)
        try Files.create(path, Array("beef\n".utf8))
        guard case .unusable(path, _) = try facts(push).credentials else {
            Issue.record("not unusable")
            return
        }
        var random = SeededRandom(seed: 1)
        try Files.write(path, Array((NKey(using: &random).seed + "\n").utf8))
        #expect(try facts(push).credentials == .ready)
        #expect(Doctor.examine(try facts(push)).findings.allSatisfy { $0.subject != "key" })
        chmod(path, 0o644)
        #expect(try facts(push).credentials == .exposed(path: path, mode: 0o644))
        #expect(try facts("push: { mode: \"nats\", url: \"nats://127.0.0.1\" }").credentials == nil)
    }

    @Test("A console's port that is missing, no terminal, none, or there")
    func console() throws {
        let path = "\(folder.path)/port"
        #expect(try facts("console: { port: \"\(path)\" }").console == .missing(port: path))
        folder.write([], to: "port")
        #expect(try facts("console: { port: \"\(path)\" }").console == .failed(port: path, "it is no terminal"))
        let terminal = try PseudoTerminal()
        #expect(try facts("console: { port: \"\(terminal.path)\" }").console == .ready(port: terminal.path))
        #expect(try facts("console: { port: \"none\" }").console == ConsoleFact.none)
        guard geteuid() != 0 else { return }
        let closed = "/dev/mem"
        #expect(try facts("console: { port: \"\(closed)\" }").console == .notPermitted(port: closed))
    }

    @Test("Settings at fault are told with their line, and what cannot push is told")
    func settings() throws {
        let facts = try facts("\n voice: { rush: 0 }, push: { mode: \"dial\" }")
        #expect(facts.notes.contains { $0.name == "voice.rush" && $0.line == 2 })
        #expect(facts.hub == .unusable)
        #expect(try self.facts("speaker: { alsa: \"none\" }").speaker == SpeakerFact.none)
    }

    @Test("A journal that is not there yet, is one, is none, or was set aside")
    func journal() throws {
        try Files.makeFolder(state)
        let path = "\(state)/journal.sqlite"
        #expect(JournalFact(file: path) == nil)
        _ = JournalDatabase(path: path)
        #expect(JournalFact(file: path) == JournalFact(opening: .ready) || JournalFact(file: path) == nil)
        try Files.write(path, Array("SQLite format 3\0 and so on".utf8))
        #expect(JournalFact(file: path) == JournalFact(opening: .ready))
        try Files.write(path, Array("a text".utf8))
        guard case .unusable(let failure)? = JournalFact(file: path)?.opening else {
            Issue.record("taken for a journal")
            return
        }
        #expect(failure.kind == .corrupt)
        unlink(path)
        try Files.write(path + ".corrupt-1", [1])
        guard case .setAside("journal.sqlite.corrupt-1", _, nil)? = JournalFact(file: path)?.opening else {
            Issue.record("the one set aside is not told")
            return
        }
        mkdir(path, 0o700)
        guard case .unusable(let failure)? = JournalFact(file: path)?.opening else {
            Issue.record("a folder was taken for a journal")
            return
        }
        #expect(failure.kind == .disk)
    }

    @Test("A speaker that does not exist, and one that plays into a file")
    func speaker() {
        #expect(SpeakerProbe.fact("plughw:31") == .failed(name: "plughw:31", .gone))
        #expect(SpeakerProbe.fact("null") == .ready(name: "null"))
    }

    @Test("A voice pack that is refused names its reason, and the built-in one speaks")
    func voice() throws {
        try Files.makeFolder("\(folder.path)/pack")
        folder.write(Array("{ voice: { pack: \"\(folder.path)/pack\" }, state: \"\(state)\" }".utf8), to: "box.json5")
        let fact = BoxParts.voiceFact(try Configuration.load(path: "\(folder.path)/box.json5", board: nil))
        #expect(fact?.language == "zh-CN")
        #expect(fact?.refusal?.isEmpty == false)
    }
}

@Suite("Trying hub and printer")
struct LinkProbeTests {
    private let loop: EpollLoop
    private let folder = TemporaryFolder()

    init() throws { loop = try EpollLoop() }

    /// Each has its own loop: what the one before left behind is not for it.
    private func probe() throws -> LinkProbe { LinkProbe(on: try EpollLoop()) }

    /// A listener of the test's own on a port that the system chose.
    private func listener() throws -> TCPListener {
        try TCPListener(on: "127.0.0.1:0", loop: loop, log: NoLog())
    }

    private func settings(_ text: String) throws -> Settings {
        SettingsReader.read([SettingsLayer("test", Array(text.utf8))]).settings
    }

    @Test("An address that another program has, that is not ours, or that is free")
    func listen() throws {
        let other = try listener()
        let taken = try settings("{ push: { address: \"\(other.address)\" } }")
        guard case .cannotListen(_, let why) = try probe().hub(taken.push) else {
            Issue.record("a taken address was free")
            return
        }
        #expect(why.contains("in use"))
        let foreign = try settings("{ push: { address: \"192.0.2.1:7788\", allowPlaintext: true } }")
        guard case .cannotListen = try probe().hub(foreign.push) else {
            Issue.record("a foreign address was ours")
            return
        }
        let free = try settings("{ push: { address: \"127.0.0.1:0\" } }")
        if free.push != nil { #expect(try probe().hub(free.push) == .listening(address: "127.0.0.1:0")) }
        #expect(try probe().hub(nil) == .unusable)
    }

    @Test("A hub that is there, that refuses, and whose name nobody knows")
    func dial() throws {
        let other = try listener()
        let there = try settings("{ push: { mode: \"dial\", url: \"tcp://\(other.address)\" } }")
        #expect(try probe().hub(there.push) == .connected(hub: "tcp://\(other.address)"))
        let refusing = try settings("{ push: { mode: \"dial\", url: \"tcp://127.0.0.1:1\" } }")
        #expect(try probe().hub(refusing.push) == .away(url: "tcp://127.0.0.1:1", .refused))
        let unknown = try settings("{ push: { mode: \"dial\", url: \"tls://hub.invalid:1\" } }")
        #expect(try probe().hub(unknown.push) == .away(url: "tls://hub.invalid:1", .unknownName))
    }

    @Test("A printer that is there, that refuses, that is missing, and none")
    func printer() throws {
        let other = try listener()
        let port = other.address.description.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let there = PrinterAddress.tcp(host: "127.0.0.1", port: port)
        #expect(try probe().printer(there) == .ready(url: there.description))
        let refusing = PrinterAddress.tcp(host: "127.0.0.1", port: 1)
        #expect(try probe().printer(refusing) == .failed(refusing, .refused, tries: 1))
        let missing = PrinterAddress.file(path: "\(folder.path)/none/lp0")
        guard case .failed(missing, _, tries: 1) = try probe().printer(missing) else {
            Issue.record("a missing printer was found")
            return
        }
        #expect(try probe().printer(.none) == PrinterFact.none)
    }
}

private final class NoLog: LogSink {
    func log(_ entry: LogEntry) {}
}
