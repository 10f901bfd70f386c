import BoxFoundation
import Testing

@Suite("Moments and intervals")
struct MomentTests {
    static let latest = Moment(nanoseconds: .max)
    static let longest = Interval(nanoseconds: .max)
    static let shortest = Interval(nanoseconds: .min)

    @Test("A moment stays between the clock's ends")
    func saturation() {
        #expect(Moment.zero + .milliseconds(-1) == .zero)
        #expect(Moment.zero + Self.shortest == .zero)
        #expect(Self.latest + .milliseconds(1) == Self.latest)
        #expect(Moment.zero + Self.longest + Self.longest + .milliseconds(1) == Self.latest)
        #expect(Moment.zero + .seconds(5) + .seconds(-2) == Moment(nanoseconds: 3_000_000_000))
    }

    @Test("The interval between two moments has a sign")
    func difference() {
        let early = Moment(nanoseconds: 5)
        let late = Moment(nanoseconds: 12)
        #expect((late - early).nanoseconds == 7)
        #expect((early - late).nanoseconds == -7)
    }

    @Test("Intervals stay within their range")
    func intervals() {
        #expect(Interval.seconds(.max) == Self.longest)
        #expect(Interval.minutes(.min) == Self.shortest)
        #expect(Self.longest + .milliseconds(1) == Self.longest)
        #expect(Self.shortest + .milliseconds(-1) == Self.shortest)
        #expect(Self.shortest - .milliseconds(1) == Self.shortest)
        #expect(Interval.zero - Self.shortest == Self.longest)
        #expect(Self.longest * 2 == Self.longest)
        #expect(Self.longest * -2 == Self.shortest)
        #expect(Self.shortest * -2 == Self.longest)
        #expect(Interval.seconds(3) * -4 == .seconds(-12))
        #expect(Interval.seconds(-7) / 2 == .milliseconds(-3500))
        #expect(Interval.milliseconds(-1500).seconds == -1)
    }

    @Test(
        "The time for a count is rounded up",
        arguments: [
            (0, 48000, 0), (48000, 48000, 1_000_000_000), (1, 48000, 20_834), (3, 1, 3_000_000_000),
            (7, 0, 7_000_000_000), (.max, 1, .max), (.max, .max, 1_000_000_000),
        ])
    func forCount(count: Int, rate: Int, nanoseconds: Int64) {
        #expect(Interval.forCount(count, perSecond: rate).nanoseconds == nanoseconds)
    }

    @Test(
        "Times from elsewhere, however wild, have a difference",
        arguments: [.min, -1, 0, 1_700_000_000_000, .max] as [Int64])
    func wallTime(milliseconds: Int64) {
        let time = WallTime(milliseconds: milliseconds)
        let now = WallTime(milliseconds: 1_800_000_000_000)
        #expect((now - time < .zero) == (now < time))
        #expect((time - now < .zero) == (time < now))
        #expect(time - time == .zero)
        #expect(time + .seconds(1) >= time)
        #expect(time + .seconds(-1) <= time)
    }
}

@Suite("Civil time")
struct CivilTimeTests {
    @Test(
        "Known dates",
        arguments: [
            (0, 0, "1970-01-01", "00:00:00"), (-1000, 0, "1969-12-31", "23:59:59"), (-1, 0, "1969-12-31", "23:59:59"),
            (951_782_400_000, 0, "2000-02-29", "00:00:00"),
            (951_868_800_000, 0, "2000-03-01", "00:00:00"), (1_709_164_800_000, 0, "2024-02-29", "00:00:00"),
            (4_107_456_000_000, 0, "2100-02-28", "00:00:00"),
            (4_107_542_400_000, 0, "2100-03-01", "00:00:00"), (1_795_946_700_000, 28_800, "2026-11-29", "18:05:00"),
            (1_795_946_700_000, -36_000, "2026-11-29", "00:05:00"),
            (1_798_761_599_999, 0, "2026-12-31", "23:59:59"), (1_798_761_599_999, 3600, "2027-01-01", "00:59:59"),
            (253_402_300_799_000, 0, "9999-12-31", "23:59:59"),
            (-62_135_596_800_000, 0, "0001-01-01", "00:00:00"), (-62_167_219_200_000, 0, "0000-01-01", "00:00:00"),
            (-62_167_219_200_001, 0, "-0001-12-31", "23:59:59"),
        ] as [(Int64, Int, String, String)])
    func known(milliseconds: Int64, offset: Int, date: String, time: String) {
        let civil = CivilTime(WallTime(milliseconds: milliseconds), offset: offset)
        #expect(civil.date == date)
        #expect(civil.time == time)
    }

    @Test("Every day from 1600 to 2400 follows the one before it")
    func everyDay() {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        var (year, month, day) = (1600, 1, 1)
        var milliseconds: Int64 = -11_676_096_000_000
        while year < 2400 {
            let civil = CivilTime(WallTime(milliseconds: milliseconds), offset: 0)
            guard (civil.year, civil.month, civil.day) == (year, month, day) else {
                Issue.record("\(civil.date) instead of \(year)-\(month)-\(day)")
                return
            }
            milliseconds += 86_400_000
            day += 1
            let length = month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            if day > length { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test("No time is too early or too late to be written", arguments: [.min, .min + 1, .max - 1, .max] as [Int64])
    func extremes(milliseconds: Int64) {
        let civil = CivilTime(WallTime(milliseconds: milliseconds), offset: 50_400)
        #expect((1...12).contains(civil.month) && (1...31).contains(civil.day))
        #expect((0..<24).contains(civil.hour) && (0..<60).contains(civil.minute) && (0..<60).contains(civil.second))
    }
}
