import BoxDoctor
import BoxFoundation
import BoxSettings
import HardwareInterface
import PaymentJournal
import Testing

/// Facts of a box on which one thing is as given and nothing else was looked at.
private func factsWith(_ change: (inout DoctorFacts) -> Void) -> DoctorFacts {
    var facts = DoctorFacts()
    change(&facts)
    return facts
}

struct DoctorCase: Sendable, CustomTestStringConvertible {
    var facts: DoctorFacts
    var subject: String
    var state: Finding.State
    var parts: [String]
    var testDescription: String { "\(subject): \(parts.joined(separator: ", "))" }

    init(_ subject: String, _ state: Finding.State, _ parts: [String], _ change: (inout DoctorFacts) -> Void) {
        self.subject = subject
        self.state = state
        self.parts = parts
        facts = factsWith(change)
    }
}

@Suite("The doctor")
struct DoctorTests {
    static let bluetooth = PrinterAddress.bluetooth(address: "DC:0D:30:00:00:01", channel: nil)
    static let network = PrinterAddress.tcp(host: "10.0.0.9", port: 9100)

    static let standing: [DoctorCase] = [
        DoctorCase("settings", .fault, ["counterbox.json5:7: voice.rush", "do: correct it"]) {
            $0.notes = [
                SettingsNote(.fault, layer: "counterbox.json5", line: 7, name: "voice.rush", "0 is not allowed")
            ]
        },
        DoctorCase("settings", .note, ["did you mean rush?"]) {
            $0.notes = [
                SettingsNote(
                    .unknownName, layer: "x", line: 7, name: "rsuh", "there is no such setting; did you mean rush?")
            ]
        },
        DoctorCase("state", .fine, ["/var/lib/counterbox"]) { $0.state = .ready(path: "/var/lib/counterbox") },
        DoctorCase("state", .fault, ["no folder /srv", "make it"]) { $0.state = .missing(path: "/srv") },
        DoctorCase("state", .fault, ["/srv is a file"]) { $0.state = .noFolder(path: "/srv") },
        DoctorCase("state", .fault, ["/srv cannot be written", "likely: it belongs to another user"]) {
            $0.state = .notWritable(path: "/srv")
        },
        DoctorCase("key", .fine, ["there"]) { $0.key = .ready },
        DoctorCase("key", .fault, ["no /srv/box.key", "counterbox key new"]) {
            $0.key = .missing(path: "/srv/box.key")
        },
        DoctorCase("key", .fault, ["cannot be read"]) { $0.key = .unreadable(path: "/srv/box.key") },
        DoctorCase("key", .fault, ["64 hex digits, not 12"]) {
            $0.key = .unusable(path: "/srv/box.key", reason: "a key is 64 hex digits, not 12")
        },
        DoctorCase("key", .fault, ["after the box had started", "systemctl restart counterbox"]) {
            $0.key = .late(path: "/srv/box.key")
        },
        DoctorCase("key", .fault, ["mode 644", "chmod 600 /srv/box.key"]) {
            $0.key = .exposed(path: "/srv/box.key", mode: 0o644)
        },
        DoctorCase("credentials", .fine, ["there"]) { $0.credentials = .ready },
        DoctorCase("credentials", .fault, ["there is no /srv/nkey", "counterbox key nkey /srv/nkey"]) {
            $0.credentials = .missing(path: "/srv/nkey")
        },
        DoctorCase("credentials", .fault, ["neither", "counterbox key nkey /srv/nkey"]) {
            $0.credentials = .unusable(path: "/srv/nkey", reason: "it holds neither")
        },
        DoctorCase("journal", .fine, ["kept"]) { $0.journal = JournalFact(opening: .ready) },
        DoctorCase("journal", .note, ["j.corrupt-1", "power cut"]) {
            $0.journal = JournalFact(
                opening: .setAside(name: "j.corrupt-1", JournalFailure(.corrupt, "the file is empty"), kept: 0))
        },
        DoctorCase("journal", .note, ["2 ids", "b-2 the last"]) {
            $0.journal = JournalFact(opening: .ready, otherBodies: ["a-1", "b-2"])
        },
        DoctorCase("clock", .fine, ["synchronised"]) {
            $0.clock = ClockFact(isSynchronised: true, isBeforeBuild: false, isFromHub: false)
        },
        DoctorCase("clock", .note, ["hub's time"]) {
            $0.clock = ClockFact(isSynchronised: false, isBeforeBuild: true, isFromHub: true)
        },
        DoctorCase("clock", .note, ["before this software was made"]) {
            $0.clock = ClockFact(isSynchronised: false, isBeforeBuild: true, isFromHub: false)
        },
        DoctorCase("clock", .note, ["not synchronised", "NTP"]) {
            $0.clock = ClockFact(isSynchronised: false, isBeforeBuild: false, isFromHub: false)
        },
        DoctorCase("disk", .note, ["150 MiB"]) { $0.machine.diskFree = 150 << 20 },
        DoctorCase("disk", .fault, ["3 MiB", "make room"]) { $0.machine.diskFree = 3 << 20 },
        DoctorCase("memory", .note, ["20 MiB"]) { $0.machine.memoryFree = 20 << 20 },
        DoctorCase("temperature", .note, ["81 °C"]) { $0.machine.temperature = 81_500 },
        DoctorCase("power", .fault, ["too low", "weak supply"]) { $0.machine.hasUnderVoltage = true },
        DoctorCase("power", .note, ["since the start"]) { $0.machine.hadUnderVoltage = true },
        DoctorCase("network", .fine, ["192.168.1.7"]) { $0.machine.addresses = ["192.168.1.7"] },
        DoctorCase("network", .fault, ["none", "plug the cable in"]) { $0.machine.addresses = [] },
        DoctorCase("network", .fault, ["no network adapter"]) { ($0.machine.addresses, $0.machine.links) = ([], []) },
        DoctorCase("network", .fault, ["the cable is out;"]) {
            ($0.machine.addresses, $0.machine.links) = ([], [NetworkLink(name: "eth0", hasCarrier: false)])
        },
        DoctorCase("network", .fault, ["wireless name or password"]) {
            let wireless = NetworkLink(name: "wlan0", isWireless: true, hasCarrier: false)
            ($0.machine.addresses, $0.machine.links) = ([], [wireless])
        },
        DoctorCase("network", .fault, ["nobody gave an address"]) {
            ($0.machine.addresses, $0.machine.links) = ([], [NetworkLink(name: "eth0", hasCarrier: true)])
        },
        DoctorCase("network", .fault, ["no way out", "router gave no route"]) {
            ($0.machine.addresses, $0.machine.hasGateway) = (["10.0.0.7"], false)
            $0.hub = .away(url: "tls://hub:1", .unreachable)
        },
        DoctorCase("network", .fault, ["no name server"]) {
            ($0.machine.addresses, $0.machine.hasGateway, $0.machine.hasNameServer) = (["10.0.0.7"], true, false)
            $0.hub = .away(url: "tls://hub:1", .unknownName)
        },
        DoctorCase("network", .note, ["wlan0 is weak (-81 dBm)"]) {
            let wireless = NetworkLink(name: "wlan0", isWireless: true, hasCarrier: true, signal: -81)
            ($0.machine.addresses, $0.machine.links) = (["10.0.0.7"], [wireless])
        },
        DoctorCase("network", .note, ["there is none"]) {
            ($0.machine.addresses, $0.hub) = ([], .inUse("127.0.0.1:7788", dials: false))
        },
        DoctorCase("box", .fine, ["running"]) { $0.box = .running },
        DoctorCase("box", .note, ["cannot be seen", "sudo"]) { $0.box = .unknown },
        DoctorCase("box", .note, ["not running", "systemctl start"]) { $0.box = .notRunning },
    ]

    static let journalFailures: [(JournalFailure.Kind, String)] = [
        (.full, "make room"), (.readOnly, "mount the disk"), (.disk, "replace the card"),
        (.corrupt, "move the file away"), (.busy, "stop the other program"),
        (.cannotOpen, "make the state folder"), (.newerSchema, "newer version"), (.foreign, "another state folder"),
        (.other, "support file"),
    ]

    static let links: [DoctorCase] = [
        DoctorCase("hub", .fault, ["nothing can push"]) { $0.hub = .unusable },
        DoctorCase("hub", .fine, ["127.0.0.1:7788"]) { $0.hub = .listening(address: "127.0.0.1:7788") },
        DoctorCase("hub", .fault, ["EADDRINUSE", "push.address"]) {
            $0.hub = .cannotListen(address: "127.0.0.1:7788", "EADDRINUSE")
        },
        DoctorCase("hub", .fine, ["till is connected"]) { $0.hub = .connected(hub: "till") },
        DoctorCase("hub", .fault, ["till has been silent for 75 s"]) { $0.hub = .silent(hub: "till", .seconds(75)) },
        DoctorCase("hub", .note, ["connecting to"]) { $0.hub = .away(url: "tls://hub:1", .notTriedYet) },
        DoctorCase("hub", .fault, ["name is not known", "DNS"]) { $0.hub = .away(url: "tls://hub:1", .unknownName) },
        DoctorCase("hub", .fault, ["refused", "not running"]) { $0.hub = .away(url: "tls://hub:1", .refused) },
        DoctorCase("hub", .fault, ["unreachable", "router"]) { $0.hub = .away(url: "tls://hub:1", .unreachable) },
        DoctorCase("hub", .fault, ["no answer", "firewall"]) { $0.hub = .away(url: "tls://hub:1", .timedOut) },
        DoctorCase("hub", .fault, ["not trusted", "push.ca"]) { $0.hub = .away(url: "tls://hub:1", .untrusted) },
        DoctorCase("hub", .fault, ["expired"]) { $0.hub = .away(url: "tls://hub:1", .expired) },
        DoctorCase("hub", .fault, ["not valid yet", "clock"]) { $0.hub = .away(url: "tls://hub:1", .notYetValid) },
        DoctorCase("hub", .fault, ["another name", "push.url"]) { $0.hub = .away(url: "tls://hub:1", .wrongHost) },
        DoctorCase("hub", .fault, ["does not know this box", "id and key"]) {
            $0.hub = .away(url: "tls://hub:1", .unauthorized)
        },
        DoctorCase("hub", .fine, ["tls://hub:1: the running box has it"]) {
            $0.hub = .inUse("tls://hub:1", dials: true)
        },
        DoctorCase("hub", .fault, ["SSL_read"]) { $0.hub = .away(url: "tls://hub:1", .other("SSL_read: 5")) },
    ]

    static let devices: [DoctorCase] = [
        DoctorCase("speaker", .note, ["none is configured"]) { $0.speaker = SpeakerFact.none },
        DoctorCase("speaker", .fine, ["hw:1: the running box has it"]) { $0.speaker = .inUse(name: "hw:1") },
        DoctorCase("speaker", .fine, ["default"]) { $0.speaker = .ready(name: "default") },
        DoctorCase("speaker", .fault, ["no sound device plughw:9", "aplay -L"]) {
            $0.speaker = .failed(name: "plughw:9", .gone)
        },
        DoctorCase("speaker", .fault, ["another program"]) { $0.speaker = .failed(name: "hw:0", .busy) },
        DoctorCase("speaker", .fault, ["snd_pcm_open: 22", "group audio"]) {
            $0.speaker = .failed(name: "hw:0", .failed("snd_pcm_open: 22"))
        },
        DoctorCase("speaker", .note, ["ran dry"]) { $0.speaker = .failed(name: "hw:0", .underrun) },
        DoctorCase("speaker", .note, ["waking up"]) { $0.speaker = .failed(name: "hw:0", .suspended) },
        DoctorCase("voice", .fine, ["zh-CN"]) { $0.voice = VoiceFact(language: "zh-CN", pack: "built in") },
        DoctorCase("voice", .fault, ["/opt/pack was refused: n3.wav", "voice check /opt/pack"]) {
            $0.voice = VoiceFact(language: "zh-CN", pack: "/opt/pack", refusal: "n3.wav has another hash")
        },
        DoctorCase("printer", .note, ["none is configured"]) { $0.printer = PrinterFact.none },
        DoctorCase("printer", .fine, ["the running box has it"]) { $0.printer = .inUse(url: "tcp://10.0.0.9:9100") },
        DoctorCase("printer", .fine, ["tcp://10.0.0.9:9100"]) { $0.printer = .ready(url: "tcp://10.0.0.9:9100") },
        DoctorCase("printer", .note, ["connecting"]) { $0.printer = .connecting(url: "tcp://10.0.0.9:9100") },
        DoctorCase("printer", .fault, ["paper is out", "new roll"]) { $0.printer = .paperOut },
        DoctorCase("printer", .note, ["paper is low"]) { $0.printer = .paperLow },
        DoctorCase("printer", .fault, ["cover is open"]) { $0.printer = .coverOpen },
        DoctorCase("printer", .fault, ["offline 0x40"]) { $0.printer = .error("offline 0x40") },
        DoctorCase("printer", .fault, ["does not answer", "held by a phone"]) {
            $0.printer = .failed(bluetooth, .unreachable, tries: 1)
        },
        DoctorCase("printer", .fault, ["forgotten this box", "printer pair"]) {
            $0.printer = .failed(bluetooth, .unreachable, tries: 5)
        },
        DoctorCase("printer", .fault, ["it refuses", "channel"]) {
            $0.printer = .failed(bluetooth, .refused, tries: 1)
        },
        DoctorCase("printer", .fault, ["no Bluetooth", "rfkill"]) {
            $0.printer = .failed(bluetooth, .absent, tries: 1)
        },
        DoctorCase("printer", .fault, ["unreachable", "another network"]) {
            $0.printer = .failed(network, .unreachable, tries: 1)
        },
        DoctorCase("printer", .fault, ["not there", "plug it in"]) {
            $0.printer = .failed(.file(path: "/dev/usb/lp0"), .absent, tries: 1)
        },
        DoctorCase("printer", .fault, ["no right", "dialout"]) {
            $0.printer = .failed(.serial(path: "/dev/ttyUSB0", baud: 9600), .notPermitted, tries: 1)
        },
        DoctorCase("button", .fault, ["stuck", "wiring"]) { $0.isButtonStuck = true },
        DoctorCase("button", .fault, ["no GPIO chip"]) { $0.button = .noChip(line: "GPIO17") },
        DoctorCase("button", .fault, ["GPIO17"]) { $0.button = .missing(line: "GPIO17") },
        DoctorCase("button", .fault, ["used by gpio-keys", "overlay"]) {
            $0.button = .taken(line: "GPIO17", owner: "gpio-keys")
        },
        DoctorCase("light", .fault, ["group gpio"]) { $0.light = .notPermitted(line: "GPIO27") },
        DoctorCase("light", .note, ["board has none"]) { $0.light = PanelFact.none },
        DoctorCase("light", .fine, ["ready"]) { $0.light = .ready },
        DoctorCase("light", .fault, ["EINVAL"]) { $0.light = .failed(line: "GPIO27", "EINVAL") },
        DoctorCase("console", .note, ["not there (yet)", "gadget"]) { $0.console = .missing(port: "/dev/ttyGS0") },
        DoctorCase("console", .fault, ["dialout"]) { $0.console = .notPermitted(port: "/dev/ttyGS0") },
        DoctorCase("console", .fault, ["EIO"]) { $0.console = .failed(port: "/dev/ttyGS0", "EIO") },
        DoctorCase("console", .note, ["none is configured"]) { $0.console = ConsoleFact.none },
        DoctorCase("console", .fine, ["/dev/ttyGS0"]) { $0.console = .ready(port: "/dev/ttyGS0") },
    ]

    @Test("Each cause is named with its state and its cure", arguments: standing + links + devices)
    func causes(_ row: DoctorCase) {
        let report = Doctor.examine(row.facts)
        let finding = report.findings.first { $0.subject == row.subject }
        #expect(finding?.state == row.state)
        for part in row.parts { #expect(finding?.line.contains(part) == true, "\(finding?.line ?? "no finding")") }
        #expect(report.findings.allSatisfy { $0.state != .fault || $0.cure != nil }, "a fault comes with a cure")
        #expect(report.exitStatus == (row.state == .fault ? 1 : 0))
    }

    @Test(
        "What a dialled connection ended with is told apart by what is to be done",
        arguments: [
            ("", nil, .notTriedYet), ("connect 10.0.0.1:1: Connection refused (ECONNREFUSED)", nil, .refused),
            ("connect 10.0.0.1:1: Connection timed out (ETIMEDOUT)", nil, .timedOut),
            ("connect 10.0.0.1:1: No route to host (EHOSTUNREACH)", nil, .unreachable),
            ("connect 10.0.0.1:1: Network is unreachable (ENETUNREACH)", nil, .unreachable),
            ("no address for hub.example: Name or service not known", nil, .unknownName),
            ("unauthorized", nil, .unauthorized), ("handshake-timeout", nil, .timedOut),
            ("Error: Authorization Violation", nil, .unauthorized),
            (
                "SSL Error: SSL handshake error: 18:self-signed certificate:depth=0:cert=/CN=x:issuer=/CN=x", nil,
                .untrusted
            ),
            ("SSL Error: 20:unable to get local issuer certificate:depth=0:cert=/CN=x:issuer=/CN=y", nil, .untrusted),
            ("SSL Error: 10:certificate has expired:depth=0", nil, .expired),
            ("SSL Error: 9:certificate is not yet valid:depth=0", nil, .notYetValid),
            ("SSL Error: 62:hostname mismatch:depth=0", nil, .wrongHost),
            ("No server available for connection", nil, .noServer),
            (
                "open /nkey: No such file or directory (ENOENT)", nil,
                .badFile("open /nkey: No such file or directory (ENOENT)")
            ),
            (
                "SSL Error: Error loading trusted certificates '/ca': No such file", nil,
                .badFile("SSL Error: Error loading trusted certificates '/ca': No such file")
            ),
            ("the peer closed", nil, .other("the peer closed")), ("x", .expired, .expired),
            ("x", .notYetValid, .notYetValid), ("x", .wrongCA, .untrusted), ("x", .selfSigned, .untrusted),
            ("x", .wrongHost, .wrongHost), ("x", .other, .other(CertificateFault.other.message)),
        ] as [(String, CertificateFault?, HubTrouble)])
    func dialEnds(reason: String, fault: CertificateFault?, trouble: HubTrouble) {
        #expect(HubTrouble(reason: reason, certificate: fault) == trouble)
    }

    @Test("Each way in which a journal fails has its own cure", arguments: journalFailures, [true, false])
    func journalFailure(_ row: (JournalFailure.Kind, String), whileRunning: Bool) {
        let failure = JournalFailure(row.0, "detail")
        let fact =
            whileRunning ? JournalFact(opening: .ready, failure: failure) : JournalFact(opening: .unusable(failure))
        let finding = Doctor.examine(factsWith { $0.journal = fact }).findings.first
        #expect(finding?.subject == "journal" && finding?.state == .fault)
        #expect(finding?.cure?.contains(row.1) == true, "\(finding?.line ?? "")")
    }

    @Test(
        "Every error of a printer's link has words",
        arguments: [
            PrinterLinkError.absent, .notPermitted, .refused, .unreachable, .timedOut, .busy, .lost, .unknownName,
            .failed("ioctl: 5"),
        ],
        [bluetooth, network, .file(path: "/dev/usb/lp0")])
    func printerLink(error: PrinterLinkError, carrier: PrinterAddress) {
        let finding = Doctor.examine(factsWith { $0.printer = .failed(carrier, error, tries: 1) }).findings.first
        #expect(finding?.state == .fault)
        #expect(finding?.text.hasPrefix(carrier.description + ": ") == true)
        #expect(finding?.cure?.isEmpty == false)
    }

    @Test("A machine with nothing attached: each thing is named, and it ends with 1")
    func nothing() {
        let report = Doctor.examine(
            factsWith {
                $0.state = .missing(path: "/var/lib/counterbox")
                $0.key = .missing(path: "/var/lib/counterbox/box.key")
                $0.speaker = .failed(name: "default", .gone)
                $0.printer = .failed(.file(path: "/dev/usb/lp0"), .absent, tries: 1)
                $0.button = .missing(line: "GPIO17")
                $0.light = .missing(line: "GPIO27")
                $0.console = .missing(port: "/dev/ttyGS0")
                $0.machine.addresses = []
            })
        let faults = report.findings.filter { $0.state == .fault }.map(\.subject)
        #expect(faults == ["state", "key", "network", "speaker", "printer", "light", "button"])
        #expect(report.exitStatus == 1)
        #expect(report.lines.last?.hasPrefix("ok    settings") == true, "the worst come first")
    }

    @Test("A box that is well ends with 0, and the object says the same as the lines")
    func well() throws {
        let report = Doctor.examine(
            factsWith {
                $0.speaker = .ready(name: "default")
                $0.hub = .listening(address: "127.0.0.1:7788")
                $0.machine.addresses = []
            })
        #expect(report.exitStatus == 0)
        #expect(report.state == .note, "no network is only worth knowing where none is needed")
        #expect(report.json["state"] == "note")
        #expect(report.json["findings"]?.array?.count == report.lines.count)
    }
}

@Suite("The support file")
struct SupportFileTests {
    @Test(
        "What looks like a secret is blotted out",
        arguments: [
            ("key " + String(repeating: "0f", count: 32) + " end", "key [removed] end"),
            (String(repeating: "A1", count: 40), "[removed]"),
            ("nats://user:word@host:4222/x", "nats://[removed]@host:4222/x"),
            ("from tcp://u@h to tls://a:b@c", "from tcp://[removed]@h to tls://[removed]@c"),
            ("id 4200001234567890123456789012", "id 4200001234567890123456789012"), ("mail a@b", "mail a@b"),
            ("a\u{1B}[2Jb", "a [2Jb"), ("宫保鸡丁", "宫保鸡丁"),
        ])
    func secrets(line: String, clean: String) {
        #expect(SupportFile.withoutSecrets(line) == clean)
    }

    @Test("The amounts of traced frames go with those of the pushes", arguments: [false, true])
    func tracedAmounts(showsAmounts: Bool) {
        var file = SupportFile()
        file.showsAmounts = showsAmounts
        file.trace = ["< 3 PUSH {\"id\":\"a\",\"ttl\":60,\"body\":{\"amount\":\"12.50\"}}"]
        file.log = ["2026-11-29 18:05:00 debug push: " + file.trace[0]]
        #expect(file.text.contains("12.50") == showsAmounts)
        #expect(file.text.contains("PUSH {\"id\":\"a\""))
    }

    @Test(
        "Free texts of traced frames go too, whatever stands in them",
        arguments: [
            (
                #"> 4 RESULT {"id":"a","detail":"12.50 \"twice\"","state":"refused"}"#,
                #"> 4 RESULT {"id":"a","detail":…,"state":"refused"}"#
            ),
            (#"< 5 COMMAND {"do":"say","text":"12.50 yuan"}"#, #"< 5 COMMAND {"do":"say","text":…}"#),
            (#"< 5 COMMAND {"text":"12.50 yuan and mo… (900 bytes)"#, #"< 5 COMMAND {"text":…"#),
            (#"< 5 COMMAND {"text":12,"detail":"a\"#, #"< 5 COMMAND {"text":12,"detail":…"#),
        ])
    func tracedTexts(line: String, clean: String) {
        #expect(SupportFile.withoutAmounts(line) == clean)
    }

    @Test("It has its parts in order, and no amount unless asked for", arguments: [false, true])
    func parts(showsAmounts: Bool) {
        var file = SupportFile()
        file.versions = [("counterbox", "1.0.0")]
        file.report = Doctor.examine(DoctorFacts())
        file.log = ["2026-11-29 18:05:00 info box: ready"]
        file.showsAmounts = showsAmounts
        let record = PushRecord(
            hub: "till", id: "a", received: WallTime(milliseconds: 0), day: "2026-11-29", kind: .payment,
            amount: Money(minor: 1250))
        file.pushes = (1...150).map {
            JournalEntry(sequence: JournalSequence($0), record: record, voice: .waiting, paper: .waiting)
        }
        let lines = file.text.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.hasPrefix("== ") } == [
                "== versions", "== settings", "== doctor", "== pushes", "== log", "== trace",
            ])
        #expect(lines.filter { $0.hasPrefix("#") }.count == SupportFile.mostPushes)
        #expect(file.text.contains("12.50") == showsAmounts)
        #expect(lines.last == "(nothing)")
    }
}
