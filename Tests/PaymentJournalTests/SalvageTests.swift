// A card that rots: what can still be read of the journal is not lost with the rest.

import BoxFoundation
import PaymentJournal
import Testing

@Suite("A damaged journal's pushes")
struct SalvageTests {
    private static let pushes = 3000
    private static let page = 4096

    let folder: TemporaryFolder
    var path: String { folder.path + "/journal" }

    init() throws { folder = try TemporaryFolder() }

    private static func id(_ number: Int) -> String { "id-\(number)-end" }
    private static func body(_ number: Int) -> String { #"{"text":"body-\#(number)-end"}"# }

    /// A journal of many pushes: each third has ended and is told, each third has ended, each third is open.
    private func fill(_ pushes: Int = pushes) {
        let journal = JournalDatabase(path: path)
        var requests: [JournalRequest] = []
        for number in 1...pushes {
            let sequence = JournalSequence(Int64(number))
            requests.append(.take(.sample(Self.id(number)), body: Self.body(number)))
            if number % 3 != 0 {
                requests.append(.end(sequence, .voice(.announced)))
                requests.append(.end(sequence, .paper(.sent, cause: "none asked")))
            }
            if number % 3 == 1 { requests.append(.told([sequence])) }
        }
        #expect(journal.perform(JournalBatch(requests)).failure == nil)
        journal.close()
    }

    /// Spoils each page of a kind (13: a leaf of a table, 5: one above) that has the text.
    private func spoil(kind: UInt8, having text: String? = nil) -> Int {
        var bytes = folder.read("journal")
        var spoilt = 0
        for start in stride(from: Self.page, to: bytes.count, by: Self.page) where bytes[start] == kind {
            let page = bytes[start..<start + Self.page]
            if let text, !String(decoding: page, as: UTF8.self).contains(text) { continue }
            for i in start..<start + Self.page { bytes[i] = 0xA5 }
            spoilt += 1
        }
        folder.write(bytes, "journal")
        return spoilt
    }

    /// Opens what was spoilt and looks for a row behind the damage, as a question for it would.
    private func reopened() throws -> (journal: JournalDatabase, kept: Int) {
        let journal = JournalDatabase(path: path)
        let answer = journal.perform(
            JournalBatch([.unsettled(after: nil, most: 1000), .recent(1000), .load(1), .load(1500)]))
        #expect(answer.failure == nil)
        guard case .setAside(_, _, let kept?)? = answer.opened else {
            throw SalvageMissing(opened: String(describing: answer.opened))
        }
        return (journal, kept)
    }
    private struct SalvageMissing: Error { var opened: String }

    @Test(
        "One page is lost, first, last or in the middle: all else is known as before", arguments: [1, 1500, 2960, 3000])
    func onePage(number: Int) throws {
        fill()
        #expect(spoil(kind: 13, having: Self.id(number)) == 1)
        let (journal, kept) = try reopened()
        #expect((Self.pushes - 60..<Self.pushes).contains(kept), "a page has some dozens of pushes")
        var missing = 0
        for number in 1...Self.pushes {
            guard let entry = journal.entry(Int64(number)) else {
                missing += 1
                continue
            }
            #expect(entry.record == .sample(Self.id(number)))
            #expect(entry.isTold == (number % 3 == 1))
            let hasEnded = number % 3 != 0
            #expect(entry.voice == (hasEnded ? .ended(.announced) : .begun), "what is open may have begun")
            #expect(entry.paper == (hasEnded ? .ended(.sent, cause: "none asked") : .begun))
        }
        #expect(missing == Self.pushes - kept)
        #expect(journal.entry(Int64(number)) == nil)
        let known = number == 1500 ? 1 : 1500
        #expect(journal.take(Self.id(known), body: Self.body(known))?.duplicated?.sequence.number == Int64(known))
        #expect(journal.take("new") == .taken(JournalSequence(Int64(number == Self.pushes ? kept : Self.pushes) + 1)))
        guard case .totals(let totals)? = journal.did(.dayTotals(day: "2023-11-14")).first else {
            Issue.record("no totals")
            return
        }
        #expect(totals.map(\.count) == [kept + 1])
        #expect(totals.map(\.minor) == [1250 * Int64(kept + 1)])
    }

    @Test("Where a body is lost its push is known, and has no body")
    func body() throws {
        fill()
        #expect(spoil(kind: 13, having: "body-1500-end") == 1)
        #expect(spoil(kind: 13, having: Self.id(1)) == 1, "so that the damage is found")
        let (journal, _) = try reopened()
        guard case .push(let entry?, let body)? = journal.did(.load(1500)).first else {
            Issue.record("no push 1500")
            return
        }
        #expect(entry.record.id == Self.id(1500))
        #expect(body.isEmpty)
        #expect(
            journal.perform(JournalBatch([.take(.sample(Self.id(1500)), body: Self.body(1500))])).replies
                == [.duplicate(entry, otherBody: false)], "what is lost is not another body")
        guard case .push(_?, Self.body(2999))? = journal.did(.load(2999)).first else {
            Issue.record("no body 2999")
            return
        }
    }

    @Test("What was not moved out of the log yet is known, too")
    func log() throws {
        fill()
        let journal = JournalDatabase(path: path)
        _ = journal.take("late", body: "{}")
        let (file, log) = (folder.read("journal"), folder.read("journal-wal"))
        #expect(!String(decoding: file, as: UTF8.self).contains("late"), "it is in the log alone")
        #expect(String(decoding: log, as: UTF8.self).contains("late"))
        journal.close()
        // As if the power had gone before the close.
        folder.write(file, "journal")
        folder.write(log, "journal-wal")
        #expect(spoil(kind: 13, having: Self.id(1500)) == 1)
        let (again, _) = try reopened()
        #expect(again.take("late", body: "{}")?.isDuplicate == true)
    }

    @Test("Where the first page is lost, which says where all else is, all pushes are known", arguments: [false, true])
    func firstPage(alsoAnother: Bool) throws {
        fill()
        if alsoAnother { #expect(spoil(kind: 13, having: Self.id(1500)) == 1) }
        var bytes = folder.read("journal")
        for i in 0..<Self.page { bytes[i] = 0xA5 }
        folder.write(bytes, "journal")
        let (journal, kept) = try reopened()
        #expect(alsoAnother ? (Self.pushes - 60..<Self.pushes).contains(kept) : kept == Self.pushes)
        #expect(journal.take(Self.id(1), body: Self.body(1))?.duplicated?.sequence == 1)
        #expect(journal.entry(3000)?.record == .sample(Self.id(3000)))
        #expect(folder.names == ["journal", "journal-doubt", "journal-wal", "journal.corrupt-1"], "no more")
        #expect(folder.read("journal.corrupt-1") == bytes)
    }

    @Test("Where the way to all pages is lost, a new one begins with nothing")
    func nothing() throws {
        fill()
        #expect(spoil(kind: 5) > 1)
        let (journal, kept) = try reopened()
        #expect(kept == 0)
        #expect(journal.take("new") == .taken(1))
    }

    @Test("However pages are lost: what is kept is as it was, and the next push is taken", arguments: 0..<60)
    func anyPages(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        fill(300)
        var bytes = folder.read("journal")
        let pages = bytes.count / Self.page
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: 1..<pages, using: &random) * Self.page
            let filler = UInt8.random(in: 0...255, using: &random)
            for i in start..<start + Self.page { bytes[i] = filler }
        }
        // A card may lose the end as well.
        if seed % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &random)) }
        folder.write(bytes, "journal")
        let journal = JournalDatabase(path: path)
        // Damage that no question meets is not found: each is asked for everything, again after the file is replaced.
        for _ in 1...2 {
            for number in 1...300 { _ = journal.perform(JournalBatch([.load(JournalSequence(Int64(number)))])) }
        }
        for number in 1...300 {
            guard case .push(let entry?, let body)? = journal.did(.load(JournalSequence(Int64(number)))).first else {
                continue
            }
            #expect(entry.record == .sample(Self.id(number)))
            #expect(body.isEmpty || body == Self.body(number))
        }
        guard case .taken(let sequence)? = journal.take("new") else {
            Issue.record("not taken")
            return
        }
        #expect(journal.did(.begin(sequence, .voice)) == [.kept])
    }
}
