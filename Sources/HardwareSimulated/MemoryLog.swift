// Keeps what was logged, for tests and the console of the virtual counter.

import BoxFoundation
import HardwareInterface

/// A log that is kept, the newest entries up to a number.
package final class MemoryLog: LogSink {
    /// Entries kept; the oldest go.
    package let capacity: Int

    package private(set) var entries: [LogEntry] = []

    package init(capacity: Int = 10_000) { self.capacity = capacity }

    package func log(_ entry: LogEntry) {
        // In large steps, so that a full log costs no copy an entry.
        if entries.count >= 2 * capacity { entries.removeFirst(entries.count - capacity + 1) }
        entries.append(entry)
    }

    package func contains(_ text: String) -> Bool { entries.contains { $0.text.holds(text) } }
}
