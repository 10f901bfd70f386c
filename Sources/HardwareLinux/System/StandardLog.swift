// The log on standard error: with journald's priorities where systemd reads it, with the time where a person does. A
// reader that stands still costs lines, never the box's time.

import BoxFoundation
import Glibc
import HardwareInterface

/// The log on standard error. Lines that nobody takes are lost, never the box's time.
package final class StandardLog: LogSink {
    /// Entries below it are left out.
    private let least: LogEntry.Level
    private let isForJournal: Bool
    private let descriptor: Int32
    /// Lines that found no room since the last one written.
    private var lost = 0
    /// Bytes of a line at most: so many a pipe takes at once where it takes any.
    private static let mostLine = 4096

    package init(least: LogEntry.Level = .info, to descriptor: Int32 = STDERR_FILENO) {
        self.least = least
        self.descriptor = descriptor
        isForJournal = getenv("JOURNAL_STREAM") != nil
    }

    package func log(_ entry: LogEntry) {
        guard entry.level <= least else { return }
        // One entry is one line, whatever a peer put into it.
        let text = String(
            String.UnicodeScalarView(entry.text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
        if lost > 0, write(LogEntry.Level.warning, "log: \(lost) lines before this one found no reader") { lost = 0 }
        if !write(entry.level, "\(entry.subject): \(text)") { lost += 1 }
    }

    /// - Returns: false where there is no room now.
    private func write(_ level: LogEntry.Level, _ text: String) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) > 0 else { return false }
        let line = (isForJournal ? "<\(level.rawValue)>" : Self.time + " ") + text
        let bytes = Array(line.utf8.prefix(Self.mostLine - 1)) + [UInt8(ascii: "\n")]
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return true
    }

    private static var time: String {
        let reading = SystemClock().read()
        return CivilTime(reading.time, offset: reading.offset).time
    }
}
