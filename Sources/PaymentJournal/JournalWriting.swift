// The changes, each inside the transaction of its batch.

import BoxFoundation

struct JournalWriting {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// A push whose id is not here.
    func take(_ record: PushRecord, body: String, as sequence: JournalSequence) throws(JournalFailure) -> JournalReply {
        try insert(record, bodyBytes: body.utf8.count, as: sequence)
        try connection.statement("INSERT INTO body (sequence, text) VALUES (?, ?)").bind(sequence.number).bind(body)
            .run()
        try count(record)
        return .taken(sequence)
    }

    private func insert(_ record: PushRecord, bodyBytes: Int, as sequence: JournalSequence) throws(JournalFailure) {
        let statement = try connection.statement(
            """
            INSERT INTO push (sequence, hub, id, arrived, sent, ttl, age, received, day, kind, channel, amount, currency,
                wants_voice, copies, body_bytes, voice, paper, reason, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        statement.bind(sequence.number).bind(record.hub).bind(record.id)
            .bind(record.arrived?.milliseconds).bind(record.sent?.milliseconds)
            .bind(record.ttl.milliseconds).bind(record.age.milliseconds).bind(record.received.milliseconds)
            .bind(record.day).bind(record.kind.rawValue).bind(record.channel.rawValue)
            .bind(record.amount?.minor).bind(record.amount?.currency.code)
            .bind(record.wantsVoice).bind(record.copies).bind(bodyBytes)
            .bind(record.wantsVoice ? nil : VoiceEnd.silent.rawValue)
            .bind(record.copies > 0 ? nil : PaperEnd.none.rawValue)
            .bind(record.reason).bind(record.detail)
        try statement.run()
    }

    /// A push of a damaged file, as far as it had come; what is open has begun.
    ///
    /// - Parameter body: nil where it cannot be read: then neither half can be done.
    /// - Returns: false where its number or its id is here already.
    func keep(_ entry: JournalEntry, body: String?) throws(JournalFailure) -> Bool {
        let number = entry.sequence.number
        let twin = try connection.statement("SELECT 1 FROM push WHERE sequence = ? OR (hub = ? AND id = ?)")
        let isHere = try twin.bind(number).bind(entry.record.hub).bind(entry.record.id).next()
        twin.reset()
        guard !isHere else { return false }
        try insert(entry.record, bodyBytes: entry.bodyBytes, as: entry.sequence)
        let cause: String? = if case .ended(_, let cause) = entry.paper { cause } else { nil }
        let statement = try connection.statement(
            """
            UPDATE push SET voice = ?2, voice_begun = ?2 IS NULL, paper = ?3, paper_begun = ?3 IS NULL, copied = ?4,
                cause = ?5, told = ?6 WHERE sequence = ?1
            """)
        try statement.bind(number).bind(entry.voice.end?.rawValue).bind(entry.paper.end?.rawValue).bind(entry.copied)
            .bind(cause).bind(entry.isTold).run()
        if let body {
            let statement = try connection.statement("INSERT OR REPLACE INTO body (sequence, text) VALUES (?, ?)")
            try statement.bind(number).bind(body).run()
        }
        try count(entry.record)
        return true
    }

    private func count(_ record: PushRecord) throws(JournalFailure) {
        let minor = record.amount?.minor ?? 0
        let statement = try connection.statement(
            """
            INSERT INTO day_total (day, kind, currency, count, minor) VALUES (?, ?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET count = count + 1,
                minor = CASE WHEN minor > 9223372036854775807 - excluded.minor THEN 9223372036854775807
                    ELSE minor + excluded.minor END
            """)
        statement.bind(record.day).bind(record.kind.rawValue).bind(record.amount?.currency.code ?? "").bind(minor)
        try statement.run()
    }

    /// Any change but `take` and `prune`.
    func change(_ request: JournalRequest) throws(JournalFailure) -> JournalReply {
        switch request {
        case .begin(let sequence, .voice):
            try update("voice_begun = 1 WHERE sequence = ? AND voice IS NULL AND voice_begun = 0", sequence)
        case .begin(let sequence, .paper):
            try update("paper_begun = 1 WHERE sequence = ? AND paper IS NULL AND paper_begun = 0", sequence)
        case .copied(let sequence, let copies):
            try copied(sequence, copies)
        case .end(let sequence, .voice(let end)):
            try update("voice = ?2 WHERE sequence = ?1 AND voice IS NULL", sequence, end.rawValue)
        case .end(let sequence, .paper(let end, let cause)):
            try update("paper = ?2, cause = ?3 WHERE sequence = ?1 AND paper IS NULL", sequence, end.rawValue, cause)
        case .probe: try probe()
        case .remark(let sequence, let reason, let detail):
            try update("reason = ?2, detail = ?3 WHERE sequence = ?1", sequence, reason, detail)
        case .told(let sequences):
            try told(sequences)
        default: .unchanged
        }
    }

    private func copied(_ sequence: JournalSequence, _ copies: Int) throws(JournalFailure) -> JournalReply {
        let statement = try connection.statement(
            """
            UPDATE push SET copied = ?2, paper_begun = 0
            WHERE sequence = ?1 AND paper IS NULL AND copied < ?2 AND ?2 <= copies
            """)
        try statement.bind(sequence.number).bind(copies).run()
        return connection.changes > 0 ? .kept : .unchanged
    }

    private func probe() throws(JournalFailure) -> JournalReply {
        try connection.run("PRAGMA application_id = \(JournalSchema.applicationID)")
        return .kept
    }

    private func told(_ sequences: [JournalSequence]) throws(JournalFailure) -> JournalReply {
        var changed = 0
        for sequence in sequences {
            let set = "told = 1 WHERE sequence = ? AND told = 0 AND voice IS NOT NULL AND paper IS NOT NULL"
            if try update(set, sequence) == .kept { changed += 1 }
        }
        return changed > 0 ? .kept : .unchanged
    }

    private func update(_ change: String, _ sequence: JournalSequence, _ texts: String?...) throws(JournalFailure)
        -> JournalReply
    {
        let statement = try connection.statement("UPDATE push SET " + change)
        statement.bind(sequence.number)
        for text in texts { statement.bind(text) }
        try statement.run()
        return connection.changes > 0 ? .kept : .unchanged
    }
}
