// The doctor: facts in, findings out, worst first. It looks at nothing itself, so the same words come from
// `counterbox doctor`, the console and STATUS.

import BoxFoundation
import BoxSettings
import HardwareInterface
import PaymentJournal

/// Findings, the worst first, as lines for people, as JSON, and as an exit status: 1 where one is a fault.
package struct DoctorReport: Equatable, Sendable {
    /// The worst first, those of one state in the order in which a person would look.
    package let findings: [Finding]

    package init(findings: [Finding]) { self.findings = findings }

    package var state: Finding.State { findings.first?.state ?? .fine }

    /// Of `counterbox doctor`.
    package var exitStatus: Int32 { state == .fault ? 1 : 0 }

    package var lines: [String] { findings.map(\.line) }

    package var json: JSONObject {
        JSON.object(["state": .string(state.rawValue), "findings": .array(findings.map(\.json))]).object ?? JSONObject()
    }
}

/// Facts become findings. It looks at nothing itself.
package enum Doctor {
    /// Below these, somebody should know; below a tenth, it is a fault.
    static let fewBytesOfDisk: Int64 = 200 << 20
    static let fewBytesOfMemory: Int64 = 32 << 20
    /// Thousandths of a degree: where a Raspberry Pi slows itself down.
    static let hot = 80_000

    package static func examine(_ facts: DoctorFacts) -> DoctorReport {
        var findings = facts.box.map { [box($0)] } ?? []
        findings += settings(facts.notes)
        findings += [facts.state.map(folder), facts.key.map(key), facts.credentials.map(credentials)].compactMap { $0 }
        findings += facts.journal.map(journal) ?? []
        findings += [
            network(facts), facts.hub.map(hub), facts.fleet.map(fleet), facts.clock.map(clock),
            facts.speaker.map(speaker),
        ].compactMap { $0 }
        findings += facts.voice.map(voice) ?? []
        findings += [facts.printer.map(printer)].compactMap { $0 }
        findings += panel(facts)
        findings += [facts.console.map(console)].compactMap { $0 }
        findings += machine(facts.machine)
        let sorted = findings.enumerated().sorted { ($1.element.state, $0.offset) < ($0.element.state, $1.offset) }
        return DoctorReport(findings: sorted.map(\.element))
    }

    // MARK: What the box stands on

    private static func box(_ presence: BoxPresence) -> Finding {
        switch presence {
        case .running: .fine("box", "running; what only it can know is told by its console: doctor")
        case .notRunning: .note("box", "not running", cure: "systemctl start counterbox, or counterbox run")
        case .unknown:
            .note(
                "box", "whether it runs cannot be seen; its devices were left alone",
                cause: "its state folder is another user's", cure: "sudo counterbox doctor")
        }
    }

    private static func settings(_ notes: [SettingsNote]) -> [Finding] {
        guard !notes.isEmpty else { return [.fine("settings", "all understood")] }
        return notes.map { note in
            note.level == .fault
                ? .fault("settings", note.message, cure: "correct it; until then what lies below it is used")
                : .note("settings", note.message)
        }
    }

    private static func folder(_ fact: FolderFact) -> Finding {
        switch fact {
        case .ready(let path): .fine("state", path)
        case .missing(let path):
            .fault("state", "there is no folder \(path)", cure: "make it and give it to the box's user")
        case .noFolder(let path): .fault("state", "\(path) is a file", cure: "move it away, or choose another state")
        case .notWritable(let path):
            .fault(
                "state", "\(path) cannot be written", cause: "it belongs to another user, or the disk is read-only",
                cure: "give it to the box's user, or mount the disk for writing")
        }
    }

    private static func key(_ fact: KeyFact) -> Finding {
        secret(
            fact, "key", new: { "counterbox key new \($0); give the hub the same key" },
            right: { _ in "put the right key there" })
    }

    private static func credentials(_ fact: KeyFact) -> Finding {
        secret(
            fact, "credentials",
            new: { "counterbox key nkey \($0); give whoever runs the fleet's server the public key that it prints" },
            right: { "move it away, then counterbox key nkey \($0), or copy the right .creds file there" })
    }

    /// - Parameters:
    ///   - new: the cure where the file is missing, by its path.
    ///   - right: the cure where something else is in it.
    private static func secret(
        _ fact: KeyFact, _ subject: String, new: (String) -> String, right: (String) -> String
    ) -> Finding {
        switch fact {
        case .ready: .fine(subject, "there")
        case .missing(let path): .fault(subject, "there is no \(path)", cure: new(path))
        case .late(let path):
            .fault(
                subject, "\(path) came after the box had started, without one",
                cure: "start it again: reboot at the console, or systemctl restart counterbox")
        case .unreadable(let path):
            .fault(
                subject, "\(path) cannot be read", cause: "it belongs to another user",
                cure: "give it to the box's user")
        case .unusable(let path, let reason): .fault(subject, "\(path): \(reason)", cure: right(path))
        case .exposed(let path, let mode):
            .fault(
                subject, "\(path) can be read by others (mode \(String(mode, radix: 8)))", cure: "chmod 600 \(path)")
        }
    }

    private static func journal(_ fact: JournalFact) -> [Finding] {
        var findings: [Finding] = []
        switch (fact.failure, fact.opening) {
        case (let failure?, _), (nil, .unusable(let failure)):
            findings.append(.fault("journal", failure.message, cure: journalCure(failure)))
        case (nil, .ready): findings.append(.fine("journal", "kept"))
        case (nil, .setAside(let name, let failure, let kept)):
            findings.append(
                .note(
                    "journal",
                    "the old one could not be used (\(failure.detail)); a new one was begun"
                        + (kept.map { ", with \($0) of its pushes" } ?? ""),
                    cause: "a power cut on a card that does not keep its word, or a worn card",
                    cure: "send \(name) to support; if it happens again, replace the card"))
        }
        if let last = fact.otherBodies.last {
            findings.append(
                .note(
                    "journal", "\(fact.otherBodies.count) ids came again with another body, \(last) the last",
                    cause: "the hub uses an id twice",
                    cure: "ask whoever runs the hub: the second payment was not announced"))
        }
        return findings
    }

    private static func journalCure(_ failure: JournalFailure) -> String {
        switch failure.kind {
        case .full: "make room on the disk"
        case .readOnly: "mount the disk for writing, or give the file to the box's user"
        case .disk: "replace the card or disk"
        case .corrupt: "move the file away; a new one is begun"
        case .busy: "stop the other program that uses this state folder"
        case .cannotOpen: "make the state folder and give it to the box's user"
        case .newerSchema: "install the newer version again, or move the file away"
        case .foreign: "choose another state folder"
        case .other: "send the support file"
        }
    }

    private static func machine(_ facts: MachineFacts) -> [Finding] {
        var findings: [Finding] = []
        if let free = facts.diskFree, free < fewBytesOfDisk {
            let text = "\(free >> 20) MiB are left"
            let cure = "make room: delete old files, or use a larger card"
            findings.append(
                free < fewBytesOfDisk / 10 ? .fault("disk", text, cure: cure) : .note("disk", text, cure: cure))
        }
        if let free = facts.memoryFree, free < fewBytesOfMemory {
            findings.append(
                .note(
                    "memory", "\(free >> 20) MiB are left", cause: "another program takes it",
                    cure: "stop what is not needed"))
        }
        if let temperature = facts.temperature, temperature >= hot {
            findings.append(
                .note(
                    "temperature", "\(temperature / 1000) °C", cause: "sun, or no air around the box",
                    cure: "move it to a cooler place"))
        }
        if facts.hasUnderVoltage == true {
            findings.append(
                .fault(
                    "power", "the voltage is too low", cause: "a weak supply or a thin cable",
                    cure: "use the supply that belongs to the board"))
        } else if facts.hadUnderVoltage == true {
            findings.append(
                .note(
                    "power", "the voltage was too low since the start", cause: "a weak supply or a thin cable",
                    cure: "use the supply that belongs to the board"))
        }
        return findings
    }

    private static func clock(_ fact: ClockFact) -> Finding {
        if fact.isSynchronised { return .fine("clock", "synchronised") }
        if fact.isFromHub {
            return .note("clock", "not synchronised; the hub's time is used", cure: "allow NTP in the network")
        }
        let text =
            fact.isBeforeBuild
            ? "it stood before this software was made; the last known time is used" : "not synchronised"
        return .note(
            "clock", text, cause: "no network yet, or NTP is blocked",
            cure: "allow NTP in the network, or wait for a hub")
    }
}
