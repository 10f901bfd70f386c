// The journal's tables and how an older file becomes the present one. `user_version` counts the steps that a file has
// been through; a released step is never edited, a change is a new step at the end.

enum JournalSchema {
    /// Marks the file as a journal of ours ("CBXJ").
    static let applicationID: Int64 = 0x4342_584A

    static let steps = [
        """
        CREATE TABLE push (
            sequence INTEGER PRIMARY KEY,
            hub TEXT NOT NULL,
            id TEXT NOT NULL,
            arrived INTEGER,
            sent INTEGER,
            ttl INTEGER NOT NULL,
            age INTEGER NOT NULL,
            received INTEGER NOT NULL,
            day TEXT NOT NULL,
            kind TEXT NOT NULL,
            channel TEXT NOT NULL,
            amount INTEGER,
            currency TEXT,
            wants_voice INTEGER NOT NULL,
            copies INTEGER NOT NULL,
            body_bytes INTEGER NOT NULL,
            voice_begun INTEGER NOT NULL DEFAULT 0,
            voice TEXT,
            paper_begun INTEGER NOT NULL DEFAULT 0,
            copied INTEGER NOT NULL DEFAULT 0,
            paper TEXT,
            cause TEXT,
            reason TEXT,
            detail TEXT,
            told INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE body (sequence INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
        CREATE TABLE day_total (
            day TEXT NOT NULL,
            kind TEXT NOT NULL,
            currency TEXT NOT NULL,
            count INTEGER NOT NULL,
            minor INTEGER NOT NULL,
            PRIMARY KEY (day, kind, currency)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX push_by_id ON push (hub, id);
        CREATE INDEX push_unsettled ON push (sequence) WHERE told = 0;
        CREATE INDEX push_with_paper ON push (sequence) WHERE copies > 0;
        CREATE INDEX push_with_amount ON push (sequence) WHERE kind <> 'notice';
        """
    ]

    /// Whether the file has the tables that are read as they are.
    static func isPresent(_ connection: SQLiteConnection, steps: [String]) throws(JournalFailure) -> Bool {
        guard try connection.integer("PRAGMA application_id") == applicationID else { return false }
        return try connection.integer("PRAGMA user_version") == Int64(steps.count)
    }

    /// Brings the file to the last step, in one transaction.
    static func migrate(_ connection: SQLiteConnection, steps: [String]) throws(JournalFailure) {
        let version = try connection.integer("PRAGMA user_version") ?? 0
        let mark = try connection.integer("PRAGMA application_id") ?? 0
        guard mark == applicationID || (mark == 0 && version == 0) else {
            throw JournalFailure(.foreign, "application id \(mark)")
        }
        if mark == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") != 0 {
            throw JournalFailure(.foreign, "tables of another program")
        }
        guard version <= steps.count else {
            throw JournalFailure(.newerSchema, "schema \(version), this version knows \(steps.count)")
        }
        guard version < steps.count else { return }
        try connection.run("BEGIN IMMEDIATE")
        for step in steps[Int(version)...] { try connection.run(step) }
        try connection.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count); COMMIT")
    }
}
