import BoxFoundation
import Testing

@Suite("Seeded random numbers")
struct SeededRandomTests {
    @Test(
        "A seed gives the reference's numbers on every machine",
        arguments: [
            (0, [0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0, 0x6AA5_94F1_262D_2D2C]),
            (1, [0xB3F2_AF6D_0FC7_10C5, 0x853B_5596_4736_4CEA, 0x92F8_9756_082A_4514, 0x642E_1C7B_C266_A3A7]),
            (42, [0x1578_0B2E_0C2E_C716, 0x6104_D986_6D11_3A7E, 0xAE17_5332_39E4_99A1, 0xECB8_AD47_03B3_60A1]),
            (.max, [0x8F55_20D5_2A7E_AD08, 0xC476_A018_CAA1_802D, 0x81DE_31C0_D260_469E, 0xBF65_8D7E_065F_3C2F]),
        ] as [(UInt64, [UInt64])])
    func vectors(seed: UInt64, numbers: [UInt64]) {
        var random = SeededRandom(seed: seed)
        #expect(numbers.map { _ in random.next() } == numbers)
    }

    @Test("Intervals lie in their range and over the whole of it")
    func intervals() {
        var random = SeededRandom(seed: 7)
        let range = Interval.milliseconds(500)...Interval.seconds(2)
        let drawn = (0..<10_000).map { _ in random.interval(in: range) }
        #expect(drawn.allSatisfy(range.contains))
        #expect((drawn.min() ?? .zero) < .milliseconds(502))
        #expect((drawn.max() ?? .zero) > .milliseconds(1998))
    }

    @Test("Bytes are as many as asked for")
    func bytes() {
        var random = SeededRandom(seed: 7)
        #expect(random.bytes(0).isEmpty)
        #expect(Set(random.bytes(32)).count > 20)
    }
}
