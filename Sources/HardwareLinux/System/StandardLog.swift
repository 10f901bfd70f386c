// The log on standard error: with journald's priorities where systemd reads it, with the time where a person does.

import BoxFoundation
import Glibc
import HardwareInterface

package final class StandardLog: LogSink {
    /// Entries below it are left out.
    private let least: LogEntry.Level
    private let isForJournal: Bool

    package init(least: LogEntry.Level = .info) {
        self.least = least
        isForJournal = getenv("JOURNAL_STREAM") != nil
    }

    package func log(_ entry: LogEntry) {
        guard entry.level <= least else { return }
        // One entry is one line, whatever a peer put into it.
        let text = String(
            String.UnicodeScalarView(entry.text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
        var line = isForJournal ? "<\(entry.level.rawValue)>" : Self.time + " "
        line += "\(entry.subject): \(text)\n"
        line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static var time: String {
        let reading = SystemClock().read()
        return CivilTime(reading.time, offset: reading.offset).time
    }
}
