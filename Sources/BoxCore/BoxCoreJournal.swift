// What the journal answers goes to whoever asked.

import BoxFoundation
import PaymentJournal
import PushProtocol

extension BoxCore {
    /// How long the box leaves a journal alone that could not be written.
    static let journalRest = Interval.seconds(5)

    mutating func handle(_ answer: JournalAnswer) {
        note(opening: answer.opened)
        note(failure: answer.failure)
        let items = journal.answered()
        for (item, reply) in zip(items, answer.replies) { handle(item, reply) }
    }

    private mutating func note(opening: JournalOpening?) {
        if let opening {
            journalOpening = opening
            isReportDue = true
        }
        switch opening {
        case .setAside(let name, let failure)?:
            log(
                .error, "journal",
                "the old journal could not be used and is now \(name); a new one is begun: \(failure.message)")
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
        if !unwritten.isEmpty { effects.append(.timer(.journalRetry, at: now + Self.journalRest)) }
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
