// A box without a clock (`docs/push-protocol.md`, Handshake, `time`; field report 105).

import BoxFoundation
import PushProtocol
import Testing

@Suite("The hub's time as the box's clock")
struct HubClockTests {
    static let build = WallTime(milliseconds: 1_790_000_000_000)
    static let year = Interval.seconds(365 * 86_400)
    static let epoch = WallTime(milliseconds: 5000)

    @Test(
        "Before any hint the time is the later of the system's, the build date and the saved floor",
        arguments: [
            (epoch, nil as WallTime?, build), (epoch, build + .seconds(9), build + .seconds(9)),
            (epoch, epoch, build), (build + .seconds(60), build + .seconds(9), build + .seconds(60)),
            (epoch, build + year * 11, build + year * 10),
        ])
    func floor(system: WallTime, saved: WallTime?, time: WallTime) {
        let clock = HubClock(buildDate: Self.build, saved: saved)
        #expect(clock.time(system: system, isSynchronised: false) == time)
        #expect(clock.time(system: system, isSynchronised: true) == system)
    }

    @Test("A hint moves the clock forward, goes on with the system's, and is the floor to keep")
    func hint() {
        var clock = HubClock(buildDate: Self.build, saved: nil)
        let told = Self.build + .seconds(1000)
        #expect(clock.hint(told, system: Self.epoch, isSynchronised: false) == told)
        #expect(clock.time(system: Self.epoch + .seconds(5), isSynchronised: false) == told + .seconds(5))
    }

    @Test("A hint never moves the clock back")
    func neverBack() {
        var clock = HubClock(buildDate: Self.build, saved: nil)
        let told = Self.build + .seconds(1000)
        _ = clock.hint(told, system: Self.epoch, isSynchronised: false)
        #expect(clock.hint(told, system: Self.epoch, isSynchronised: false) == nil)
        #expect(clock.hint(told + .seconds(-1), system: Self.epoch, isSynchronised: false) == nil)
        #expect(clock.hint(Self.epoch, system: Self.epoch, isSynchronised: false) == nil)
        #expect(clock.time(system: Self.epoch, isSynchronised: false) == told)
        // The system's clock jumps back: the floor holds.
        #expect(clock.time(system: WallTime(milliseconds: 0), isSynchronised: false) == told)
    }

    @Test("A synchronised clock takes no hint")
    func synchronised() {
        var clock = HubClock(buildDate: Self.build, saved: nil)
        #expect(clock.hint(Self.build + .seconds(1000), system: Self.epoch, isSynchronised: true) == nil)
        #expect(clock.time(system: Self.epoch, isSynchronised: false) == Self.build)
    }

    @Test("A hub is never believed more than ten years past the build date")
    func mostAhead() {
        var clock = HubClock(buildDate: Self.build, saved: nil)
        let most = Self.build + Self.year * 10
        #expect(clock.hint(most + .seconds(1), system: Self.epoch, isSynchronised: false) == most)
        #expect(
            clock.hint(WallTime(milliseconds: 253_402_300_799_999), system: Self.epoch, isSynchronised: false) == nil)
        #expect(clock.time(system: Self.epoch, isSynchronised: false) == most)
    }

    @Test("An expired certificate drops what hubs told, of this run and of earlier ones, for the build date")
    func expired() {
        var clock = HubClock(buildDate: Self.build, saved: Self.build + .seconds(500))
        #expect(clock.certificateExpired() == Self.build)
        #expect(clock.time(system: Self.epoch, isSynchronised: false) == Self.build)
        #expect(clock.certificateExpired() == nil)
        _ = clock.hint(Self.build + Self.year, system: Self.epoch, isSynchronised: false)
        #expect(clock.certificateExpired() == Self.build)
        #expect(clock.time(system: Self.epoch + .seconds(5), isSynchronised: false) == Self.build)
    }
}
