// The box stops: within five seconds, losing nothing. What has not ended comes again after the next start, marked where
// it had begun.

import BoxFoundation
import PaymentJournal

extension BoxCore {
    /// From SIGTERM to the end, whatever is left.
    static let stopLimit = Interval.milliseconds(4800)
    /// From one look for what may be deleted to the next.
    static let pruneInterval = Interval.minutes(10)
    /// From the start to the first, so that a box that is switched off every few minutes comes to it too.
    static let firstPrune = Interval.minutes(1)

    mutating func stop() {
        guard !isStopping else { return }
        isStopping = true
        log(.notice, "box", "stopping")
        effects.append(.stopping)
        isReportDue = true
        dial { dialler, _ in dialler.stop() }
        effects.append(.timer(.stop, at: now + Self.stopLimit))
        voice { voice, now in voice.finish(at: now) }
        pairing { pairing, _ in pairing.cancel() }
        paper { spool, now in spool.stop(at: now) }
        goOnStopping()
    }

    /// Voice and paper come to rest, then the journal and what a person set, then the hubs are told goodbye.
    mutating func goOnStopping() {
        guard voiceIsStopped, paperIsStopped, journal.isIdle, !isSetting else { return }
        finishStop()
    }

    /// A setting is on its way to the disk.
    private var isSetting: Bool {
        machineWork.contains {
            switch $0 {
            case .set, .pairedPrinter: true
            default: false
            }
        }
    }

    mutating func finishStop() {
        guard isStopping, !isStopped else { return }
        for connection in sessions.keys.sorted() {
            drive(connection) { session, now in session.close(.closing, at: now) }
        }
        isStopped = true
        if restartsMachine { effects.append(.restartMachine) }
        effects.append(.stop)
    }

    mutating func prune() {
        effects.append(.timer(.prune, at: now + Self.pruneInterval))
        keepTime()
        guard !isStopping else { return }
        journal.add(.prune(now: clock.time), for: .prune)
    }
}
