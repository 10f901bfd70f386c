// What can still be read of a damaged journal goes into the new one: an id that was known stays known, and a push that was
// accepted and had not ended comes to its end. SQLite reads such a file up to the damaged page and no further, so the rows
// are read from both sides of each damage. SQLite has no checksums: a row that does not say what a journal says is left out.

import BoxFoundation

/// A damaged file that was set aside, read as far as it goes.
struct JournalSalvage {
    /// Rows of one transaction.
    private static let page = 2000
    /// Numbers beyond this are of damage: a box takes 2^40 pushes in 30,000 years.
    fileprivate static let lastNumber: Int64 = 1 << 40

    private let old: SQLiteConnection
    private let reading: JournalReading

    /// - Returns: nil where the file is not one that is read as it is: an older version, another program's, or one whose first
    ///   page is damaged.
    init?(path: String, vfs: String?, steps: [String]) {
        do throws(JournalFailure) {
            old = try SQLiteConnection(path: path, vfs: vfs)
            try old.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = 1; PRAGMA temp_store = MEMORY")
            guard try JournalSchema.isPresent(old, steps: steps) else { return nil }
        } catch {
            return nil
        }
        reading = JournalReading(old, doubt: JournalDoubt())
    }

    /// Copies into the new file all that can be read, as far as the new one takes it; what is the matter with that shows at its
    /// next batch. A half that had not ended counts as begun: its mark may have been in what is damaged.
    ///
    /// - Returns: how many pushes.
    func copy(into new: SQLiteConnection) -> Int {
        defer { old.close() }
        var copied = 0
        do throws(JournalFailure) {
            var (place, leap): (Int64, Int64) = (0, 0)
            while place + leap < Self.lastNumber {
                let found = entries("sequence > ? ORDER BY sequence", place + leap)
                guard found.last != nil || !found.isDamaged else {
                    leap = max(1, leap * 2)
                    continue
                }
                // Over a damage: what lies before the place of landing is read from there backwards.
                if leap > 0 {
                    let before = entries("sequence <= ? ORDER BY sequence DESC", place + leap)
                    copied += try write(before.entries.reversed().filter { $0.sequence.number > place }, to: new)
                }
                copied += try write(found.entries, to: new)
                guard let last = found.last, last > place, found.isDamaged || found.isFull else { break }
                (place, leap) = (last, 0)
            }
        } catch {}
        return copied
    }

    /// Up to the first that cannot be read, or as many as one transaction takes.
    private struct Stretch {
        var entries: [JournalEntry] = []
        /// The number of the last, be it one that is left out.
        var last: Int64?
        var isFull = false
        var isDamaged = false
    }

    private func entries(_ condition: String, _ place: Int64) -> Stretch {
        var stretch = Stretch()
        var count = 0
        do throws(JournalFailure) {
            try reading.each(condition, most: Self.page, { $0.bind(place) }) { entry in
                stretch.last = entry.sequence.number
                count += 1
                if entry.isPlausible { stretch.entries.append(entry) }
            }
        } catch {
            stretch.isDamaged = true
        }
        stretch.isFull = count == Self.page
        return stretch
    }

    private func write(_ entries: [JournalEntry], to new: SQLiteConnection) throws(JournalFailure) -> Int {
        guard !entries.isEmpty else { return 0 }
        var written = 0
        do throws(JournalFailure) {
            try new.run("BEGIN IMMEDIATE")
            for entry in entries {
                if try JournalWriting(new).keep(entry, body: body(of: entry)) { written += 1 }
            }
            try new.run("COMMIT")
        } catch {
            new.resetStatements()
            if new.isInTransaction { try? new.run("ROLLBACK") }
            throw error
        }
        return written
    }

    private func body(of entry: JournalEntry) -> String? {
        guard case .push(_?, let body)? = try? reading.answer(.load(entry.sequence)) else { return nil }
        // A page that is there in part only has zeros behind.
        return body.utf8.count == entry.bodyBytes && (try? JSONReader.read(body)) != nil ? body : nil
    }
}

extension JournalEntry {
    /// It is as a box writes it.
    fileprivate var isPlausible: Bool {
        sequence.number > 0 && sequence.number < JournalSalvage.lastNumber && record.hub.utf8.count <= 64
            && (1...128).contains(record.id.utf8.count) && (0...5).contains(record.copies)
            && (0...record.copies).contains(copied) && bodyBytes > 0 && record.ttl >= .zero
            && (record.amount != nil || record.kind == .notice)
    }
}
