// What the journal answers goes to whoever asked.

import BoxFoundation
import PaymentJournal
import PushProtocol

extension BoxCore {
    /// How long the box leaves a journal alone that could not be written.
    static let journalRest = Interval.seconds(5)

    mutating func handle(_ answer: JournalAnswer) {
        let items = journal.answered()
        note(opening: answer.opened)
        // Only what was written tells that the disk takes changes: questions are answered from a full disk as well.
        if answer.failure != nil || items.contains(where: { $0.request.isChange }) { note(failure: answer.failure) }
        for (item, reply) in zip(items, answer.replies) { handle(item, reply) }
        awaitJournal()
    }

    /// While the disk is in trouble it is tried again and again, so that the light goes out with the fault and not with
    /// the next payment.
    private mutating func awaitJournal() {
        guard !unwritten.isEmpty || journalTrouble != nil, !awaitsJournal else { return }
        awaitsJournal = true
        effects.append(.timer(.journalRetry, at: now + Self.journalRest))
    }

    private mutating func note(opening: JournalOpening?) {
        if let opening {
            journalOpening = opening
            isReportDue = true
        }
        switch opening {
        case .setAside(let name, let failure, let kept)?:
            journalLostAt = now
            log(
                .error, "journal",
                "the old journal could not be used and is now \(name); a new one is begun, with \(kept ?? 0) pushes of the old "
                    + "one: \(failure.message)")
        case .unusable, .ready, nil: break
        }
    }

    private mutating func note(failure: JournalFailure?) {
        guard failure?.kind != journalTrouble?.kind else { return }
        journalTrouble = failure
        isReportDue = true
        set(fault: .journal, failure != nil)
        if let failure {
            log(.error, "journal", failure.message)
        } else {
            log(.notice, "journal", "the journal is written again")
        }
    }

    private mutating func handle(_ item: JournalQueue.Item, _ reply: JournalReply) {
        switch item.purpose {
        case .restore: restore(reply)
        case .restoreBody(let number): restoreBody(number, reply)
        case .take(let arrival): took(arrival, reply)
        case .judge(let arrival, let refusal): judged(arrival, refusal, known: reply.entry)
        case .voiceBegan(let ids): voice { voice, now in voice.begun(ids, at: now) }
        case .paperBegan(let job): paper { spool, now in spool.begun(job, at: now) }
        case .ended(let number, let half): noted(item, number, half, reply)
        case .told: if case .notKept = reply { unwritten.append(item.request) }
        case .printBody(let job, let isMarked): printBody(job, isMarked: isMarked, reply)
        case .untold(let connection): if case .entries(let entries) = reply { untold(entries, for: connection) }
        case .reprint(let order): reprint(order, reply)
        case .repeatLast: repeatLast(reply)
        case .sayDay: if case .totals(let totals) = reply { sayStatus(totals) } else { sayStatus([]) }
        case .console(let question): answerConsole(question, reply)
        case .reprintNamed(let id): reprintNamed(id, reply)
        case .prune: if case .pruned(_, more: true) = reply { journal.add(.prune(now: clock.time), for: .prune) }
        case .nothing: if case .notKept = reply, item.request.isWorthKeeping { unwritten.append(item.request) }
        }
    }

    private mutating func took(_ arrival: PushArrival, _ reply: JournalReply) {
        switch reply {
        case .taken(let sequence): taken(arrival, as: sequence)
        case .duplicate(let entry, let otherBody): isDuplicate(arrival, of: entry, otherBody: otherBody)
        default: tookUnkept(arrival)
        }
    }

    /// The disk would not take it. Two of one id may have been in the failed batch.
    private mutating func tookUnkept(_ arrival: PushArrival) {
        if let known = ledger.unjournaled(PushName(hub: arrival.hub, id: arrival.push.id)) {
            isDuplicate(arrival, ofUnkept: known)
        } else {
            taken(arrival, as: nil)
        }
    }

    /// A half's end is on disk, or the disk failed and it is told all the same.
    private mutating func noted(
        _ item: JournalQueue.Item, _ number: PushNumber, _ half: JournalHalf, _ reply: JournalReply
    ) {
        let failed = if case .notKept = reply { true } else { false }
        if failed { unwritten.append(item.request) }
        ledger.kept(number, half, journalFailed: failed)
        tell(number)
    }

    /// What could not be written is tried again.
    mutating func retryJournal() {
        awaitsJournal = false
        if unwritten.isEmpty, journalTrouble != nil { journal.add(.probe, for: .nothing) }
        for request in unwritten { journal.add(request, for: .nothing) }
        unwritten = []
    }
}

extension JournalReply {
    /// The push that was asked for.
    var entry: JournalEntry? { if case .push(let entry, _) = self { entry } else { nil } }
}

extension JournalRequest {
    /// A change that still says something true when it is written late.
    var isWorthKeeping: Bool {
        switch self {
        case .end, .told, .copied, .remark: true
        default: false
        }
    }
}
