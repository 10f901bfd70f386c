import BoxFoundation
import Testing
import VoiceAnnouncing

@Suite struct VoicePackTests {
    @Test("The packs that ship load, and have a clip for all that is ever said", arguments: ["zh-CN", "en"])
    func loads(_ language: String) throws {
        let voice = try Fixtures.voice(language)
        #expect(voice.language == language)
        #expect(voice.pack?.rate == 24_000)
    }

    @Test(
        "Words become the longest clips that fit, from left to right",
        arguments: [
            ("zh-CN", "微信收款，一百二十三点四五元", "wechat_received n100 n20 n3 dot_n4 n5_yuan"),
            ("zh-CN", "十元", "n10_yuan"), ("zh-CN", "一百一十元", "n100 n1_10 yuan"),
            ("zh-CN", "补报，收款，两千二百元", "repeated received n2000 n2_100 yuan"),
            ("zh-CN", "又收款两笔，共零元", "again_received n2l count total n0_yuan"),
            ("en", "WeChat payment, twenty-three point four five yuan", "wechat_received n20 n3 dot n4 n5 yuan"),
            ("en", "Payment, one Hong Kong dollar and one cent", "received n1 hkd_one and n1 cent"),
        ])
    func matches(_ language: String, _ words: String, _ ids: String) throws {
        let voice = try Fixtures.voice(language)
        let phrase = try #require(voice.phrase(words))
        #expect(voice.pack?.ids(of: phrase).joined(separator: " ") == ids)
    }
}
