// Receipts in their order, each until it is out. A receipt that may be on paper already comes again only marked; one
// that is out never comes again; one that waits, waits for as long as it takes.
//
// Copies are counted one by one: each is inside, lost, marked and drained for itself. So a link lost in the second copy
// brings the second copy again, marked, and the third unmarked. A power cut does the same: the journal knows how many copies
// are out and whether the next had begun.

import BoxFoundation
import HardwareInterface

/// What the spool wants done.
package enum PrintSpoolOutput: Equatable, Sendable {
    /// Make the receipt's bytes and hand them over with `provide`, or say why not with `cannotProvide`.
    case load(PrintJobID, isMarked: Bool)
    /// Put on disk that the job's present copy begins, then call `begun`. Only for journaled jobs.
    case begin(PrintJobID)
    /// So many copies of a journaled job are out, and the next has not begun: put it on disk.
    case copied(PrintJobID, copies: Int)
    /// The job is over; the cause, for a person, where there is one.
    case ended(PrintJobID, PaperEnd, cause: String?)
    case call(PrinterCall)
    /// Sets a timer, or with nil cancels it.
    case timer(PrinterTimer, at: Moment?)
    /// The printer's state has changed.
    case state(PrinterReport)
    case log(LogEntry)
    /// After `stop`: nothing is under way any more.
    case stopped
}

/// Receipts in their order, each until it is out; one that may be on paper already comes again only marked.
package struct PrintSpool: Sendable {
    /// Jobs of this run only that may wait; what is over fails. (Journaled ones are bounded by the journal.)
    package static let mostOwnJobs = 16
    /// How long a receipt under way may take after `stop`.
    package static let stopLimit = Interval.seconds(4)

    /// What is known of the job whose turn it is.
    private struct Turn {
        /// From 1.
        var copy = 1
        /// This copy was lost inside.
        var isLost = false
        var isConfirmed = true
        var isBegun: Bool
        var isBeginAsked = false
        var data: PrinterData?
        /// The mark that `data` has, or was asked for with.
        var loadedMark: Bool?
        var isSending = false
    }

    private var link: PrinterLink
    private var random: SeededRandom
    private var jobs: [PrintJob] = []
    private var ids: Set<PrintJobID> = []
    private var turn: Turn?
    private var isStopping = false
    private var outputs: [PrintSpoolOutput] = []

    package init(_ settings: PrinterLinkSettings, random: SeededRandom) {
        self.random = random
        link = PrinterLink(settings, random: random)
    }

    /// Jobs that have not ended.
    package var queued: Int { jobs.count }
    package var report: PrinterReport { link.report }
    /// Why the link failed the last time, and how often in a row; nil while it stands or was not tried.
    package var trouble: (error: PrinterLinkError, tries: Int)? { link.trouble.map { ($0, link.failures) } }
    package var settings: PrinterLinkSettings { link.settings }

    // MARK: - What happens

    /// Call it once, before anything else: the printer is connected, so that its state is known.
    package mutating func start(at now: Moment) -> [PrintSpoolOutput] {
        take(link.start(at: now), at: now)
        return finish(at: now)
    }

    /// Adds a job at the end. One that is there already is left as it is.
    package mutating func add(_ job: PrintJob, at now: Moment) -> [PrintSpoolOutput] {
        guard !ids.contains(job.id) else { return [] }
        guard link.settings.carrier != .none, job.copies > 0 else {
            // The configuration says that there is no paper: that is no failure of this push.
            let cause = link.settings.carrier == .none ? "no printer is configured" : nil
            return [.ended(job.id, .none, cause: cause)]
        }
        let own = jobs.lazy.filter { !$0.id.isJournaled }
        guard job.id.isJournaled || own.count < Self.mostOwnJobs else {
            return [.ended(job.id, .failed, cause: "\(Self.mostOwnJobs) reprints wait already")]
        }
        jobs.append(job)
        ids.insert(job.id)
        if !isStopping { take(link.wake(at: now), at: now) }
        return finish(at: now)
    }

    /// The receipt that `load` asked for.
    package mutating func provide(_ id: PrintJobID, _ data: PrinterData, at now: Moment) -> [PrintSpoolOutput] {
        guard jobs.first?.id == id, turn != nil, turn?.data == nil, !data.bytes.isEmpty else {
            return data.bytes.isEmpty ? cannotProvide(id, cause: "the receipt is empty", at: now) : finish(at: now)
        }
        turn?.data = data
        return finish(at: now)
    }

    /// The receipt that `load` asked for cannot be made.
    package mutating func cannotProvide(_ id: PrintJobID, cause: String, at now: Moment) -> [PrintSpoolOutput] {
        if jobs.first?.id == id, let turn, !turn.isSending { end(.failed, cause: cause) }
        return finish(at: now)
    }

    /// It is on disk that the job begins, or the disk has failed.
    package mutating func begun(_ id: PrintJobID, at now: Moment) -> [PrintSpoolOutput] {
        if jobs.first?.id == id { turn?.isBegun = true }
        return finish(at: now)
    }

    package mutating func handle(_ event: PrinterEvent, at now: Moment) -> [PrintSpoolOutput] {
        take(link.handle(event, at: now), at: now)
        return finish(at: now)
    }

    /// What the last `write` took; 0 means no room.
    package mutating func wrote(_ count: Int, at now: Moment) -> [PrintSpoolOutput] {
        take(link.wrote(count, at: now), at: now)
        return finish(at: now)
    }

    package mutating func writeFailed(_ error: PrinterLinkError, at now: Moment) -> [PrintSpoolOutput] {
        take(link.writeFailed(error, at: now), at: now)
        return finish(at: now)
    }

    package mutating func unsent(_ count: Int, at now: Moment) -> [PrintSpoolOutput] {
        take(link.unsent(count, at: now), at: now)
        return finish(at: now)
    }

    package mutating func fired(_ timer: PrinterTimer, at now: Moment) -> [PrintSpoolOutput] {
        if timer == .stop {
            if isStopping { close(at: now) }
        } else {
            take(link.fired(timer, at: now), at: now)
        }
        return finish(at: now)
    }

    /// The box stops: the copy under way may come out, no other begins. `stopped` follows. What has not ended comes
    /// again after the next start, marked if it had begun.
    package mutating func stop(at now: Moment) -> [PrintSpoolOutput] {
        guard !isStopping else { return [] }
        isStopping = true
        if turn?.isSending == true {
            outputs.append(.timer(.stop, at: now + Self.stopLimit))
        } else {
            close(at: now)
        }
        return finish(at: now)
    }

    /// Another printer from now on, its device in place of the old one's. Jobs stay in order; a copy under way is lost, inside
    /// or before, as when a link goes.
    package mutating func use(_ settings: PrinterLinkSettings, at now: Moment) -> [PrintSpoolOutput] {
        guard !isStopping else { return [] }
        let underWay = link.delivery
        take(link.close(at: now), at: now)
        if let underWay {
            if underWay.isDrained { delivered(isConfirmed: false, at: now) } else { lost(isInside: underWay.isInside) }
        }
        link = PrinterLink(settings, random: SeededRandom(seed: random.next()))
        take(link.start(at: now), at: now)
        return finish(at: now)
    }

    // MARK: - What follows

    private mutating func take(_ linkOutputs: [PrinterLink.Output], at now: Moment) {
        for output in linkOutputs {
            switch output {
            case .call(let call): outputs.append(.call(call))
            case .timer(let timer, let moment): outputs.append(.timer(timer, at: moment))
            case .state(let report): outputs.append(.state(report))
            case .log(let entry): outputs.append(.log(entry))
            case .news(.free): break
            case .news(.delivered(let isConfirmed)): delivered(isConfirmed: isConfirmed, at: now)
            case .news(.lost(let isInside)): lost(isInside: isInside)
            }
        }
    }

    private mutating func finish(at now: Moment) -> [PrintSpoolOutput] {
        advance(at: now)
        defer { outputs = [] }
        return outputs
    }

    /// Brings the first job as far as it can come.
    private mutating func advance(at now: Moment) {
        guard !isStopping, link.isFree, let job = jobs.first else { return }
        var turn = self.turn ?? Turn(isBegun: !job.id.isJournaled)
        let isMarked = job.isMarked && turn.copy == 1 || turn.isLost
        if turn.loadedMark != isMarked {
            (turn.data, turn.loadedMark) = (nil, isMarked)
            outputs.append(.load(job.id, isMarked: isMarked))
        }
        if !turn.isBegun, !turn.isBeginAsked {
            turn.isBeginAsked = true
            outputs.append(.begin(job.id))
        }
        turn.isSending = turn.isBegun && turn.data != nil
        self.turn = turn
        if turn.isSending, let data = turn.data { take(link.send(data, at: now), at: now) }
    }

    private mutating func delivered(isConfirmed: Bool, at now: Moment) {
        guard let job = jobs.first, var turn else { return }
        turn.isSending = false
        turn.isConfirmed = turn.isConfirmed && isConfirmed
        turn.isLost = false
        turn.copy += 1
        // The next copy has a beginning of its own, so that a power cut in it marks that one alone.
        (turn.isBegun, turn.isBeginAsked) = (!job.id.isJournaled, false)
        self.turn = turn
        if turn.copy > job.copies {
            end(turn.isConfirmed ? .printed : .sent, cause: nil)
        } else if job.id.isJournaled {
            outputs.append(.copied(job.id, copies: turn.copy - 1))
        }
        if isStopping { close(at: now) }
    }

    private mutating func lost(isInside: Bool) {
        turn?.isSending = false
        guard isInside, let job = jobs.first else { return }
        turn?.isLost = true
        outputs.append(
            .log(LogEntry(.warning, "printer", "receipt \(job.id.number) comes again whole, marked as a reprint")))
    }

    private mutating func end(_ end: PaperEnd, cause: String?) {
        let job = jobs.removeFirst()
        ids.remove(job.id)
        turn = nil
        outputs.append(.ended(job.id, end, cause: cause))
    }

    private mutating func close(at now: Moment) {
        take(link.close(at: now), at: now)
        outputs.append(.timer(.stop, at: nil))
        outputs.append(.stopped)
    }
}
