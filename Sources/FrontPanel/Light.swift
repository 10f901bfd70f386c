// The light shows the most urgent of what is so; over that lies, for a while, the answer to a key or to `identify`.

import BoxFoundation

/// What the light shows now. The most urgent wins: fault, printer, no hub, busy, ready.
package struct Light: Sendable {
    /// How long `identify` shows (`docs/push-protocol.md`, COMMAND).
    package static let identifyTime = Interval.seconds(10)

    private struct Showing: Equatable {
        var pattern: LightPattern
        var since: Moment
    }

    private var states: Set<LightState> = [.ready]
    private var base: Showing
    private var identifying: (since: Moment, until: Moment)?
    private var answering: (since: Moment, until: Moment)?
    private var brightness: Int
    private var shown: Int?
    private var timer: Moment?

    /// - Parameter brightness: of a lit light, 0 to 100.
    package init(brightness: Int = 100, at now: Moment) {
        self.brightness = max(0, min(brightness, 100))
        base = Showing(pattern: .of(.ready), since: now)
    }

    /// The most urgent thing that is so.
    package var state: LightState { states.max() ?? .ready }

    /// The name of the pattern that is seen now.
    package var pattern: String { identifying == nil ? base.pattern.name : LightPattern.identify.name }

    /// Lights up for the first time.
    package mutating func start(at now: Moment) -> [PanelOutput] { refresh(at: now) }

    /// Says that something is so, or no longer.
    package mutating func set(_ state: LightState, _ isSo: Bool, at now: Moment) -> [PanelOutput] {
        if isSo { states.insert(state) } else if state != .ready { states.remove(state) }
        return refresh(at: now)
    }

    package mutating func set(brightness: Int, at now: Moment) -> [PanelOutput] {
        self.brightness = max(0, min(brightness, 100))
        return refresh(at: now)
    }

    /// Answers a key.
    package mutating func acknowledge(at now: Moment) -> [PanelOutput] {
        answering = (now, now + LightPattern.acknowledgement.period)
        return refresh(at: now)
    }

    package mutating func identify(at now: Moment) -> [PanelOutput] {
        identifying = (now, now + Self.identifyTime)
        return refresh(at: now)
    }

    package mutating func timer(at now: Moment) -> [PanelOutput] {
        timer = nil
        return refresh(at: now)
    }

    private mutating func refresh(at now: Moment) -> [PanelOutput] {
        let pattern = LightPattern.of(state)
        if base.pattern != pattern { base = Showing(pattern: pattern, since: now) }
        if let until = identifying?.until, until <= now { identifying = nil }
        if let until = answering?.until, until <= now { answering = nil }

        let (showing, ends) = uppermost
        let (level, next) = showing.pattern.level(after: max(.zero, now - showing.since))
        let step = next.map { showing.since + $0 }
        return outputs(level: level, due: [step, ends].compactMap { $0 }.min())
    }

    /// What is seen, and when that ends for something else.
    private var uppermost: (Showing, ends: Moment?) {
        if let answering { return (Showing(pattern: .acknowledgement, since: answering.since), answering.until) }
        if let identifying { return (Showing(pattern: .identify, since: identifying.since), identifying.until) }
        return (base, nil)
    }

    private mutating func outputs(level: Int, due: Moment?) -> [PanelOutput] {
        var outputs: [PanelOutput] = []
        let light = (level * brightness + 99) / 100
        if shown != light {
            shown = light
            outputs.append(.light(light))
        }
        if timer != due {
            timer = due
            outputs.append(.timer(.light, at: due))
        }
        return outputs
    }
}
