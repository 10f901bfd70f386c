import BoxFoundation
import HardwareInterface
import HardwareSimulated
import Testing
import VoiceAnnouncing

/// What the announcer makes of a device that fails (field reports, part 2).
@Suite struct SpeakerTroubleTests {
    private static let words = "微信收款，十二点五元"

    @Test("After an underrun the failed block is written again, in order, with one line in the log", arguments: 0...4)
    func writesAgain(block: Int) throws {
        let rig = try AnnouncerTests.rig()
        rig.pay(1, "12.50")
        rig.run(for: .milliseconds(3 + 20 * block))
        rig.speaker.faults.writes = [.underrun]
        rig.run(for: .seconds(5))
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.log.count == 1)
        let heard = rig.speaker.heard.flatMap(\.samples)
        let whole = try (heard: Self.trimmed(heard), phrase: AnnouncerTests.samples(Self.words))
        #expect(whole.heard == whole.phrase)
    }

    @Test("Three underruns in a row are recovered; more and the device is opened again for the same block")
    func endsUnderruns() throws {
        let rig = try AnnouncerTests.rig()
        rig.speaker.faults.writes = Array(repeating: .underrun, count: 4)
        rig.pay(1, "12.50")
        rig.run(for: .seconds(5))
        #expect(rig.speaker.opens == 2)
        #expect(rig.speaker.recoveries == 3)
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.spoken.count == 1)
        #expect(rig.log.count == 1)
    }

    @Test("Endless underruns end as failed, and the next phrase is said")
    func endlessUnderruns() throws {
        let rig = try AnnouncerTests.rig()
        rig.speaker.faults.writes = Array(repeating: .underrun, count: 1000)
        rig.pay(1, "12.50")
        rig.run(for: .seconds(60))
        #expect(rig.ended.map(\.end) == [.failed])
        rig.speaker.faults.writes = []
        rig.pay(2, "1")
        rig.run(for: .seconds(10))
        #expect(rig.ended.map(\.end) == [.failed, .announced])
    }

    @Test("A device that is busy or not there yet is opened again, and phrases keep their order")
    func waitsForTheDevice() throws {
        let rig = try AnnouncerTests.rig()
        rig.speaker.faults.isBusy = true
        rig.pay(1, "1")
        rig.pay(2, "2")
        rig.run(for: .seconds(6))
        #expect(rig.begun.isEmpty)
        rig.speaker.faults.isBusy = false
        rig.run(for: .seconds(15))
        #expect(rig.ended.map(\.id) == [1, 2])
        #expect(rig.ended.allSatisfy { $0.end == .announced })
        #expect(rig.log.count == 2, "missed, then back: \(rig.log)")
    }

    @Test("Without a device a phrase fails after twenty seconds, those behind it at once; a new one tries again")
    func failsWithoutADevice() throws {
        let rig = try AnnouncerTests.rig()
        rig.speaker.faults.isGone = true
        for id in 1...20 { rig.pay(Int64(id), "1") }
        rig.run(for: .seconds(19))
        #expect(rig.ended.isEmpty)
        rig.run(for: .seconds(2))
        #expect(rig.ended.map(\.id) == Array(1...20))
        #expect(rig.ended.allSatisfy { $0.end == .failed })
        #expect(rig.log.count == 1)
        rig.run(for: .seconds(10))
        rig.speaker.faults.isGone = false
        rig.pay(21, "1")
        rig.run(for: .seconds(10))
        #expect(rig.ended.last?.end == .announced)
    }

    @Test("With no speaker configured everything ends at once")
    func hasNoSpeaker() throws {
        let rig = try AnnouncerTests.rig(AnnouncerSettings(hasNoSpeaker: true))
        for id in 1...3000 { rig.pay(Int64(id), "1") }
        #expect(rig.ended.count == 3000)
        #expect(rig.log.isEmpty)
    }

    @Test(
        "A device lost inside a phrase: the phrase comes again from its start, marked",
        arguments: [
            SpeakerError.gone, .failed("snd_pcm_writei: EIO"), .suspended,
        ])
    func saysAgainMarked(error: SpeakerError) throws {
        let rig = try AnnouncerTests.rig()
        rig.pay(1, "12.50")
        rig.run(for: .milliseconds(300))
        rig.speaker.faults.writes = [error]
        rig.run(for: .seconds(10))
        #expect(rig.spoken == [Self.words, "补报，" + Self.words])
        #expect(rig.begun.count == 1)
        #expect(rig.ended.map(\.end) == [.announced])
        let marked = try AnnouncerTests.samples("补报，" + Self.words)
        #expect(rig.heard.last == marked)
    }

    @Test("Lost before its first sample, the phrase is not marked")
    func notMarkedBeforeSound() throws {
        let rig = try AnnouncerTests.rig()
        rig.speaker.faults.writes = [.gone]
        rig.pay(1, "12.50")
        rig.run(for: .seconds(10))
        #expect(rig.spoken == [Self.words, Self.words])
        #expect(rig.ended.map(\.end) == [.announced])
    }

    @Test("A device that stops asking is reset by its deadline; a phrase that hangs twice fails and the next is said")
    func resetsAHungDevice() throws {
        let rig = try AnnouncerTests.rig()
        rig.pay(1, "12.50")
        rig.pay(2, "1")
        rig.run(for: .milliseconds(300))
        rig.speaker.faults.isStalled = true
        rig.run(for: .seconds(5))
        #expect(rig.ended.map(\.end) == [.failed])
        rig.speaker.faults.isStalled = false
        rig.run(for: .seconds(15))
        #expect(rig.ended.map(\.id) == [1, 2])
        #expect(rig.ended.last?.end == .announced)
    }

    @Test("A suspended device is recovered when the system wakes")
    func wakes() throws {
        let rig = try AnnouncerTests.rig()
        rig.pay(1, "12.50")
        rig.run(for: .milliseconds(300))
        rig.speaker.faults.isSuspended = true
        rig.run(for: .milliseconds(500))
        rig.speaker.faults.isSuspended = false
        rig.run(for: .seconds(10))
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.spoken.last == "补报，" + Self.words)
    }

    @Test("The device stays open for the hold, with silence running, and closes behind it")
    func holds() throws {
        let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .milliseconds(200), hold: .milliseconds(2000)))
        for id in 1...3 {
            rig.pay(Int64(id), "1")
            rig.run(for: .milliseconds(3000))
        }
        #expect(rig.speaker.opens == 1)
        #expect(rig.speaker.heard.count == 1, "one run without a break")
        rig.run(for: .milliseconds(2500))
        #expect(!rig.speaker.isOpen)
    }

    @Test("Lead-in comes before the first sound of a closed device, and never between phrases")
    func leadsIn() throws {
        let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .milliseconds(200), hold: .zero))
        rig.pay(1, "1")
        rig.pay(2, "1")
        rig.run(for: .seconds(10))
        rig.pay(3, "1")
        rig.run(for: .seconds(10))
        let silences = rig.speaker.heard.map { run in run.samples.prefix { $0 == 0 }.count }
        let own = try #require(AnnouncerTests.chinese.get().phrase("微信收款，一元"))
        let phrase = try AnnouncerTests.chinese.get().samples(of: own)
        let first = phrase.prefix { $0 == 0 }.count
        #expect(silences == [4800 + first, 4800 + first])
        let both = try #require(rig.speaker.heard.first).samples.count
        #expect((0...960).contains(both - 4800 - 2 * phrase.count), "the second follows within two periods")
    }

    private static func trimmed(_ samples: [Int16]) throws -> [Int16] {
        let first = try #require(samples.firstIndex { $0 != 0 })
        let last = try #require(samples.lastIndex { $0 != 0 })
        return Array(samples[first...last])
    }
}
