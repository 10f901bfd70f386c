import BoxFoundation
import PaymentJournal
import SimulatedDisk
import Testing

@Suite("A journal on a disk that fails")
struct DiskTests {
    /// What a box does with three pushes from their arrival to the hub's word that their outcomes were kept.
    static let day: [[JournalRequest]] = [
        [.take(.sample("a"), body: #"{"n":1}"#), .take(.sample("b", copies: 2), body: #"{"n":2}"#)],
        [.begin(1, .voice), .begin(1, .paper)],
        [.end(1, .voice(.announced)), .begin(2, .voice), .take(.sample("c", wantsVoice: false), body: #"{"n":3}"#)],
        [.end(1, .paper(.printed, cause: nil)), .begin(2, .paper)],
        [.copied(2, copies: 1), .end(2, .voice(.announced))],
        [.begin(2, .paper), .told([1])],
        [.end(2, .paper(.failed, cause: "cover open")), .begin(3, .paper)],
        [.end(3, .paper(.sent, cause: nil)), .told([2])],
        [.told([3]), .prune(now: WallTime(milliseconds: 1_700_000_100_000))],
    ]

    /// What the journal would say after so many whole batches.
    static let states: [[JournalEntry]] = (0...day.count).map { count in
        let journal = JournalDatabase(path: ":memory:")
        for batch in day[..<count] { _ = journal.perform(JournalBatch(batch)) }
        return entries(journal)
    }

    static func entries(_ journal: JournalDatabase) -> [JournalEntry] {
        guard case .entries(let entries) = journal.perform(JournalBatch([.recent(100)])).replies.first else {
            return []
        }
        return entries
    }

    /// Plays the day on a disk whose power goes at a call, and starts again.
    ///
    /// - Returns: batches acknowledged before the cut, and what the journal says after it.
    private func play(cutAt call: Int, seed: UInt64) -> (
        acknowledged: Int, found: [JournalEntry], opened: JournalOpening
    ) {
        let disk = SimulatedDisk(name: "cut-\(call)-\(seed)", seed: seed)
        disk.callsUntilPowerCut = call
        let first = JournalDatabase(path: "journal", vfs: disk.name)
        var acknowledged = 0
        for batch in Self.day where acknowledged < Self.day.count {
            guard first.perform(JournalBatch(batch)).failure == nil else { break }
            acknowledged += 1
        }
        disk.cutPower()
        first.close()
        disk.restorePower()
        let second = JournalDatabase(path: "journal", vfs: disk.name)
        let opened = second.open()
        let found = Self.entries(second)
        // It goes on: what is sent again now is known or taken.
        for request in Self.day.joined() {
            if case .take = request { #expect(second.perform(JournalBatch([request])).failure == nil) }
        }
        second.close()
        return (acknowledged, found, opened)
    }

    @Test("Power cut at every call to the disk: what was acknowledged is there, and nothing is half there")
    func powerCutEverywhere() {
        var call = 0
        var seen: Set<Int> = []
        while true {
            for seed in 0..<4 as Range<UInt64> {
                let (acknowledged, found, opened) = play(cutAt: call, seed: seed)
                #expect(opened == .ready, "cut at call \(call), seed \(seed)")
                let state = Self.states.lastIndex(of: found)
                // The batch that was cut off may be there whole: it was not acknowledged, but it may be kept.
                let fits = state == acknowledged || state == acknowledged + 1 || found == Self.states[acknowledged]
                #expect(
                    fits,
                    "cut at call \(call), seed \(seed): \(acknowledged) batches acknowledged, state \(String(describing: state))"
                )
                seen.insert(acknowledged)
            }
            if seen.contains(Self.day.count) { break }
            call += 1
        }
        #expect(seen == Set(0...Self.day.count))
        #expect(call > Self.day.count, "there is more than one call a batch")
    }

    @Test("Every commit is synced before it is answered")
    func synced() {
        let disk = SimulatedDisk(name: "synced", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        #expect(journal.open() == .ready)
        for batch in Self.day {
            let before = disk.syncs
            #expect(journal.perform(JournalBatch(batch)).failure == nil)
            #expect(disk.syncs > before)
        }
        let before = disk.syncs
        _ = Self.entries(journal)
        #expect(disk.syncs == before, "a question needs none")
    }

    @Test(
        "A disk that refuses keeps nothing of the batch, knows what it knew, and goes on when it is well",
        arguments: [
            (SimulatedDisk.Fault.full, JournalFailure.Kind.full), (.writesFail, .disk), (.syncsFail, .disk),
            (.readOnly, .readOnly),
        ])
    func refusal(fault: SimulatedDisk.Fault, kind: JournalFailure.Kind) {
        let disk = SimulatedDisk(name: "refusal-\(fault)", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        #expect(journal.take("known") == .taken(1))
        disk.fault = fault
        for _ in 0..<3 {
            let answer = journal.perform(
                JournalBatch([
                    .take(.sample("new"), body: "{}"), .begin(1, .voice), .take(.sample("known"), body: "{}"),
                ]))
            #expect(answer.failure?.kind == kind)
            #expect(answer.replies[0] == .notKept)
            #expect(answer.replies[1] == .notKept)
        }
        disk.fault = nil
        #expect(journal.take("known")?.isDuplicate == true)
        #expect(journal.entry(1)?.voice == .waiting)
        #expect(journal.take("new") == .taken(2))
    }

    @Test(
        "A batch that failed is not there when the box is killed right after",
        arguments: [SimulatedDisk.Fault.syncsFail, .full, .writesFail])
    func failedThenKilled(fault: SimulatedDisk.Fault) {
        let disk = SimulatedDisk(name: "killed-\(fault)", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        _ = journal.take("known")
        disk.fault = fault
        #expect(journal.perform(JournalBatch([.take(.sample("new"), body: "{}")])).failure != nil)
        disk.fault = nil
        // What a killed program leaves: the files as they are, synced or not.
        for suffix in ["", "-wal"] { disk.write(disk.content(of: "journal" + suffix) ?? [], to: "after" + suffix) }
        let later = JournalDatabase(path: "after", vfs: disk.name)
        #expect(later.unsettled == [1])
        #expect(later.take("new") == .taken(2))
    }

    @Test("What began while the disk was full is begun for the next start, and nothing newer")
    func doubt() {
        let disk = SimulatedDisk(name: "doubt", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        for id in ["a", "b", "c"] { _ = journal.take(id) }
        _ = journal.did(.end(3, .voice(.announced)))
        disk.fault = .full
        let big = "\"" + String(repeating: "x", count: 4_200_000) + "\""
        let batch = JournalBatch([.take(.sample("new"), body: big), .begin(2, .voice), .begin(1, .paper)])
        #expect(journal.perform(batch).failure?.kind == .full)
        #expect(journal.entry(2)?.voice == .waiting, "this run knows it without the journal")
        disk.cutPower()
        disk.restorePower()
        disk.fault = nil
        var next = JournalDatabase(path: "journal", vfs: disk.name)
        _ = next.take("d")
        for _ in 0..<2 {
            #expect((1...4).map { next.entry($0)?.voice } == [.begun, .begun, .ended(.announced), .waiting])
            #expect((1...4).map { next.entry($0)?.paper } == [.begun, .waiting, .waiting, .waiting])
            next.close()
            next = JournalDatabase(path: "journal", vfs: disk.name)
        }
    }

    @Test("What began while nothing could be written is begun for the next start, once something could")
    func doubtToldLater() {
        let disk = SimulatedDisk(name: "doubt-later", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        for id in ["a", "b"] { _ = journal.take(id) }
        disk.fault = .writesFail
        #expect(journal.perform(JournalBatch([.begin(1, .voice)])).failure?.kind == .disk)
        disk.fault = nil
        _ = journal.did(.begin(2, .paper))
        disk.cutPower()
        disk.restorePower()
        let next = JournalDatabase(path: "journal", vfs: disk.name)
        #expect((1...2).map { next.entry($0)?.voice } == [.begun, .waiting])
    }

    @Test("A doubt that cannot be read is a doubt of all that is open; a new journal begins without one")
    func unreadableDoubt() {
        let disk = SimulatedDisk(name: "unreadable-doubt", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        for id in ["a", "b"] { _ = journal.take(id) }
        journal.close()
        disk.write([UInt8](repeating: 0xA5, count: 1024), to: "journal-doubt")
        let next = JournalDatabase(path: "journal", vfs: disk.name, setAside: { disk.setAside($0) })
        _ = next.take("c")
        #expect((1...3).map { next.entry($0)?.voice } == [.begun, .begun, .waiting])
        next.close()
        disk.write([UInt8](repeating: 0xA5, count: 8192), to: "journal")
        let new = JournalDatabase(path: "journal", vfs: disk.name, setAside: { disk.setAside($0) })
        for id in ["a", "b"] { _ = new.take(id) }
        new.close()
        let later = JournalDatabase(path: "journal", vfs: disk.name)
        #expect(later.entry(1)?.voice == .waiting)
    }

    @Test("A disk that is read-only from the start keeps nothing and says so, and is used once it can be written")
    func readOnlyAtStart() {
        let disk = SimulatedDisk(name: "read-only", seed: 1)
        let first = JournalDatabase(path: "journal", vfs: disk.name)
        #expect(first.take("known") == .taken(1))
        first.close()
        disk.fault = .readOnly
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        let answer = journal.perform(JournalBatch([.take(.sample("new"), body: "{}")]))
        #expect(answer.failure?.kind == .readOnly)
        guard case .unusable(let failure) = answer.opened else {
            Issue.record("opened")
            return
        }
        #expect(failure.message.contains("cannot be written"))
        disk.fault = nil
        #expect(journal.take("known")?.isDuplicate == true)
    }

    @Test("A disk that takes no write at a start leaves in doubt what is open, and nothing that comes")
    func writesFailAtStart() {
        let disk = SimulatedDisk(name: "writes-fail", seed: 1)
        let first = JournalDatabase(path: "journal", vfs: disk.name)
        for id in ["a", "b"] { _ = first.take(id) }
        _ = first.did(.end(1, .voice(.announced)))
        disk.cutPower()
        disk.restorePower()
        disk.fault = .writesFail
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        #expect((1...2).map { journal.entry($0)?.voice } == [.ended(.announced), .begun])
        disk.fault = nil
        #expect(journal.take("c") == .taken(3))
        #expect(journal.entry(3)?.voice == .waiting)
    }

    @Test("A journal of before there was a doubt's file, on a full disk, leaves in doubt what is open")
    func noRoomForDoubt() {
        let disk = SimulatedDisk(name: "no-room-for-doubt", seed: 1)
        let first = JournalDatabase(path: "journal", vfs: disk.name)
        _ = first.take("a")
        first.close()
        #expect(disk.remove("journal-doubt") == 0)
        disk.fault = .full
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        #expect(journal.entry(1)?.voice == .begun)
    }

    @Test("A disk that is read-only from the start is read: known ids are duplicates, what is open is known")
    func readOnlyIsRead() {
        let disk = SimulatedDisk(name: "read-only-read", seed: 1)
        let first = JournalDatabase(path: "journal", vfs: disk.name)
        for id in ["a", "b"] { _ = first.take(id) }
        _ = first.did(.begin(1, .voice))
        disk.cutPower()
        disk.restorePower()
        disk.fault = .readOnly
        let journal = JournalDatabase(path: "journal", vfs: disk.name, setAside: { disk.setAside($0) })
        let batch: [JournalRequest] = [
            .unsettled(after: nil, most: 9), .take(.sample("a"), body: "{}"), .take(.sample("new"), body: "{}"),
            .begin(2, .voice),
        ]
        let answer = journal.perform(JournalBatch(batch))
        #expect(answer.failure?.kind == .readOnly)
        guard case .entries(let entries) = answer.replies[0] else {
            Issue.record("\(answer.replies[0])")
            return
        }
        #expect(entries.map(\.voice) == [.begun, .begun], "it may have been read-only for long")
        #expect(answer.replies[1].duplicated?.sequence == 1)
        #expect(answer.replies[2...] == [.notKept, .notKept])
        disk.fault = nil
        #expect(journal.take("new") == .taken(3))
        disk.cutPower()
        disk.restorePower()
        let next = JournalDatabase(path: "journal", vfs: disk.name)
        #expect((1...3).map { next.entry($0)?.voice } == [.begun, .begun, .waiting], "told once it could be")
    }

    @Test("A known id is a duplicate while the disk is full, in a batch of its own too")
    func knownWhileFull() {
        let disk = SimulatedDisk(name: "known", seed: 1)
        let journal = JournalDatabase(path: "journal", vfs: disk.name)
        _ = journal.take("known")
        disk.fault = .full
        #expect(journal.take("known")?.isDuplicate == true)
    }
}
