import BoxFoundation
import PaymentJournal
import Testing

@Suite("Forgetting")
struct PruningTests {
    let journal = JournalDatabase(path: ":memory:", keeping: JournalKeeping(pushes: 1000, age: .minutes(60)))
    let start: Int64 = 1_700_000_000_000

    /// So many pushes, one a second, settled unless told otherwise.
    private func fill(_ count: Int, settled: (Int) -> Bool = { _ in true }) {
        for first in stride(from: 1, through: count, by: 500) {
            let numbers = first...min(count, first + 499)
            var requests: [JournalRequest] = []
            for n in numbers {
                let isSettled = settled(n)
                let record = PushRecord.sample(
                    String(n), received: start + Int64(n) * 1000, wantsVoice: !isSettled, copies: 0)
                requests.append(.take(record, body: "{}"))
                if isSettled { requests.append(.told([JournalSequence(Int64(n))])) }
            }
            #expect(journal.perform(JournalBatch(requests)).failure == nil)
        }
    }

    private func prune(at seconds: Int64) -> Int {
        var deleted = 0
        while case .pruned(let count, let more) = journal.did(
            .prune(now: WallTime(milliseconds: start + seconds * 1000))
        ).first {
            #expect(count <= 200, "a step is bounded")
            deleted += count
            if !more { break }
        }
        return deleted
    }

    @Test("What is among the newest stays, however old")
    func newest() {
        fill(1500)
        #expect(prune(at: 1_000_000) == 500)
        #expect(journal.entry(500) == nil)
        #expect(journal.entry(501) != nil)
        #expect(journal.take("501")?.isDuplicate == true)
        #expect(journal.take("new") == .taken(1501))
        #expect(prune(at: 1_000_000) == 1, "the new push made one more old")
    }

    @Test("What is young stays, however many there are")
    func young() {
        fill(1500)
        #expect(prune(at: 1500) == 0)
        #expect(prune(at: 3600 + 300) == 299)
        #expect(journal.entry(299) == nil)
        #expect(journal.entry(300) != nil)
    }

    @Test("What is not settled stays, and what lies behind it goes all the same")
    func unsettled() {
        fill(2000) { $0 > 450 || $0 % 100 == 7 }
        #expect(prune(at: 1_000_000) == 555)
        #expect(journal.unsettled.count == 445)
        #expect(journal.entry(7) == nil)
        #expect(journal.entry(8) != nil)
        #expect(journal.entry(1000) == nil)
    }

    @Test("A box whose clock stood at 1970 forgets by the hub's time")
    func wrongClock() {
        fill(1000)
        var record = PushRecord.sample("early", received: 0)
        record.arrived = WallTime(milliseconds: start)
        let early = JournalDatabase(path: ":memory:", keeping: JournalKeeping(pushes: 0, age: .minutes(60)))
        _ = early.did(
            .take(record, body: "{}"), .end(1, .voice(.announced)), .end(1, .paper(.sent, cause: nil)), .told([1]))
        #expect(early.did(.prune(now: WallTime(milliseconds: start + 3_600_000))) == [.pruned(0, more: false)])
        #expect(early.did(.prune(now: WallTime(milliseconds: start + 3_600_001))) == [.pruned(1, more: false)])
    }

    @Test("The day's totals outlive the pushes")
    func totals() {
        fill(1500)
        let before = journal.did(.dayTotals(day: "2023-11-14"))
        #expect(prune(at: 1_000_000) == 500)
        #expect(journal.did(.dayTotals(day: "2023-11-14")) == before)
    }
}
