// The witnesses themselves: what they cannot hear or read they cannot judge.

import BoxFoundation
import CounterSimulation
import Testing
import VoiceAnnouncing

@Suite("The witnesses beside the counter")
struct WitnessTests {
    /// Fen and how a person says it.
    private static let amounts: [(Int64, String)] = [
        (0, "零元"), (5, "零点零五元"), (1000, "十元"), (1250, "十二点五元"), (30_030, "三百点三元"),
        (1_000_300, "一万零三元"), (11_011_000, "十一万零一百一十元"), (190_397_100, "一百九十万三千九百七十一元"),
        (10_000_000_000, "一亿元"), (999_999_999_999, "九十九亿九千九百九十九万九千九百九十九点九九元"),
    ]

    @Test("The ear understands amounts as people say them")
    func amounts() {
        for (fen, words) in Self.amounts {
            let heard = HeardWords("补报，微信收款，" + words)
            #expect(heard.isMarked)
            #expect(heard.content == .payment(.wechat, isRefund: false, fen: fen), "\(words)")
        }
        #expect(HeardWords("退款，两元").content == .payment(.other, isRefund: true, fen: 200))
        #expect(HeardWords("又收款七笔，共一百二十三点五元").content == .merged(count: 7, fen: 12_350))
        #expect(HeardWords("网络已连接").content == .other)
    }

    @Test("The ear hears every amount of the box's own voice as it was meant")
    func ownVoice() throws {
        let pack = try SimulationFixtures.pack.get()
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let fen = Int64.random(in: 0...Int64(1) << Int64.random(in: 4...39, using: &random), using: &random)
            let words = pack.voice.wording.payment(Money(minor: fen), channel: .alipay)
            let phrase = try #require(pack.voice.phrase(words))
            var ear = Ear(pack)
            ear.hear(pack.voice.samples(of: phrase))
            ear.end()
            #expect(ear.text == words.filter { $0 != "，" })
            #expect(HeardWords(ear.text).content == .payment(.alipay, isRefund: false, fen: fen))
        }
    }

    @Test("The ear notices a block that is missing, twice there, or cut off")
    func damage() throws {
        let pack = try SimulationFixtures.pack.get()
        let phrase = try #require(pack.voice.phrase("微信收款，十二点五元"))
        let whole = pack.voice.samples(of: phrase)
        func heard(_ samples: [Int16]) -> [HeardSound] {
            var ear = Ear(pack)
            ear.hear(samples)
            ear.end()
            return ear.take()
        }
        #expect(heard(whole).allSatisfy { if case .clip = $0 { true } else { false } })
        let broken: [[Int16]] = [
            Array(whole[..<1000] + whole[1160...]), Array(whole[..<1160] + whole[1000...]), Array(whole[..<3000]),
        ]
        for samples in broken { #expect(heard(samples) != heard(whole)) }
        for count in [1, 20, 31] { #expect(heard(Array(whole[..<count])) == [.scrap], "too little to tell a clip by") }
        let quiet = whole.map { $0 / 100 }
        #expect(heard(quiet) == heard(whole), "the volume changes nothing")
    }
}
