// A sound device that plays by the loop's time and remembers what would have been heard. It behaves as ALSA does: it
// starts with the first whole period, runs dry into an underrun, and takes no frames again before `recover`.

import BoxFoundation
import HardwareInterface

/// A sound device that behaves as ALSA does, and remembers what was heard and when.
package final class SimulatedSpeaker: SpeakerDevice {
    /// Sound without a break, from when its first frame was heard.
    package struct Run: Equatable, Sendable {
        package var at: Moment
        package var samples: [Int16]
    }

    /// What can be wrong with it; all right at first.
    package struct Faults: Equatable, Sendable {
        /// Unplugged: every call fails, nothing is heard.
        package var isGone = false
        /// Somebody else has it: it can't be opened.
        package var isBusy = false
        /// The system sleeps: calls and `recover` fail, what was queued is lost.
        package var isSuspended = false
        /// It plays nothing more and never asks for samples, without an error.
        package var isStalled = false
        /// The next writes fail with these, one each, and take nothing.
        package var writes: [SpeakerError] = []
        /// The next attempts to open fail with these.
        package var opens: [SpeakerError] = []
        /// Frames that one write takes at most.
        package var mostTaken = Int.max

        package init() {}
    }

    package var faults = Faults() {
        didSet {
            if oldValue.isStalled, playingSince != nil { playingSince = loop.now }
            settle()
            if faults.isGone || faults.isSuspended { loseQueue() }
        }
    }

    /// What was heard, run after run; a run still playing is there up to now.
    package var heard: [Run] {
        settle()
        return runs
    }

    /// What was heard since the last call, taken away: for a counter that runs for days.
    package func takeHeard() -> [Run] {
        settle()
        defer { runs = playingSince == nil ? [] : [Run(at: loop.now, samples: [])] }
        return runs
    }

    package private(set) var opens = 0
    package private(set) var recoveries = 0
    package private(set) var format: SpeakerFormat?

    private let loop: any EventLoop
    private let period: Interval
    private let periods: Int
    private var runs: [Run] = []
    private var queue: [Int16] = []
    /// Frames of the queue that were heard already.
    private var played = 0
    /// When the frame at `played` is heard; nil while nothing plays.
    private var playingSince: Moment?
    private var ranDry = false

    /// - Parameters:
    ///   - period: how long one period lasts.
    ///   - periods: how many the buffer holds.
    package init(loop: any EventLoop, period: Interval = .milliseconds(20), periods: Int = 4) {
        self.loop = loop
        self.period = period
        self.periods = periods
    }

    package var isOpen: Bool { format != nil }

    package func open(rate: Int) throws(SpeakerError) -> SpeakerFormat {
        if faults.isGone { throw .gone }
        if faults.isBusy { throw .busy }
        if !faults.opens.isEmpty { throw faults.opens.removeFirst() }
        opens += 1
        let frames = max(1, Int(period.nanoseconds) * rate / 1_000_000_000)
        let format = SpeakerFormat(rate: rate, period: frames, buffer: frames * periods)
        self.format = format
        (queue, played, playingSince, ranDry) = ([], 0, nil, false)
        return format
    }

    package func write(_ samples: ArraySlice<Int16>) throws(SpeakerError) -> Int {
        let format = try usable()
        if !faults.writes.isEmpty {
            let fault = faults.writes.removeFirst()
            if fault == .underrun { runDry() }
            throw fault
        }
        let room = max(0, format.buffer - (queue.count - played))
        let taken = min(room, samples.count, faults.mostTaken)
        queue += samples.prefix(taken)
        if playingSince == nil, queue.count - played >= format.period {
            playingSince = loop.now
            runs.append(Run(at: loop.now, samples: []))
        }
        return taken
    }

    package func unplayed() throws(SpeakerError) -> Int {
        _ = try usable()
        return queue.count - played
    }

    package func awaitRoom() {
        settle()
        guard let format, !faults.isStalled else { return }
        let missing = format.period - (format.buffer - (queue.count - played))
        let moment = missing > 0 ? loop.now + .forCount(missing, perSecond: format.rate) : loop.now
        loop.schedule(at: moment) { [weak self] in self?.offerRoom() }
    }

    package func recover() throws(SpeakerError) {
        guard format != nil, !faults.isGone else { throw .gone }
        if faults.isSuspended { throw .suspended }
        recoveries += 1
        loseQueue()
    }

    package func drop() {
        settle()
        loseQueue()
    }

    package func close() {
        settle()
        loseQueue()
        format = nil
    }

    private func offerRoom() {
        guard isOpen, !faults.isStalled else { return }
        loop.post(.speaker(faults.isGone ? .failed(.gone) : .room))
    }

    private func usable() throws(SpeakerError) -> SpeakerFormat {
        settle()
        guard let format, !faults.isGone else { throw .gone }
        if faults.isSuspended { throw .suspended }
        if ranDry { throw .underrun }
        return format
    }

    /// As though the box had come too late: all that was queued was heard.
    private func runDry() {
        if played < queue.count {
            if playingSince == nil { runs.append(Run(at: loop.now, samples: [])) }
            runs[runs.count - 1].samples += queue[played...]
        }
        loseQueue()
        ranDry = true
    }

    private func loseQueue() { (queue, played, playingSince, ranDry) = ([], 0, nil, false) }

    /// Moves what was heard since the last look from the queue to the run.
    private func settle() {
        guard let format, let since = playingSince else { return }
        guard !faults.isStalled else {
            playingSince = loop.now
            return
        }
        let passed = max(0, (loop.now - since).nanoseconds)
        let frames =
            Int(passed / 1_000_000_000) * format.rate + Int(passed % 1_000_000_000) * format.rate / 1_000_000_000
        let count = min(frames, queue.count - played)
        runs[runs.count - 1].samples += queue[played..<played + count]
        played += count
        if played == queue.count, frames > count || frames == count && passed > 0 {
            playingSince = nil
            ranDry = true
            (queue, played) = ([], 0)
        } else {
            playingSince = since + Interval(nanoseconds: Int64(count) * 1_000_000_000 / Int64(format.rate))
            if played > 1 << 16 {
                queue.removeFirst(played)
                played = 0
            }
        }
    }
}
