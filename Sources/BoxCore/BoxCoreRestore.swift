// What the last run left: phrases and receipts that had not ended come again, those that had begun marked. Pushes are
// taken only when all of it is in its queue, so that the order holds over restarts.

import BoxFoundation
import PaymentJournal
import PushProtocol
import ReceiptPrinting

/// A phrase that waits for its push's age to be known, or behind one that does.
struct WaitingPhrase {
    var number: PushNumber
    var payment: Payment
    var hub: String
    var age: PushAge
    var isRepeated: Bool
}

extension BoxCore {
    private static let restorePage = JournalBatch.mostEntries

    mutating func beginRestore() { journal.add(.unsettled(after: nil, most: Self.restorePage), for: .restore) }

    mutating func restore(_ reply: JournalReply) {
        guard case .entries(let entries) = reply else {
            finishRestore()
            return
        }
        for entry in entries where !entry.hasEnded { restore(entry) }
        if entries.count == Self.restorePage, let last = entries.last {
            journal.add(.unsettled(after: last.sequence, most: Self.restorePage), for: .restore)
        } else {
            hasAllEntries = true
            if bodiesToCome == 0 { finishRestore() }
        }
    }

    private mutating func restore(_ entry: JournalEntry) {
        let number = ledger.add(entry)
        if entry.voice.end == nil {
            restored[number] = entry
            bodiesToCome += 1
            journal.add(.load(entry.sequence), for: .restoreBody(number))
        }
        if entry.paper.end == nil {
            let job = PrintJob(
                PrintJobID(number.number), copies: max(1, entry.record.copies - entry.copied),
                isMarked: entry.paper == .begun)
            if entry.copied > 0 { copiedBefore[job.id] = entry.copied }
            paper { spool, now in spool.add(job, at: now) }
        }
    }

    mutating func restoreBody(_ number: PushNumber, _ reply: JournalReply) {
        bodiesToCome -= 1
        if let entry = restored.removeValue(forKey: number) {
            if let payment = payment(in: reply) {
                let record = PushAge.Record(
                    onArrival: entry.record.age, hubTime: entry.record.arrived, ttl: entry.record.ttl)
                waiting.append(
                    WaitingPhrase(
                        number: number, payment: payment, hub: entry.record.hub,
                        age: PushAge(restored: record, at: now), isRepeated: entry.voice == .begun))
            } else {
                log(.error, "journal", "the body of push \(entry.record.id) cannot be read: it is not spoken")
                ended(number, .voice(.failed))
            }
        }
        if hasAllEntries, bodiesToCome == 0 { finishRestore() }
    }

    private mutating func finishRestore() {
        guard !isListening else { return }
        isListening = true
        effects.append(.timer(.prune, at: now + Self.firstPrune))
        speakWaiting()
        if dialler == nil { effects.append(.listen) } else { dial { dialler, _ in dialler.start() } }
    }

    /// The payment in a body that the journal kept; nil where it is not the one that was taken. The file has no checksums, and a
    /// wrong amount is worse than none.
    func payment(in reply: JournalReply) -> Payment? {
        guard case .push(let entry?, let body) = reply, let json = try? JSONReader.read(body),
            let payment = try? PaymentReader.read(json).get()
        else { return nil }
        return payment.amount == entry.record.amount && payment.kind == entry.record.kind ? payment : nil
    }

    // MARK: - Ages

    /// A hub's clock tells how long the box was off.
    mutating func learnAge(from hello: HubHello) {
        for i in waiting.indices where waiting[i].hub == hello.hub {
            waiting[i].age.learn(hubTime: hello.clock(at: now), at: now)
        }
        speakWaiting()
    }

    /// Hands on what waits, in order, up to the first whose age is still to be learned.
    mutating func speakWaiting() {
        while let first = waiting.first {
            switch first.age.state(at: now) {
            case .unknown(let until):
                effects.append(.timer(.age, at: until))
                return
            case .expired:
                waiting.removeFirst()
                ended(first.number, .voice(.expired))
            case .fresh:
                waiting.removeFirst()
                announce(first)
            }
        }
        effects.append(.timer(.age, at: nil))
    }
}
