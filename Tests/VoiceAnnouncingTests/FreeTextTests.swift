import BoxFoundation
import Testing
import VoiceAnnouncing

/// Texts that no clips say: a speech program makes samples, or a chime stands in.
@Suite struct FreeTextTests {
    private static let words = "今天下午三点停电"

    private static func rig(chime: Bool = true) throws -> AnnouncerRig {
        let bytes = try #require(Fixtures.file("bell.wav", of: "chime"))
        let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .zero, chime: chime ? Chime(bytes) : nil))
        let payment = Payment(kind: .notice, speech: .text("今天下午3点停电"))
        rig.announce(Announcement(id: AnnouncementID(1), .payment(payment)))
        rig.run(for: .milliseconds(10))
        return rig
    }

    private static func tone(_ count: Int) -> [Int16] { (0..<count).map { Int16(($0 % 200 - 100) * 100) } }

    @Test("A text goes to the speech program with its digits in words, and is heard while it is made")
    func streams() throws {
        let rig = try Self.rig()
        #expect(rig.asked == [Self.words])
        #expect(rig.begun == [AnnouncementID(1)])
        rig.perform(rig.announcer.speech(.samples(Self.tone(12_000), rate: 24_000), at: rig.loop.now))
        #expect(rig.spoken == [Self.words])
        rig.run(for: .milliseconds(200))
        rig.perform(rig.announcer.speech(.samples(Self.tone(12_000), rate: 24_000), at: rig.loop.now))
        rig.perform(rig.announcer.speech(.ended, at: rig.loop.now))
        rig.run(for: .seconds(3))
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.heard == [Self.tone(12_000) + Self.tone(12_000)])
    }

    @Test("Speech at another rate is heard at its own length")
    func converts() throws {
        let rig = try Self.rig()
        for _ in 0..<10 { rig.perform(rig.announcer.speech(.samples(Self.tone(2205), rate: 22_050), at: rig.loop.now)) }
        rig.perform(rig.announcer.speech(.ended, at: rig.loop.now))
        rig.run(for: .seconds(3))
        #expect(rig.ended.map(\.end) == [.announced])
        let heard = rig.heard.flatMap { $0 }.count
        #expect(abs(heard - 24_000) < 100, "\(heard)")
    }

    @Test("A device that starves while the speech is made goes on with what comes")
    func starves() throws {
        let rig = try Self.rig()
        rig.perform(rig.announcer.speech(.samples(Self.tone(4800), rate: 24_000), at: rig.loop.now))
        rig.run(for: .seconds(1))
        rig.perform(rig.announcer.speech(.samples(Self.tone(4800), rate: 24_000), at: rig.loop.now))
        rig.perform(rig.announcer.speech(.ended, at: rig.loop.now))
        rig.run(for: .seconds(2))
        #expect(rig.ended.map(\.end) == [.announced])
        #expect(rig.heard.flatMap { $0 } == Self.tone(4800) + Self.tone(4800))
    }

    @Test("Without a speech program a chime is heard, the log tells, and the voice has failed")
    func chimes() throws {
        let rig = try Self.rig()
        rig.perform(rig.announcer.speech(.failed("espeak-ng is not installed"), at: rig.loop.now))
        rig.run(for: .seconds(2))
        #expect(rig.ended.map(\.end) == [.failed])
        #expect(!rig.heard.flatMap { $0 }.isEmpty)
        #expect(rig.log.count == 1)
    }

    @Test("Without a chime too it ends as failed, and the next payment is said")
    func failsSilently() throws {
        let rig = try Self.rig(chime: false)
        rig.pay(2, "1")
        rig.perform(rig.announcer.speech(.failed("espeak-ng is not installed"), at: rig.loop.now))
        rig.run(for: .seconds(5))
        #expect(rig.ended.map(\.end) == [.failed, .announced])
    }

    @Test("A program that says nothing is stopped on time")
    func stopsALateProgram() throws {
        let rig = try Self.rig(chime: false)
        rig.run(for: Announcer.mostSpeechWait + .milliseconds(1))
        #expect(rig.asked == [Self.words, "stop"])
        #expect(rig.ended.map(\.end) == [.failed])
    }

    @Test("A program that never comes to its end is stopped, and what it said is heard")
    func stopsAnEndlessProgram() throws {
        let rig = try Self.rig(chime: false)
        rig.perform(rig.announcer.speech(.samples(Self.tone(24_000), rate: 24_000), at: rig.loop.now))
        rig.run(for: .seconds(8))
        #expect(rig.asked == [Self.words, "stop"])
        #expect(rig.heard.flatMap { $0 } == Self.tone(24_000))
        #expect(rig.ended.map(\.end) == [.failed])
    }

    @Test("Events of a program that was stopped do nothing")
    func ignoresLateEvents() throws {
        let rig = try Self.rig(chime: false)
        rig.run(for: .seconds(4))
        rig.perform(rig.announcer.speech(.samples(Self.tone(100), rate: 24_000), at: rig.loop.now))
        rig.perform(rig.announcer.speech(.ended, at: rig.loop.now))
        rig.run(for: .seconds(1))
        #expect(rig.ended.count == 1)
        #expect(rig.heard.flatMap { $0 }.isEmpty)
    }
}

extension FreeTextTests {
    @Test("While the program works the device stays open, and closes where nothing is said")
    func keepsTheDevice() throws {
        let bytes = try #require(Fixtures.file("bell.wav", of: "chime"))
        for chime in [Chime(bytes), nil] {
            let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .zero, hold: .milliseconds(500), chime: chime))
            rig.pay(1, "1")
            rig.announce(Announcement(id: AnnouncementID(2), .payment(Payment(kind: .notice, speech: .text("停电")))))
            rig.run(for: .seconds(3))
            #expect(rig.asked == ["停电"])
            rig.run(for: .seconds(2))
            #expect(rig.speaker.isOpen)
            rig.run(for: .seconds(5))
            #expect(rig.ended.map(\.end) == [.announced, .failed])
            #expect(rig.speaker.opens == 1)
            #expect(!rig.speaker.isOpen)
        }
    }
}
