// One phrase at a time on a sound device that may run dry, be taken, sleep, vanish or hang. What was heard is known to
// the frame, so a phrase ends when its last frame was heard and not before.
//
// After an underrun nothing is lost (the device ran dry): the failed block is written again. After any other fault what
// the device had queued is lost, and half an amount is a wrong amount: the phrase is given back as interrupted, to be
// said again from its start.

import BoxFoundation
import HardwareInterface

struct Playback {
    /// Underruns in a row before the device is closed and opened again.
    static let mostUnderruns = 3
    /// Times that the device is opened again for the same block before the phrase counts as interrupted.
    static let mostReopens = 2
    /// How much longer than its buffer lasts a device may take to make room before it counts as hung.
    static let stall = Interval.seconds(2)
    /// How much longer than its samples a phrase may take in all.
    static let slack = Interval.seconds(10)
    /// A suspended device is asked to wake this often.
    static let wakeWait = Interval.milliseconds(250)
    /// Lead-in comes only where nothing was heard for this long: the amplifier may sleep.
    static let idleBeforeLeadIn = Interval.seconds(1)
    /// Silence kept queued behind a phrase while the device is held open.
    static let heldSilence = Interval.milliseconds(100)

    struct Settings: Equatable, Sendable {
        var leadIn: Interval
        var hold: Interval
        /// There is no speaker and none is expected: every phrase ends at once.
        var isAbsent: Bool
    }

    private enum State: Equatable {
        case closed, opening, waiting, idle, writing, awaitingRoom, starving, draining, recovering
    }

    private struct Source {
        var samples: [Int16]
        var next = 0
        var isComplete: Bool
    }

    var settings: Settings
    private var ramp: GainRamp
    private var state = State.closed
    private var format: SpeakerFormat?
    private var rate = 0
    private var isPrepared = false
    /// `ready` was said: the device is kept open until `play` or `release`.
    private var isReserved = false
    private var source: Source?
    /// Silence still to be written before the source.
    private var lead = 0
    /// What is being written, gain applied; what is left of it is written again after a fault.
    private var block: ArraySlice<Int16> = []
    private var isSpeech = false
    /// Frames that the device took since it was opened, and of those the end of the phrase.
    private var written = 0
    private var end: Int?
    /// Frames of the phrase that the device took: they may have been heard.
    private var spoken = 0
    /// Nothing was played since the device was opened.
    private var isFresh = false
    private var underruns = 0
    private var idleFaults = 0
    private var reopens = 0
    private var absence = SpeakerAbsence()
    private var lastHeard: Moment?
    private var holdUntil = Moment.zero
    private var watchAt: Moment?
    private var deadline = Moment.zero
    private var hasToldUnderrun = false

    init(settings: Settings, volume: Volume) {
        self.settings = settings
        ramp = GainRamp(volume)
    }

    /// A phrase is being played, or kept for a device that is opened again.
    var isPlaying: Bool { source != nil }

    /// How long the phrase still takes, as far as its samples are there.
    var remaining: Interval {
        guard let source, let format else { return .zero }
        let queued = min(format.buffer, spoken)
        return .forCount(source.samples.count - source.next + block.count + lead + queued, perSecond: format.rate)
    }

    mutating func set(_ volume: Volume) {
        ramp.set(volume)
        if source == nil { ramp.jump() }
    }

    // MARK: What the announcer asks

    /// Makes the device ready for a phrase at `rate`; `ready` or `unavailable` follows.
    mutating func prepare(rate: Int, at now: Moment) -> [PlaybackOutput] {
        precondition(source == nil)
        guard !settings.isAbsent else { return [.unavailable] }
        isPrepared = true
        switch state {
        case .closed:
            return absence.isHopeless(at: now) ? giveUp() : open(rate: rate, at: now)
        case .waiting:
            self.rate = rate
            return absence.isTooLong(at: now) ? giveUp() : []
        case .idle where rate != self.rate:
            closeDevice()
            return [.timer(.hold, at: nil), .close] + open(rate: rate, at: now)
        case .idle: return ready()
        default: return []
        }
    }

    /// Begins to play, after `ready`.
    ///
    /// - Parameter isComplete: false where more samples follow by `append`.
    mutating func play(_ samples: [Int16], isComplete: Bool = true, at now: Moment) -> [PlaybackOutput] {
        guard state == .idle, let format else { return [.interrupted(hasBegun: false)] }
        source = Source(samples: samples, isComplete: isComplete)
        let wasJustHeard = lastHeard.map { now - $0 < Self.idleBeforeLeadIn } ?? false
        lead = isFresh && !wasJustHeard ? Int(settings.leadIn.milliseconds) * format.rate / 1000 : 0
        end = nil
        (isFresh, isReserved) = (false, false)
        (spoken, underruns, reopens, hasToldUnderrun) = (0, 0, 0, false)
        deadline = now + .forCount(samples.count + lead + format.buffer, perSecond: format.rate) + Self.slack
        ramp.jump()
        return [.timer(.hold, at: nil)] + pump(at: now)
    }

    /// More of a phrase whose samples come as they are made.
    mutating func append(_ samples: [Int16], isComplete: Bool, at now: Moment) -> [PlaybackOutput] {
        guard source != nil, let format else { return [] }
        source?.samples += samples
        source?.isComplete = isComplete
        deadline = max(deadline, now) + .forCount(samples.count, perSecond: format.rate)
        guard state == .starving else { return [] }
        return pump(at: now)
    }

    /// After `ready`, where nothing is to be played after all.
    mutating func release(at now: Moment) -> [PlaybackOutput] {
        guard isReserved else { return [] }
        isReserved = false
        return state == .idle ? beginHold(now) : []
    }

    /// Stops the phrase at once; no `finished` follows. The device is closed.
    mutating func cut() -> [PlaybackOutput] {
        let wasOpen = format != nil
        reset()
        return (wasOpen ? [.drop, .close] : []) + Self.noTimers
    }

    // MARK: Device events

    mutating func handle(_ event: PlaybackEvent, at now: Moment) -> [PlaybackOutput] {
        switch event {
        case .opened(let format): state == .opening ? opened(format, now) : [.close]
        case .wrote(let count): wrote(count, now)
        case .room: state == .awaitingRoom ? writeBlock() : []
        case .unplayed(let count): unplayed(count, now)
        case .recovered: state == .recovering ? recovered(now) : []
        case .failed(let error): failed(error, now)
        }
    }

    mutating func timer(_ timer: AnnouncerTimer, at now: Moment) -> [PlaybackOutput] {
        switch timer {
        case .watch: watch(now)
        case .tail: state == .draining ? [.askUnplayed] : []
        case .reopen: reopenTimer(now)
        case .hold: holdTimer(now)
        default: []
        }
    }

    // MARK: Opening

    private mutating func open(rate: Int, at now: Moment) -> [PlaybackOutput] {
        self.rate = rate
        state = .opening
        absence.tries(at: now)
        return [.open(rate: rate)]
    }

    private mutating func opened(_ format: SpeakerFormat, _ now: Moment) -> [PlaybackOutput] {
        self.format = format
        state = .idle
        (written, idleFaults, isFresh) = (0, 0, true)
        var outputs: [PlaybackOutput] = []
        if let length = absence.ends(at: now) {
            outputs.append(.log(LogEntry(.notice, "voice", "the speaker is back after \(length.seconds) s")))
        }
        if source != nil { return outputs + writeBlock() }
        if isPrepared { return outputs + ready() }
        return outputs + beginHold(now)
    }

    private mutating func ready() -> [PlaybackOutput] {
        isPrepared = false
        isReserved = format != nil
        return format.map { [.ready($0)] } ?? []
    }

    private mutating func giveUp() -> [PlaybackOutput] {
        isPrepared = false
        state = .closed
        return [.timer(.reopen, at: nil), .unavailable]
    }

    private mutating func notOpened(_ error: SpeakerError, _ now: Moment) -> [PlaybackOutput] {
        var outputs: [PlaybackOutput] = []
        if absence.begins(at: now) { outputs.append(.log(Self.trouble(error))) }
        if source != nil { return outputs + interrupt(now) }
        if absence.isTooLong(at: now) { return outputs + giveUp() }
        state = .waiting
        return outputs + [.timer(.reopen, at: absence.nextAttempt(from: now))]
    }

    private mutating func reopenTimer(_ now: Moment) -> [PlaybackOutput] {
        switch state {
        case .waiting: open(rate: rate, at: now)
        case .recovering: [.recover]
        default: []
        }
    }

    // MARK: Writing

    /// Takes the next block of lead-in, speech or padding, and writes it.
    private mutating func pump(at now: Moment) -> [PlaybackOutput] {
        guard var source, let format else { return [] }
        isSpeech = false
        if lead > 0 {
            let count = min(lead, format.period)
            lead -= count
            block = ArraySlice(repeatElement(0, count: count))
        } else if source.next < source.samples.count {
            let end = min(source.samples.count, source.next + format.period)
            block = ramp.apply(to: source.samples[source.next..<end])[...]
            source.next = end
            self.source = source
            isSpeech = true
        } else if !source.isComplete {
            state = .starving
            watchAt = deadline
            return [.timer(.watch, at: deadline)]
        } else if end == nil {
            end = written
            block = ArraySlice(repeatElement(0, count: padding(format)))
            if block.isEmpty { return drain(now) }
        } else {
            return drain(now)
        }
        return writeBlock()
    }

    /// Zeros up to a whole period, and the silence that keeps the device running behind the phrase.
    private func padding(_ format: SpeakerFormat) -> Int {
        let rest = written % format.period
        return (rest == 0 ? 0 : format.period - rest) + (settings.hold > .zero ? heldFrames(format) : 0)
    }

    private func heldFrames(_ format: SpeakerFormat) -> Int {
        let frames = max(2 * format.period, Int(Self.heldSilence.milliseconds) * format.rate / 1000)
        return min(frames / format.period * format.period, format.buffer)
    }

    private mutating func writeBlock() -> [PlaybackOutput] {
        state = source == nil ? .idle : .writing
        return [.write(block)]
    }

    private mutating func wrote(_ count: Int, _ now: Moment) -> [PlaybackOutput] {
        guard count > 0 else {
            guard source != nil else { return [] }
            guard now < deadline else { return lose(.failed("it takes no samples"), now) }
            state = .awaitingRoom
            return [.awaitRoom] + setWatch(now)
        }
        let taken = min(count, block.count)
        block = block.dropFirst(taken)
        written += taken
        if isSpeech { spoken += taken }
        (underruns, idleFaults) = (0, 0)
        guard state == .writing else { return [] }
        return block.isEmpty ? pump(at: now) : writeBlock()
    }

    private mutating func drain(_ now: Moment) -> [PlaybackOutput] {
        state = .draining
        return [.askUnplayed] + setWatch(now)
    }

    private mutating func unplayed(_ count: Int, _ now: Moment) -> [PlaybackOutput] {
        guard let format else { return [] }
        guard state == .draining, let end else { return state == .idle ? topUp(count, format) : [] }
        let left = end - (written - count)
        if left <= 0 { return finish(now) }
        return [.timer(.tail, at: now + max(.forCount(left, perSecond: format.rate), .milliseconds(2)))]
    }

    private mutating func finish(_ now: Moment) -> [PlaybackOutput] {
        source = nil
        end = nil
        state = .idle
        lastHeard = now
        return [.timer(.watch, at: nil), .timer(.tail, at: nil)] + beginHold(now) + [.finished]
    }

    // MARK: Holding the device open

    private mutating func beginHold(_ now: Moment) -> [PlaybackOutput] {
        holdUntil = now + settings.hold
        return [.timer(.hold, at: now + min(settings.hold, Self.heldSilence / 2))]
    }

    private mutating func holdTimer(_ now: Moment) -> [PlaybackOutput] {
        guard state == .idle, source == nil else { return [] }
        let isHeld = settings.hold > .zero
        guard isReserved || now < holdUntil else {
            closeDevice()
            return [.drop, .close]
        }
        let next = now + Self.heldSilence / 2
        return [.timer(.hold, at: isReserved ? next : min(holdUntil, next))] + (isHeld ? [.askUnplayed] : [])
    }

    private mutating func topUp(_ queued: Int, _ format: SpeakerFormat) -> [PlaybackOutput] {
        let missing = (heldFrames(format) - queued) / format.period * format.period
        guard missing > 0 else { return [] }
        block = ArraySlice(repeatElement(0, count: missing))
        return [.write(block)]
    }

    // MARK: Faults

    private mutating func failed(_ error: SpeakerError, _ now: Moment) -> [PlaybackOutput] {
        switch state {
        case .closed, .waiting: return []
        case .opening: return notOpened(error, now)
        case .idle: return failedIdle(error)
        case .recovering: return notRecovered(error, now)
        case .draining where error == .underrun, .writing where error == .underrun && end != nil,
            .awaitingRoom where error == .underrun && end != nil:
            // It ran dry behind the last frame: all was heard.
            return [.recover] + finish(now)
        case .writing, .awaitingRoom, .starving, .draining: break
        }
        guard error == .underrun || error == .suspended else { return lose(error, now) }
        return error == .underrun ? underrun(now) : suspended(now)
    }

    private mutating func failedIdle(_ error: SpeakerError) -> [PlaybackOutput] {
        idleFaults += 1
        if error == .underrun, idleFaults <= Self.mostUnderruns { return [.recover] }
        closeDevice()
        return [.timer(.hold, at: nil), .close]
    }

    private mutating func underrun(_ now: Moment) -> [PlaybackOutput] {
        var outputs: [PlaybackOutput] = []
        if !hasToldUnderrun {
            hasToldUnderrun = true
            outputs.append(.log(LogEntry(.warning, "voice", "the speaker ran dry; the block is written again")))
        }
        underruns += 1
        guard underruns > Self.mostUnderruns else {
            state = .recovering
            return outputs + [.recover]
        }
        reopens += 1
        guard reopens <= Self.mostReopens else { return outputs + lose(.underrun, now) }
        underruns = 0
        return outputs + [.close] + open(rate: rate, at: now)
    }

    private mutating func suspended(_ now: Moment) -> [PlaybackOutput] {
        guard spoken > 0 else {
            state = .recovering
            return [.recover]
        }
        return lose(.suspended, now)
    }

    private mutating func recovered(_ now: Moment) -> [PlaybackOutput] {
        state = .writing
        return block.isEmpty ? pump(at: now) : writeBlock()
    }

    private mutating func notRecovered(_ error: SpeakerError, _ now: Moment) -> [PlaybackOutput] {
        guard error == .suspended, now < deadline else { return lose(error, now) }
        return [.timer(.reopen, at: now + Self.wakeWait)]
    }

    /// What the device had queued is gone with it.
    private mutating func lose(_ error: SpeakerError, _ now: Moment) -> [PlaybackOutput] {
        [.log(Self.trouble(error)), .drop, .close] + interrupt(now)
    }

    private mutating func interrupt(_ now: Moment) -> [PlaybackOutput] {
        let hasBegun = spoken > 0
        _ = absence.begins(at: now)
        reset()
        return Self.noTimers + [.interrupted(hasBegun: hasBegun)]
    }

    private mutating func setWatch(_ now: Moment) -> [PlaybackOutput] {
        guard let format else { return [] }
        let moment = min(deadline, now + .forCount(format.buffer, perSecond: format.rate) + Self.stall)
        watchAt = moment
        return [.timer(.watch, at: moment)]
    }

    private mutating func watch(_ now: Moment) -> [PlaybackOutput] {
        switch state {
        case .awaitingRoom, .draining, .starving:
            guard now >= watchAt ?? deadline || now >= deadline else { return [] }
            return lose(.failed("it stopped asking for samples"), now)
        default: return []
        }
    }

    // MARK: States

    private mutating func closeDevice() {
        format = nil
        state = .closed
        block = []
        written = 0
    }

    private mutating func reset() {
        closeDevice()
        source = nil
        end = nil
        (lead, spoken) = (0, 0)
        (isPrepared, isReserved) = (false, false)
    }

    private static let noTimers: [PlaybackOutput] = [
        .timer(.watch, at: nil), .timer(.tail, at: nil), .timer(.hold, at: nil), .timer(.reopen, at: nil),
    ]

    private static func trouble(_ error: SpeakerError) -> LogEntry {
        let (what, cure): (String, String) =
            switch error {
            case .gone: ("is not there", "check its plug and the setting speaker.alsa")
            case .busy: ("is held by another program", "stop that program")
            case .underrun: ("keeps running dry", "the machine is overloaded")
            case .suspended: ("was suspended", "it is opened again")
            case .failed(let text): ("failed (\(text))", "it is opened again")
            }
        return LogEntry(.warning, "voice", "the speaker \(what): \(cure)")
    }
}
