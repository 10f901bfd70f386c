// One prepared statement. Parameters are bound in the order of the text, columns read by their place.

import CSQLite

/// A prepared statement; parameters are bound and columns read in the order of its text.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    private let sql: String
    private var bound: Int32 = 0

    init(_ sql: String, on connection: SQLiteConnection) throws(JournalFailure) {
        self.sql = sql
        self.connection = connection
        handle = try connection.prepare(sql)
    }

    deinit { sqlite3_finalize(handle) }

    package func reset() {
        sqlite3_reset(handle)
        bound = 0
    }

    // MARK: Parameters

    @discardableResult
    package func bind(_ number: Int64?) -> SQLiteStatement {
        bound += 1
        if let number { sqlite3_bind_int64(handle, bound, number) } else { sqlite3_bind_null(handle, bound) }
        return self
    }

    @discardableResult
    package func bind(_ number: Int) -> SQLiteStatement { bind(Int64(number)) }

    @discardableResult
    package func bind(_ flag: Bool) -> SQLiteStatement { bind(flag ? 1 : 0) }

    /// The text is copied.
    @discardableResult
    package func bind(_ text: String?) -> SQLiteStatement {
        bound += 1
        guard let text else {
            sqlite3_bind_null(handle, bound)
            return self
        }
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        _ = text.withCString { sqlite3_bind_text(handle, bound, $0, Int32(text.utf8.count), copies) }
        return self
    }

    // MARK: Running

    /// - Returns: true where there is a row to read.
    package func next() throws(JournalFailure) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            reset()
            throw connection.failure(code, doing: sql)
        }
    }

    /// Runs a statement that answers no rows.
    package func run() throws(JournalFailure) {
        while try next() {}
        reset()
    }

    // MARK: Columns

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    package func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self
        )
    }
}
