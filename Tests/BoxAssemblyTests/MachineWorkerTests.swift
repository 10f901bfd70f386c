// Settings and support file as the console asks for them, in a folder of the test's own.

import BoxAssembly
import BoxCore
import BoxFoundation
import Glibc
import HardwareLinux
import TestSupport
import Testing

@Suite("The machine's worker")
struct MachineWorkerTests {
    private let folder = TemporaryFolder()

    private func worker(_ text: String = "", refusal: Bool = true) throws -> MachineWorker {
        folder.write(Array("{ state: \"\(folder.path)\", voice: { rush: 4 }, \(text) }".utf8), to: "box.json5")
        let configuration = try Configuration.load(path: "\(folder.path)/box.json5", board: nil)
        return MachineWorker(
            configuration,
            power: MachinePower(run: { _ in nil }, capabilities: refusal ? 0 : 1 << 22, hasSystemd: false))
    }

    private func lines(_ answer: MachineAnswer) -> [SettingLine] {
        if case .settings(let lines) = answer { lines } else { [] }
    }

    private func refusal(_ answer: MachineAnswer) -> String {
        if case .refused(let why) = answer { why } else { "" }
    }

    @Test("One setting, a section, or all; a mistyped name is told its nearest")
    func get() throws {
        let worker = try worker()
        #expect(lines(worker.perform(.settings("voice.rush"))) == [SettingLine(name: "voice.rush", value: "4")])
        #expect(lines(worker.perform(.settings("voice"))).count > 4)
        #expect(lines(worker.perform(.settings(nil))).contains { $0.name == "console.port" })
        #expect(refusal(worker.perform(.settings("voice.rsuh"))).contains("did you mean voice.rush?"))
    }

    @Test("What is set lies in the overlay, is shown beside what is in force, and is there at the next start")
    func set() throws {
        let worker = try worker()
        guard case .set(let line, brightness: nil) = worker.perform(.set("voice.rush", value: "9")) else {
            Issue.record("not set")
            return
        }
        #expect(line == SettingLine(name: "voice.rush", value: "9", inForce: "4"))
        #expect(
            lines(worker.perform(.settings("voice.rush"))) == [
                SettingLine(name: "voice.rush", value: "9", inForce: "4")
            ])
        #expect(lines(try self.worker().perform(.settings("voice.rush"))).first?.value == "9")
        _ = worker.perform(.set("voice.rush", value: "null"))
        #expect(lines(worker.perform(.settings("voice.rush"))) == [SettingLine(name: "voice.rush", value: "4")])
    }

    @Test("The light's brightness is in force at once")
    func atOnce() throws {
        let worker = try worker()
        guard case .set(_, brightness: 30) = worker.perform(.set("light.brightness", value: "30")) else {
            Issue.record("not at once")
            return
        }
        #expect(lines(worker.perform(.settings("light.brightness"))).first?.inForce == nil)
    }

    @Test(
        "A wrong value or name changes nothing and is told",
        arguments: [
            ("voice.rush", "0", "1 to"), ("voice.rsuh", "3", "did you mean rush?"), ("voice..rush", "3", "voice.rush"),
            ("voice.language", "xx", "one of en, es, hi, id, th, vi, zh-CN, zh-HK"),
            ("printer.profile", "generic58", "generic-58mm, generic-80mm"), ("voice.chime", "gong", "one of bell"),
        ])
    func wrong(name: String, value: String, part: String) throws {
        let worker = try worker()
        #expect(refusal(worker.perform(.set(name, value: value))).contains(part))
        #expect(folder.read("settings.json5") == nil)
    }

    @Test("An overlay that cannot be read is not written over")
    func damaged() throws {
        let worker = try worker()
        folder.write(Array("{ voice: ".utf8), to: "settings.json5")
        #expect(refusal(worker.perform(.set("voice.rush", value: "3"))).contains("correct or remove it first"))
        #expect(folder.read("settings.json5") == Array("{ voice: ".utf8))
    }

    @Test("An overlay that may not be read is a fault, and is not written over")
    func unreadable() throws {
        // What no user can read, root neither.
        #expect(mkdir("\(folder.path)/settings.json5", 0o700) == 0)
        let worker = try worker()
        #expect(refusal(worker.perform(.set("voice.rush", value: "3"))).contains("give it to the box's user"))
        #expect(folder.names.contains("settings.json5") && !folder.names.contains("settings.json5.last"))
        let notes = try Configuration.load(path: "\(folder.path)/box.json5", board: nil).notes
        #expect(notes.contains { $0.level == .fault && $0.text.contains("not in force") })
    }

    @Test("A state folder that cannot be written is told")
    func noFolder() throws {
        let worker = try worker("state: \"\(folder.path)/none\",")
        #expect(refusal(worker.perform(.set("voice.rush", value: "3"))).contains("cannot be written"))
        #expect(refusal(worker.perform(.keep(supportFile: [65]))).contains("cannot be written"))
    }

    @Test("The support file is kept where only the box may read it")
    func keep() throws {
        guard case .kept(let path) = try worker().perform(.keep(supportFile: Array("all\n".utf8))) else {
            Issue.record("not kept")
            return
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.read("support.txt") == Array("all\n".utf8))
    }

    @Test("A look brings facts, network, versions and settings; the speaker only where it is asked for")
    func examine() throws {
        guard case .examined(let sight) = try worker().perform(.examine(speaker: false)) else {
            Issue.record("no sight")
            return
        }
        #expect(sight.facts.state != nil && sight.facts.machine.diskFree != nil && sight.facts.speaker == nil)
        #expect(sight.versions.map(\.name).contains("kernel"))
        #expect(sight.settings.contains { $0.name == "voice.rush" && $0.value == "4" })
        let loud = try worker("speaker: { alsa: \"plughw:31\" },")
        guard case .examined(let heard) = loud.perform(.examine(speaker: true)) else { return }
        #expect(heard.facts.speaker == .failed(name: "plughw:31", .gone))
    }

    @Test("Whether the machine may be restarted", arguments: [true, false])
    func restart(refusal: Bool) throws {
        guard case .mayRestart(let why) = try worker(refusal: refusal).perform(.askRestart) else {
            Issue.record("no answer")
            return
        }
        #expect((why != nil) == refusal)
    }
}
