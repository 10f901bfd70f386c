// The announcer on a simulated speaker and a loop whose time the test moves: performs outputs as the box does.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import VoiceAnnouncing

/// The least event loop: work by moment, then by order.
final class TestLoop: EventLoop {
    private(set) var now = Moment.zero + .seconds(1000)
    private var events: [DeviceEvent] = []
    private var works: [(at: Moment, work: () -> Void)] = []

    func post(_ event: DeviceEvent) { events.append(event) }
    func next() -> DeviceEvent? { events.isEmpty ? nil : events.removeFirst() }
    func schedule(at moment: Moment, _ work: @escaping () -> Void) { works.append((max(moment, now), work)) }

    func wait(until deadline: Moment?) {
        guard events.isEmpty else { return }
        guard let moment = (works.map(\.at) + [deadline].compactMap { $0 }).min() else { return }
        now = max(now, moment)
        while let place = works.firstIndex(where: { $0.at <= now }) { works.remove(at: place).work() }
    }
}

final class AnnouncerRig {
    let loop = TestLoop()
    let speaker: SimulatedSpeaker
    var announcer: Announcer
    private(set) var begun: [AnnouncementID] = []
    private(set) var spoken: [String] = []
    private(set) var spokenAt: [Moment] = []
    private(set) var ended: [(id: Int64, end: VoiceEnd)] = []
    private(set) var log: [String] = []
    private(set) var isStopped = false
    private(set) var asked: [String] = []
    /// Runs before each `begun`: what the journal's commit takes.
    var commitTakes = Interval.milliseconds(3)
    /// What the speech program answers; nil: it says nothing.
    var speechAnswers: [SpeechEvent]?
    private var timers: [(timer: AnnouncerTimer, at: Moment)] = []
    private var commits: [(ids: [AnnouncementID], at: Moment)] = []
    private(set) var lastPrompt: Int64 = 0

    init(
        voices: [Voice], settings: AnnouncerSettings = AnnouncerSettings(leadIn: .zero), volume: Volume = .full,
        period: Interval = .milliseconds(20), periods: Int = 4
    ) {
        speaker = SimulatedSpeaker(loop: loop, period: period, periods: periods)
        announcer = Announcer(voices: voices, settings: settings, volume: volume)
    }

    func pay(_ id: Int64, _ amount: String, channel: PaymentChannel = .wechat, repeated: Bool = false, ttl: Int = 600) {
        let payment = Payment(kind: .payment, amount: Money(amount), channel: channel)
        announce(
            Announcement(
                id: AnnouncementID(id), .payment(payment), isRepeated: repeated, expires: loop.now + .seconds(ttl)))
    }

    func prompt(_ prompt: VoicePrompt, urgent: Bool = false) {
        lastPrompt -= 1
        announce(Announcement(id: AnnouncementID(lastPrompt), .prompts([prompt]), isUrgent: urgent))
    }

    func announce(_ announcement: Announcement) { perform(announcer.announce(announcement, at: loop.now)) }

    func perform(_ outputs: [AnnouncerOutput]) { for output in outputs { perform(output) } }

    /// Moves time on, doing what falls due.
    func run(for interval: Interval) { run(until: loop.now + interval) }

    func run(until end: Moment) {
        while true {
            while let event = loop.next() { take(event) }
            let due = (timers.map(\.at) + commits.map(\.at)).min()
            if let due, due <= loop.now {
                fire()
            } else if loop.now < end {
                loop.wait(until: min(due ?? end, end))
            } else {
                return
            }
        }
    }

    /// Every timer once more, whether it is set or not: early and double events must do no harm.
    func disturbTimers() {
        for timer in AnnouncerTimer.allCases { perform(announcer.timer(timer, at: loop.now)) }
    }

    /// Samples heard, silence at both ends of each run left out.
    var heard: [[Int16]] {
        speaker.heard.map { run in
            let first = run.samples.firstIndex { $0 != 0 } ?? run.samples.endIndex
            let last = run.samples.lastIndex { $0 != 0 } ?? run.samples.startIndex
            return first <= last ? Array(run.samples[first...last]) : []
        }
    }

    private func take(_ event: DeviceEvent) {
        guard case .speaker(let event) = event else { return }
        switch event {
        case .room: perform(announcer.handle(.room, at: loop.now))
        case .failed(let error): perform(announcer.handle(.failed(error), at: loop.now))
        }
    }

    private func fire() {
        if let place = commits.firstIndex(where: { $0.at <= loop.now }) {
            let commit = commits.remove(at: place)
            perform(announcer.begun(commit.ids, at: loop.now))
        } else if let place = timers.firstIndex(where: { $0.at <= loop.now }) {
            let timer = timers.remove(at: place)
            perform(announcer.timer(timer.timer, at: loop.now))
        }
    }

    private func perform(_ output: AnnouncerOutput) {
        switch output {
        case .begin(let ids):
            begun += ids
            commits.append((ids, loop.now + commitTakes))
        case .speaking(_, let words):
            spoken.append(words)
            spokenAt.append(loop.now)
        case .ended(let ids, let end): ended += ids.map { ($0.number, end) }
        case .timer(let timer, let moment):
            timers.removeAll { $0.timer == timer }
            if let moment { timers.append((timer, moment)) }
        case .log(let entry): log.append(entry.text)
        case .stopped: isStopped = true
        case .speak(let words, _): speak(words)
        case .stopSpeech: asked.append("stop")
        default: if let event = device(output) { perform(announcer.handle(event, at: loop.now)) }
        }
    }

    private func speak(_ words: String) {
        asked.append(words)
    }

    /// Calls the device; nil where the call has no answer.
    private func device(_ output: AnnouncerOutput) -> PlaybackEvent? {
        do {
            switch output {
            case .open(let rate): return .opened(try speaker.open(rate: rate))
            case .write(let samples): return .wrote(try speaker.write(samples))
            case .askUnplayed: return .unplayed(try speaker.unplayed())
            case .recover:
                try speaker.recover()
                return .recovered
            case .awaitRoom: speaker.awaitRoom()
            case .drop: speaker.drop()
            case .close: speaker.close()
            default: break
            }
            return nil
        } catch { return .failed(error) }
    }
}
