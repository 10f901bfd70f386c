// Receipts: what is printed, and what was asked to be printed again.

import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting

/// A payment and when the box got it, which a receipt without a time of its own shows.
struct DatedPayment: Sendable {
    var payment: Payment
    var received: WallTime
}

/// A job of this run only.
enum OwnReceipt: Sendable {
    /// A receipt again, marked.
    case again(DatedPayment)
    case text(String)
    case testPage
}

/// Who wants a receipt again.
enum ReprintOrder {
    case button
    case console
    case command(id: String, ConnectionID)
}

extension BoxCore {
    /// Payments kept in memory for receipts that are about to be printed; others are read from the journal when their
    /// turn comes.
    static let mostCachedPayments = 64
    /// Signs that the printer lacks of which the log is told in one run.
    static let mostToldSigns = 256

    /// Lets the spool take something and does what it asks for.
    mutating func paper(_ event: (inout PrintSpool, Moment) -> [PrintSpoolOutput]) {
        wish(event(&spool, now).map { .paper($0) })
    }

    mutating func perform(_ output: PrintSpoolOutput) {
        switch output {
        case .call(let call): effects.append(.printer(call))
        case .timer(let timer, let moment): effects.append(.timer(.printer(timer), at: moment))
        case .load(let job, let isMarked): load(job, isMarked: isMarked)
        case .begin(let job): beginPaper(job)
        case .copied(let job, let copies): copied(job, copies)
        case .ended(let job, let end, let cause): ended(job, end, cause: cause)
        case .state(let report): changed(report)
        case .log(let entry): log(entry)
        case .stopped: paperIsStopped = true
        }
    }

    private mutating func beginPaper(_ job: PrintJobID) {
        guard let sequence = ledger[PushNumber(job.number)]?.sequence else {
            paper { spool, now in spool.begun(job, at: now) }
            return
        }
        journal.add(.begin(sequence, .paper), for: .paperBegan(job))
    }

    private mutating func copied(_ job: PrintJobID, _ copies: Int) {
        guard let sequence = ledger[PushNumber(job.number)]?.sequence else { return }
        journal.add(.copied(sequence, copies: copies + (copiedBefore[job] ?? 0)), for: .nothing)
    }

    private mutating func load(_ job: PrintJobID, isMarked: Bool) {
        let number = PushNumber(job.number)
        if let own = ownReceipts[job] {
            provide(job, own)
        } else if let payment = payments[number] {
            provide(job, payment, isMarked: isMarked)
        } else if let sequence = ledger[number]?.sequence {
            journal.add(.load(sequence), for: .printBody(job, isMarked: isMarked))
        } else {
            paper { spool, now in spool.cannotProvide(job, cause: "its body is not kept", at: now) }
        }
    }

    mutating func printBody(_ job: PrintJobID, isMarked: Bool, _ reply: JournalReply) {
        guard let payment = dated(reply) else {
            log(.error, "journal", "the body of receipt \(job.number) cannot be read")
            paper { spool, now in spool.cannotProvide(job, cause: "its body cannot be read", at: now) }
            return
        }
        provide(job, payment, isMarked: isMarked)
    }

    private func dated(_ reply: JournalReply) -> DatedPayment? {
        guard let payment = payment(in: reply), let received = reply.entry?.record.received else { return nil }
        return DatedPayment(payment: payment, received: received)
    }

    private mutating func provide(_ job: PrintJobID, _ dated: DatedPayment, isMarked: Bool) {
        let made = setup.receipts.receipt(
            for: dated.payment, shop: nil, mark: isMarked ? .repeated : .none,
            at: CivilTime(dated.received, offset: clock.offset))
        provide(job, made)
    }

    private mutating func provide(_ job: PrintJobID, _ own: OwnReceipt) {
        let time = CivilTime(clock.time, offset: clock.offset)
        switch own {
        case .again(let payment): provide(job, payment, isMarked: true)
        case .text(let text):
            let notice = Payment(kind: .notice, speech: .text(text), receipt: .slip)
            provide(job, setup.receipts.receipt(for: notice, shop: nil, mark: .none, at: time))
        case .testPage: provideTestPage(job, at: time)
        }
    }

    private mutating func provide(_ job: PrintJobID, _ made: MadeReceipt) {
        note(lacking: made.lacking)
        provide(job, made.bytes)
    }

    private mutating func provide(_ job: PrintJobID, _ bytes: [UInt8]) {
        paper { spool, now in spool.provide(job, PrinterData(bytes), at: now) }
    }

    private mutating func provideTestPage(_ job: PrintJobID, at time: CivilTime) {
        let hubs = roster.entries.map { $0.hub.isEmpty ? "(no name)" : $0.hub }
        let facts = JSON.object([
            "box": .string(setup.identity.box), "firmware": .string(Firmware.version),
            "network": .string(hubs.isEmpty ? "-" : hubs.joined(separator: ", ")),
        ])
        do throws(ReceiptFault) {
            provide(job, try setup.receipts.testPage(facts, at: time))
        } catch {
            let cause = "the test page cannot be set: \(error.message)"
            paper { spool, now in spool.cannotProvide(job, cause: cause, at: now) }
        }
    }

    /// Each sign is told once a run, so that a shop whose name has one does not fill the log.
    private mutating func note(lacking signs: String) {
        let new = signs.filter { !toldSigns.contains($0) }
        guard !new.isEmpty, toldSigns.count < Self.mostToldSigns else { return }
        toldSigns.formUnion(new)
        log(.notice, "printer", "the printer has no \(new): letters or ? stand in")
    }

    private mutating func ended(_ job: PrintJobID, _ end: PaperEnd, cause: String?) {
        effects.append(.news(.receiptEnded(end, cause: cause)))
        if end == .failed { log(.error, "printer", "a receipt failed: \(cause ?? "no cause is known")") }
        copiedBefore[job] = nil
        if job.isJournaled {
            ended(PushNumber(job.number), .paper(end, cause: cause))
        } else {
            ownReceipts[job] = nil
        }
    }

    private mutating func changed(_ report: PrinterReport) {
        guard !isStopping else { return }
        set(.printer, report.state.needsPerson)
        isReportDue = true
        effects.append(.news(.printer(report)))
        log(report.state.needsPerson ? .warning : .info, "printer", report.words)
    }

    mutating func print(_ own: OwnReceipt) {
        ownJobs -= 1
        let job = PrintJobID(ownJobs)
        ownReceipts[job] = own
        let isMarked = if case .again = own { true } else { false }
        paper { spool, now in spool.add(PrintJob(job, isMarked: isMarked), at: now) }
    }

    // MARK: - Again

    /// - Parameter id: of the push; nil means the last receipt.
    mutating func reprint(_ order: ReprintOrder, hub: String = "", id: String? = nil) {
        journal.add(id.map { .find(hub: hub, id: $0) } ?? .lastReceipt, for: .reprint(order))
    }

    mutating func reprint(_ order: ReprintOrder, _ reply: JournalReply) {
        var last = dated(reply)
        if case .unanswered = reply { last = lastReceipt }
        guard let last else {
            refused(order)
            return
        }
        log(.info, "printer", "the receipt is printed again")
        print(.again(last))
        switch order {
        case .button: break
        case .console: answerConsole(ok: "printing it again, marked")
        case .command(let id, let connection): self.reply(CommandReply(id: id, isOK: true), on: connection)
        }
    }

    private mutating func refused(_ order: ReprintOrder) {
        log(.info, "printer", "there is no receipt to print again")
        switch order {
        case .button: break
        case .console: answerConsole(error: "there is no such receipt")
        case .command(let id, let connection):
            self.reply(CommandReply(id: id, isOK: false, reason: "no-receipt"), on: connection)
        }
    }
}
