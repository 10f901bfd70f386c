// What the box takes for the time (`docs/push-protocol.md`, Handshake, `time`): the system's clock where somebody set it,
// else the latest of the build date, what an earlier run kept, and what a welcomed hub says.

import BoxFoundation
import HardwareInterface
import PushProtocol

extension BoxCore {
    /// A move of less is not worth a line in the log.
    private static let worthTelling = Interval.minutes(1)

    /// The system's clock at this turn.
    mutating func take(_ system: ClockReading) {
        systemClock = system
        clock = system
        clock.time = hubClock.time(system: system.time, isSynchronised: system.isSynchronised)
    }

    /// A welcomed hub says what time it is.
    mutating func takeTime(from hello: HubHello) {
        guard let time = hello.clock(at: now) else { return }
        moveClock(to: time)
        let difference = clock.time - time
        isTimeTold = max(difference, .zero - difference) < Self.worthTelling
        tellTimeOfDay()
    }

    private mutating func moveClock(to time: WallTime) {
        let before = clock.time
        let isSynchronised = systemClock.isSynchronised
        guard let floor = hubClock.hint(time, system: systemClock.time, isSynchronised: isSynchronised) else { return }
        keep(floor)
        take(systemClock)
        guard clock.time - before >= Self.worthTelling else { return }
        let civil = CivilTime(clock.time, offset: clock.offset)
        log(.notice, "box", "the time is taken from the hub: \(civil.date) \(civil.time)")
    }

    /// Now and then: the time so far is kept for the next start.
    mutating func keepTime() {
        let floor = hubClock.keep(system: systemClock.time, isSynchronised: systemClock.isSynchronised)
        if let floor { keep(floor) }
    }

    mutating func keep(_ floor: WallTime) {
        effects.append(.save(Array("\(floor.milliseconds)\n".utf8), as: BoxSetup.clockFile))
    }
}
