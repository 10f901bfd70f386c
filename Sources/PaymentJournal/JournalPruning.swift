// What is forgotten and when: an id is kept for 30 days or while it is among the newest 100,000, whichever is longer, and
// in any case until its push has ended and its outcome is told (`docs/push-protocol.md`, Delivery).

import BoxFoundation

/// What is kept at least: a settled push is forgotten when it is beyond both.
package struct JournalKeeping: Equatable, Sendable {
    /// The newest so many.
    package var pushes: Int
    package var age: Interval

    package static let asPromised = JournalKeeping(pushes: 100_000, age: .minutes(30 * 24 * 60))

    package init(pushes: Int, age: Interval) {
        self.pushes = pushes
        self.age = age
    }
}

struct JournalPruning {
    /// Rows looked at in one step, which bounds how long a step takes.
    static let mostLookedAt = 200
    /// Days whose totals are kept.
    static let mostDays = 800

    private let keeping: JournalKeeping
    /// The last row looked at. Rows that must stay would else be looked at again and again, and those behind them never.
    private var last: Int64 = 0

    init(keeping: JournalKeeping) { self.keeping = keeping }

    mutating func step(now: WallTime, newest: Int64, on connection: SQLiteConnection) throws(JournalFailure)
        -> JournalReply
    {
        let rows = try oldest(upTo: newest - Int64(keeping.pushes), on: connection)
        var deleted = 0
        for row in rows where row.isSettled && now - row.time > keeping.age {
            try connection.statement("DELETE FROM push WHERE sequence = ?").bind(row.sequence).run()
            try connection.statement("DELETE FROM body WHERE sequence = ?").bind(row.sequence).run()
            deleted += 1
        }
        // Rows lie in the order of their age: the first that is too young ends this round.
        let roundEnds = rows.count < Self.mostLookedAt || rows.contains { now - $0.time <= keeping.age }
        last = roundEnds ? 0 : rows.last?.sequence ?? 0
        if roundEnds { try forgetDays(on: connection) }
        return .pruned(deleted, more: !roundEnds)
    }

    private struct Row {
        var sequence: Int64
        /// The later of the box's and the hub's clock on arrival: the box's may have been wrong.
        var time: WallTime
        var isSettled: Bool
    }

    private func oldest(upTo limit: Int64, on connection: SQLiteConnection) throws(JournalFailure) -> [Row] {
        let statement = try connection.statement(
            """
            SELECT sequence, max(received, coalesce(arrived, received)), told FROM push
            WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
            """)
        statement.bind(last).bind(limit).bind(Self.mostLookedAt)
        var rows: [Row] = []
        while try statement.next() {
            let time = WallTime(milliseconds: statement.integer(1))
            rows.append(Row(sequence: statement.integer(0), time: time, isSettled: statement.integer(2) != 0))
        }
        statement.reset()
        return rows
    }

    private func forgetDays(on connection: SQLiteConnection) throws(JournalFailure) {
        try connection.statement(
            "DELETE FROM day_total WHERE day < (SELECT DISTINCT day FROM day_total ORDER BY day DESC LIMIT 1 OFFSET ?)"
        ).bind(Self.mostDays - 1).run()
    }
}
