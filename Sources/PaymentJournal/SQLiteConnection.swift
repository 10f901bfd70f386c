// SQLite as the journal needs it: a connection that owns its statements, and errors by kind.

import CSQLite

/// An open database; used by one thread at a time. Closed by `close`, or else with its last reference.
package final class SQLiteConnection {
    /// nil once closed: SQLite then answers every call with an error.
    private var database: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens or creates the file.
    package init(path: String, vfs: String?) throws(JournalFailure) {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &database, flags, vfs)
        guard code == SQLITE_OK, let database else {
            let failure = Self.failure(code, database, doing: "open")
            sqlite3_close_v2(database)
            throw failure
        }
        self.database = database
    }

    deinit { close() }

    /// Closes now. Whoever renames the file does this first: SQLite deletes the write-ahead log by its name.
    package func close() {
        statements.removeAll()
        sqlite3_close_v2(database)
        database = nil
    }

    package var isReadOnly: Bool { sqlite3_db_readonly(database, "main") == 1 }

    package var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// Rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes(database)) }

    /// Runs statements that have no parameters and whose rows nobody wants.
    package func run(_ sql: String) throws(JournalFailure) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, doing: sql) }
    }

    /// The one integer that a pragma or a query answers; nil where it answers no row or NULL.
    package func integer(_ sql: String) throws(JournalFailure) -> Int64? {
        let statement = try SQLiteStatement(sql, on: self)
        return try statement.next() ? statement.optionalInteger(0) : nil
    }

    /// The statement for this text, prepared once, ready for its parameters.
    package func statement(_ sql: String) throws(JournalFailure) -> SQLiteStatement {
        if let statement = statements[sql] {
            statement.reset()
            return statement
        }
        let statement = try SQLiteStatement(sql, on: self)
        statements[sql] = statement
        return statement
    }

    /// Ends every read that is under way, as a rollback asks for.
    package func resetStatements() {
        for statement in statements.values { statement.reset() }
    }

    func prepare(_ sql: String) throws(JournalFailure) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw failure(code, doing: sql) }
        return handle
    }

    /// Moves what the write-ahead log holds to its place, as far as that goes without waiting.
    package func checkpoint() throws(JournalFailure) {
        let code = sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, doing: "checkpoint") }
    }

    func failure(_ code: Int32, doing what: String) -> JournalFailure { Self.failure(code, database, doing: what) }

    private static func failure(_ code: Int32, _ database: OpaquePointer?, doing what: String) -> JournalFailure {
        let verb = what.prefix { $0 != "\n" }.prefix(60)
        let text = sqlite3_errstr(code).map { String(cString: $0) } ?? ""
        let errno = database.map { sqlite3_system_errno($0) } ?? 0
        return JournalFailure(kind(code), "\(verb): \(text), code \(code)" + (errno == 0 ? "" : ", errno \(errno)"))
    }

    private static func kind(_ code: Int32) -> JournalFailure.Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_IOERR: .disk
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
        default: .other
        }
    }
}
