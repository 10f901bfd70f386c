// What the box knows of itself becomes the doctor's facts: for the console, for STATUS, and as one line for systemd.

import BoxDoctor
import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

extension BoxCore {
    /// From one look at the machine to the next.
    static let examinationInterval = Interval.minutes(1)
    /// Ids that came again with another body and are named, the newest.
    static let mostOtherBodies = 20

    /// Now and then, so that a full disk or a hot board is told before somebody asks.
    mutating func examine() {
        effects.append(.timer(.examination, at: now + Self.examinationInterval))
        guard !isStopping, !machineWork.contains(where: { if case .watch = $0 { true } else { false } }) else { return }
        ask(.examine(speaker: false), for: .watch)
    }

    /// The worker's sight, with what only the running box can know in its place.
    var facts: DoctorFacts {
        var facts = seen?.facts ?? setup.facts
        facts.voice = setup.facts.voice
        // It is read at the start alone.
        if case .missing(let path)? = setup.facts.key, facts.key == .ready { facts.key = .late(path: path) }
        facts.light = setup.facts.light
        facts.button = setup.facts.button
        facts.isButtonStuck = frontPanel.status.isStuck
        facts.journal = JournalFact(opening: journalOpening, failure: journalTrouble, otherBodies: otherBodyIDs)
        facts.hub = hubFact
        take(fleetFault, into: &facts)
        facts.speaker = speakerFact
        facts.printer = printerFact
        facts.clock = ClockFact(
            isSynchronised: systemClock.isSynchronised, isBeforeBuild: systemClock.time < Firmware.released,
            isFromHub: isTimeTold)
        if hadUnderVoltage { facts.machine.hadUnderVoltage = true }
        return facts
    }

    /// What the fleet's server lacks, while the box is connected or where that ended the last connection: then it is the
    /// whole of what there is to say of the server.
    private func take(_ fault: FleetFault?, into facts: inout DoctorFacts) {
        guard let fault else { return }
        let isConnected = !roster.entries.isEmpty
        guard isConnected || dialler?.cause == fault.message else { return }
        facts.fleet = fault
        if !isConnected { facts.hub = nil }
    }

    private var hubFact: HubFact {
        let hubs = roster.entries.map { $0.hub.isEmpty ? "a hub without a name" : $0.hub }
        if !hubs.isEmpty { return .connected(hub: hubs.joined(separator: ", ")) }
        if let dialler {
            return .away(
                url: setup.hubPlace, HubTrouble(reason: dialler.cause, certificate: certificateFault?.fault))
        }
        if setup.facts.hub == .unusable { return .unusable }
        if let listenTrouble { return .cannotListen(address: setup.hubPlace, listenTrouble) }
        if let hub = lostHubs.sorted().first { return .silent(hub: hub, now - (hubLostAt ?? now)) }
        return .listening(address: setup.hubPlace)
    }

    private var printerFact: PrinterFact {
        let report = spool.report
        switch report.state {
        case .none: return .none
        case .ready, .unknown: return .ready(url: printerAddress.description)
        case .connecting: return .connecting(url: printerAddress.description)
        case .paperOut: return .paperOut
        case .paperLow: return .paperLow
        case .coverOpen: return .coverOpen
        case .error where spool.trouble == nil: return .error(report.words)
        case .asleep, .unreachable, .error:
            return .failed(printerAddress, spool.trouble?.error ?? .lost, tries: spool.trouble?.tries ?? 0)
        }
    }

    private var speakerFact: SpeakerFact? {
        // What the worker saw when it was asked to look is newer than what was heard before.
        guard let fact = seen?.facts.speaker ?? setup.facts.speaker else { return nil }
        guard speakerWasTried, let name = fact.name else { return fact }
        return speakerTrouble.map { .failed(name: name, $0) } ?? .ready(name: name)
    }

    /// What came of the speaker's last call.
    mutating func note(_ answer: PlaybackEvent) {
        switch answer {
        case .failed(let error): note(speaker: error)
        case .opened, .wrote, .recovered:
            speakerWasUsed = true
            guard speakerTrouble != nil || !speakerWasTried else { return }
            (speakerTrouble, speakerWasTried, isReportDue) = (nil, true, true)
        case .room, .unplayed: break
        }
    }

    mutating func note(speaker error: SpeakerError) {
        guard speakerTrouble != error || !speakerWasTried else { return }
        (speakerTrouble, speakerWasTried, isReportDue) = (error, true, true)
    }

    mutating func note(otherBody id: String) {
        otherBodyIDs = otherBodyIDs.suffix(Self.mostOtherBodies - 1) + [id]
        isReportDue = true
    }

    // MARK: - The report

    /// At the end of a turn in which something may have changed.
    mutating func renewReport() {
        guard isReportDue else { return }
        isReportDue = false
        let new = Doctor.examine(facts)
        // A number in a text that moves is no news for hubs.
        if !new.says(theSameAs: report) {
            report = new
            doctorStatus = statusOfReport
        }
        let line = serviceWords
        guard line != serviceLine else { return }
        serviceLine = line
        effects.append(.serviceStatus(line))
    }

    /// STATUS: how the doctor finds the box, and what is not fine.
    private var statusOfReport: JSONObject {
        let findings = report.findings.filter { $0.state != .fine }.map { $0.json }
        let status = JSON.object(["doctor": .string(report.state.rawValue), "findings": .array(findings)])
        return status.object ?? JSONObject()
    }

    /// `ready; till connected; printer is ready`.
    private var serviceWords: String {
        if isStopping { return "stopping" }
        guard isListening else { return "starting" }
        let others = report.findings.filter { $0.state == .fault && $0.subject != "hub" && $0.subject != "printer" }
        let words = spool.report.words.prefix { $0 != ":" }
        let printer = words.hasPrefix("the ") ? String(words.dropFirst(4)) : String(words)
        let first = faults.isEmpty && others.isEmpty ? "ready" : "running with a fault"
        let parts: [String] = [first, hubWords, printer] + others.map { "\($0.subject): \($0.text)" }
        return parts.joined(separator: "; ")
    }

    private var hubWords: String {
        let hubs = roster.entries.map { $0.hub.isEmpty ? "hub" : $0.hub }
        guard hubs.isEmpty else { return hubs.joined(separator: ", ") + " connected" }
        if let dialler { return "hub \(dialler.words)" }
        return lostHubs.isEmpty ? "no hub yet" : "hub silent"
    }
}

extension SpeakerFact {
    fileprivate var name: String? {
        switch self {
        case .none: nil
        case .ready(let name), .failed(let name, _), .inUse(let name): name
        }
    }
}

extension DoctorReport {
    fileprivate func says(theSameAs other: DoctorReport) -> Bool {
        findings.count == other.findings.count
            && zip(findings, other.findings).allSatisfy {
                $0.subject == $1.subject && $0.state == $1.state && $0.cure == $1.cure && $0.cause == $1.cause
            }
    }
}
