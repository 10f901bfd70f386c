// The journal: a push acknowledged is a push that survives the plug. One thread owns it (a commit on an SD card can take
// long, so on the box that is a worker of its own; in simulation the loop calls it inline).
//
// The file is SQLite's, with `synchronous=FULL` and a write-ahead log: a commit is then one append and one sync of one
// file, where a rollback journal needs three syncs and rewrites pages all over the card. The lock is held for good
// (`locking_mode=EXCLUSIVE`), so that no second box runs on the same state and no shared memory file is needed.

import BoxFoundation

/// The journal's file, owned by one thread. A batch is one transaction; what it answered is on disk.
package final class JournalDatabase {
    /// Pages (4 KiB) after which a commit itself moves the write-ahead log to its place; `prune` does so earlier.
    static let mostLogPages = 1000
    /// Bytes that an emptied log file keeps on disk.
    static let mostLogBytes = 8 << 20

    private let file: JournalFile
    private let vfs: String?
    private let mostPages: Int?
    private let steps: [String]

    private var connection: SQLiteConnection?
    /// In place of `connection` on a disk that was read-only from the start: what was kept is known all the same.
    private var reader: SQLiteConnection?
    /// How the last try to open went; nil before the first.
    private var opening: JournalOpening?
    /// The number of the next push. It goes on where a damaged file's numbers ended, so that none means two pushes.
    private var nextSequence: Int64 = 1
    private var pruning: JournalPruning
    private let doubtFile: DoubtFile
    /// What earlier runs left in doubt; nil before the first connection.
    private var doubt: JournalDoubt?
    /// What this run adds.
    private var lost = JournalDoubt()
    /// The file of both is there, so that it can be written over, and says so much.
    private var (isDoubtPrepared, isDoubtWritten) = (false, true)

    /// Opens nothing yet: the first batch does, in the thread that performs it.
    ///
    /// - Parameters:
    ///   - path: the file, or `:memory:`.
    ///   - vfs: the name of a file system registered with SQLite; nil is the real one. A damaged file of another is set
    ///     aside by `setAside`.
    ///   - mostPages: the most that the file may grow to, in pages of 4 KiB; nil is as much as the disk gives.
    ///   - schema: the steps from an empty file to the tables that are used.
    ///   - setAside: renames a damaged file and its log in the file system of `vfs` and gives the new name; nil where it
    ///     cannot.
    package init(
        path: String, vfs: String? = nil, mostPages: Int? = nil, keeping: JournalKeeping = .asPromised,
        schema: [String] = JournalDatabase.schema, setAside: ((String) -> String?)? = nil
    ) {
        file = JournalFile(path: path, isReal: vfs == nil, simulated: setAside)
        self.vfs = vfs
        self.mostPages = mostPages
        self.steps = schema
        pruning = JournalPruning(keeping: keeping)
        doubtFile = DoubtFile(journal: path, vfs: vfs, setAside: setAside)
    }

    /// The steps of the present version, the oldest first.
    package static var schema: [String] { JournalSchema.steps }

    // MARK: Batches

    /// Does a batch in one transaction. What it changed is on disk when this returns, or the answer says so.
    package func perform(_ batch: JournalBatch) -> JournalAnswer {
        let before = opening
        var answer = attempt(batch)
        // A file found damaged has been set aside by now: what can be kept is kept in the new one.
        if answer.failure?.kind == .corrupt, connection != nil { answer = attempt(batch) }
        answer.opened = opening == before ? nil : opening
        return answer
    }

    private func attempt(_ batch: JournalBatch) -> JournalAnswer {
        do throws(JournalFailure) {
            let connection = try openConnection()
            let first = nextSequence
            do throws(JournalFailure) {
                let replies = try transaction(batch, on: connection)
                if !isDoubtWritten { writeDoubt() }
                return JournalAnswer(replies: replies)
            } catch {
                nextSequence = first
                rollBack(after: error)
                throw error
            }
        } catch {
            lose(batch)
            return JournalAnswer(failure: error, replies: batch.requests.map(replyAfterFailure))
        }
    }

    /// The batch is not kept. That something begins all the same must outlive this run.
    private func lose(_ batch: JournalBatch) {
        let all = lost.joined(with: JournalDoubt(lost: batch.requests))
        guard all != lost else { return }
        lost = all
        writeDoubt()
    }

    private func writeDoubt() { isDoubtWritten = doubtFile.write(lost.joined(with: doubt ?? JournalDoubt())) }

    private func transaction(_ batch: JournalBatch, on connection: SQLiteConnection) throws(JournalFailure)
        -> [JournalReply]
    {
        let changes = batch.requests.contains { $0.isChange }
        if changes { try connection.run("BEGIN IMMEDIATE") }
        var replies: [JournalReply] = []
        replies.reserveCapacity(batch.requests.count)
        for request in batch.requests { replies.append(try reply(to: request, on: connection)) }
        if changes { try connection.run("COMMIT") }
        // The batch is safe whether the log can be moved to its place now or not: the next commit tries again.
        if batch.requests.contains(where: { $0.isPrune }) { try? connection.checkpoint() }
        return replies
    }

    private func reply(to request: JournalRequest, on connection: SQLiteConnection) throws(JournalFailure)
        -> JournalReply
    {
        switch request {
        case .take(let record, let body):
            if let duplicate = try reading(connection).duplicate(of: record, body: body) { return duplicate }
            let reply = try JournalWriting(connection).take(record, body: body, as: JournalSequence(nextSequence))
            nextSequence += 1
            return reply
        case .prune(let now):
            return try pruning.step(now: now, newest: nextSequence - 1, on: connection)
        case let request where request.isChange:
            return try JournalWriting(connection).change(request)
        default:
            return try reading(connection).answer(request)
        }
    }

    private func reading(_ connection: SQLiteConnection) -> JournalReading {
        JournalReading(connection, doubt: doubt ?? JournalDoubt())
    }

    /// What is known of a request in a batch that failed.
    private func replyAfterFailure(_ request: JournalRequest) -> JournalReply {
        let unknown = request.isChange ? JournalReply.notKept : .unanswered
        guard let connection = connection ?? reader else { return unknown }
        do throws(JournalFailure) {
            switch request {
            case .take(let record, let body):
                return try reading(connection).duplicate(of: record, body: body) ?? .notKept
            case let request where request.isChange: return .notKept
            default: return try reading(connection).answer(request)
            }
        } catch {
            return unknown
        }
    }

    private func rollBack(after failure: JournalFailure) {
        guard let connection else { return }
        connection.resetStatements()
        // SQLite may have rolled back by itself; where neither could, closing does.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        switch failure.kind {
        case .corrupt:
            close()
            replaceFile(after: failure)
        case .disk:
            // Where only the sync failed, the log holds the whole batch, and a start from there would take it for kept.
            // A commit that changes nothing is written over it.
            try? connection.run("BEGIN IMMEDIATE; PRAGMA application_id = \(JournalSchema.applicationID); COMMIT")
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
        default: break
        }
    }

    // MARK: Opening

    /// Opens now, where the first batch would. Opening twice changes nothing.
    package func open() -> JournalOpening {
        do throws(JournalFailure) {
            _ = try openConnection()
            return opening ?? .ready
        } catch {
            return .unusable(error)
        }
    }

    /// Closes; a later batch opens again.
    package func close() {
        connection?.close()
        connection = nil
        closeReader()
    }

    private func closeReader() {
        reader?.close()
        reader = nil
    }

    private func openConnection() throws(JournalFailure) -> SQLiteConnection {
        if let connection { return connection }
        // Only the first time: an empty file later is one that we could not write to.
        if opening == nil, file.isEmpty { return try newFile(after: JournalFailure(.corrupt, "the file is empty")) }
        do throws(JournalFailure) {
            let connection = try connect()
            opening = .ready
            return connection
        } catch {
            if error.kind == .corrupt { return try newFile(after: error) }
            if error.kind == .readOnly, reader == nil { reader = try? connectForReading() }
            opening = .unusable(error)
            throw error
        }
    }

    private func newFile(after failure: JournalFailure) throws(JournalFailure) -> SQLiteConnection {
        replaceFile(after: failure)
        guard let connection else { throw failure }
        return connection
    }

    private func replaceFile(after failure: JournalFailure) {
        guard let name = file.setAside() else {
            opening = .unusable(failure)
            return
        }
        do throws(JournalFailure) {
            let kept = try salvage(name, into: try connect())
            opening = .setAside(name: name, failure, kept: kept)
        } catch {
            opening = .unusable(error)
        }
    }

    private func salvage(_ name: String, into connection: SQLiteConnection) throws(JournalFailure) -> Int {
        var kept = JournalSalvage(path: name, vfs: vfs, steps: steps)?.copy(into: connection) ?? 0
        if kept == 0, vfs == nil { kept = salvageMended(name, into: connection) }
        try countOn(connection)
        return kept
    }

    /// The same of a copy with an empty journal's first page. Not that of the new one: whoever closes a file that SQLite has
    /// open, too, takes its lock away.
    private func salvageMended(_ name: String, into connection: SQLiteConnection) -> Int {
        let (copy, empty) = (file.path + ".mended", file.path + ".empty")
        defer { for path in [copy, empty] { JournalFile.remove(path) } }
        do throws(JournalFailure) {
            let model = try SQLiteConnection(path: empty, vfs: nil)
            defer { model.close() }
            try model.run("PRAGMA journal_mode = WAL")
            try JournalSchema.migrate(model, steps: steps)
        } catch {
            return 0
        }
        guard JournalFile.copy(name, to: copy, withFirstPageOf: empty) else { return 0 }
        return JournalSalvage(path: copy, vfs: nil, steps: steps)?.copy(into: connection) ?? 0
    }

    /// The numbers of pushes to come go on behind the last.
    @discardableResult
    private func countOn(_ connection: SQLiteConnection) throws(JournalFailure) -> Int64 {
        let last = try connection.integer("SELECT max(sequence) FROM push") ?? 0
        nextSequence = max(nextSequence, last + 1)
        return last
    }

    private func connect() throws(JournalFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: file.path, vfs: vfs)
        do throws(JournalFailure) {
            try prepare(connection)
        } catch {
            connection.close()
            throw error
        }
        self.connection = connection
        closeReader()
        return connection
    }

    /// A file that nobody can write has no lock that could be taken. One that only we may not write is left alone: another
    /// program may be writing it.
    private func connectForReading() throws(JournalFailure) -> SQLiteConnection? {
        guard file.isOnReadOnlyDisk else { return nil }
        let connection = try SQLiteConnection(path: file.path, vfs: vfs ?? "unix-none")
        do throws(JournalFailure) {
            try connection.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = 1; PRAGMA temp_store = MEMORY")
            guard try JournalSchema.isPresent(connection, steps: steps) else {
                connection.close()
                return nil
            }
            doubt = .everything
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    private func prepare(_ connection: SQLiteConnection) throws(JournalFailure) {
        if connection.isReadOnly { throw JournalFailure(.readOnly, file.path) }
        try connection.run(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = \(Self.mostLogPages);
            PRAGMA journal_size_limit = \(Self.mostLogBytes);
            """)
        if let mostPages { try connection.run("PRAGMA max_page_count = \(mostPages)") }
        try JournalSchema.migrate(connection, steps: steps)
        let last = try countOn(connection)
        guard !isDoubtPrepared else { return }
        isDoubtPrepared = true
        // Numbers beyond the last are those of pushes to come.
        let found = doubtFile.prepare()
        doubt = JournalDoubt(voice: min(found.voice, last), paper: min(found.paper, last))
        writeDoubt()
        // Where that fails, it may have failed before as well, and whatever is open may have begun.
        if !isDoubtWritten { doubt = JournalDoubt(voice: last, paper: last) }
    }
}
