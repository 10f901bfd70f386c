// Commands of the console that need the machine around the box: what a worker answers.

import BoxDoctor
import BoxFoundation
import HardwareInterface
import PaymentJournal
import ServiceConsole

/// What an answer of the machine's worker is for.
enum MachinePurpose {
    /// Nobody asked.
    case watch
    case doctor(ConsoleRequest)
    case net(ConsoleRequest)
    case settings(ConsoleRequest)
    case set(ConsoleRequest)
    case supportFile(ConsoleRequest, pushes: [JournalEntry], amounts: Bool)
    case kept(ConsoleRequest, lines: [String])
    case restart(ConsoleRequest)
    /// The printer that was paired is to be the one of the next start, too.
    case pairedPrinter
}

/// A support file on its way to the terminal.
struct SupportFileOnItsWay {
    var request: ConsoleRequest
    var lines: ArraySlice<String>
    /// The last line of the answer.
    var end: ConsoleReply
}

extension BoxCore {
    /// The support file leaves in parts, so that a slow port's queue holds it: so many bytes …
    static let supportFilePart = 1024
    /// … as often as this, which is what 115,200 baud carries.
    static let supportFileRest = Interval.milliseconds(100)
    /// Frames that are kept for the support file.
    static let mostFrames = 200

    mutating func ask(_ request: MachineRequest, for purpose: MachinePurpose) {
        machineWork.append(purpose)
        effects.append(.machine(request))
    }

    mutating func handle(_ answer: MachineAnswer) {
        guard !machineWork.isEmpty else { return }
        let purpose = machineWork.removeFirst()
        if case .examined(let sight) = answer { take(sight) }
        switch purpose {
        case .watch: break
        case .doctor(let request): reply(doctorReply, to: request)
        case .net(let request): reply(netReply, to: request)
        case .settings(let request), .set(let request): reply(settingsReply(answer), to: request)
        case .supportFile(let request, let pushes, let amounts): keepSupportFile(request, pushes, amounts: amounts)
        case .kept(let request, let lines): give(lines, answer, request)
        case .restart(let request): restart(answer, request)
        case .pairedPrinter: if case .set = answer {} else { keptNoPrinter(answer) }
        }
    }

    private mutating func keptNoPrinter(_ answer: MachineAnswer) {
        let why = if case .refused(let why) = answer { why } else { "this box keeps no settings of its own" }
        log(.error, "printer", "the printer is used until the next start only: \(why)")
    }

    private mutating func take(_ sight: MachineSight) {
        var sight = sight
        if sight.facts.machine.hasUnderVoltage == true { hadUnderVoltage = true }
        // A look that left the speaker out says nothing new of it.
        if let speaker = sight.facts.speaker, !isOwnDoing(speaker) {
            speakerWasTried = true
            speakerTrouble = if case .failed(_, let error) = speaker { error } else { nil }
        } else {
            sight.facts.speaker = seen?.facts.speaker ?? setup.facts.speaker
        }
        seen = sight
        isReportDue = true
    }

    /// The speaker was busy, and it was the box that had it: a phrase began meanwhile.
    private func isOwnDoing(_ fact: SpeakerFact) -> Bool {
        if case .failed(_, .busy) = fact { speakerWasUsed || announcer.isSpeaking } else { false }
    }

    mutating func keep(frame: String) {
        if frames.count == Self.mostFrames { frames.removeFirst(Self.mostFrames / 4) }
        frames.append(frame)
    }

    // MARK: - doctor and net

    mutating func answerDoctor(_ request: ConsoleRequest) {
        // One that is known to play may be playing now.
        let isKnownFine = speakerWasTried && speakerTrouble == nil || announcer.isSpeaking
        if !machineWork.contains(where: { if case .doctor = $0 { true } else { false } }) { speakerWasUsed = false }
        ask(.examine(speaker: !isKnownFine), for: .doctor(request))
    }

    private var doctorReply: ConsoleReply {
        let report = Doctor.examine(facts)
        return ConsoleReply(report.lines, json: report.json)
    }

    private var netReply: ConsoleReply {
        let network = seen?.network ?? NetworkReading()
        var lines = network.links.map(\.line)
        if network.links.isEmpty { lines.append("link      none") }
        lines += network.gateways.map { "route     by \($0)" } + network.nameServers.map { "names     by \($0)" }
        if network.gateways.isEmpty { lines.append("route     no way out of this network") }
        let hubs = roster.entries.map { $0.hub.isEmpty ? "a hub without a name" : $0.hub }
        let hub = hubs.isEmpty ? dialler?.words ?? listenTrouble ?? "none connected" : hubs.joined(separator: ", ")
        lines.append("hub       \(hub) (\(dialler == nil ? "listening on" : "dialling") \(setup.hubPlace))")
        lines.append("hubs      \(sessions.count) connections, \(protocolErrors) protocol errors")
        lines.append("printer   \(printerAddress): \(spool.report.words)")
        let texts = { (texts: [String]) -> JSON in .array(texts.map { .string($0) }) }
        let json = JSON.object([
            "links": .array(network.links.map(\.json)), "gateways": texts(network.gateways),
            "nameServers": texts(network.nameServers), "hubs": texts(hubs), "hub": .string(hub),
            "place": .string(setup.hubPlace), "connections": .integer(sessions.count),
            "printer": .string(printerAddress.description),
        ])
        return ConsoleReply(lines, json: json.object)
    }

    // MARK: - config

    private mutating func settingsReply(_ answer: MachineAnswer) -> ConsoleReply {
        switch answer {
        case .settings(let settings): return Self.reply(settings)
        case .set(let setting, let brightness):
            if let brightness { panel { panel, now in panel.set(brightness: brightness, at: now) } }
            log(.notice, "box", "\(setting.name) was set to \(setting.value) at the console")
            let when = brightness == nil ? "in force after the next start" : "in force now"
            return ConsoleReply(
                ["\(setting.name) \(setting.value): \(when)"],
                json: JSON.object([
                    "name": .string(setting.name), "value": .string(setting.value),
                    "inForce": .bool(brightness != nil),
                ]).object)
        case .refused(let why): return .failed(why)
        case .examined, .kept, .mayRestart, .absent: return .failed("this box keeps no settings of its own")
        }
    }

    private static func reply(_ settings: [SettingLine]) -> ConsoleReply {
        let lines = settings.map { setting in
            "\(setting.name) \(setting.value)" + (setting.inForce.map { "   (after the next start; now \($0))" } ?? "")
        }
        var values = JSONObject()
        var inForce = JSONObject()
        for setting in settings {
            values.set(setting.name, .string(setting.value))
            if let now = setting.inForce { inForce.set(setting.name, .string(now)) }
        }
        return ConsoleReply(
            lines, json: JSON.object(["settings": .object(values), "untilNextStart": .object(inForce)]).object)
    }

    // MARK: - bundle

    mutating func keepSupportFile(_ request: ConsoleRequest, _ pushes: [JournalEntry], amounts: Bool) {
        var file = SupportFile()
        file.versions = [("counterbox", Firmware.version), ("box", setup.identity.box)] + (seen?.versions ?? [])
        file.settings = seen?.settings ?? []
        file.report = Doctor.examine(facts)
        file.log = serviceConsole.ring.newest(LogRing.mostLines).map(\.text)
        file.pushes = pushes
        file.showsAmounts = amounts
        file.trace = frames
        let lines = file.lines
        ask(.keep(supportFile: Array((lines.joined(separator: "\n") + "\n").utf8)), for: .kept(request, lines: lines))
    }

    private mutating func give(_ lines: [String], _ answer: MachineAnswer, _ request: ConsoleRequest) {
        var end = ConsoleReply([SupportFile.endMark(lines: lines.count)])
        var json = JSONObject([])
        json.set("count", .integer(lines.count))
        switch answer {
        case .kept(let path):
            end.lines.append("kept as \(path)")
            json.set("file", .string(path))
        case .refused(let why): end.lines.append("not kept as a file: \(why)")
        case .examined, .settings, .set, .mayRestart, .absent: break
        }
        end.json = json
        supportFile = SupportFileOnItsWay(request: request, lines: ([SupportFile.beginMark] + lines)[...], end: end)
        giveSupportFile()
    }

    /// The next part; the answer ends with the last one.
    mutating func giveSupportFile() {
        guard var file = supportFile else { return }
        var part: [String] = []
        var bytes = 0
        while bytes < Self.supportFilePart, let line = file.lines.popFirst() {
            part.append(line)
            bytes += line.utf8.count
        }
        supportFile = file.lines.isEmpty ? nil : file
        reply(ConsoleReply(part, continues: true), to: file.request)
        if file.lines.isEmpty {
            reply(file.end, to: file.request)
        } else {
            effects.append(.timer(.supportFile, at: now + Self.supportFileRest))
        }
    }

    // MARK: - reboot

    private mutating func restart(_ answer: MachineAnswer, _ request: ConsoleRequest) {
        switch answer {
        case .mayRestart(nil):
            reply(ConsoleReply(["the box stops, then the machine restarts"]), to: request)
            log(.notice, "box", "the machine is restarted from the console")
            restartsMachine = true
            stop()
        case .mayRestart(let why?): reply(.failed("not restarted: \(why)"), to: request)
        case .examined, .settings, .set, .kept, .refused, .absent:
            reply(.failed("not restarted: this box cannot restart its machine"), to: request)
        }
    }
}

extension NetworkLink {
    fileprivate var line: String {
        let kind = isWireless ? "wireless" : "cable"
        let state =
            hasCarrier
            ? addresses.isEmpty ? "connected, no address" : addresses.joined(separator: ", ") : "not connected"
        return "link      \(name) (\(kind)): \(state)" + (signal.map { ", \($0) dBm" } ?? "")
    }

    fileprivate var json: JSON {
        .object([
            "name": .string(name), "wireless": .bool(isWireless), "connected": .bool(hasCarrier),
            "addresses": .array(addresses.map { .string($0) }), "signal": signal.map { .integer($0) },
        ])
    }
}
