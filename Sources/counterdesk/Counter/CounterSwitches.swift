// What a hand can do to the counter besides pressing the button: every switch of the page, and how it stands.

import BoxFoundation

/// The switches of the page; the raw values are the page's own.
package enum CounterSwitch: String, CaseIterable, Sendable {
    /// The box's mains plug is in.
    case plug
    /// The printer has paper.
    case paper
    /// The roll is nearly used up.
    case paperLow = "paper-low"
    /// The printer's cover is open.
    case cover
    /// The printer is switched on.
    case printer
    /// The printer is near enough.
    case range
    /// The printer prints at a crawl.
    case slow
    /// The network cable is in.
    case cable
    /// The network is dead without a word.
    case dead
}

/// What the box's own clock says.
package enum CounterClock: String, CaseIterable, Sendable {
    case right
    /// A day ahead.
    case ahead
    /// Not set since the power was off: 1970, as on a board without a battery.
    case lost
}

/// How all switches stand.
package struct CounterSwitches: Equatable, Sendable {
    package static let mostDelay = Interval.seconds(10)

    package var isOn: [CounterSwitch: Bool] = [.plug: true, .paper: true, .printer: true, .range: true, .cable: true]
    /// How long bytes of the network take, each way.
    package var delay = Interval.zero
    package var clock = CounterClock.right

    package init() {}

    package subscript(which: CounterSwitch) -> Bool {
        get { isOn[which] ?? false }
        set { isOn[which] = newValue }
    }

    package var wire: WireFaults {
        var faults = WireFaults()
        faults.isCut = !self[.cable]
        faults.isDead = self[.dead]
        faults.delay = delay
        return faults
    }

    package var json: JSON {
        var object = JSONObject()
        for which in CounterSwitch.allCases { object.set(which.rawValue, .bool(self[which])) }
        object.set("delay", .integer(delay.milliseconds))
        object.set("clock", .string(clock.rawValue))
        return .object(object)
    }
}
