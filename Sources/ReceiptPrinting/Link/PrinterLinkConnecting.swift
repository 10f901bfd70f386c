// Connecting, losing, and connecting again.

import BoxFoundation
import HardwareInterface

extension PrinterLink {
    mutating func connect(at now: Moment) {
        guard settings.carrier != .none else { return }
        phase = .connecting
        triedAt = now
        emit(.timer(.reconnect, at: nil))
        emit(.call(.connect))
    }

    mutating func connected(at now: Moment) {
        guard phase == .connecting || phase == .waiting else { return }
        if phase == .waiting { emit(.timer(.reconnect, at: nil)) }
        if trouble != nil || !isQuietLoss { log(.info, "the printer is connected") }
        phase = .up
        (trouble, failures, isAsleep) = (nil, 0, false)
        (connectedAt, usedAt, progressAt) = (now, now, now)
        askedAt = now
        if settings.statusQueries, !isKnownSilent {
            beginRound(.full, at: now)
        } else {
            isQuietLoss = false
            pace.resume(at: now)
            armPoll(at: now)
        }
        proceed(at: now)
    }

    mutating func lose(_ error: PrinterLinkError, at now: Moment) {
        let wasUp = phase == .up
        let lost = delivery
        if wasUp {
            isQuietLoss = lost == nil
            isAsleep = lost == nil && now - usedAt >= Self.sleepAfter
            if now - connectedAt >= Self.steadyAfter { backoff.reset() }
        } else {
            isAsleep = isAsleep && [.unreachable, .timedOut, .lost].contains(error)
        }
        forgetLink()
        failed(error, wasUp: wasUp, isInside: lost?.isInside ?? false)
        phase = .waiting
        emit(.timer(.reconnect, at: now + backoff.next()))
        guard let lost else { return }
        emit(.news(lost.isDrained ? .delivered(isConfirmed: false) : .lost(isInside: lost.isInside)))
    }

    private mutating func failed(_ error: PrinterLinkError, wasUp: Bool, isInside: Bool) {
        let words = PrinterTrouble.words(error, settings.carrier)
        if wasUp {
            trouble = nil
            log(
                isInside ? .warning : .info,
                isInside ? "the printer was lost in the middle of a receipt: \(words)" : words)
        } else {
            if trouble != error { log(.warning, words) }
            trouble = error
            failures += 1
        }
    }

    /// Forgets what belongs to the link that is gone. The pace stays, and stays stopped until the printer says otherwise:
    /// what was in the printer's buffer may still be.
    mutating func forgetLink() {
        (delivery, pending, question) = (nil, nil, [])
        (questions, reader, status) = (PrinterQuestions(), PrinterAnswerReader(), PrinterStatus())
        (isStalled, hasSpoken, hasConfirmed, lastUnsent) = (false, false, false, 0)
        for timer in [PrinterTimer.pace, .answer, .poll, .confirmation, .stall] { emit(.timer(timer, at: nil)) }
    }
}
