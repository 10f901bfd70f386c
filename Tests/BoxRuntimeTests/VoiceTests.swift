// What a shop hears, from the push over the wire to the samples at the loudspeaker.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol
import Testing
import VoiceAnnouncing

@Suite("A rush at the counter")
struct RushTests {
    /// Pushes `count` payments of 1.00, 2.00 … within 100 ms and waits for all outcomes.
    private static func rush(_ count: Int) throws -> (TestCounter, TestHub) {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        for i in 1...count {
            hub.push("p\(i)", PaymentTests.payment("\(i).00", channel: i % 2 == 0 ? "alipay" : "wechat"))
            counter.advance(.milliseconds(100 / count))
        }
        let areAllDone = counter.advance(until: { (1...count).allSatisfy { hub.done("p\($0)") != nil } })
        try #require(areAllDone)
        return (counter, hub)
    }

    private static func single(_ i: Int) -> String {
        let names = ["一", "两", "三", "四", "五", "六"]
        return (i % 2 == 0 ? "支付宝收款，" : "微信收款，") + names[i - 1] + "元"
    }

    @Test("Five pushes within 100 ms are five phrases, in order, none over another")
    func five() throws {
        let (counter, hub) = try Self.rush(5)
        #expect(counter.phrases == (1...5).map(Self.single))
        #expect((1...5).allSatisfy { hub.done("p\($0)")?.voice == .announced })
        #expect(Self.areApart(counter))
        #expect(try Self.isHeard(counter))
    }

    @Test("Twelve are six phrases, then one of the other six: their count, their sum, each of them merged")
    func twelve() throws {
        let (counter, hub) = try Self.rush(12)
        // 7 + 8 + 9 + 10 + 11 + 12
        #expect(counter.phrases == (1...6).map(Self.single) + ["又收款六笔，共五十七元"])
        #expect((1...6).allSatisfy { hub.done("p\($0)")?.voice == .announced })
        #expect((7...12).allSatisfy { hub.done("p\($0)")?.voice == .merged })
        #expect(counter.phraseEnds == Array(repeating: .announced, count: 6) + [.merged])
        #expect(Self.areApart(counter))
        #expect(try Self.isHeard(counter))
    }

    @Test("A refund and a notice in a rush keep their own phrases")
    func mixed() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        for i in 1...7 { hub.push("p\(i)", PaymentTests.payment("1.00")) }
        hub.push("r", .object(["kind": "refund", "amount": "5.00", "channel": "wechat", "print": false]))
        hub.push("n", .object(["kind": "notice", "say": "网络已连接"]))
        hub.push("p8", PaymentTests.payment("2.00"))
        #expect(counter.advance(until: { ["p8", "r", "n"].allSatisfy { hub.done($0) != nil } }))
        #expect(Array(counter.phrases.dropFirst(6)).sorted() == ["微信退款，五元", "网络已连接", "又收款两笔，共三元"].sorted())
        #expect(hub.done("r")?.voice == .announced && hub.done("n")?.voice == .announced)
        #expect(hub.done("p7")?.voice == .merged && hub.done("p8")?.voice == .merged)
    }

    private static func areApart(_ counter: TestCounter) -> Bool {
        counter.phraseBegins.count == counter.phraseEndMoments.count
            && zip(counter.phraseEndMoments, counter.phraseBegins.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// Every phrase is in what came out of the loudspeaker, whole, one behind the other.
    private static func isHeard(_ counter: TestCounter) throws -> Bool {
        let heard = counter.takeHeard()
        var place = 0
        for words in counter.phrases {
            let phrase = try #require(counter.voices[0].phrase(words))
            let samples = counter.voices[0].samples(of: phrase)
            let start = samples.firstIndex { $0.magnitude > 500 } ?? 0
            let key = samples[start..<start + 32]
            guard
                let found = heard[place...].indices.first(where: {
                    heard[$0] == key[start] && heard[$0...].starts(with: key)
                }), heard[(found - start)...].starts(with: samples)
            else { return false }
            place = found - start + samples.count
        }
        return true
    }
}

@Suite("An outage")
struct OutageTests {
    @Test("What comes when the hub is back is told as one, and counted right")
    func summary() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        counter.run.network.cut(hub.connection!)
        counter.advance(.seconds(30))
        #expect(counter.lights.last == "slow blink")
        for i in 1...4 { hub.push("p\(i)", PaymentTests.payment("\(i).50")) }
        counter.advance(.seconds(10))
        #expect(counter.phrases.isEmpty)
        hub.connect(seed: 2)
        #expect(counter.advance(until: { (1...4).allSatisfy { hub.done("p\($0)") != nil } }))
        #expect(counter.phrases == ["又收款四笔，共十二元"])
        #expect((1...4).allSatisfy { hub.done("p\($0)")?.voice == .merged })
        #expect(counter.lights.last == "steady")
    }

    @Test("One alone is told as itself")
    func one() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        counter.run.network.cut(hub.connection!)
        counter.advance(.seconds(30))
        hub.push("a", PaymentTests.payment("12.50"))
        hub.connect(seed: 2)
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(counter.phrases == ["微信收款，十二点五元"])
        #expect(hub.done("a")?.voice == .announced)
    }

    @Test("A hub that said goodbye was not missed: nothing is held back for a summary")
    func goodbye() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        hub.say(goodbye: .closing)
        counter.advance(.seconds(5))
        hub.connect(seed: 2)
        counter.advance(.milliseconds(100))
        hub.push("a", PaymentTests.payment("1.00"))
        hub.push("b", PaymentTests.payment("2.00"))
        #expect(counter.advance(until: { hub.done("b") != nil }))
        #expect(counter.phrases == ["微信收款，一元", "微信收款，两元"])
    }
}

@Suite("Quiet hours")
struct QuietHoursTests {
    private static func counter() throws -> TestCounter {
        let quiet = QuietHours(from: 22 * 60, to: 7 * 60, volume: Volume(20))
        return try TestCounter(voice: AnnouncerSettings(quiet: quiet))
    }

    /// The loudest sample of one payment.
    private static func peak(_ id: String, _ counter: TestCounter, _ hub: TestHub) -> Int {
        _ = counter.takeHeard()
        hub.push(id, PaymentTests.payment("12.50"))
        _ = counter.advance(until: { hub.done(id) != nil })
        return Int(counter.takeHeard().map(\.magnitude).max() ?? 0)
    }

    @Test("From their first minute to their last a payment is soft, and printed and answered as ever")
    func soft() throws {
        let counter = try Self.counter()
        let hub = counter.hub()
        counter.set(hour: 21, minute: 58, second: 40)
        counter.advance(.seconds(61))
        let loud = Self.peak("a", counter, hub)
        counter.set(hour: 21, minute: 59, second: 58)
        counter.advance(.seconds(61))
        let soft = Self.peak("b", counter, hub)
        // 20 of 100 is 42 dB less.
        #expect(loud > 8000 && soft > 0 && soft * 100 < loud)
        #expect(hub.done("b")?.voice == .announced && hub.done("b")?.paper == .sent)
        counter.set(hour: 6, minute: 59, second: 58)
        counter.advance(.seconds(61))
        #expect(Self.peak("c", counter, hub) == loud)
        #expect(counter.state.load("volume") == nil, "the kept volume is none of their business")
    }

    @Test("A box that does not know the time is as loud as ever")
    func unknown() throws {
        let counter = try Self.counter()
        let hub = counter.hub()
        counter.clock.isSynchronised = false
        counter.set(hour: 23, minute: 30)
        counter.advance(.seconds(61))
        #expect(Self.peak("a", counter, hub) > 8000)
        counter.clock.isSynchronised = true
        counter.advance(.seconds(61))
        #expect(Self.peak("b", counter, hub) < 1000)
    }

    @Test("A box without a clock of its own keeps them by its hub's")
    func hubsTime() throws {
        let quiet = QuietHours(from: 22 * 60, to: 7 * 60, volume: Volume(20))
        let counter = try TestCounter(clock: WallTime(milliseconds: 0), voice: AnnouncerSettings(quiet: quiet))
        let hub = counter.hub(connects: false)
        let night = counter.time(hour: 23, minute: 30).milliseconds
        hub.clockOffset = night - Int64(counter.loop.now.nanoseconds / 1_000_000)
        hub.connect()
        counter.advance(.milliseconds(100))
        #expect(Self.peak("a", counter, hub) < 1000)
    }

    @Test("A box that starts at night is soft from its first phrase")
    func start() throws {
        let counter = try Self.counter()
        counter.set(hour: 23, minute: 30)
        counter.pullPlug()
        counter.plug()
        #expect(Self.peak("a", counter, counter.hub()) < 1000)
    }
}

@Suite("Free text")
struct FreeTextOverTheWireTests {
    private static func notice(_ text: String) -> JSON { .object(["kind": "notice", "say": .string(text)]) }

    /// Frames of the simulated program's tone, which is never so even in a clip.
    private static func toneFrames(_ samples: [Int16]) -> Int {
        samples.count { $0.magnitude.distance(to: UInt16(SimulatedSpeech.height)).magnitude < 400 }
    }

    @Test("A notice is said by the speech program, its digits as words of our own")
    func notice() throws {
        let counter = try TestCounter()
        let hub = counter.hub()
        hub.push("n", Self.notice("外卖订单38号，共25.50元"))
        #expect(counter.advance(until: { hub.done("n") != nil }))
        #expect(counter.run.speech.texts.map(\.words) == ["外卖订单三十八号，共二十五点五元"])
        #expect(counter.run.speech.texts.map(\.language) == ["zh-CN"])
        #expect(hub.done("n")?.voice == .announced && hub.done("n")?.paper == .some(.none))
        let heard = counter.takeHeard()
        // A tenth of a second a character, at the device's rate; its filter rounds the corners of the wave.
        let frames = counter.run.speech.texts[0].words.count * 2400
        #expect(Self.toneFrames(heard) > frames / 2)
    }

    @Test("Text that the clips can say needs no program")
    func clips() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        hub.push("n", Self.notice("收款，3元"))
        #expect(counter.advance(until: { hub.done("n") != nil }))
        #expect(counter.run.speech.texts.isEmpty)
        #expect(counter.phrases == ["收款，三元"])
    }

    @Test("Without the program: a chime, a line in the log, failed, and the next payment is said")
    func missing() throws {
        let counter = try TestCounter(carrier: .none, voice: AnnouncerSettings(chime: TestResources.chime()))
        let hub = counter.hub()
        counter.run.speech.faults.isMissing = true
        hub.push("n", Self.notice("今天打烊了"))
        hub.push("a", PaymentTests.payment("12.50"))
        #expect(counter.advance(until: { hub.done("n") != nil }))
        #expect(hub.done("n")?.voice == .failed)
        #expect(counter.log.contains("\"今天打烊了\" can't be said (the speech program is not installed)"))
        #expect((counter.takeHeard().map(\.magnitude).max() ?? 0) > 1000)
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(hub.done("a")?.voice == .announced)
        #expect(counter.phrases == ["微信收款，十二点五元"])
    }

    @Test("A program that is stuck is stopped in time, and what it says too late is heard of nobody")
    func stuck() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        counter.run.speech.faults.isStuck = true
        hub.push("n", Self.notice("今天打烊了"))
        hub.push("a", PaymentTests.payment("12.50"))
        let start = counter.loop.now
        #expect(counter.advance(until: { hub.done("n") != nil }))
        #expect(counter.loop.now - start < .seconds(4))
        #expect(hub.done("n")?.voice == .failed)
        #expect(counter.run.speech.stops == 1 && !counter.run.speech.isSpeaking)
        counter.loop.post(.speech(SpeechID(1), .samples([Int16](repeating: 9000, count: 50_000), rate: 22_050)))
        counter.loop.post(.speech(SpeechID(1), .ended))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(hub.done("a")?.voice == .announced)
        #expect(counter.phrases == ["微信收款，十二点五元"])
    }

    @Test("What was made before it broke off is heard; the outcome says that it failed")
    func breaksOff() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        counter.run.speech.faults.breaksAfter = 8
        hub.push("n", Self.notice("今天打烊了，明天早上再来"))
        #expect(counter.advance(until: { hub.done("n") != nil }))
        #expect(hub.done("n")?.voice == .failed)
        #expect(Self.toneFrames(counter.takeHeard()) > 4 * 2400)
    }

    @Test("The program ends with the box")
    func stop() throws {
        let counter = try TestCounter(carrier: .none)
        let hub = counter.hub()
        counter.run.speech.pace = .seconds(1)
        hub.push("n", Self.notice("今天打烊了，明天早上八点再来，谢谢"))
        #expect(counter.advance(until: { counter.run.speech.isSpeaking }))
        counter.loop.post(.signal(.terminate))
        counter.advance(.seconds(6))
        #expect(counter.run.runtime.isStopped)
        #expect(!counter.run.speech.isSpeaking)
    }
}

@Suite("Language and chime")
struct VoiceSettingsTests {
    @Test("A push is said in the language it asks for, where that voice is loaded; else in the box's own")
    func language() throws {
        let counter = try TestCounter(
            carrier: .none, voices: [TestResources.voice.get(), TestResources.english.get()])
        let hub = counter.hub()
        for (i, language) in ["en", "zh-CN", "th"].enumerated() {
            var body = PaymentTests.payment("12.50").object!
            body.set("language", .string(language))
            hub.push("p\(i)", .object(body))
        }
        #expect(counter.advance(until: { (0..<3).allSatisfy { hub.done("p\($0)") != nil } }))
        #expect(
            counter.phrases == ["WeChat payment, twelve point five yuan", "微信收款，十二点五元", "微信收款，十二点五元"])
        #expect((0..<3).allSatisfy { hub.done("p\($0)")?.voice == .announced })
    }

    @Test("A chime goes before the phrase of a push, and the phrase is whole")
    func chime() throws {
        let chime = try TestResources.chime()
        let plain = try TestCounter(carrier: .none)
        let chiming = try TestCounter(carrier: .none, voice: AnnouncerSettings(chime: chime, chimesFirst: true))
        var lengths: [Int] = []
        for counter in [plain, chiming] {
            let hub = counter.hub()
            hub.push("a", PaymentTests.payment("12.50"))
            #expect(counter.advance(until: { hub.done("a") != nil }))
            let heard = counter.takeHeard()
            lengths.append((heard.lastIndex { $0 != 0 } ?? 0) - (heard.firstIndex { $0 != 0 } ?? 0))
        }
        let length = chime.samples.count * 24_000 / chime.rate
        #expect(abs(lengths[1] - lengths[0] - length) < 2400)
    }
}
