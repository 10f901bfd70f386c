// The way to one printer, whatever carries it: connecting again and again, pace, status, and the certainty of where a
// receipt is when the link goes. Which receipt is whose is PrintSpool's.

import BoxFoundation
import HardwareInterface

/// What is asked of the printer device. Each `write` is followed by `wrote` or `writeFailed`, each `askUnsent` by
/// `unsent`.
package enum PrinterCall: Equatable, Sendable {
    case connect
    case write(ArraySlice<UInt8>)
    case askUnsent
    case awaitRoom
    case disconnect
}

/// What the printer's link and spool wait for. A timer that comes early, late or twice does no harm.
package enum PrinterTimer: String, CaseIterable, Sendable {
    /// The printer is tried again.
    case reconnect
    /// There is room in the printer's buffer, or all in it is printed.
    case pace
    /// A status question was not answered.
    case answer
    /// The status is asked again.
    case poll
    /// The printer did not confirm a job.
    case confirmation
    /// The printer has taken nothing for long.
    case stall
    /// The box stops: the job under way had its time.
    case stop
}

/// The way to one printer: connecting, pace, status, and the certainty of where a receipt is when the link goes.
package struct PrinterLink: Sendable {
    /// What the link wants done.
    package enum Output: Equatable, Sendable {
        case call(PrinterCall)
        /// Sets a timer, or with nil cancels it.
        case timer(PrinterTimer, at: Moment?)
        /// The state has changed.
        case state(PrinterReport)
        case log(LogEntry)
        case news(News)
    }

    /// What becomes of what is sent.
    package enum News: Equatable, Sendable {
        /// `send` may be called.
        case free
        /// All is drained, and the printer has or has not said that it is printed.
        case delivered(isConfirmed: Bool)
        /// The link is gone; `isInside` says whether a part may be on paper.
        case lost(isInside: Bool)
    }

    /// The status of a printer that prints is asked so often where nothing else asks.
    package static let pollInterval = Interval.seconds(10)
    /// One that waits for a person is asked more often.
    package static let stoppedPollInterval = Interval.seconds(2)
    /// One that never answers is asked seldom.
    package static let silentPollInterval = Interval.seconds(30)
    /// While a receipt goes out, the printer is asked between two commands at least so often.
    package static let sendingPollInterval = Interval.seconds(1)
    /// The longest that an answer may take.
    package static let mostAnswer = Interval.seconds(5)
    /// How long after the drain a process id may take.
    package static let confirmationLimit = Interval.seconds(10)
    /// Times that a printer that confirmed other jobs is asked again for one: each question stays in its buffer.
    package static let mostConfirmationRepeats = 3
    /// A printer that takes nothing for so long is in trouble.
    package static let stallLimit = Interval.seconds(5)
    /// How often the kernel's send queue is looked at while it empties.
    package static let drainInterval = Interval.milliseconds(100)
    /// A printer that goes after having had nothing to do for so long is taken to sleep.
    package static let sleepAfter = Interval.minutes(5)
    /// A job tries the link at once, but not twice within this.
    package static let leastRetry = Interval.seconds(1)
    /// The back-off begins anew when a link has held so long.
    package static let steadyAfter = Interval.seconds(60)

    enum Phase: Equatable, Sendable { case resting, waiting, connecting, up }

    /// The device call under way.
    enum Pending: Equatable, Sendable { case question, data, unsent, room }

    package let settings: PrinterLinkSettings
    var phase = Phase.resting
    var backoff: PrinterBackoff
    var pace: PrinterPace
    var questions = PrinterQuestions()
    var reader = PrinterAnswerReader()
    package internal(set) var status = PrinterStatus()
    var delivery: PrinterDelivery?
    var pending: Pending?
    /// What is left to write of a question.
    var question: ArraySlice<UInt8> = []

    /// The last failure, and failures in a row; nil and 0 once connected.
    var trouble: PrinterLinkError?
    var failures = 0
    /// The link went while nothing was under way: nothing is said of it before an attempt fails, or the printer on the new
    /// link says how it is.
    var isQuietLoss = false
    var isAsleep = false
    var isStalled = false
    /// Automatic status has come on this link.
    var hasSpoken = false
    /// The printer was asked and has not answered, on this link or the one before: nobody waits for its answer.
    var isKnownSilent = false
    /// A job was confirmed by its number on this link.
    var hasConfirmed = false

    var connectedAt = Moment.zero
    var triedAt: Moment?
    var usedAt = Moment.zero
    var progressAt = Moment.zero
    var lastUnsent = 0
    /// When the printer was last asked.
    var askedAt = Moment.zero
    /// Bytes in flight when the printer was last known to print, and bytes sent since.
    var fineLevel = 0
    var sentSinceFine = 0
    var processCount: Int

    private var reported: PrinterReport?
    private var outputs: [Output] = []

    package init(_ settings: PrinterLinkSettings, random: SeededRandom) {
        self.settings = settings
        var random = random
        processCount = Int.random(in: 0..<Self.processIDs, using: &random)
        backoff = PrinterBackoff(random: random)
        pace = PrinterPace(rate: settings.pace, buffer: settings.buffer)
    }

    /// What is known now.
    package var report: PrinterReport {
        if settings.carrier == .none { return PrinterReport(.none, "no printer is configured") }
        guard phase == .up else { return unconnectedReport }
        if isStalled, !status.isStopped {
            return PrinterReport(
                .error, "the printer takes no data: look for paper, for its cover and for its own lights")
        }
        if settings.statusQueries, !questions.hasAnswered, !hasSpoken {
            guard isKnownSilent else { return PrinterReport(.connecting, "the printer is being connected") }
            return PrinterReport(.unknown, "the printer is connected and tells nothing of its paper or cover")
        }
        return status.report
    }

    private var unconnectedReport: PrinterReport {
        guard let trouble else { return PrinterReport(.connecting, "the printer is being connected") }
        if isAsleep {
            return PrinterReport(.asleep, "the printer has gone to sleep or was switched off: press its power button")
        }
        let words = PrinterTrouble.words(trouble, settings.carrier, attempts: failures)
        return PrinterReport(PrinterTrouble.state(trouble), words)
    }

    /// Whether `send` may be called.
    package var isFree: Bool {
        phase == .up && delivery == nil && pending == nil && question.isEmpty && !questions.isOpen
            && !status.isStopped
    }

    // MARK: - What happens

    /// Connects for the first time.
    package mutating func start(at now: Moment) -> [Output] {
        if phase == .resting { connect(at: now) }
        return finish()
    }

    /// A job waits: the printer is tried at once.
    package mutating func wake(at now: Moment) -> [Output] {
        switch phase {
        case .resting: connect(at: now)
        case .waiting:
            let soonest = (triedAt ?? .zero) + Self.leastRetry
            if soonest <= now { connect(at: now) } else { emit(.timer(.reconnect, at: soonest)) }
        case .connecting, .up: break
        }
        return finish()
    }

    /// Sends a receipt; `delivered` or `lost` follows. Only while `isFree`.
    package mutating func send(_ data: PrinterData, at now: Moment) -> [Output] {
        precondition(isFree, "the link is not free")
        delivery = PrinterDelivery(data, processID: settings.confirmation == .processID ? nextProcessID() : nil)
        (usedAt, progressAt) = (now, now)
        proceed(at: now)
        return finish()
    }

    package mutating func handle(_ event: PrinterEvent, at now: Moment) -> [Output] {
        switch event {
        case .connected: connected(at: now)
        case .room:
            if pending == .room {
                pending = nil
                proceed(at: now)
            }
        case .received(let bytes): if phase == .up { received(bytes, at: now) }
        case .lost(let error): if phase == .up || phase == .connecting { lose(error, at: now) }
        }
        return finish()
    }

    /// The device took so many bytes of the last `write`; 0 means that it has no room.
    package mutating func wrote(_ count: Int, at now: Moment) -> [Output] {
        guard let written = pending, written == .question || written == .data else { return finish() }
        pending = nil
        // A question that this machine took says nothing about the printer.
        if count > 0, written == .data { progressed(at: now) }
        if written == .question { wroteQuestion(count, at: now) } else { wroteData(count, at: now) }
        if count == 0 { awaitRoom(at: now) } else { proceed(at: now) }
        return finish()
    }

    package mutating func writeFailed(_ error: PrinterLinkError, at now: Moment) -> [Output] {
        guard phase == .up else { return finish() }
        emit(.call(.disconnect))
        lose(error, at: now)
        return finish()
    }

    /// Bytes taken that have not left this machine.
    package mutating func unsent(_ count: Int, at now: Moment) -> [Output] {
        if count < lastUnsent { progressed(at: now) }
        lastUnsent = count
        if pending == .unsent {
            pending = nil
            pace.raise(to: count, at: now)
            continueDelivery(unsent: count, at: now)
        }
        return finish()
    }

    package mutating func fired(_ timer: PrinterTimer, at now: Moment) -> [Output] {
        switch timer {
        case .reconnect: if phase == .waiting { connect(at: now) }
        case .pace: proceed(at: now)
        case .answer: if phase == .up { answerOverdue(at: now) }
        case .poll: if phase == .up { poll(at: now) }
        case .confirmation: if phase == .up { confirmationOverdue(at: now) }
        case .stall: if phase == .up { stallOverdue(at: now) }
        case .stop: break
        }
        return finish()
    }

    /// Closes for good.
    package mutating func close(at now: Moment) -> [Output] {
        guard phase != .resting else { return finish() }
        emit(.call(.disconnect))
        forgetLink()
        phase = .resting
        emit(.timer(.reconnect, at: nil))
        return finish()
    }

    // MARK: - Outputs

    mutating func emit(_ output: Output) { outputs.append(output) }

    mutating func log(_ level: LogEntry.Level, _ text: String) { emit(.log(LogEntry(level, "printer", text))) }

    /// Tells a changed state and hands out what has been gathered.
    private mutating func finish() -> [Output] {
        let report = report
        if report != reported, trouble != nil || !isQuietLoss {
            reported = report
            emit(.state(report))
        }
        defer { outputs = [] }
        return outputs
    }

    /// Numbers of four printable bytes.
    private static let processIDs = 94 * 94 * 94 * 94

    /// Four printable bytes, as the command wants them; different for any two jobs of a long time. Each start goes on from
    /// another number: what an earlier one sent may still be in the printer, whose answer to it is no answer to ours.
    private mutating func nextProcessID() -> [UInt8] {
        processCount = (processCount + 1) % Self.processIDs
        var n = processCount
        return (0..<4).map { _ in
            defer { n /= 94 }
            return UInt8(33 + n % 94)
        }
    }
}
