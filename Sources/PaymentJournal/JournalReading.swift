// The questions. Each reads by an index or a bounded number of rows, so that none grows with the journal.

import BoxFoundation

struct JournalReading {
    private let connection: SQLiteConnection
    private let doubt: JournalDoubt

    init(_ connection: SQLiteConnection, doubt: JournalDoubt) { (self.connection, self.doubt) = (connection, doubt) }

    func answer(_ request: JournalRequest) throws(JournalFailure) -> JournalReply {
        switch request {
        case .load(let sequence): try push("sequence = ?") { $0.bind(sequence.number) }
        case .find(let hub, let id): try push("hub = ? AND id = ?") { $0.bind(hub).bind(id) }
        case .lastReceipt: try push("copies > 0 ORDER BY sequence DESC LIMIT 1") { _ in }
        case .lastPayment: try push("kind <> 'notice' ORDER BY sequence DESC LIMIT 1") { _ in }
        case .unsettled(let after, let most):
            try entries("told = 0 AND sequence > ? ORDER BY sequence", most: most) { $0.bind(after?.number ?? 0) }
        case .recent(let count): try entries("1 ORDER BY sequence DESC", most: count) { _ in }
        case .dayTotals(let day): .totals(try totals(of: day))
        default: .unanswered
        }
    }

    /// - Returns: the answer to a push whose id is here already; nil for a new one.
    func duplicate(of record: PushRecord, body: String) throws(JournalFailure) -> JournalReply? {
        let found = try push("hub = ? AND id = ?") { $0.bind(record.hub).bind(record.id) }
        guard case .push(let entry?, let first) = found else { return nil }
        return .duplicate(entry, otherBody: !Self.isSame(first, body))
    }

    /// The same JSON value, however its names are ordered. A first body that was lost with a damaged file is not another.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        if a.isEmpty || a.utf8.elementsEqual(b.utf8) { return true }
        guard let a = try? JSONReader.read(a), let b = try? JSONReader.read(b) else { return false }
        return a == b
    }

    private func push(
        _ condition: String, _ bind: (SQLiteStatement) -> Void
    ) throws(JournalFailure) -> JournalReply {
        let statement = try connection.statement(
            "SELECT \(Self.columns), (SELECT text FROM body WHERE body.sequence = push.sequence) FROM push WHERE \(condition)"
        )
        bind(statement)
        guard try statement.next() else { return .push(nil, body: "") }
        defer { statement.reset() }
        return .push(entry(statement), body: statement.text(Self.bodyColumn))
    }

    private func entries(
        _ condition: String, most: Int, _ bind: (SQLiteStatement) -> Void
    ) throws(JournalFailure) -> JournalReply {
        var entries: [JournalEntry] = []
        try each(condition, most: max(0, min(most, JournalBatch.mostEntries)), bind) { entries.append($0) }
        return .entries(entries)
    }

    /// Reads entry for entry; those before a failure have been visited.
    func each(
        _ condition: String, most: Int, _ bind: (SQLiteStatement) -> Void, _ visit: (JournalEntry) -> Void
    ) throws(JournalFailure) {
        let statement = try connection.statement("SELECT \(Self.columns) FROM push WHERE \(condition) LIMIT ?")
        bind(statement)
        statement.bind(most)
        while try statement.next() { visit(entry(statement)) }
        statement.reset()
    }

    private func totals(of day: String) throws(JournalFailure) -> [DayTotal] {
        let statement = try connection.statement(
            "SELECT kind, currency, count, minor FROM day_total WHERE day = ? ORDER BY kind, currency")
        statement.bind(day)
        var totals: [DayTotal] = []
        while try statement.next() {
            totals.append(
                DayTotal(
                    kind: Payment.Kind(rawValue: statement.text(0)) ?? .notice,
                    currency: Currency(code: statement.text(1)), count: Int(statement.integer(2)),
                    minor: statement.integer(3)))
        }
        statement.reset()
        return totals
    }

    // MARK: Rows

    private static let columns = """
        sequence, hub, id, arrived, sent, ttl, age, received, day, kind, channel, amount, currency, wants_voice, copies,
        reason, detail, voice_begun, voice, paper_begun, copied, paper, cause, told, body_bytes
        """
    private static let bodyColumn: Int32 = 25

    private func entry(_ row: SQLiteStatement) -> JournalEntry {
        JournalEntry(
            sequence: JournalSequence(row.integer(0)), record: Self.record(row), voice: voice(row), paper: paper(row),
            copied: Int(row.integer(20)), isTold: row.integer(23) != 0, bodyBytes: Int(row.integer(24)))
    }

    private static func record(_ row: SQLiteStatement) -> PushRecord {
        PushRecord(
            hub: row.text(1), id: row.text(2),
            arrived: row.optionalInteger(3).map(WallTime.init(milliseconds:)),
            sent: row.optionalInteger(4).map(WallTime.init(milliseconds:)),
            ttl: .milliseconds(Int(row.integer(5))), age: .milliseconds(Int(row.integer(6))),
            received: WallTime(milliseconds: row.integer(7)), day: row.text(8),
            kind: Payment.Kind(rawValue: row.text(9)) ?? .notice,
            channel: PaymentChannel(rawValue: row.text(10)) ?? .other, amount: amount(row),
            wantsVoice: row.integer(13) != 0, copies: Int(row.integer(14)), reason: row.optionalText(15),
            detail: row.optionalText(16))
    }

    private static func amount(_ row: SQLiteStatement) -> Money? {
        guard let minor = row.optionalInteger(11), let currency = Currency(code: row.text(12)) else { return nil }
        return Money(minor: minor, currency: currency)
    }

    private func voice(_ row: SQLiteStatement) -> VoiceHalf {
        if let end = row.optionalText(18) { return .ended(VoiceEnd(rawValue: end) ?? .failed) }
        return row.integer(17) != 0 || row.integer(0) <= doubt.voice ? .begun : .waiting
    }

    private func paper(_ row: SQLiteStatement) -> PaperHalf {
        if let end = row.optionalText(21) {
            return .ended(PaperEnd(rawValue: end) ?? .failed, cause: row.optionalText(22))
        }
        return row.integer(19) != 0 || row.integer(0) <= doubt.paper ? .begun : .waiting
    }
}
