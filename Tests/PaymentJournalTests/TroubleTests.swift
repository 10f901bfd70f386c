import BoxFoundation
import CSQLite
import Glibc
import PaymentJournal
import Testing

@Suite("A journal in trouble")
struct TroubleTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/journal" }

    init() throws { folder = try TemporaryFolder() }

    @Test("The first batch opens the file and says so once")
    func opening() {
        let journal = JournalDatabase(path: path)
        #expect(journal.perform(JournalBatch([.recent(1)])).opened == .ready)
        #expect(journal.perform(JournalBatch([.recent(1)])).opened == nil)
        #expect(journal.open() == .ready)
    }

    @Test(
        "A file that is no journal is set aside, named, and a new one begun",
        arguments: [[], Array("garbage".utf8), [UInt8](repeating: 0, count: 8192), Array("SQLite format 3\0".utf8)])
    func garbage(bytes: [UInt8]) {
        folder.write(bytes, "journal")
        let journal = JournalDatabase(path: path)
        let answer = journal.perform(JournalBatch([.take(.sample("a"), body: "{}")]))
        guard case .setAside(let name, let failure, _) = answer.opened else {
            Issue.record("opened: \(String(describing: answer.opened))")
            return
        }
        #expect(failure.kind == .corrupt)
        #expect(name == path + ".corrupt-1")
        #expect(folder.read("journal.corrupt-1") == bytes, "what was there is kept for whoever looks into it")
        #expect(answer.replies == [.taken(1)])
        journal.close()
        #expect(JournalDatabase(path: path).take("a")?.isDuplicate == true)
    }

    @Test("A fourth damaged file takes the place of the third, so that a failing card is not filled")
    func setAsideLimit() {
        for n in 1...5 {
            folder.write(Array("garbage \(n)".utf8), "journal")
            let journal = JournalDatabase(path: path)
            _ = journal.open()
            journal.close()
        }
        #expect(folder.names.filter { $0.contains("corrupt") } == (1...3).map { "journal.corrupt-\($0)" })
        #expect(folder.read("journal.corrupt-3") == Array("garbage 5".utf8))
    }

    @Test("Damage found while running sets the file aside; the batch goes into the new one under higher numbers")
    func damageWhileRunning() throws {
        let first = JournalDatabase(path: path)
        for id in 1...200 { _ = first.take(String(id)) }
        first.close()
        // The table's pages are spoilt, the first page is not: it opens well.
        var bytes = folder.read("journal")
        for i in 8192..<bytes.count { bytes[i] = 0xA5 }
        folder.write(bytes, "journal")
        let journal = JournalDatabase(path: path)
        let answer = journal.perform(JournalBatch([.take(.sample("new"), body: "{}")]))
        #expect(answer.failure == nil)
        guard case .setAside = answer.opened else {
            Issue.record("opened: \(String(describing: answer.opened))")
            return
        }
        guard case .taken(let sequence) = answer.replies.first else {
            Issue.record("not taken")
            return
        }
        #expect(journal.did(.begin(sequence, .voice)) == [.kept])
        #expect(folder.read("journal.corrupt-1") == bytes)
    }

    @Test("A full disk keeps nothing of a batch, still knows its ids, and recovers when there is room")
    func fullDisk() {
        let roomy = JournalDatabase(path: path)
        _ = roomy.take("known")
        roomy.close()

        let pages = folder.read("journal").count / 4096 + 2
        let full = JournalDatabase(path: path, mostPages: pages)
        let big = "\"" + String(repeating: "x", count: 40_000) + "\""
        let answer = full.perform(
            JournalBatch([
                .take(.sample("small"), body: "{}"), .take(.sample("known"), body: "{}"), .recent(5),
                .take(.sample("big"), body: big), .take(.sample("big"), body: big), .begin(1, .voice),
            ]))
        #expect(answer.failure?.kind == .full)
        #expect(answer.replies[0] == .notKept)
        #expect(answer.replies[1].duplicated?.sequence == 1, "a known id is never announced twice")
        guard case .entries(let entries) = answer.replies[2] else {
            Issue.record("questions are answered")
            return
        }
        #expect(entries.map(\.record.id) == ["known"])
        #expect(answer.replies[3...] == [.notKept, .notKept, .notKept])
        #expect(full.take("small") == .taken(2), "a batch that fits is kept")
        full.close()
        #expect(JournalDatabase(path: path).take("big", body: big) == .taken(3))
    }

    @Test("A newer version's journal is left alone")
    func newerSchema() throws {
        try execute("PRAGMA application_id = 0x4342584A; PRAGMA user_version = 999; CREATE TABLE push (future TEXT)")
        let before = folder.read("journal")
        let journal = JournalDatabase(path: path)
        let answer = journal.perform(JournalBatch([.take(.sample("a"), body: "{}"), .recent(1)]))
        #expect(answer.failure?.kind == .newerSchema)
        #expect(answer.replies == [.notKept, .unanswered])
        journal.close()
        #expect(folder.names == ["journal"])
        #expect(folder.read("journal").count == before.count)
    }

    @Test("Another program's database is left alone", arguments: ["", "PRAGMA application_id = 7;"])
    func foreign(mark: String) throws {
        try execute(mark + "CREATE TABLE accounts (name TEXT)")
        #expect(JournalDatabase(path: path).perform(JournalBatch([.recent(1)])).failure?.kind == .foreign)
        #expect(folder.names == ["journal"])
    }

    @Test("An older journal goes through the steps it lacks and keeps its pushes")
    func migration() {
        let old = JournalDatabase(path: path)
        _ = old.take("a")
        old.close()
        let step = "ALTER TABLE push ADD COLUMN note TEXT; CREATE TABLE extra (n INTEGER); INSERT INTO extra VALUES (7)"
        let schema = JournalDatabase.schema + [step]
        let new = JournalDatabase(path: path, schema: schema)
        #expect(new.take("a")?.isDuplicate == true)
        new.close()
        #expect(JournalDatabase(path: path, schema: schema).take("b") == .taken(2), "a step is not done twice")
        #expect(JournalDatabase(path: path).perform(JournalBatch([.recent(1)])).failure != nil)
    }

    @Test("A step that fails leaves the older journal as it was")
    func failedMigration() {
        let old = JournalDatabase(path: path)
        _ = old.take("a")
        old.close()
        let broken = JournalDatabase.schema + ["CREATE TABLE extra (n INTEGER); CREATE TABLE extra (n INTEGER)"]
        #expect(JournalDatabase(path: path, schema: broken).perform(JournalBatch([.recent(1)])).failure?.kind == .other)
        #expect(JournalDatabase(path: path).take("a")?.isDuplicate == true)
    }

    @Test("A second program on one journal is refused, and gets it when the first has gone")
    func busy() {
        let first = JournalDatabase(path: path)
        _ = first.take("a")
        let second = JournalDatabase(path: path)
        #expect(second.perform(JournalBatch([.recent(1)])).failure?.kind == .busy)
        first.close()
        let answer = second.perform(JournalBatch([.take(.sample("a"), body: "{}")]))
        #expect(answer.opened == .ready)
        #expect(answer.replies.first?.isDuplicate == true)
    }

    @Test("A folder that is not there is said, and used once it is")
    func missingFolder() {
        let inside = folder.path + "/late"
        let journal = JournalDatabase(path: inside + "/journal")
        let answer = journal.perform(JournalBatch([.take(.sample("a"), body: "{}")]))
        #expect(answer.failure?.kind == .cannotOpen)
        #expect(answer.replies == [.notKept])
        mkdir(inside, 0o700)
        #expect(journal.take("a") == .taken(1))
        journal.close()
        unlink(inside + "/journal")
        rmdir(inside)
    }

    private func execute(_ sql: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }
}
