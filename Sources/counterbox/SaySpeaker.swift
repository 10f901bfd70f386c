// Speaks amounts with the box's own announcer on a sound device, and waits until they are heard.

import BoxAssembly
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux
import VoiceAnnouncing

final class SaySpeaker {
    private let loop: EpollLoop
    private let speaker: ALSASpeaker
    private let speech: EspeakProgram
    private var speeches: UInt64 = 0
    private var announcer: Announcer
    private var timers: [AnnouncerTimer: Moment] = [:]
    private var left: Int
    private var failed = 0

    static func play(
        _ payments: [Payment], voice: Voice, device: String, _ settings: SpeakerSettings
    ) throws(VerbFailure) {
        let speaker: SaySpeaker
        do {
            speaker = try SaySpeaker(voice, device, settings, count: payments.count)
        } catch {
            throw .failure(error.message)
        }
        speaker.run(payments)
        guard speaker.failed == 0 else {
            throw .failure(
                "\(speaker.failed) of \(payments.count) amounts could not be spoken: look at the speaker \(device)")
        }
    }

    private init(_ voice: Voice, _ device: String, _ settings: SpeakerSettings, count: Int) throws(SystemError) {
        loop = try EpollLoop()
        speaker = ALSASpeaker(device, on: loop, log: StandardLog())
        speech = EspeakProgram(on: loop)
        announcer = Announcer(
            voices: [voice], settings: AnnouncerSettings(rush: .max, leadIn: settings.leadIn, hold: .zero),
            volume: .full)
        left = count
    }

    private func run(_ payments: [Payment]) {
        for (i, payment) in payments.enumerated() {
            take(announcer.announce(Announcement(id: AnnouncementID(-Int64(i) - 1), .payment(payment)), at: loop.now))
        }
        while left > 0 {
            loop.wait(until: timers.values.min())
            while let event = loop.next() { take(event) }
            for timer in AnnouncerTimer.allCases where timers[timer].map({ $0 <= loop.now }) ?? false {
                timers[timer] = nil
                take(announcer.timer(timer, at: loop.now))
            }
        }
    }

    private func take(_ event: DeviceEvent) {
        switch event {
        case .speaker(let event): take(announcer.handle(PlaybackEvent(event), at: loop.now))
        case .speech(let id, let event) where id.number == speeches:
            take(announcer.speech(event, at: loop.now))
        default: break
        }
    }

    private func take(_ outputs: [AnnouncerOutput]) {
        for output in outputs {
            switch output {
            case .ended(let ids, let end):
                left -= ids.count
                if end == .failed { failed += ids.count }
            case .timer(let timer, let moment): timers[timer] = moment
            case .log(let entry): if entry.level <= .warning { Terminal.complain(entry.text) }
            case .speak(let words, let language):
                speeches += 1
                speech.speak(SpeechID(speeches), words, language: language)
            case .stopSpeech:
                speeches += 1
                speech.stop()
            case .begin, .speaking, .stopped: break
            default:
                if let call = SpeakerCall(output), let answer = call.perform(on: speaker) {
                    take(announcer.handle(answer, at: loop.now))
                }
            }
        }
    }
}
