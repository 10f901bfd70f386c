// The light's code, as the README's page shows it: how it looks for each thing that it can say.

import BoxFoundation

/// What the light has to say, the least urgent first.
package enum LightState: Int, CaseIterable, Comparable, Sendable {
    case ready, busy, noHub, printer, fault

    package static func < (a: LightState, b: LightState) -> Bool { a.rawValue < b.rawValue }

    /// Its word in the console and the log.
    package var name: String {
        switch self {
        case .ready: "ready"
        case .busy: "busy"
        case .noHub: "no hub"
        case .printer: "printer needs you"
        case .fault: "fault"
        }
    }
}

/// Steps that are repeated, or one that lasts.
package struct LightPattern: Equatable, Sendable {
    /// A brightness, 0 to 100 percent, for a time.
    package struct Step: Equatable, Sendable {
        /// Percent of the configured brightness.
        package var level: Int
        package var duration: Interval

        init(_ level: Int, _ milliseconds: Int) {
            self.level = level
            duration = .milliseconds(milliseconds)
        }
    }

    package let name: String
    /// Never empty. A single step lasts for good.
    package let steps: [Step]
    package let period: Interval

    private init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
        period = steps.reduce(.zero) { $0 + $1.duration }
    }

    package static let steady = LightPattern("steady", [Step(100, 1000)])
    package static let slowBlink = LightPattern("slow blink", [Step(100, 1000), Step(0, 1000)])
    package static let doubleBlink = LightPattern(
        "double blink", [Step(100, 150), Step(0, 200), Step(100, 150), Step(0, 1000)])
    package static let fast = LightPattern("fast", [Step(100, 100), Step(0, 100)])
    package static let longShort = LightPattern(
        "long-short", [Step(100, 900), Step(0, 250), Step(100, 200), Step(0, 650)])
    /// Winks: on, and off only for a moment. A box that was asked to show itself.
    package static let identify = LightPattern("winks", [Step(100, 400), Step(0, 100)])
    /// The answer to a key: seen on a light that is on as well as on one that is off. Shown once.
    package static let acknowledgement = LightPattern("flash", [Step(0, 60), Step(100, 120), Step(0, 60)])

    package static func of(_ state: LightState) -> LightPattern {
        switch state {
        case .ready: steady
        case .busy: fast
        case .noHub: slowBlink
        case .printer: doubleBlink
        case .fault: longShort
        }
    }

    /// - Returns: the level so long after the pattern's start, and when after its start the next step comes; nil where
    ///   none does.
    package func level(after time: Interval) -> (level: Int, next: Interval?) {
        guard steps.count > 1, period > .zero else { return (steps[0].level, nil) }
        let rounds = time.nanoseconds / period.nanoseconds
        var end = Interval(nanoseconds: rounds * period.nanoseconds)
        for step in steps {
            end = end + step.duration
            if time < end { return (step.level, end) }
        }
        return (steps[0].level, end + steps[0].duration)
    }
}
