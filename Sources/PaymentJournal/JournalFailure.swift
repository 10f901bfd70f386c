// Why the journal could not do something, by what a person can do about it.

/// Why the disk did not do it. The box speaks and prints all the same.
package struct JournalFailure: Error, Equatable, Sendable {
    /// Told apart by what a person can do about it.
    package enum Kind: Equatable, Sendable {
        /// No room on the disk (or the file's own limit reached).
        case full
        case readOnly
        /// The disk reported a fault.
        case disk
        /// What is read is no journal, or damaged.
        case corrupt
        /// Another program has it open.
        case busy
        /// The file or its folder cannot be opened or made.
        case cannotOpen
        /// Written by a newer version of this software.
        case newerSchema
        /// A database of some other program.
        case foreign
        case other
    }

    package var kind: Kind
    /// What was done and what SQLite said, for the log.
    package var detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// One line that says what to do.
    package var message: String {
        switch kind {
        case .full: "the disk is full: make room; until then payments are spoken and printed but not kept (\(detail))"
        case .readOnly: "the journal cannot be written: remount the disk or give the box the right to write (\(detail))"
        case .disk: "the disk reports a fault: replace the card or disk (\(detail))"
        case .corrupt: "the journal is damaged (\(detail))"
        case .busy: "another program has the journal open: stop it (\(detail))"
        case .cannotOpen:
            "the journal cannot be opened: check that its folder exists and belongs to the box (\(detail))"
        case .newerSchema: "the journal is from a newer version: install that version again (\(detail))"
        case .foreign: "the file is a database of another program: choose another state folder (\(detail))"
        case .other: "the journal failed (\(detail))"
        }
    }
}

/// How opening went.
package enum JournalOpening: Equatable, Sendable {
    case ready
    /// The old file could not be used and now has this name; a new one is begun, with so many pushes of the old one;
    /// nil where that was at an earlier start.
    case setAside(name: String, JournalFailure, kept: Int?)
    /// Nothing is kept for now; the next batch tries again.
    case unusable(JournalFailure)
}
