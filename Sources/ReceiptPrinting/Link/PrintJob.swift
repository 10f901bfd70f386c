// What waits to be printed.

import BoxFoundation

/// A push by its place in the journal (above zero), or a job of this run only: a reprint, a test page (below zero).
package struct PrintJobID: Hashable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    /// Its beginning and end are kept in the journal.
    package var isJournaled: Bool { number > 0 }
}

/// A receipt that waits, named by its id; its bytes are asked for when its turn comes.
package struct PrintJob: Equatable, Sendable {
    package var id: PrintJobID
    /// The receipt so many times, each cut.
    package var copies: Int
    /// The first copy is marked 补打 from the start: a reprint, or a copy that had begun before a power cut.
    package var isMarked: Bool

    package init(_ id: PrintJobID, copies: Int = 1, isMarked: Bool = false) {
        self.id = id
        self.copies = copies
        self.isMarked = isMarked
    }
}
