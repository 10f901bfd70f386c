// What every contract suite runs on: the simulated devices and the real ones.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

enum World: String, CaseIterable, CustomTestStringConvertible {
    case simulated
    case real

    var testDescription: String { rawValue }
}

extension World {
    func makeLoop() throws -> any EventLoop {
        switch self {
        case .simulated: SimulatedLoop()
        case .real: try EpollLoop()
        }
    }
}

/// What came of turning a loop.
struct Turns: CustomTestStringConvertible {
    var events: [DeviceEvent]
    /// Else the time was up.
    var isDone: Bool

    /// Short: events may hold megabytes.
    var testDescription: String { "\(events.count) events, \(isDone ? "done" : "not done")" }
}

extension EventLoop {
    /// Turns the loop until `isDone`, for ten seconds of its time at most.

    @discardableResult
    func run(until isDone: ([DeviceEvent]) -> Bool) -> Turns {
        let limit = now + .seconds(10)
        var events: [DeviceEvent] = []
        while !isDone(events) {
            if let event = next() {
                events.append(event)
            } else if now >= limit {
                return Turns(events: events, isDone: false)
            } else {
                wait(until: limit)
            }
        }
        return Turns(events: events, isDone: true)
    }

    /// Turns the loop for as long as `interval` of its time.
    @discardableResult
    func run(for interval: Interval) -> [DeviceEvent] {
        let end = now + interval
        var events: [DeviceEvent] = []
        while true {
            if let event = next() {
                events.append(event)
            } else if now >= end {
                return events
            } else {
                wait(until: end)
            }
        }
    }
}
