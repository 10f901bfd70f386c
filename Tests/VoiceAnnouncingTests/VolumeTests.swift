import BoxFoundation
import Testing
import VoiceAnnouncing

@Suite struct VolumeTests {
    private static func loudest(_ samples: [Int16]) -> Int { samples.map { abs(Int($0)) }.max() ?? 0 }

    @Test("Volume is perceptual: 0 is silence, 100 the clips as they are, 50 about 18 dB less")
    func scales() throws {
        let full = Self.loudest(try AnnouncerTests.samples("微信收款，一元"))
        for (volume, part) in [(100, 1.0), (50, 0.125), (10, 0.001), (0, 0)] {
            let rig = try AnnouncerTests.rig(volume: Volume(volume))
            rig.pay(1, "1")
            rig.run(for: .seconds(4))
            #expect(rig.ended.map(\.end) == [.announced])
            let loudest = Self.loudest(rig.speaker.heard.flatMap(\.samples))
            #expect(abs(Double(loudest) - Double(full) * part) <= 1)
        }
        #expect(Volume(101) == .full)
        #expect(Volume(-1) == .silent)
    }

    @Test("A change while speaking makes no step that the speech has not")
    func changesWithoutAClick() throws {
        let rig = try AnnouncerTests.rig(volume: .full)
        rig.pay(1, "12.50")
        rig.run(for: .milliseconds(400))
        rig.announcer.setVolume(Volume(30))
        rig.run(for: .milliseconds(300))
        rig.announcer.setMuted(true)
        rig.run(for: .milliseconds(300))
        rig.announcer.setMuted(false)
        rig.run(for: .seconds(3))
        func step(_ samples: [Int16]) -> Int {
            zip(samples, samples.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        }
        let heard = rig.speaker.heard.flatMap(\.samples)
        let phrase = try AnnouncerTests.samples("微信收款，十二点五元")
        #expect(step(heard) <= step(phrase) + 150)
        #expect(rig.ended.map(\.end) == [.announced])
    }

    @Test("A volume for one announcement does not leak into the next")
    func leaksNothing() throws {
        let rig = try AnnouncerTests.rig(volume: .full)
        let test = Announcement(id: AnnouncementID(-1), .prompts([.test]), volume: .silent)
        rig.announce(test)
        rig.pay(1, "1")
        rig.run(for: .seconds(6))
        let phrase = try AnnouncerTests.samples("微信收款，一元")
        #expect(rig.heard == [phrase])
    }

    @Test("In the quiet hours it speaks no louder than they allow")
    func isQuiet() throws {
        let quiet = try #require(QuietHours(from: "22:00", to: "07:00", volume: Volume(50)))
        let full = Self.loudest(try AnnouncerTests.samples("微信收款，一元"))
        for (minute, part) in [(23 * 60, 0.125), (12 * 60, 1.0), (nil, 1.0)] as [(Int?, Double)] {
            let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .zero, quiet: quiet))
            rig.announcer.setTimeOfDay(minute: minute)
            rig.pay(1, "1")
            rig.run(for: .seconds(4))
            let loudest = Self.loudest(rig.speaker.heard.flatMap(\.samples))
            #expect(abs(Double(loudest) - Double(full) * part) <= 1)
        }
    }

    @Test(
        "Quiet hours may go over midnight; what is no time of day is refused",
        arguments: [
            ("22:00", "07:00", 22 * 60, true), ("22:00", "07:00", 0, true), ("22:00", "07:00", 7 * 60, false),
            ("22:00", "07:00", 12 * 60, false), ("13:00", "14:30", 13 * 60, true),
            ("13:00", "14:30", 14 * 60 + 30, false),
            ("08:00", "08:00", 8 * 60, false),
        ])
    func knowsHours(_ from: String, _ to: String, _ minute: Int, _ isQuiet: Bool) throws {
        let hours = try #require(QuietHours(from: from, to: to, volume: Volume(20)))
        #expect(hours.contains(minute: minute) == isQuiet)
        for bad in ["24:00", "7", "7:0", "07:60", "", "aa:bb", "-1:00"] {
            #expect(QuietHours(from: bad, to: "07:00", volume: .full) == nil)
        }
    }

    @Test("A chime goes before a push's phrase where it is set, and before no prompt")
    func chimesFirst() throws {
        let bytes = try #require(Fixtures.file("bell.wav", of: "chime"))
        let chime = try #require(Chime(bytes))
        let rig = try AnnouncerTests.rig(AnnouncerSettings(leadIn: .zero, chime: chime, chimesFirst: true))
        rig.pay(1, "1")
        rig.run(for: .seconds(5))
        let phrase = try AnnouncerTests.samples("微信收款，一元")
        #expect(rig.heard.first?.count ?? 0 > phrase.count + chime.samples.count / 2)
        #expect(rig.heard.first?.suffix(phrase.count) == phrase[...])
        rig.prompt(.ready)
        rig.run(for: .seconds(8))
        let prompt = try AnnouncerTests.samples("设备已启动")
        #expect(rig.heard.last == prompt)
    }
}
