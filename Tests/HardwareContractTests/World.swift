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

extension EventLoop {
    /// Turns the loop until `isDone`, for two seconds of its time at most.
    ///
    /// - Returns: the events that came, and whether it was done.
    @discardableResult
    func run(until isDone: ([DeviceEvent]) -> Bool) -> (events: [DeviceEvent], isDone: Bool) {
        let limit = now + .seconds(2)
        var events: [DeviceEvent] = []
        while !isDone(events) {
            if let event = next() {
                events.append(event)
            } else if now >= limit {
                return (events, false)
            } else {
                wait(until: limit)
            }
        }
        return (events, true)
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
