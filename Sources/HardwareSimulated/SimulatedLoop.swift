// The loop of the simulator and of tests: time stands still until it is moved by hand, or until the box waits.

import BoxFoundation
import HardwareInterface

/// An event loop whose time moves only in `wait`, `advance` and nowhere else. Work happens at its own moment, in the
/// order of moments, then of scheduling: the same calls give the same run.
package final class SimulatedLoop: EventLoop {
    package private(set) var now: Moment

    private var queue = EventQueue()
    private var schedule = LoopSchedule()

    /// - Parameter start: an arbitrary moment; not zero, so that a subject that takes zero for "never" shows itself.
    package init(startingAt start: Moment = .zero + .seconds(1000)) { now = start }

    package func post(_ event: DeviceEvent) { queue.append(event) }

    package func next() -> DeviceEvent? { queue.removeFirst() }

    /// Events that wait to be taken.
    package var pending: Int { queue.count }

    package func schedule(at moment: Moment, _ work: @escaping () -> Void) { schedule.add(at: moment, work) }

    /// The moment of the earliest scheduled work; it may lie in the past when it has not had its turn.
    package var nextScheduled: Moment? { schedule.earliest }

    /// With a queue that is not empty: returns at once. Else time jumps to the earliest scheduled work and all of that
    /// moment is done, or to the deadline, whichever is first. With neither, nothing can ever happen again, and it
    /// returns without moving time; `isStill` tells that.
    package func wait(until deadline: Moment?) {
        guard queue.isEmpty else { return }
        let moments = [deadline, schedule.earliest].compactMap { $0 }
        guard let target = moments.min() else { return }
        now = max(now, target)
        runDue()
    }

    /// Nothing is queued and nothing is scheduled: only the outside can make something happen.
    package var isStill: Bool { queue.isEmpty && schedule.isEmpty }

    /// Moves time on, doing all scheduled work on the way, each at its own moment. Events pile up in the queue.
    package func advance(to moment: Moment) {
        while let next = schedule.earliest, next <= moment {
            now = max(now, next)
            runDue()
        }
        now = max(now, moment)
    }

    package func advance(by interval: Interval) { advance(to: now + interval) }

    /// Work scheduled for this very moment by work that runs is done in the same turn, after what was there.
    private func runDue() {
        while let work = schedule.removeFirst(dueAt: now) { work() }
    }
}
