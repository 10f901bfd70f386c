// Status questions and whose answer is whose. An answer does not name its question, so one question is open at a time,
// and after an unanswered one the same is asked again until it is certain that no late answer can be taken for another's
// (`docs/field-reports.md` 63).

import BoxFoundation

/// Which status question is open, and whose answer an answer is.
package struct PrinterQuestions: Equatable, Sendable {
    /// Times that one question is asked in a round of a printer that does answer.
    package static let mostTries = 3
    /// How long an answer may take beyond the printing of what is in flight.
    package static let answerLimit = Interval.milliseconds(500)

    /// How much is asked.
    package enum Scope: Equatable, Sendable {
        /// Everything.
        case full
        /// Whether it prints at all, and everything only if not.
        case quick
    }

    private enum Stage: Equatable, Sendable {
        /// No round is under way.
        case quiet
        /// The question is to be written, or being written.
        case asking
        case answering
        /// Answers to repeated questions may still come.
        case settling
    }

    /// How the last round ended; nil while one is under way and before the first.
    package enum Outcome: Equatable, Sendable { case answered, silent }

    private var stage = Stage.quiet
    /// The first is the open one.
    private var round: [PrinterQuestion] = []
    private var tries = 0
    /// Times that `lastAsked` was asked and not answered.
    private var owed = 0
    private var lastAsked: PrinterQuestion?
    /// Those that this printer has answered on this link, and those that it never does.
    private var answered: [PrinterQuestion] = []
    private var refused: [PrinterQuestion] = []
    private var hasAnsweredInRound = false
    private var limit = Self.answerLimit

    package private(set) var outcome: Outcome?
    /// When `expired` is due.
    package private(set) var deadline: Moment?

    package init() {}

    package var isOpen: Bool { stage != .quiet }
    /// The printer has answered on this link.
    package var hasAnswered: Bool { !answered.isEmpty }

    /// Begins a round. Does nothing while one is under way.
    package mutating func begin(_ scope: Scope, at now: Moment) {
        guard !isOpen else { return }
        let wanted: [PrinterQuestion] = scope == .full ? [.printer, .offlineCause, .paper] : [.printer]
        round = wanted.filter { !refused.contains($0) }
        if round.isEmpty { round = [.paper].filter { !refused.contains($0) } }
        (outcome, hasAnsweredInRound, tries) = (nil, false, 0)
        if round.isEmpty {
            finish(.silent)
        } else if owed > 0, lastAsked != round.first {
            settle(at: now)
        } else {
            stage = .asking
        }
    }

    /// The bytes of a question to write now.
    package var question: [UInt8]? { stage == .asking ? round.first?.bytes : nil }

    /// The question has been written whole.
    ///
    /// - Parameter limit: how long the answer may take.
    package mutating func asked(within limit: Interval, at now: Moment) {
        guard stage == .asking else { return }
        self.limit = limit
        stage = .answering
        tries += 1
        owed += 1
        lastAsked = round.first
        deadline = now + limit
    }

    /// Takes an answer.
    ///
    /// - Returns: the question that it answers; nil where it answers none that is open and is to be dropped.
    package mutating func take(_ byte: UInt8, at now: Moment) -> PrinterQuestion? {
        guard owed > 0 else { return nil }
        owed -= 1
        switch stage {
        case .quiet, .asking:
            return nil
        case .settling:
            if owed == 0 { advance() }
            return nil
        case .answering:
            let question = round.removeFirst()
            note(question, byte)
            if owed > 0 { settle(at: now) } else { advance() }
            return question
        }
    }

    /// The deadline has come. Harmless before it.
    package mutating func expired(at now: Moment) {
        guard let deadline, deadline <= now else { return }
        switch stage {
        case .quiet, .asking: self.deadline = nil
        case .settling: advance()
        case .answering: giveUpOrRepeat(at: now)
        }
    }

    private mutating func giveUpOrRepeat(at now: Moment) {
        deadline = nil
        guard let question = round.first else { return finish(.silent) }
        if hasAnswered, tries < Self.mostTries {
            stage = .asking
        } else if !hasAnswered || answered.contains(question) {
            finish(.silent)
        } else {
            refused.append(question)
            round.removeFirst()
            settle(at: now)
        }
    }

    private mutating func note(_ question: PrinterQuestion, _ byte: UInt8) {
        hasAnsweredInRound = true
        if !answered.contains(question) { answered.append(question) }
        if question == .printer, byte & 0x08 != 0, round.isEmpty { round = [.offlineCause, .paper] }
        if question == .offlineCause, byte & 0x40 != 0 { round.insert(.errorCause, at: 0) }
        round.removeAll { refused.contains($0) }
    }

    private mutating func settle(at now: Moment) {
        stage = .settling
        deadline = now + limit
    }

    private mutating func advance() {
        (owed, tries, deadline) = (0, 0, nil)
        if round.isEmpty { finish(hasAnsweredInRound ? .answered : .silent) } else { stage = .asking }
    }

    private mutating func finish(_ outcome: Outcome) {
        (stage, round, deadline) = (.quiet, [], nil)
        self.outcome = outcome
    }
}
