// The newest log entries in memory, for the console and the support file; what is older is in the system's log.

import BoxFoundation

/// The newest log entries in memory.
package struct LogRing: Sendable {
    /// An entry with its civil time.
    package struct Line: Equatable, Sendable {
        package var time: CivilTime
        package var entry: LogEntry

        package init(time: CivilTime, entry: LogEntry) {
            self.time = time
            self.entry = entry
        }

        /// `2026-11-29 18:05:00 warning printer: paper is out`.
        package var text: String { "\(time.date) \(time.time) \(entry.level.name) \(entry.subject): \(entry.text)" }

        package var json: JSON {
            .object([
                "time": .string("\(time.date)T\(time.time)"), "level": .string(entry.level.name),
                "subject": .string(entry.subject), "text": .string(entry.text),
            ])
        }
    }

    /// Entries that are kept; the oldest goes first.
    package static let mostLines = 500
    /// Bytes of one entry's text; what is over is cut.
    package static let mostBytes = 512

    private var lines: [Line] = []
    /// The oldest line's place once the ring is full.
    private var oldest = 0

    package init() {}

    package mutating func append(_ entry: LogEntry, at time: CivilTime) -> Line {
        var entry = entry
        if entry.text.utf8.count > Self.mostBytes {
            entry.text = String(decoding: entry.text.utf8.prefix(Self.mostBytes), as: UTF8.self) + "…"
        }
        let line = Line(time: time, entry: entry)
        if lines.count < Self.mostLines {
            lines.append(line)
        } else {
            lines[oldest] = line
            oldest = (oldest + 1) % Self.mostLines
        }
        return line
    }

    /// The newest `count`, the oldest of them first.
    package func newest(_ count: Int) -> [Line] {
        let inOrder = lines[oldest...] + lines[..<oldest]
        return Array(inOrder.suffix(max(0, count)))
    }
}

extension LogEntry.Level {
    /// As journald's priorities are called.
    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
