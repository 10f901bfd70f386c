// The two orders that make a loop, shared by the real and the simulated one so that they cannot differ: events first in,
// first out; scheduled work by moment, then in the order it was scheduled.

import BoxFoundation

/// Events in the order they were posted.
package struct EventQueue {
    private var events: [DeviceEvent?] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == events.count }
    package var count: Int { events.count - head }

    package mutating func append(_ event: DeviceEvent) { events.append(event) }

    package mutating func removeFirst() -> DeviceEvent? {
        guard head < events.count else { return nil }
        let event = events[head].take()
        head += 1
        compact()
        return event
    }

    /// Gives the used front back, seldom enough that taking stays cheap.
    private mutating func compact() {
        if head == events.count {
            events.removeAll(keepingCapacity: events.capacity <= 1024)
            head = 0
        } else if head >= 256, head * 2 >= events.count {
            events.removeFirst(head)
            head = 0
        }
    }
}

/// Work for later, earliest first: a binary heap by moment, then by the order it came in.
package struct LoopSchedule {
    private struct Entry {
        var moment: Moment
        var number: UInt64
        var work: () -> Void

        func isBefore(_ other: Entry) -> Bool { (moment, number) < (other.moment, other.number) }
    }

    private var heap: [Entry] = []
    private var scheduled: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { heap.isEmpty }
    package var earliest: Moment? { heap.first?.moment }

    package mutating func add(at moment: Moment, _ work: @escaping () -> Void) {
        scheduled += 1
        heap.append(Entry(moment: moment, number: scheduled, work: work))
        rise(from: heap.count - 1)
    }

    /// The earliest work that is due at `now`; nil when none is.
    package mutating func removeFirst(dueAt now: Moment) -> (() -> Void)? {
        guard let first = heap.first, first.moment <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
        return first.work
    }

    private mutating func rise(from place: Int) {
        var child = place
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func sink(from place: Int) {
        var parent = place
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
