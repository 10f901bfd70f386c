import BoxFoundation
import HardwareInterface
import HardwareSimulated
import Testing
import VoiceAnnouncing

/// Random payments, prompts and device faults. Whatever happens, every announcement ends exactly once, and what counts
/// as announced was heard whole.
@Suite struct AnnouncerStormTests {
    @Test(
        "Every announcement ends once, and what is announced was heard whole", arguments: 1...8 as ClosedRange<UInt64>)
    func storms(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let hold = [0, 300, 2000].randomElement(using: &random)!
        let rig = try AnnouncerTests.rig(
            AnnouncerSettings(
                rush: Int.random(in: 1...6, using: &random), leadIn: .milliseconds(50), hold: .milliseconds(hold)),
            period: .milliseconds(Int.random(in: 5...60, using: &random)),
            periods: Int.random(in: 2...6, using: &random))
        var ids: [Int64] = []
        for step in 1...40 {
            Self.act(rig, Int64(step), &ids, &random)
            rig.run(for: random.interval(in: .milliseconds(1) ... .milliseconds(900)))
            if step % 5 == 0 { rig.disturbTimers() }
        }
        rig.speaker.faults = SimulatedSpeaker.Faults()
        rig.run(for: .minutes(4))
        #expect(rig.ended.map(\.id).sorted() == ids.sorted(), "seed \(seed)")
        #expect(rig.announcer.waiting == 0 && !rig.announcer.isSpeaking, "seed \(seed)")
        #expect(!rig.speaker.isOpen, "seed \(seed)")
        try Self.expectHeard(rig, seed)
    }

    private static func act(_ rig: AnnouncerRig, _ step: Int64, _ ids: inout [Int64], _ random: inout SeededRandom) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: rig.speaker.faults.isGone = true
        case 1: rig.speaker.faults.isBusy = true
        case 2: rig.speaker.faults.isStalled = true
        case 3: rig.speaker.faults.isSuspended = true
        case 4, 5, 6:
            rig.speaker.faults.writes = Array(repeating: .underrun, count: Int.random(in: 1...5, using: &random))
        case 7: rig.speaker.faults.mostTaken = Int.random(in: 1...300, using: &random)
        case 8, 9, 10, 11, 12: rig.speaker.faults = SimulatedSpeaker.Faults()
        case 13:
            rig.prompt(.pairing, urgent: true)
            ids.append(rig.lastPrompt)
        default:
            ids.append(step)
            rig.pay(step, "\(step * 7).\(step % 9 + 1)")
        }
    }

    /// Amounts differ, so each phrase is found by its samples.
    private static func expectHeard(_ rig: AnnouncerRig, _ seed: UInt64) throws {
        let heard = rig.speaker.heard.flatMap(\.samples)
        let voice = try AnnouncerTests.chinese.get()
        for (id, end) in rig.ended where id > 0 && end == .announced {
            let money = try #require(Money("\(id * 7).\(id % 9 + 1)"))
            let phrase = try AnnouncerTests.samples(voice.wording.payment(money, channel: .wechat))
            let isWhole = contains(heard, phrase)
            #expect(isWhole, "seed \(seed): \(money.decimal) was not heard whole")
        }
    }

    private static func contains(_ heard: [Int16], _ samples: [Int16]) -> Bool {
        heard.withUnsafeBufferPointer { heard in
            samples.withUnsafeBufferPointer { samples in
                guard heard.count >= samples.count else { return false }
                let probe = samples.count / 2
                return (0...heard.count - samples.count).contains { place in
                    heard[place + probe] == samples[probe] && heard[place] == samples[0]
                        && (0..<samples.count).allSatisfy { heard[place + $0] == samples[$0] }
                }
            }
        }
    }
}
