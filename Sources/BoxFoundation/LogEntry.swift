/// One line for whoever looks after the box: what happened and, where it can be said, what to do about it. Never a
/// secret, never an amount that the console would not show.
package struct LogEntry: Equatable, Sendable {
    /// As journald counts them.
    package enum Level: Int, Comparable, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    package var level: Level
    /// The subject that speaks: `push`, `voice`, `printer`, `panel`, `console`, `journal`, `box`.
    package var subject: String
    package var text: String

    package init(_ level: Level, _ subject: String, _ text: String) {
        self.level = level
        self.subject = subject
        self.text = text
    }
}
