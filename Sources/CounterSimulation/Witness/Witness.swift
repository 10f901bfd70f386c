// Whoever stands beside the counter and believes nothing: hears, sees, reads the disk and listens at the hub, and says where
// the box broke its promise. It shares no code with the box's decisions.

import BoxCore
import BoxFoundation
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting

final class Witness {
    unowned let world: SimulatedWorld
    private(set) var accounts: [PushAccount] = []
    private var byName: [String: PushAccount] = [:]
    private var bySequence: [JournalSequence: PushAccount] = [:]
    private(set) var byID: [String: PushAccount] = [:]
    private(set) var byFen: [Int64: PushAccount] = [:]
    private var orders = 0

    // Voice.
    var ear: Ear
    var attempt: PhraseAttempt?
    /// Phrases that somebody asked to hear again.
    var repeatOrders = 0
    var lastPaymentOrder = 0
    /// The light says so where it was not.
    var lastPhraseWasHeard = true {
        didSet { if oldValue != lastPhraseWasHeard { phraseJudgedAt = now } }
    }
    private(set) var phraseJudgedAt = Moment.zero
    var lastRefundOrder = 0
    /// The pushes of the last phrase whose beginning was put on disk.
    var lastBegun: [PushAccount] = []

    // Paper.
    var reader: PaperReader
    /// Receipts that somebody asked for again.
    var reprintOrders = 0
    var lastPrintedOrder = 0

    init(_ world: SimulatedWorld, pack: EarPack, profile: PrinterProfile) {
        self.world = world
        ear = Ear(pack)
        reader = PaperReader(profile)
    }

    var now: Moment { world.loop.now }
    func fail(_ what: String) { world.fail(what) }

    func add(_ account: PushAccount) {
        accounts.append(account)
        byName[account.name] = account
        byID[account.intent.id] = account
        if let fen = account.intent.fen { byFen[fen] = account }
    }

    /// Pushes that the box has to bring to an end.
    var open: [PushAccount] { accounts.filter { $0.final == nil && !$0.isRotten } }

    // MARK: - The disk

    func journalAnswered(_ batch: JournalBatch, _ answer: JournalAnswer) {
        // What was in a damaged file is lost with it, whatever was taken after the damage too.
        if case .setAside? = answer.opened {
            for account in accounts { account.mayBeMarked = true }
            rotted()
        }
        var begun: [PushAccount] = []
        for (request, reply) in zip(batch.requests, answer.replies) {
            switch request {
            case .take(let record, _): taken(record, reply)
            case .begin(let sequence, let half):
                guard let account = bySequence[sequence] else { continue }
                if reply == .notKept {
                    account.hasDiskTrouble = true
                    // A full disk still remembers that something began.
                    if answer.failure?.kind != .full { account.hasLostBeginning = true }
                }
                account.begin(half, in: world.runs)
                if half == .voice { begun.append(account) }
            case .end(let sequence, let end): if let account = bySequence[sequence] { ended(account, end, reply) }
            default: break
            }
        }
        for reply in answer.replies { learn(reply) }
        if !begun.isEmpty { lastBegun = begun }
    }

    /// A batch in the middle of which the power went.
    func journalMayHave(_ batch: JournalBatch) {
        for request in batch.requests {
            switch request {
            case .take(let record, _): byName["\(record.hub)/\(record.id)"]?.mayBeKeptInRun = world.runs
            case .begin(let sequence, _): bySequence[sequence]?.mayHaveBegun = true
            default: break
            }
        }
    }

    /// What the disk turns out to have.
    private func learn(_ reply: JournalReply) {
        switch reply {
        case .entries(let entries): for entry in entries { learn(entry) }
        case .push(let entry?, _), .duplicate(let entry, _): learn(entry)
        default: break
        }
    }

    private func learn(_ entry: JournalEntry) {
        guard let account = byName["\(entry.record.hub)/\(entry.record.id)"], !account.isRotten else { return }
        if account.sequence == nil {
            guard let run = account.mayBeKeptInRun else {
                return fail("\(account.name) is on disk and was never taken")
            }
            account.sequence = entry.sequence
            account.isUnkept = false
            bySequence[entry.sequence] = account
            orders += 1
            account.order = orders
            account.takenInRun = run
        }
        if account.voiceEnd == nil { account.voiceEnd = entry.voice.end }
        if account.paperEnd == nil, let end = entry.paper.end { (account.paperEnd, account.paperEndedAt) = (end, now) }
    }

    private func taken(_ record: PushRecord, _ reply: JournalReply) {
        guard let account = byName["\(record.hub)/\(record.id)"] else { return fail("a push that nobody sent is kept") }
        switch reply {
        case .taken(let sequence):
            if account.sequence != nil, !account.isRotten { fail("\(account.name) is taken twice") }
            if account.isUnkept, account.takenInRun < world.runs { account.comeAnew() }
            account.sequence = sequence
            account.isUnkept = false
            bySequence[sequence] = account
            if !record.wantsVoice { account.voiceEnd = .silent }
            if record.copies == 0 { account.paperEnd = PaperEnd.none }
        case .notKept:
            guard account.sequence == nil else { return }
            if account.isUnkept, account.takenInRun < world.runs { account.comeAnew() }
            account.isUnkept = true
        default: return
        }
        orders += 1
        account.order = orders
        account.takenInRun = world.runs
    }

    private func ended(_ account: PushAccount, _ end: JournalEnd, _ reply: JournalReply) {
        guard reply == .kept || reply == .unchanged else {
            account.hasDiskTrouble = true
            return
        }
        switch end {
        case .voice(let voice):
            if reply == .kept, account.voiceEnd != nil, !account.isRotten {
                fail("the voice of \(account.name) ends twice")
            }
            if reply == .kept { account.voiceEnd = voice }
        case .paper(let paper, _):
            if reply == .kept, account.paperEnd != nil, !account.isRotten {
                fail("the paper of \(account.name) ends twice")
            }
            if reply == .kept { (account.paperEnd, account.paperEndedAt) = (paper, now) }
        }
    }

    /// Bits of the journal have turned, or its file was set aside.
    func rotted() {
        for account in accounts where account.sequence != nil {
            account.isRotten = true
            account.sequence = nil
        }
    }

    // MARK: - The hub

    func told(_ account: PushAccount, _ result: PushResult) {
        if account.isRotten {
            if result.isFinal { (account.final, account.finalAt) = (result, now) }
            return
        }
        if let refusal = account.intent.refusal {
            guard result.state == .refused, result.reason == refusal.rawValue else {
                return fail("\(account.name) should be refused as \(refusal.rawValue): \(result.json.text)")
            }
        } else if result.state == .refused {
            return fail("\(account.name) is refused: \(result.json.text)")
        }
        switch result.state {
        case .accepted:
            guard account.sequence != nil else { return fail("\(account.name) is accepted and not on disk") }
            if account.isAccepted { fail("\(account.name) is accepted twice") }
            account.isAccepted = true
        case .duplicate:
            guard account.sequence != nil || account.isUnkept else {
                return fail("\(account.name) is a duplicate of nothing")
            }
            if result.reason == PushResult.otherBody, account.otherBodies == 0 {
                fail("\(account.name) came with one body only")
            }
            account.isAccepted = account.isAccepted || !result.journalFailed
        case .later:
            if !world.isTerminating, accounts.count < 9000 { fail("\(account.name) is put off for no reason") }
        case .refused, .done: break
        }
        if result.isFinal { ended(account, result) }
    }

    private func ended(_ account: PushAccount, _ result: PushResult) {
        if let before = account.final, before.voice != result.voice || before.paper != result.paper,
            !account.mayEndAnew(inRun: world.runs)
        {
            fail("\(account.name) ended in two ways: \(before.json.text), then \(result.json.text)")
        }
        if result.state == .refused {
            (account.final, account.finalAt) = (result, now)
            return
        }
        if result.state == .done, (result.reason == PushResult.badReceipt) != account.intent.hasBadReceipt {
            fail("\(account.name): the remark on its receipt is wrong: \(result.json.text)")
        }
        if result.journalFailed {
            if !account.isUnkept, !account.hasDiskTrouble { fail("\(account.name): the disk had no trouble") }
        } else if account.voiceEnd != result.voice || account.paperEnd != result.paper {
            fail("\(account.name): the disk does not have what is told: \(result.json.text)")
        }
        let isFirst = account.final == nil
        (account.final, account.finalAt) = (result, now)
        guard isFirst else { return }
        judgeVoice(account, result)
        judgePaper(account, result)
    }

    func unexpectedBye(_ reason: String) {
        if !["closing", "silent", "replaced", "handshake-timeout", "too-many"].contains(reason) {
            fail("the box says goodbye to a good hub: \(reason)")
        }
    }

    /// The printer's state as the hub knows it.
    private var toldPrinter = ""
    /// Pushes that have not ended, likewise.
    private var toldQueued: Int64 = 0

    func status(_ status: JSONObject) {
        if let queued = status["queued"]?.integer { toldQueued = queued }
        if let printer = status["printer"]?.string { toldPrinter = printer }
    }

    // MARK: - The end

    /// Everything is right again and all the time that it may take has passed.
    func judgeEnd() {
        for account in accounts where !account.isRotten {
            guard let final = account.final else {
                // A push that no box ever took is its hub's.
                fail(
                    "\(account.name) has not ended: accepted \(account.isAccepted), voice "
                        + "\(account.voiceEnd?.rawValue ?? "open"), paper \(account.paperEnd?.rawValue ?? "open")")
                return
            }
            judgePaperAtEnd(account, final)
        }
        if toldQueued != 0, !accounts.contains(where: \.isRotten) { fail("\(toldQueued) pushes are told as queued") }
        if !["ready", "unknown", "none"].contains(toldPrinter) {
            fail("all is well, and the printer is \(toldPrinter)")
        }
    }
}
