// What the hub has promised to deliver: every push from its arrival to its outcome, on disk before a byte of it leaves.

import BoxFoundation
import PaymentJournal
import PushProtocol

/// What a hub has promised to deliver, on disk before a byte of it leaves.
package final class HubStore {
    /// How long an outcome is kept, so that an id which comes again is known.
    private static let life = Interval.seconds(30 * 86_400)
    private static let version: Int64 = 1

    private let database: SQLiteConnection
    private var isOpen = false

    package init(path: String, at time: WallTime) throws(JournalFailure) {
        database = try SQLiteConnection(path: path, vfs: nil)
        try database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA locking_mode=EXCLUSIVE")
        let found = try database.integer("PRAGMA user_version") ?? 0
        guard found <= Self.version else { throw JournalFailure(.newerSchema, "version \(found)") }
        if found == 0 {
            try database.run(
                """
                BEGIN;
                CREATE TABLE pushes (
                    number INTEGER PRIMARY KEY, box TEXT NOT NULL, id TEXT NOT NULL, sent INTEGER NOT NULL, ttl INTEGER,
                    body TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', result TEXT, UNIQUE (box, id));
                CREATE INDEX open ON pushes (number) WHERE state != 'ended';
                PRAGMA user_version=1;
                COMMIT;
                """)
        }
        let old = time + (Interval.zero - Self.life)
        try write("DELETE FROM pushes WHERE state = 'ended' AND sent < ?") { $0.bind(old.milliseconds) }
        try commit()
    }

    /// - Returns: false where the box's push of this id is known.
    package func add(_ push: OutgoingPush, for box: String) throws(JournalFailure) -> Bool {
        try write("INSERT OR IGNORE INTO pushes (box, id, sent, ttl, body) VALUES (?, ?, ?, ?, ?)") {
            $0.bind(box).bind(push.id).bind(push.sent?.milliseconds).bind(push.ttl.map { Int64($0) })
                .bind(push.body.text)
        }
        return database.changes == 1
    }

    /// - Returns: true where it is the push's first final result.
    package func note(_ result: PushResult, of box: String) throws(JournalFailure) -> Bool {
        guard let id = result.id, result.state != .later else { return false }
        try write("UPDATE pushes SET state = ?, result = ? WHERE box = ? AND id = ? AND state != 'ended'") {
            $0.bind(result.isFinal ? "ended" : "taken").bind(result.json.text).bind(box).bind(id)
        }
        return database.changes == 1 && result.isFinal
    }

    /// All that no box has answered, in the order it came.
    package func waiting(_ body: (String, OutgoingPush) -> Void) throws(JournalFailure) {
        let statement = try database.statement(
            "SELECT box, id, sent, ttl, body FROM pushes WHERE state = 'waiting' ORDER BY number")
        while try statement.next() {
            guard let json = try? JSONReader.read(statement.text(4)) else { continue }
            let push = OutgoingPush(
                id: statement.text(1), sent: WallTime(milliseconds: statement.integer(2)),
                ttl: statement.optionalInteger(3).map { Int($0) }, body: json)
            body(statement.text(0), push)
        }
        statement.reset()
    }

    /// Pushes without an outcome.
    package func open() throws(JournalFailure) -> Int {
        Int(try database.integer("SELECT count(*) FROM pushes WHERE state != 'ended'") ?? 0)
    }

    /// What was noted since the last call is on disk when this returns.
    package func commit() throws(JournalFailure) {
        guard isOpen else { return }
        try database.run("COMMIT")
        isOpen = false
    }

    private func write(_ sql: String, _ bind: (SQLiteStatement) -> SQLiteStatement) throws(JournalFailure) {
        if !isOpen { try database.run("BEGIN IMMEDIATE") }
        isOpen = true
        try bind(try database.statement(sql)).run()
    }
}
