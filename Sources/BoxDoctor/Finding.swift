// What the doctor says of one thing: how it is, why probably, and what to do.

import BoxFoundation

/// What is so of one subject, why probably, and what to do.
package struct Finding: Equatable, Sendable {
    /// How bad it is. A note is worth knowing; only a fault keeps the box from its work.
    package enum State: String, Comparable, Sendable {
        case fine
        /// It works, but somebody should know.
        case note
        /// Something does not work.
        case fault

        private var rank: Int { self == .fine ? 0 : self == .note ? 1 : 2 }
        package static func < (a: State, b: State) -> Bool { a.rank < b.rank }
    }

    /// `speaker`, `printer`, …
    package var subject: String
    package var state: State
    /// How it is.
    package var text: String
    /// The likely cause; nil where it is plain or unknown.
    package var cause: String?
    /// What to do; never nil for a fault.
    package var cure: String?

    package init(_ subject: String, _ state: State, _ text: String, cause: String? = nil, cure: String? = nil) {
        self.subject = subject
        self.state = state
        self.text = text
        self.cause = cause
        self.cure = cure
    }

    static func fine(_ subject: String, _ text: String) -> Finding { Finding(subject, .fine, text) }

    static func fault(_ subject: String, _ text: String, cause: String? = nil, cure: String) -> Finding {
        Finding(subject, .fault, text, cause: cause, cure: cure)
    }

    static func note(_ subject: String, _ text: String, cause: String? = nil, cure: String? = nil) -> Finding {
        Finding(subject, .note, text, cause: cause, cure: cure)
    }

    /// `FAULT speaker: no sound device plughw:0; likely: it is unplugged; do: …`.
    package var line: String {
        let mark = state == .fine ? "ok   " : state == .note ? "note " : "FAULT"
        return "\(mark) \(subject): \(text)" + (cause.map { "; likely: " + $0 } ?? "")
            + (cure.map { "; do: " + $0 } ?? "")
    }

    package var json: JSON {
        .object([
            "subject": .string(subject), "state": .string(state.rawValue), "text": .string(text),
            "cause": cause.map { .string($0) }, "cure": cure.map { .string($0) },
        ])
    }
}
