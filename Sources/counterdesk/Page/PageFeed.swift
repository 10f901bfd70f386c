// The events that wait for one open page (server-sent events, HTML Living Standard 9.2). A page that reads too slowly loses
// them all and gets the whole state anew.

import BoxFoundation

/// The events that wait for one page, 4 MiB at most; one that reads too slowly gets the state anew.
package struct PageFeed: Sendable {
    /// Bytes that wait for one page at most; a snapshot of six long receipts fits several times.
    package static let mostWaiting = 4 << 20

    private var events: [[UInt8]] = []
    private var waiting = 0
    /// What is being sent; an event is never left half.
    private var current: ArraySlice<UInt8> = []
    /// A new page, or one that fell behind.
    private var needsSnapshot = true

    package init() {}

    /// There is something to send.
    package var hasMore: Bool { needsSnapshot || !current.isEmpty || !events.isEmpty }

    /// - Parameter event: as `PageFeed.text` writes it.
    package mutating func add(_ event: [UInt8]) {
        // The snapshot to come holds it already.
        guard !needsSnapshot else { return }
        if waiting + event.count > Self.mostWaiting {
            (events, waiting, needsSnapshot) = ([], 0, true)
        } else {
            events.append(event)
            waiting += event.count
        }
    }

    /// Takes bytes to send.
    ///
    /// - Parameter snapshot: the state as an event's text; asked for where the page needs it.
    package mutating func take(most: Int, snapshot: () -> [UInt8]) -> ArraySlice<UInt8> {
        if current.isEmpty {
            if needsSnapshot {
                needsSnapshot = false
                current = snapshot()[...]
            } else if !events.isEmpty {
                // Small events leave together.
                while !events.isEmpty, current.count < most { current += events.removeFirst() }
                waiting = events.reduce(0) { $0 + $1.count }
            }
        }
        defer { current = current.dropFirst(most) }
        return current.prefix(most)
    }

    /// One event. JSON holds no line end, so it is one line.
    package static func text(_ event: JSON) -> [UInt8] { Array("data: ".utf8) + event.bytes + Array("\n\n".utf8) }

    /// Says nothing; finds out whether the page is still there.
    package static let sign = Array(":\n\n".utf8)
}
