// The printer's own word on paper, cover and jobs.

import BoxFoundation
import HardwareInterface

extension PrinterLink {
    mutating func beginRound(_ scope: PrinterQuestions.Scope, at now: Moment) {
        questions.begin(scope, at: now)
        emit(.timer(.answer, at: questions.deadline))
        if !questions.isOpen { roundEnded(at: now) }
    }

    mutating func armPoll(at now: Moment) {
        guard settings.statusQueries else { return }
        let interval =
            status.isStopped
            ? Self.stoppedPollInterval : questions.hasAnswered ? Self.pollInterval : Self.silentPollInterval
        emit(.timer(.poll, at: now + interval))
    }

    mutating func poll(at now: Moment) {
        guard settings.statusQueries, !questions.isOpen else { return }
        // A receipt under way asks for itself, unless it waits for the printer.
        let isSending = delivery?.stage == .sending
        let isBetweenCommands = (delivery?.isAtBreak ?? true) && (pending == nil || pending == .room)
        guard isBetweenCommands, !isSending || status.isStopped else { return armPoll(at: now) }
        beginRound(.full, at: now)
        proceed(at: now)
    }

    mutating func received(_ bytes: [UInt8], at now: Moment) {
        for message in reader.take(bytes) {
            switch message {
            case .realTime(let byte): answered(byte, at: now)
            case .automatic(let bytes):
                // Of a printer that cannot be asked it could be noise, and nothing would ever put it right.
                guard settings.statusQueries else { continue }
                (hasSpoken, isQuietLoss) = (true, false)
                change(at: now) { $0.take(automatic: bytes) }
            case .processID(let id): confirmed(id, at: now)
            }
        }
        proceed(at: now)
    }

    private mutating func answered(_ byte: UInt8, at now: Moment) {
        guard let question = questions.take(byte, at: now) else { return }
        change(at: now) { $0.take(byte, to: question) }
        afterQuestions(at: now)
    }

    mutating func answerOverdue(at now: Moment) {
        questions.expired(at: now)
        afterQuestions(at: now)
        proceed(at: now)
    }

    private mutating func afterQuestions(at now: Moment) {
        emit(.timer(.answer, at: questions.deadline))
        if !questions.isOpen { roundEnded(at: now) }
    }

    private mutating func roundEnded(at now: Moment) {
        askedAt = now
        armPoll(at: now)
        let isAnswered = questions.outcome == .answered
        isKnownSilent = !questions.hasAnswered && !hasSpoken
        isQuietLoss = false
        if !status.isStopped { pace.resume(at: now) }
        if isAnswered, !status.isStopped { noteFine(at: now) }
        guard let delivery else {
            if !isAnswered, questions.hasAnswered { hangUp(at: now) }
            return
        }
        if !isAnswered { self.delivery?.isUnanswered = true }
        if delivery.stage == .checking {
            let isConfirmed = isAnswered && settings.confirmation == .statusAfterDrain
            delivered(isConfirmed: isConfirmed, at: now)
        }
    }

    /// A printer that used to answer and now does not is not there any more, whatever the kernel says.
    private mutating func hangUp(at now: Moment) {
        emit(.call(.disconnect))
        lose(.timedOut, at: now)
    }

    private mutating func confirmed(_ id: [UInt8], at now: Moment) {
        guard let delivery, delivery.processID == id, delivery.rest == 0 else { return }
        progressed(at: now)
        hasConfirmed = true
        pace.clear()
        noteFine(at: now)
        if pending == .unsent { pending = nil }
        delivered(isConfirmed: true, at: now)
    }

    private mutating func noteFine(at now: Moment) {
        (fineLevel, sentSinceFine) = (pace.level(at: now), 0)
    }

    /// Takes in a status; where it stops or starts the printer, the pace stops and starts with it.
    private mutating func change(at now: Moment, _ take: (inout PrinterStatus) -> Void) {
        let before = status
        take(&status)
        if status.report != before.report { log(status.isStopped ? .warning : .info, status.report.words) }
        if status.isStopped, !before.isStopped { stopped(at: now) }
        if !status.isStopped, before.isStopped { pace.resume(at: now) }
    }

    /// The printer may have stopped right after its last fine answer: what was sent since may all be in its buffer.
    private mutating func stopped(at now: Moment) {
        pace.raise(to: min(settings.buffer, fineLevel + sentSinceFine), at: now)
        pace.stop(at: now)
        armPoll(at: now)
        if delivery?.isDrained == true {
            delivery?.stage = .draining
            emit(.timer(.confirmation, at: nil))
        }
    }
}
