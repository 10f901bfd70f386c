// What the journal could not keep and must not forget: that a half has begun. A full disk takes nothing new, but it still lets
// bytes be written over that are there, so a small file is made while all is well. It says up to which push the marks in
// the journal cannot be trusted; what is still open up to there comes again marked, as if its beginning had been kept. A disk
// that cannot even do that at a start leaves all that is open in doubt.

/// Pushes up to these numbers may have begun though the journal does not say so; 0: none.
struct JournalDoubt: Equatable {
    var voice: Int64 = 0
    var paper: Int64 = 0

    /// Everything, where the file itself cannot be read.
    static let everything = JournalDoubt(voice: .max, paper: .max)

    /// The beginnings among requests that were not kept.
    init(lost requests: [JournalRequest]) {
        for case .begin(let sequence, let half) in requests {
            switch half {
            case .voice: voice = max(voice, sequence.number)
            case .paper: paper = max(paper, sequence.number)
            }
        }
    }

    init(voice: Int64 = 0, paper: Int64 = 0) { (self.voice, self.paper) = (voice, paper) }

    func joined(with other: JournalDoubt) -> JournalDoubt {
        JournalDoubt(voice: max(voice, other.voice), paper: max(paper, other.paper))
    }
}

/// The file beside the journal, `NAME-doubt`: a database of one row that is only ever written in place.
struct DoubtFile {
    private let file: JournalFile
    private let vfs: String?
    private let isNamed: Bool

    /// - Parameters: as those of `JournalDatabase`.
    init(journal path: String, vfs: String?, setAside: ((String) -> String?)?) {
        file = JournalFile(path: path + "-doubt", isReal: vfs == nil, simulated: setAside)
        self.vfs = vfs
        isNamed = !path.isEmpty && path != ":memory:"
    }

    /// Reads it, and makes it where there is none.
    func prepare() -> JournalDoubt {
        guard isNamed else { return JournalDoubt() }
        do throws(JournalFailure) {
            return try make()
        } catch {
            // Whatever it would have said: what cannot be read, or be made, says everything.
            if error.kind == .corrupt, file.setAside() != nil { _ = try? make() }
            return .everything
        }
    }

    private func make() throws(JournalFailure) -> JournalDoubt {
        let connection = try open()
        defer { connection.close() }
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS doubt (voice INTEGER, paper INTEGER, sum INTEGER, writes INTEGER) STRICT;
            INSERT INTO doubt SELECT 0, 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM doubt);
            """)
        return try read(connection)
    }

    /// Puts it on disk.
    ///
    /// - Returns: whether it is there; false where nothing at all can be written.
    func write(_ doubt: JournalDoubt) -> Bool {
        guard isNamed else { return true }
        do throws(JournalFailure) {
            let connection = try open()
            defer { connection.close() }
            // SQLite does not write a row that stays as it was; the count shows whether the disk takes anything.
            try connection.run(
                """
                UPDATE doubt SET voice = \(doubt.voice), paper = \(doubt.paper), sum = \(doubt.sum),
                    writes = (writes + 1) % 1000000000
                """)
            return true
        } catch {
            return false
        }
    }

    private func open() throws(JournalFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: file.path, vfs: vfs)
        // A rollback journal would be a new file, for which a full disk has no room.
        try connection.run("PRAGMA page_size = 512; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL")
        return connection
    }

    private func read(_ connection: SQLiteConnection) throws(JournalFailure) -> JournalDoubt {
        let statement = try connection.statement("SELECT voice, paper, sum FROM doubt")
        guard try statement.next() else { return JournalDoubt() }
        defer { statement.reset() }
        let doubt = JournalDoubt(voice: statement.integer(0), paper: statement.integer(1))
        return doubt.sum == statement.integer(2) ? doubt : .everything
    }
}

extension JournalDoubt {
    /// A row that a power cut tore does not have the right one.
    fileprivate var sum: Int64 { voice &* 31 &+ paper }
}
