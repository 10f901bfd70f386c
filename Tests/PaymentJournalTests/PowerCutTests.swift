import BoxFoundation
import PaymentJournal
import SimulatedDisk
import Testing

@Suite("After a power cut")
struct PowerCutTests {
    let disk: SimulatedDisk
    let journal: JournalDatabase

    init() {
        disk = SimulatedDisk(name: "power-\(UInt64.random(in: 0 ... .max))", seed: 1)
        journal = JournalDatabase(path: "journal", vfs: disk.name)
    }

    private var log: [UInt8] { disk.content(of: "journal-wal") ?? [] }

    /// The journal that a box finds whose files are these now.
    private func found(log: [UInt8]) -> JournalDatabase {
        disk.write(disk.content(of: "journal") ?? [], to: "after")
        disk.write(log, to: "after-wal")
        return JournalDatabase(path: "after", vfs: disk.name)
    }

    @Test("What was answered is there, whatever had been done by then")
    func answered() {
        let steps: [JournalRequest] = [
            .take(.sample("a"), body: #"{"n":1}"#), .begin(1, .voice), .take(.sample("b"), body: #"{"n":2}"#),
            .end(1, .voice(.announced)), .begin(1, .paper), .end(1, .paper(.printed, cause: nil)), .told([1]),
        ]
        for step in steps {
            _ = journal.did(step)
            let later = found(log: log)
            for question in [JournalRequest.load(1), .load(2), .unsettled(after: nil, most: 9), .lastReceipt] {
                #expect(later.did(question) == journal.did(question), "after \(step)")
            }
        }
        let later = found(log: log)
        #expect(later.unsettled == [2])
        #expect(later.take("a")?.duplicated?.voice == .ended(.announced))
        #expect(later.take("c") == .taken(3), "numbers go on")
    }

    @Test("A log torn at any byte loses the batches behind the tear and nothing before it")
    func tornLog() {
        for n in 1...3 { _ = journal.take(String(n)) }
        let log = log
        var seen: Set<Int> = []
        var most = 0
        for cut in Array(stride(from: 0, to: log.count, by: 509)) + [log.count] {
            let found = found(log: Array(log[..<cut])).unsettled
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
        let log = log
        var counts: Set<Int> = []
        for cut in Array(stride(from: 0, to: log.count, by: 509)) + [log.count] {
            counts.insert(found(log: Array(log[..<cut])).unsettled.count)
        }
        #expect(counts == [0, 1, 3])
    }

    @Test("A flipped bit in the log ends what is read there and never changes an entry", arguments: 0..<64)
    func flippedBit(seed: Int) {
        for n in 1...3 { _ = journal.take(String(n)) }
        let whole = [1, 2, 3].map { journal.entry($0) }
        var log = log
        var random = SeededRandom(seed: UInt64(seed))
        log[Int.random(in: 0..<log.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        let later = found(log: log)
        for number in later.unsettled { #expect(later.entry(number) == whole[Int(number) - 1]) }
    }
}
