// What the technician's terminal asks of the box.

import BoxDoctor
import BoxFoundation
import HardwareInterface
import PaymentJournal
import ServiceConsole

/// A question of the console that the journal answers.
enum ConsoleQuestion {
    case status(ConsoleRequest)
    case pushes(ConsoleRequest)
    case show(ConsoleRequest, id: String)
    case supportFile(ConsoleRequest, amounts: Bool)
}

extension BoxCore {
    mutating func handle(_ event: ConsoleEvent) {
        switch event {
        case .opened: console { console in console.opened() }
        case .received(let bytes): console { console in console.received(bytes) }
        case .closed: console { console in console.closed() }
        }
    }

    /// Lets the console take something and does what it asks for.
    mutating func console(_ event: (inout ServiceConsole) -> [ConsoleOutput]) {
        wish(event(&serviceConsole).map { .console($0) })
    }

    mutating func perform(_ output: ConsoleOutput) {
        switch output {
        case .write(let bytes): effects.append(.console(bytes))
        case .command(let command, let request): perform(command, request)
        case .cancel(let request):
            if liveButton == request { liveButton = nil }
            if supportFile?.request == request { supportFile = nil }
            cancelPairing(request)
        }
    }

    private mutating func perform(_ command: ConsoleCommand, _ request: ConsoleRequest) {
        consoleRequest = request
        switch command {
        case .status:
            let day = CivilTime(clock.time, offset: clock.offset).date
            journal.add(.dayTotals(day: day), for: .console(.status(request)))
        case .pushes(let count): journal.add(.recent(count), for: .console(.pushes(request)))
        case .show(let id): journal.add(.recent(ConsoleCommand.mostCount), for: .console(.show(request, id: id)))
        case .say(let say):
            for amount in say.amounts { sayTest(amount, say) }
            answerConsole(ok: say.amounts.count == 1 ? "speaking" : "speaking \(say.amounts.count) amounts")
        case .print(let text):
            print(text.map { .text($0) } ?? .testPage)
            answerConsole(ok: "printing")
        case .reprint(let id): reprintForConsole(id)
        case .volume(let value):
            if let value { set(volume: value) }
            answer(ConsoleReply(["volume \(volume)"], json: JSON.object(["volume": .integer(volume)]).object))
        case .led(let led): answerLED(led)
        case .button:
            liveButton = request
            showButton()
        case .trace(let isOn):
            isTracing = isOn
            for connection in sessions.keys { sessions[connection]?.isTraced = isOn }
            answerConsole(ok: isOn ? "trace on: log follow shows the frames" : "trace off")
        case .doctor: answerDoctor(request)
        case .net: ask(.examine(speaker: false), for: .net(request))
        case .configGet(let name): ask(.settings(name), for: .settings(request))
        case .configSet(let name, let value): ask(.set(name, value: value), for: .set(request))
        case .bundle(let amounts):
            journal.add(.recent(SupportFile.mostPushes), for: .console(.supportFile(request, amounts: amounts)))
        case .reboot: ask(.askRestart, for: .restart(request))
        case .printer(let printer): perform(printer, request)
        // The console answers these itself.
        case .help, .log, .logFollow, .json: break
        }
    }

    // MARK: - Answers

    mutating func answerConsole(ok line: String) { answer(ConsoleReply([line])) }
    mutating func answerConsole(error line: String) { answer(.failed(line)) }

    mutating func answer(_ reply: ConsoleReply) {
        guard let request = consoleRequest else { return }
        self.reply(reply, to: request)
    }

    mutating func reply(_ reply: ConsoleReply, to request: ConsoleRequest) {
        console { console in console.reply(reply, to: request) }
    }

    mutating func reprintNamed(_ id: String, _ reply: JournalReply) {
        guard case .entries(let entries) = reply,
            let entry = entries.first(where: { $0.record.id.utf8.elementsEqual(id.utf8) })
        else {
            answerConsole(error: "no push \(id) is kept")
            return
        }
        reprint(.console, hub: entry.record.hub, id: id)
    }

    mutating func answerConsole(_ question: ConsoleQuestion, _ reply: JournalReply) {
        switch (question, reply) {
        case (.status(let request), .totals(let totals)): self.reply(statusReply(totals), to: request)
        case (.status(let request), _): self.reply(statusReply(nil), to: request)
        case (.pushes(let request), .entries(let entries)):
            let lines = entries.isEmpty ? ["no pushes yet"] : entries.map(\.line)
            let json = JSON.object(["pushes": .array(entries.map(\.json))]).object
            self.reply(ConsoleReply(lines, json: json), to: request)
        case (.show(let request, let id), .entries(let entries)):
            let found = entries.filter { $0.record.id.utf8.elementsEqual(id.utf8) }
            let json = JSON.object(["pushes": .array(found.map(\.json))]).object
            let answer: ConsoleReply =
                found.isEmpty ? .failed("no push \(id) is kept") : ConsoleReply(found.flatMap(\.lines), json: json)
            self.reply(answer, to: request)
        case (.supportFile(let request, let amounts), let reply):
            let entries = if case .entries(let entries) = reply { entries } else { [JournalEntry]() }
            ask(.examine(speaker: false), for: .supportFile(request, pushes: entries, amounts: amounts))
        case (.pushes(let request), _), (.show(let request, _), _):
            self.reply(.failed("the journal cannot be read: see log"), to: request)
        }
    }

    private func statusReply(_ totals: [DayTotal]?) -> ConsoleReply {
        let report = spool.report
        let hubs = roster.entries.map { $0.hub.isEmpty ? "(no name)" : $0.hub }
        var lines = [
            "box       \(setup.identity.box), counterbox \(Firmware.version), up \((now - startedAt).seconds) s",
            "hub       " + (hubs.isEmpty ? dialler?.words ?? "none connected" : hubs.joined(separator: ", ")),
            "printer   \(report.state.rawValue): \(report.words)",
            "voice     volume \(volume)",
            "light     \(frontPanel.status.pattern): \(frontPanel.status.state.name)",
            "queue     \(ledger.unended) pushes not ended",
            "journal   " + (journalTrouble.map(\.message) ?? "fine"),
        ]
        lines += (totals ?? []).map { "today     \($0.line)" }
        if protocolErrors > 0 || otherBodies > 0 {
            lines.append("peers     \(protocolErrors) protocol errors, \(otherBodies) ids came again with another body")
        }
        if totals?.isEmpty == true { lines.append("today     nothing yet") }
        var json = status.object
        json.set("hubs", .array(hubs.map { .string($0) }))
        json.set("light", .string(frontPanel.status.pattern))
        json.set("protocolErrors", .integer(protocolErrors))
        json.set("otherBodies", .integer(otherBodies))
        json.set("journal", .string(journalTrouble == nil ? "fine" : "failed"))
        json.set("today", .array((totals ?? []).map(\.json)))
        return ConsoleReply(lines, json: json)
    }

    private mutating func reprintForConsole(_ id: String?) {
        guard let id else {
            reprint(.console)
            return
        }
        // A person names a push by its id alone: the newest of that id, whatever hub it came from.
        journal.add(.recent(ConsoleCommand.mostCount), for: .reprintNamed(id))
    }

    private mutating func answerLED(_ led: LEDRequest) {
        switch led {
        case .show: break
        case .identify: identify()
        case .brightness(let value): panel { panel, now in panel.set(brightness: value, at: now) }
        }
        let status = frontPanel.status
        answer(
            ConsoleReply(
                ["\(status.pattern): \(status.state.name)"],
                json: JSON.object(["pattern": .string(status.pattern), "state": .string(status.state.name)]).object))
    }

    /// One line of the live view.
    mutating func showButton() {
        guard let liveButton else { return }
        let status = frontPanel.status
        let word = status.isStuck ? "stuck" : status.isPressed ? "down" : "up"
        reply(
            ConsoleReply([word], json: JSON.object(["button": .string(word)]).object, continues: true), to: liveButton)
    }
}

extension DayTotal {
    fileprivate var line: String {
        guard let currency else { return "\(count) notices" }
        return "\(count) \(kind.rawValue)s, \(Money(minor: minor, currency: currency).decimal) \(currency.code)"
    }

    fileprivate var json: JSON {
        .object([
            "kind": .string(kind.rawValue), "count": .integer(count), "currency": currency.map { .string($0.code) },
            "sum": currency.map { .string(Money(minor: minor, currency: $0).decimal) },
        ])
    }
}

extension JournalEntry {
    fileprivate var voiceWord: String { voice.end?.rawValue ?? (voice == .begun ? "begun" : "waiting") }
    fileprivate var paperWord: String { paper.end?.rawValue ?? (paper == .begun ? "begun" : "waiting") }
    private var amount: String { record.amount.map { "\($0.decimal) \($0.currency.code)" } ?? "-" }

    /// For a list.
    fileprivate var line: String {
        "\(sequence) \(record.id)  \(record.kind.rawValue) \(amount) \(record.channel.rawValue)  "
            + "voice \(voiceWord), paper \(paperWord)\(isTold ? ", told" : "")"
    }

    /// All that is known.
    fileprivate var lines: [String] {
        var lines = [
            "push      \(record.id) (\(sequence)) of \(record.hub.isEmpty ? "a hub without a name" : record.hub)",
            "what      \(record.kind.rawValue) \(amount), \(record.channel.rawValue), \(record.copies) copies",
            "came      \(record.day), \(record.age.seconds) s old, to be spoken within \(record.ttl.seconds) s",
            "voice     \(voiceWord)", "paper     \(paperWord)", "told      \(isTold ? "yes" : "not yet")",
        ]
        if case .ended(_, let cause?) = paper { lines.append("cause     \(cause)") }
        if let reason = record.reason { lines.append("remark    \(reason) \(record.detail ?? "")") }
        return lines
    }

    fileprivate var json: JSON {
        .object([
            "id": .string(record.id), "hub": .string(record.hub), "sequence": .integer(sequence.number),
            "kind": .string(record.kind.rawValue), "channel": .string(record.channel.rawValue),
            "amount": record.amount.map { .string($0.decimal) },
            "currency": record.amount.map { .string($0.currency.code) },
            "voice": .string(voiceWord), "paper": .string(paperWord), "told": .bool(isTold),
        ])
    }
}
