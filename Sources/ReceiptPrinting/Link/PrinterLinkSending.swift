// Bytes to the printer: never more in flight than its buffer holds, never faster than it prints.

import BoxFoundation
import HardwareInterface

extension PrinterLink {
    /// Does what can be done now; at most one device call is under way at a time.
    mutating func proceed(at now: Moment) {
        guard phase == .up, pending == nil else { return }
        if question.isEmpty { question = (questions.question ?? [])[...] }
        if !question.isEmpty {
            reader.clear()
            return write(question, .question)
        }
        guard !questions.isOpen else { return }
        guard let delivery else { return status.isStopped ? () : emit(.news(.free)) }
        guard !status.isStopped else { return }
        switch delivery.stage {
        case .sending: askUnsent()
        case .draining:
            guard let empty = pace.momentOfEmpty else { return }
            if empty > now { emit(.timer(.pace, at: empty)) } else { askUnsent() }
        case .checking, .confirming: break
        }
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, _ kind: Pending) {
        pending = kind
        emit(.call(.write(bytes)))
    }

    private mutating func askUnsent() {
        pending = .unsent
        emit(.call(.askUnsent))
    }

    mutating func awaitRoom(at now: Moment) {
        pending = .room
        emit(.call(.awaitRoom))
        emit(.timer(.stall, at: now + Self.stallLimit))
    }

    /// Goes on with the receipt under way, now that the send queue is known.
    mutating func continueDelivery(unsent: Int, at now: Moment) {
        guard let delivery, !questions.isOpen, !status.isStopped else { return proceed(at: now) }
        switch delivery.stage {
        case .sending: sendChunk(delivery, at: now)
        case .draining: drain(delivery, unsent: unsent, at: now)
        case .checking, .confirming: break
        }
    }

    /// Writes the next piece, or waits for room in the printer's buffer, or asks the printer first.
    private mutating func sendChunk(_ delivery: PrinterDelivery, at now: Moment) {
        let least = min(delivery.rest, max(1, settings.buffer / (canAsk ? 2 : 4)))
        let room = pace.room(at: now)
        guard room >= least else {
            return emit(.timer(.pace, at: pace.moment(ofRoomFor: least)))
        }
        let credit = settings.buffer - fineLevel - sentSinceFine
        if mayAsk(delivery), (canAsk && credit < least) || isAskDue(delivery, at: now) {
            beginRound(.quick, at: now)
            return proceed(at: now)
        }
        let most = canAsk && credit >= least ? min(room, credit) : room
        write(delivery.chunk(room: most), .data)
    }

    /// The printer answers, and there are places in the receipt where it may be asked.
    private var canAsk: Bool {
        guard let delivery else { return false }
        return questions.hasAnswered && delivery.hasBreaks && !delivery.isUnanswered
    }

    private func mayAsk(_ delivery: PrinterDelivery) -> Bool {
        questions.hasAnswered && delivery.isAtBreak && !delivery.isUnanswered
    }

    private func isAskDue(_ delivery: PrinterDelivery, at now: Moment) -> Bool {
        now - askedAt >= (delivery.taken == 0 ? Self.pollInterval + .seconds(2) : Self.sendingPollInterval)
    }

    mutating func wroteData(_ count: Int, at now: Moment) {
        delivery?.took(count)
        pace.add(count, at: now)
        sentSinceFine += count
        if delivery?.rest == 0 { delivery?.stage = .draining }
    }

    mutating func wroteQuestion(_ count: Int, at now: Moment) {
        question = question.dropFirst(count)
        guard question.isEmpty, count > 0 else { return }
        let inFlight = Interval.forCount(pace.level(at: now), perSecond: settings.pace)
        questions.asked(within: min(Self.mostAnswer, PrinterQuestions.answerLimit + inFlight), at: now)
        emit(.timer(.answer, at: questions.deadline))
    }

    /// All bytes are taken: waits until the kernel and the printer have drained them.
    private mutating func drain(_ delivery: PrinterDelivery, unsent: Int, at now: Moment) {
        guard unsent == 0 else {
            noteStall(at: now)
            return emit(.timer(.pace, at: now + Self.drainInterval))
        }
        guard pace.level(at: now) == 0 else { return proceed(at: now) }
        drained(delivery, at: now)
    }

    private mutating func drained(_ drained: PrinterDelivery, at now: Moment) {
        if drained.processID != nil {
            delivery?.stage = .confirming
            emit(.timer(.confirmation, at: now + Self.confirmationLimit))
        } else if questions.hasAnswered {
            check(at: now)
        } else {
            delivered(isConfirmed: false, at: now)
        }
    }

    /// Asks whether the printer really is done.
    private mutating func check(at now: Moment) {
        delivery?.stage = .checking
        beginRound(.full, at: now)
        proceed(at: now)
    }

    mutating func delivered(isConfirmed: Bool, at now: Moment) {
        delivery = nil
        usedAt = now
        backoff.reset()
        emit(.timer(.pace, at: nil))
        emit(.timer(.confirmation, at: nil))
        emit(.news(.delivered(isConfirmed: isConfirmed)))
        proceed(at: now)
    }

    mutating func confirmationOverdue(at now: Moment) {
        guard let delivery, delivery.stage == .confirming else { return }
        if questions.hasAnswered {
            check(at: now)
        } else if hasConfirmed {
            askAgain(delivery, at: now)
        } else {
            delivered(isConfirmed: false, at: now)
        }
    }

    /// The printer confirmed others: it has not printed this one yet, or its answer was lost.
    private mutating func askAgain(_ asked: PrinterDelivery, at now: Moment) {
        noteStall(at: now)
        emit(.timer(.confirmation, at: now + Self.confirmationLimit))
        guard asked.confirmationRepeats < Self.mostConfirmationRepeats, question.isEmpty, !questions.isOpen,
            let command = asked.confirmationCommand
        else { return }
        delivery?.confirmationRepeats += 1
        question = command[...]
        proceed(at: now)
    }

    // MARK: - A printer that takes nothing

    mutating func progressed(at now: Moment) {
        progressAt = now
        isStalled = false
        emit(.timer(.stall, at: nil))
    }

    private mutating func noteStall(at now: Moment) {
        if now - progressAt >= Self.stallLimit { isStalled = true }
    }

    /// Looks at the send queue too: that is where a device notices that the other end is dead.
    mutating func stallOverdue(at now: Moment) {
        guard pending == .room else { return }
        noteStall(at: now)
        emit(.call(.askUnsent))
        emit(.timer(.stall, at: now + Self.stallLimit))
    }
}
