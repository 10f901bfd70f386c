import BoxFoundation
import PaymentJournal
import Testing

@Suite("After a power cut")
struct PowerCutTests {
    let folder: TemporaryFolder
    let journal: JournalDatabase

    init() throws {
        folder = try TemporaryFolder()
        journal = JournalDatabase(path: folder.path + "/journal")
    }

    /// The journal that a box finds when its plug is pulled now and put in again.
    private func afterPowerCut() -> JournalDatabase {
        folder.copyJournal(as: "after")
        return JournalDatabase(path: folder.path + "/after")
    }

    @Test("What was answered is there, whatever had been done by then")
    func answered() {
        let steps: [JournalRequest] = [
            .take(.sample("a"), body: #"{"n":1}"#), .begin(1, .voice), .take(.sample("b"), body: #"{"n":2}"#),
            .end(1, .voice(.announced)), .begin(1, .paper), .end(1, .paper(.printed, cause: nil)), .told([1]),
        ]
        for step in steps {
            _ = journal.did(step)
            let later = afterPowerCut()
            for question in [JournalRequest.load(1), .load(2), .unsettled(after: nil, most: 9), .lastReceipt] {
                #expect(later.did(question) == journal.did(question), "after \(step)")
            }
        }
        let later = afterPowerCut()
        #expect(later.unsettled == [2])
        #expect(later.take("a")?.duplicated?.voice == .ended(.announced))
        #expect(later.take("c") == .taken(3), "numbers go on")
    }

    @Test("A log torn at any byte loses the batches behind the tear and nothing before it")
    func tornLog() {
        for n in 1...3 { _ = journal.take(String(n)) }
        let main = folder.read("journal")
        let log = folder.read("journal-wal")
        var seen: Set<Int> = []
        var most = 0
        for cut in Array(stride(from: 0, to: log.count, by: 509)) + [log.count] {
            folder.write(main, "after")
            folder.write(Array(log[..<cut]), "after-wal")
            let found = JournalDatabase(path: folder.path + "/after").unsettled
            #expect(found == Array((1...3).prefix(found.count)), "cut at \(cut)")
            #expect(found.count >= most, "more of the log never holds less")
            most = found.count
            seen.insert(found.count)
        }
        #expect(seen == [0, 1, 2, 3])
    }

    @Test("A batch is there whole or not at all")
    func wholeBatches() {
        _ = journal.take("first")
        _ = journal.did(
            .take(.sample("a"), body: "{}"), .begin(2, .voice), .take(.sample("b"), body: "{}"), .begin(3, .paper))
        let main = folder.read("journal")
        let log = folder.read("journal-wal")
        var counts: Set<Int> = []
        for cut in Array(stride(from: 0, to: log.count, by: 509)) + [log.count] {
            folder.write(main, "after")
            folder.write(Array(log[..<cut]), "after-wal")
            counts.insert(JournalDatabase(path: folder.path + "/after").unsettled.count)
        }
        #expect(counts == [0, 1, 3])
    }

    @Test("A flipped bit in the log ends what is read there and never changes an entry", arguments: 0..<64)
    func flippedBit(seed: Int) {
        for n in 1...3 { _ = journal.take(String(n)) }
        let whole = [1, 2, 3].map { journal.entry($0) }
        folder.copyJournal(as: "after")
        var log = folder.read("after-wal")
        var random = SeededRandom(seed: UInt64(seed))
        log[Int.random(in: 0..<log.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        folder.write(log, "after-wal")
        let later = JournalDatabase(path: folder.path + "/after")
        for number in later.unsettled { #expect(later.entry(number) == whole[Int(number) - 1]) }
    }
}
