// The commands that need the machine around the box, on the whole box: doctor, net, config, bundle, reboot; and what hubs
// and systemd are told.

import BoxCore
import BoxDoctor
import BoxFoundation
import HardwareInterface
import PushProtocol
import Testing

extension TestCounter {
    /// Types a line and takes what the terminal shows within a time.
    func ask(_ line: String, end: String = "\r", for time: Interval = .seconds(1)) -> String {
        _ = run.console.takeOutput()
        run.console.type(line + end)
        advance(time)
        return run.console.takeText()
    }
}

@Suite("The console asks the machine")
struct DoctorConsoleTests {
    @Test("doctor says what the running box knows and what the machine tells, the worst first")
    func doctor() throws {
        let counter = try TestCounter()
        counter.machine.facts.speaker = .failed(name: "plughw:1", .gone)
        counter.machine.facts.machine.hasUnderVoltage = true
        counter.printer.change { $0.hasPaper = false }
        counter.advance(.seconds(15))
        let text = counter.ask("doctor")
        for part in [
            "FAULT printer: the paper is out", "FAULT speaker: there is no sound device plughw:1",
            "FAULT power: the voltage is too low", "ok    journal: kept",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let lines = text.components(of: "FAULT ")
        #expect(lines == 3)
        // A supply that recovered was still too weak once.
        counter.machine.facts.machine.hasUnderVoltage = false
        #expect(counter.ask("doctor").contains("note  power: the voltage was too low since the start"))
    }

    @Test("A key that was made while the box ran is not in force, and doctor says so")
    func lateKey() throws {
        let counter = try TestCounter()
        counter.pullPlug()
        counter.keyAtStart = .missing(path: "/srv/box.key")
        counter.plug()
        counter.machine.facts.key = .ready
        #expect(counter.ask("doctor").contains("FAULT key: /srv/box.key came after the box had started"))
        counter.pullPlug()
        counter.keyAtStart = .ready
        counter.plug()
        #expect(counter.ask("doctor").contains("ok    key: there"))
    }

    @Test("doctor names a hub that fell silent, a stuck button, and ids that came with another body")
    func ownFacts() throws {
        let counter = try TestCounter()
        counter.button.press()
        let hub = counter.hub()
        hub.push("a", PaymentTests.payment("1.00"))
        hub.push("b", PaymentTests.payment("1.00"))
        #expect(counter.advance(until: { hub.done("b") != nil }))
        hub.say(goodbye: .closing)
        let again = counter.hub()
        again.push("a", PaymentTests.payment("2.00"))
        counter.advance(.seconds(70))
        var text = counter.ask("doctor")
        #expect(text.contains("FAULT button: it is stuck"))
        #expect(text.contains("note  journal: 1 ids came again with another body, a the last"))
        #expect(text.contains("ok    hub: till is connected"))
        counter.run.network.goSilent(try #require(again.connection))
        counter.advance(.minutes(3))
        text = counter.ask("doctor")
        #expect(text.contains("FAULT hub: till has been silent for"), "\(text)")
    }

    @Test("A speaker that the box took while it was tried is not called busy", arguments: [true, false])
    func ownSpeaker(speaks: Bool) throws {
        let counter = try TestCounter()
        counter.machine.facts.speaker = .failed(name: "plughw:1", .busy)
        let hub = counter.hub()
        counter.run.machine.delay = .milliseconds(500)
        counter.run.console.type("doctor\r")
        counter.advance(.milliseconds(5))
        if speaks { hub.push("a", PaymentTests.payment("1.00")) }
        counter.advance(.seconds(5))
        #expect(counter.run.console.takeText().contains("FAULT speaker: another program has plughw:1") == !speaks)
    }

    @Test("A setting that is on its way to the disk is kept, though the box is told to stop")
    func setAndStop() throws {
        let counter = try TestCounter()
        counter.advance(.seconds(1))
        counter.run.console.type("config set voice.rush 4\r")
        counter.loop.post(.signal(.terminate))
        counter.advance(.seconds(6))
        #expect(counter.run.runtime.isStopped)
        #expect(counter.log.contains("voice.rush was set to 4"))
    }

    @Test("What is told outside of a turn has the time of its telling")
    func told() throws {
        let counter = try TestCounter()
        counter.set(hour: 12, minute: 0)
        counter.advance(.seconds(1))
        counter.loop.advance(by: .minutes(30))
        counter.run.runtime.tell(.logged(LogEntry(.notice, "panel", "a line was freed")))
        let text = counter.ask("log 3")
        #expect(text.contains("12:30:01 notice panel: a line was freed"), "\(text)")
    }

    @Test("net shows links, routes, names and connections")
    func net() throws {
        let counter = try TestCounter()
        counter.machine.network.links = [
            NetworkLink(name: "eth0", hasCarrier: false),
            NetworkLink(name: "wlan0", isWireless: true, hasCarrier: true, addresses: ["10.0.0.7"], signal: -60),
        ]
        counter.machine.network.gateways = ["10.0.0.1"]
        counter.machine.network.nameServers = ["10.0.0.2"]
        _ = counter.hub()
        let text = counter.ask("net")
        for part in [
            "link      eth0 (cable): not connected", "wlan0 (wireless): 10.0.0.7, -60 dBm", "route     by 10.0.0.1",
            "names     by 10.0.0.2", "hub       till", "hubs      1 connections",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test("config get shows one setting, or all; config set says when it is in force")
    func config() throws {
        let counter = try TestCounter()
        #expect(counter.ask("config get voice.rush").contains("voice.rush 6\r\n"))
        #expect(counter.ask("config get").contains("light.brightness 100"))
        #expect(counter.ask("config get nothing").contains("error: there is no setting nothing"))
        #expect(counter.ask("config set voice.rush 4").contains("voice.rush 4: in force after the next start"))
        #expect(counter.run.light.brightness == 100)
        #expect(counter.ask("config set light.brightness 30").contains("light.brightness 30: in force now"))
        #expect(counter.run.light.brightness == 30)
        counter.machine.writeRefusal = "/var/lib/counterbox cannot be written"
        #expect(counter.ask("config set voice.rush 4").contains("error: /var/lib/counterbox cannot be written"))
        counter.machine.settings[0].inForce = "5"
        #expect(counter.ask("config get voice.rush").contains("voice.rush 6   (after the next start; now 5)"))
    }

    /// Neither spoken nor printed.
    private static func silent(_ amount: String) -> JSON {
        .object(["kind": "payment", "amount": .string(amount), "say": false, "print": 0])
    }

    @Test("bundle comes between its marks, whole, and is kept as a file; amounts only when asked for")
    func bundle() throws {
        let counter = try TestCounter()
        _ = counter.ask("trace on")
        let hub = counter.hub()
        for id in 0..<120 { hub.push("p\(id)", Self.silent("12.5\(id % 10)")) }
        #expect(counter.advance(until: { hub.done("p119") != nil }, within: .minutes(20), step: .milliseconds(50)))
        let text = counter.ask("bundle", for: .seconds(60))
        let lines = text.split(separator: "\r\n").map(String.init)
        let begin = try #require(lines.firstIndex(of: SupportFile.beginMark))
        let end = try #require(lines.firstIndex { $0.hasPrefix("-----END COUNTERBOX SUPPORT FILE") })
        let inside = String(decoding: counter.machine.kept, as: UTF8.self)
        let kept = inside.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        #expect(lines[end] == SupportFile.endMark(lines: kept))
        #expect(lines[(begin + 1)..<end].filter { !$0.isEmpty } == inside.split(separator: "\n").map(String.init))
        #expect(lines[end + 1] == "kept as /var/lib/counterbox/support.txt")
        for part in ["== versions", "kernel: 6.1", "== settings", "voice.rush: 6", "== doctor", "ok    journal: kept"] {
            #expect(inside.contains(part), "\(part)")
        }
        #expect(inside.components(of: "\n#") == SupportFile.mostPushes)
        #expect(!inside.contains("12.5"))
        #expect(inside.contains("PUSH"), "the trace is there")
        #expect(counter.run.console.dropped == 0)
        _ = counter.ask("bundle amounts", for: .seconds(60))
        #expect(String(decoding: counter.machine.kept, as: UTF8.self).contains("12.5"))
    }

    @Test("A bundle that cannot be kept is still shown; Ctrl-C ends it")
    func bundleEnds() throws {
        let counter = try TestCounter()
        counter.advance(.seconds(1))
        counter.machine.writeRefusal = "no room"
        #expect(counter.ask("bundle", for: .seconds(30)).contains("not kept as a file: no room"))
        _ = counter.ask("bundle", for: .milliseconds(50))
        let text = counter.ask("\u{03}", end: "", for: .seconds(30))
        #expect(!text.contains("END COUNTERBOX"))
        #expect(counter.ask("volume").contains("volume 100"))
    }

    @Test("reboot asks, stops in order and restarts the machine", arguments: ["y", "YES"])
    func reboot(answer: String) throws {
        let counter = try TestCounter()
        counter.advance(.seconds(1))
        #expect(counter.ask("reboot").contains("restart the machine?"))
        #expect(counter.ask(answer, for: .seconds(6)).contains("the box stops, then the machine restarts"))
        #expect(counter.run.runtime.isStopped)
        #expect(counter.run.runtime.restartsMachine)
    }

    @Test("Anything but a yes does not restart it, nor Ctrl-C", arguments: ["n\r", "\r", "status\r", "\u{03}"])
    func noReboot(answer: String) throws {
        let counter = try TestCounter()
        _ = counter.ask("reboot")
        _ = counter.ask(answer, end: "")
        #expect(counter.ask("volume").contains("volume 100"))
        #expect(!counter.run.runtime.isStopped)
    }

    @Test("A box that may not restart its machine says so and goes on")
    func rebootRefused() throws {
        let counter = try TestCounter()
        counter.machine.restartRefusal = "a polkit rule must allow it"
        #expect(counter.ask("reboot yes").contains("error: not restarted: a polkit rule must allow it"))
        #expect(!counter.run.runtime.isStopped)
        _ = counter.ask("json on")
        #expect(counter.ask("reboot").contains("{\"ok\":false,\"reason\":\"reboot yes restarts the machine\"}"))
    }

    static let commands = [
        "help", "help net", "status", "log", "log 3", "pushes", "show a", "show nobody", "say 1", "print hello",
        "reprint",
        "volume", "volume 40", "led", "led 50", "printer", "net", "config get", "config get voice.rush",
        "config set voice.rush 3", "doctor", "trace on", "trace off", "bundle", "reboot", "nonsense", "json on",
    ]

    @Test("With json on every answer is one object a line, with ok first, and nothing else comes", arguments: commands)
    func json(command: String) throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        hub.push("a", PaymentTests.payment("1.00"))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        _ = counter.ask("json on")
        let lines = counter.ask(command, for: .seconds(20)).split(separator: "\r\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let json = try JSONReader.read(String(line))
            #expect(json.object?.members.first?.name == "ok", "\(line)")
            let isFault = ["show nobody", "reboot", "nonsense"].contains(command)
            #expect(json["ok"] == JSON.bool(!isFault), "\(line)")
        }
    }
}

@Suite("Hubs and systemd are told how the box is")
struct TellingTests {
    @Test("STATUS carries what is not fine, and its change")
    func status() throws {
        let counter = try TestCounter()
        counter.machine.facts.machine.diskFree = 1 << 20
        let hub = counter.hub()
        counter.advance(.seconds(2))
        #expect(hub.statuses.first?["doctor"] == "fault")
        let findings = hub.statuses.first?["findings"]?.array ?? []
        #expect(findings.contains { $0["subject"] == "disk" && $0["state"] == "fault" && $0["cure"] != nil })
        #expect(!findings.contains { $0["state"] == "fine" })
        let count = hub.statuses.count
        counter.machine.facts.machine.diskFree = 2 << 20
        counter.advance(.minutes(2))
        #expect(hub.statuses.count == count, "a number that moves is no news")
        counter.machine.facts.machine.diskFree = 1 << 40
        counter.advance(.minutes(2))
        #expect(hub.statuses.count == count + 1)
        #expect(hub.statuses.last?["doctor"] != "fault")
    }

    @Test("systemd hears ready once the loop has turned, a line a person reads, and the stop")
    func service() throws {
        let counter = try TestCounter()
        #expect(counter.run.supervisor.takeWords() == ["starting"])
        counter.advance(.milliseconds(5))
        #expect(counter.run.supervisor.takeWords().contains("READY"))
        counter.advance(.seconds(1))
        #expect(counter.run.supervisor.takeWords().last == "ready; no hub yet; printer is ready")
        _ = counter.hub()
        #expect(counter.run.supervisor.takeWords() == ["ready; till connected; printer is ready"])
        counter.printer.change { $0.hasPaper = false }
        counter.advance(.seconds(15))
        #expect(counter.run.supervisor.takeWords().last == "ready; till connected; printer is out of paper")
        counter.loop.post(.signal(.terminate))
        counter.advance(.seconds(5))
        #expect(counter.run.supervisor.takeWords() == ["STOPPING", "stopping"])
    }

    @Test("The watchdog is fed by turns of the loop alone, in time where it idles", arguments: [250, 1000, 15_000])
    func watchdog(milliseconds: Int) throws {
        let counter = try TestCounter()
        let period = Interval.milliseconds(milliseconds)
        counter.run.supervisor.watchdogPeriod = period
        counter.advance(.seconds(60), step: .minutes(1))
        let fed = counter.run.supervisor.takeWords().count { $0 == "WATCHDOG" }
        let wanted = 60_000 / milliseconds
        #expect((wanted...(wanted + 1)).contains(fed))
        // A loop that hangs in its work turns no more: time passes, and nothing is said.
        counter.loop.advance(by: .minutes(5))
        #expect(counter.run.supervisor.takeWords().isEmpty)
    }
}
