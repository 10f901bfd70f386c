import BoxFoundation
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

// ALSA's own `file` and `null` devices: the real library, with no sound card.
@Suite("An ALSA speaker")
struct ALSASpeakerTests {
    private let loop: EpollLoop
    private let log = SilentLog()
    private let folder = TemporaryFolder()

    init() throws { loop = try EpollLoop() }

    @Test("What is written is in the file, frame for frame, an 80 ms clip too", arguments: [1280, 3201, 96_000])
    func file(frames: Int) throws {
        let speaker = ALSASpeaker("file:\(folder.path)/out.wav,wav", on: loop, log: log)
        let format = try speaker.open(rate: 16_000)
        #expect(format.rate == 16_000)
        #expect((320...1600).contains(format.period))
        #expect(format.buffer >= 4 * format.period)
        let samples = (0..<frames).map { Int16(truncatingIfNeeded: $0 &* 37) }
        try play(samples, on: speaker)
        speaker.close()
        let wav = try #require(folder.read("out.wav"))
        #expect(Array(wav[8..<12]) == Array("WAVE".utf8))
        let data = wav.suffix(2 * frames)
        let isSame = data.elementsEqual(
            samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        #expect(wav.count - 2 * frames == 44)
        #expect(isSame)
    }

    @Test("Room is told once for each asking, and not unasked")
    func room() throws {
        let speaker = ALSASpeaker("null", on: loop, log: log)
        _ = try speaker.open(rate: 16_000)
        loop.wait(until: loop.now)
        #expect(loop.next() == nil)
        speaker.awaitRoom()
        speaker.awaitRoom()
        loop.wait(until: loop.now + .seconds(1))
        #expect(loop.next()?.speaker == .room)
        loop.wait(until: loop.now + .milliseconds(2))
        #expect(loop.next() == nil)
    }

    @Test("A device that is not there is gone, and ALSA's own words are in the log, not on the screen")
    func gone() {
        let speaker = ALSASpeaker("hw:7,7", on: loop, log: log)
        #expect(throws: SpeakerError.gone) { try speaker.open(rate: 16_000) }
        #expect(log.entries.contains { $0.level == .debug && $0.text.contains("hw:7,7") })
        #expect(throws: SpeakerError.gone) { try speaker.write([1, 2, 3]) }
    }

    @Test("A name that ALSA does not know is gone as well")
    func unknown() {
        let speaker = ALSASpeaker("no-such-device", on: loop, log: log)
        #expect(throws: SpeakerError.gone) { try speaker.open(rate: 16_000) }
    }

    @Test("A closed speaker tells who awaits room that it is gone")
    func closed() {
        let speaker = ALSASpeaker("null", on: loop, log: log)
        speaker.awaitRoom()
        #expect(loop.next()?.speaker == .failed(.gone))
    }

    @Test("Dropped, it takes frames again; closed and opened again too")
    func drop() throws {
        let speaker = ALSASpeaker("null", on: loop, log: log)
        let format = try speaker.open(rate: 22_050)
        let period = [Int16](repeating: 1, count: format.period)
        #expect(try speaker.write(period[...]) == format.period)
        speaker.drop()
        #expect(try speaker.write(period[...]) == format.period)
        #expect(try speaker.unplayed() >= 0)
        try speaker.recover()
        speaker.close()
        _ = try speaker.open(rate: 22_050)
        #expect(try speaker.write(period[...]) == format.period)
    }

    private func play(_ samples: [Int16], on speaker: ALSASpeaker) throws {
        var rest = samples[...]
        var waits = 0
        while !rest.isEmpty, waits < 10_000 {
            let taken = try speaker.write(rest)
            rest = rest.dropFirst(taken)
            guard taken == 0 else { continue }
            waits += 1
            speaker.awaitRoom()
            loop.wait(until: loop.now + .seconds(1))
            #expect(loop.next()?.speaker == .room)
        }
    }
}

extension DeviceEvent {
    var speaker: SpeakerEvent? { if case .speaker(let event) = self { event } else { nil } }
}
