// The voice of the box: what waits, what is being said, on a device that may fail. Never two voices at once, and nothing
// is dropped: every announcement ends exactly once.
//
// The way of one phrase: its turn comes -> the device is ready -> `begin` (journaled) -> `begun` -> samples -> the last
// one heard -> `ended`.

import BoxFoundation
import HardwareInterface

/// The voice of the box: a queue, one phrase at a time, on a device that may fail. Every announcement ends exactly
/// once.
package struct Announcer {
    /// Times that a phrase cut off by the device is said again before it counts as failed.
    package static let mostInterruptions = 1
    /// Times that a device which opens but takes no sound is tried again for one phrase.
    package static let mostFruitless = 2
    /// After `finish`, a phrase that ends within this is said to its end.
    package static let mostFinish = Interval.seconds(4)
    /// After an outage payments are gathered this long.
    package static let gathering = Interval.seconds(5)
    /// The speech program has this long for its first samples, and as long again for all of them.
    package static let mostSpeechWait = Interval.seconds(3)

    private enum Stage: Equatable {
        case idle
        /// Waiting for the device.
        case preparing
        /// Waiting for the journal.
        case beginning
        /// Waiting for the speech program's first samples.
        case synthesising
        case speaking
    }

    private var speech: AnnouncementWords
    private var settings: AnnouncerSettings
    private var queue = AnnouncementQueue()
    private var playback: Playback
    private var stage = Stage.idle
    private var current: AnnouncementQueue.Entry?
    private var format = SpeakerFormat(rate: 0, period: 1, buffer: 1)
    private var isBegun = false
    private var volume: Volume
    private var isMuted = false
    private var isQuiet = false
    /// The stream of free text being said.
    private var text: SpokenText?
    private var isFinishing = false

    /// - Parameters:
    ///   - voices: the box's own language first; others for pushes that ask for them.
    ///   - volume: as it was kept.
    package init(
        voices: [Voice], settings: AnnouncerSettings = AnnouncerSettings(),
        volume: Volume = AnnouncerSettings.volumeAtFirst
    ) {
        speech = AnnouncementWords(voices: voices)
        self.settings = settings
        self.volume = volume
        playback = Playback(settings: settings.playback, volume: volume)
    }

    // MARK: What is asked

    /// Puts an announcement in the queue. Ends it at once where there is nothing to say.
    package mutating func announce(_ announcement: Announcement, at now: Moment) -> [AnnouncerOutput] {
        if case .payment(let payment) = announcement.content, AnnouncementWords.isSilent(payment) {
            return [.ended([announcement.id], .silent)]
        }
        queue.add(announcement, rush: settings.rush, ahead: current == nil ? 0 : 1, at: now)
        return advance(at: now)
    }

    /// The journal has the beginning (or can't keep it, and the box speaks all the same).
    package mutating func begun(_ ids: [AnnouncementID], at now: Moment) -> [AnnouncerOutput] {
        guard stage == .beginning, current?.ids.filter(\.isJournaled) == ids else { return [] }
        isBegun = true
        let outputs = speak(at: now)
        return outputs + advance(at: now)
    }

    package mutating func handle(_ event: PlaybackEvent, at now: Moment) -> [AnnouncerOutput] {
        let outputs = perform(playback.handle(event, at: now), at: now)
        return outputs + advance(at: now)
    }

    package mutating func timer(_ timer: AnnouncerTimer, at now: Moment) -> [AnnouncerOutput] {
        let outputs =
            timer == .speech ? speechLate(at: now) : perform(playback.timer(timer, at: now), at: now)
        return outputs + advance(at: now)
    }

    /// What the speech program made of the words of `speak`.
    package mutating func speech(_ event: SpeechEvent, at now: Moment) -> [AnnouncerOutput] {
        let outputs =
            switch event {
            case .samples(let samples, let rate): speechSamples(samples, rate: rate, at: now)
            case .ended: speechEnded(at: now)
            case .failed(let why): speechFailed(why, at: now)
            }
        return outputs + advance(at: now)
    }

    /// Heard at once, without a click.
    package mutating func setVolume(_ volume: Volume) {
        self.volume = volume
        playback.set(effectiveVolume)
    }

    package mutating func setMuted(_ isMuted: Bool) {
        self.isMuted = isMuted
        playback.set(effectiveVolume)
    }

    /// The civil time, for the quiet hours: told every minute; nil where the box does not know it.
    package mutating func setTimeOfDay(minute: Int?) {
        isQuiet = minute.flatMap { minute in settings.quiet?.contains(minute: minute) } ?? false
        playback.set(effectiveVolume)
    }

    /// A hub was welcomed after an outage: what comes in the next seconds is told as one.
    package mutating func outageEnded(at now: Moment) -> [AnnouncerOutput] {
        queue.gather(until: now + Self.gathering)
        return []
    }

    /// Takes an announcement of the box's own back, cutting it off where it is being said. Unknown ids do nothing.
    package mutating func cut(_ id: AnnouncementID, at now: Moment) -> [AnnouncerOutput] {
        if queue.remove(id) != nil { return [.takenBack(id, wasBegun: false)] }
        guard current?.ids == [id] else { return [] }
        let wasBegun = stage == .speaking
        let outputs = stopText() + perform(playback.cut(), at: now)
        return outputs + [.takenBack(id, wasBegun: wasBegun)] + rest(at: now) + advance(at: now)
    }

    /// The box stops: no new phrase begins. The present one is said to its end if that comes within `mostFinish`, else
    /// it is cut off and does not end, so that it comes again marked. `stopped` follows.
    package mutating func finish(at now: Moment) -> [AnnouncerOutput] {
        guard !isFinishing else { return [] }
        isFinishing = true
        let isWhole = text?.isComplete ?? true
        if stage == .speaking, playback.isPlaying, isWhole, playback.remaining <= Self.mostFinish { return [] }
        let outputs = stage == .idle ? [] : stopText() + perform(playback.cut(), at: now)
        stage = .idle
        current = nil
        return outputs + [.stopped]
    }

    // MARK: What is there

    /// Announcements that wait, the one being said not counted.
    package var waiting: Int { queue.count }

    package var isSpeaking: Bool { stage != .idle }

    package var voice: Voice? { speech.own }

    // MARK: The way of a phrase

    /// Called last by whatever was asked or happened: takes the next phrase where nothing is being said.
    private mutating func advance(at now: Moment) -> [AnnouncerOutput] {
        var outputs: [AnnouncerOutput] = []
        while stage == .idle, !isFinishing {
            guard var entry = queue.take(at: now) else {
                if let wait = queue.waitsUntil { outputs.append(.timer(.gather, at: wait)) }
                return outputs
            }
            outputs += expire(&entry, at: now)
            guard !entry.members.isEmpty else { continue }
            current = entry
            isBegun = false
            stage = .preparing
            outputs += perform(playback.prepare(rate: speech.rate(of: entry), at: now), at: now)
        }
        return outputs
    }

    /// Ends what became too old while it waited.
    private func expire(_ entry: inout AnnouncementQueue.Entry, at now: Moment) -> [AnnouncerOutput] {
        let old = entry.members.filter { $0.expires.map { now > $0 } ?? false }.map(\.id)
        guard !old.isEmpty else { return [] }
        entry.members.removeAll { old.contains($0.id) }
        return [.ended(old, .expired)]
    }

    private mutating func ready(_ format: SpeakerFormat, at now: Moment) -> [AnnouncerOutput] {
        guard stage == .preparing, var entry = current else { return [] }
        self.format = format
        var outputs: [AnnouncerOutput] = []
        if !isBegun { outputs = expire(&entry, at: now) }
        guard !entry.members.isEmpty else {
            stage = .idle
            current = nil
            return outputs + perform(playback.release(at: now), at: now)
        }
        current = entry
        let journaled = entry.ids.filter(\.isJournaled)
        guard !isBegun, !journaled.isEmpty else { return outputs + speak(at: now) }
        stage = .beginning
        return outputs + [.begin(journaled)]
    }

    private mutating func speak(at now: Moment) -> [AnnouncerOutput] {
        guard let entry = current else { return [] }
        playback.set(effectiveVolume)
        guard let spoken = speech.phrase(of: entry) else { return speakText(of: entry, at: now) }
        stage = .speaking
        let samples = chime(before: entry) + spoken.samples
        return [.speaking(entry.ids, words: spoken.words)] + perform(playback.play(atRate(samples), at: now), at: now)
    }

    private func chime(before entry: AnnouncementQueue.Entry) -> [Int16] {
        guard settings.chimesFirst, entry.ids.contains(where: \.isJournaled) else { return [] }
        return settings.chime?.samples(at: speech.rate(of: entry)) ?? []
    }

    /// A device may agree to another rate than that of the clips.
    private func atRate(_ samples: [Int16]) -> [Int16] {
        let rate = current.map { speech.rate(of: $0) } ?? format.rate
        guard rate != format.rate else { return samples }
        return SoundConverter(from: rate, to: format.rate).convert(samples, isLast: true)
    }

    private mutating func end(_ end: VoiceEnd, at now: Moment) -> [AnnouncerOutput] {
        guard let entry = current else { return [] }
        return [.ended(entry.ids, end == .announced && entry.members.count > 1 ? .merged : end)] + rest(at: now)
    }

    /// Nothing is being said any more.
    private mutating func rest(at now: Moment) -> [AnnouncerOutput] {
        current = nil
        stage = .idle
        text = nil
        playback.set(effectiveVolume)
        return perform(playback.release(at: now), at: now)
    }

    private mutating func finished(at now: Moment) -> [AnnouncerOutput] {
        end(text?.hasFailed == true ? .failed : .announced, at: now) + (isFinishing ? [.stopped] : [])
    }

    /// Said again from its start, marked where some of it may have been heard.
    private mutating func interrupted(_ hasBegun: Bool, at now: Moment) -> [AnnouncerOutput] {
        guard var entry = current else { return [] }
        let outputs = stopText()
        if !hasBegun {
            entry.fruitless += 1
        } else {
            entry.interruptions += 1
            for i in entry.members.indices { entry.members[i].isRepeated = true }
        }
        current = entry
        guard !isFinishing else {
            current = nil
            stage = .idle
            return outputs + [.stopped]
        }
        guard entry.interruptions <= Self.mostInterruptions, entry.fruitless <= Self.mostFruitless else {
            return outputs + end(.failed, at: now)
        }
        stage = .preparing
        return outputs + perform(playback.prepare(rate: speech.rate(of: entry), at: now), at: now)
    }

    private var effectiveVolume: Volume {
        if isMuted { return .silent }
        if let own = current?.members.first?.volume { return own }
        return isQuiet ? min(volume, settings.quiet?.volume ?? volume) : volume
    }

    private mutating func perform(_ outputs: [PlaybackOutput], at now: Moment) -> [AnnouncerOutput] {
        outputs.flatMap { output -> [AnnouncerOutput] in
            switch output {
            case .open(let rate): [.open(rate: rate)]
            case .write(let samples): [.write(samples)]
            case .awaitRoom: [.awaitRoom]
            case .askUnplayed: [.askUnplayed]
            case .recover: [.recover]
            case .drop: [.drop]
            case .close: [.close]
            case .timer(let timer, let moment): [.timer(timer, at: moment)]
            case .log(let entry): [.log(entry)]
            case .ready(let format): ready(format, at: now)
            case .unavailable: end(.failed, at: now)
            case .finished: finished(at: now)
            case .interrupted(let hasBegun): interrupted(hasBegun, at: now)
            }
        }
    }

    // MARK: Free text

    private mutating func speakText(of entry: AnnouncementQueue.Entry, at now: Moment) -> [AnnouncerOutput] {
        stage = .synthesising
        text = SpokenText(words: speech.words(of: entry))
        let language = speech.language(of: entry)
        return [
            .speak(words: text?.words ?? "", language: language), .timer(.speech, at: now + Self.mostSpeechWait),
        ]
    }

    private mutating func speechSamples(_ samples: [Int16], rate: Int, at now: Moment) -> [AnnouncerOutput] {
        guard text != nil, text?.isComplete == false, let entry = current, rate > 0 else { return [] }
        let converted = text?.take(samples, from: rate, to: format.rate) ?? []
        guard stage == .synthesising else {
            let outputs = perform(playback.append(converted, isComplete: false, at: now), at: now)
            return text?.isTooLong == true ? outputs + [.stopSpeech] + speechEnded(at: now) : outputs
        }
        stage = .speaking
        let words = text?.words ?? ""
        return [.timer(.speech, at: now + Self.mostSpeechWait), .speaking(entry.ids, words: words)]
            + perform(playback.play(atRate(chime(before: entry)) + converted, isComplete: false, at: now), at: now)
    }

    private mutating func speechEnded(at now: Moment) -> [AnnouncerOutput] {
        guard text?.isComplete == false else { return [] }
        guard stage == .speaking else { return speechFailed("it made no sound", at: now) }
        let rest = text?.finish() ?? []
        return [.timer(.speech, at: nil)] + perform(playback.append(rest, isComplete: true, at: now), at: now)
    }

    /// What was made is said to its end; with nothing made, a chime says that there was something.
    private mutating func speechFailed(_ why: String, at now: Moment) -> [AnnouncerOutput] {
        guard text?.isComplete == false, let entry = current else { return [] }
        text?.hasFailed = true
        let rest = text?.finish() ?? []
        let words = text?.words ?? ""
        let log = LogEntry(.warning, "voice", "\"\(words)\" can't be said (\(why)); install espeak-ng for free texts")
        let outputs: [AnnouncerOutput] = [.log(log), .timer(.speech, at: nil)]
        if stage == .speaking {
            return outputs + perform(playback.append(rest, isComplete: true, at: now), at: now)
        }
        guard let chime = settings.chime else { return outputs + end(.failed, at: now) }
        stage = .speaking
        let samples = atRate(chime.samples(at: speech.rate(of: entry)))
        return outputs + perform(playback.play(samples, at: now), at: now)
    }

    private mutating func speechLate(at now: Moment) -> [AnnouncerOutput] {
        guard text?.isComplete == false else { return [] }
        return [.stopSpeech] + speechFailed("it took too long", at: now)
    }

    private mutating func stopText() -> [AnnouncerOutput] {
        defer { text = nil }
        return text?.isComplete == false ? [.stopSpeech, .timer(.speech, at: nil)] : []
    }
}
