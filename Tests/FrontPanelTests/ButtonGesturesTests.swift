import BoxFoundation
import FrontPanel
import Testing

/// Plays edges and timers on one clock of milliseconds, as the loop would.
struct KeyPress {
    enum Seen: Equatable { case gesture(ButtonGesture), acknowledge, stuck, freed }

    var button = ButtonGestures()
    var timer: Moment?
    var seen: [(Int, Seen)] = []

    static func at(_ milliseconds: Int) -> Moment { .zero + .milliseconds(milliseconds) }

    mutating func note(_ outputs: [PanelOutput], at milliseconds: Int) {
        for output in outputs {
            switch output {
            case .gesture(let gesture): seen.append((milliseconds, .gesture(gesture)))
            case .acknowledge: seen.append((milliseconds, .acknowledge))
            case .stuck: seen.append((milliseconds, .stuck))
            case .freed: seen.append((milliseconds, .freed))
            case .timer(.button, let at): timer = at
            case .timer(.light, _), .light: Issue.record("not the button's: \(output)")
            }
        }
    }

    mutating func run(to milliseconds: Int) {
        while let due = timer, due <= Self.at(milliseconds) {
            timer = nil
            let now = Int((due - .zero).milliseconds)
            note(button.timer(at: due), at: now)
        }
    }

    /// Edges by their times, the first a press, and what was seen until long after the last.
    static func gestures(_ edges: [Int], until end: Int? = nil) -> [(Int, ButtonGesture)] {
        var play = KeyPress()
        for (i, edge) in edges.enumerated() {
            play.run(to: edge - 1)
            play.note(play.button.edge(isPressed: i % 2 == 0, at: at(edge)), at: edge)
        }
        play.run(to: end ?? (edges.last ?? 0) + 2000)
        return play.seen.compactMap { if case .gesture(let gesture) = $1 { ($0, gesture) } else { nil } }
    }
}

@Suite("The button")
struct ButtonGesturesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Milliseconds; press, release, press, …
        var edges: [Int]
        var gestures: [(Int, ButtonGesture)]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "short: known when no second press can come", edges: [0, 100], gestures: [(400, .short)]),
        Case(
            name: "short: let go after the window, known when that has settled", edges: [0, 800],
            gestures: [(820, .short)]),
        Case(name: "bounce on release is one press (row 81)", edges: [0, 800, 803, 806], gestures: [(826, .short)]),
        Case(
            name: "bounce on press and release", edges: [0, 2, 5, 9, 12, 100, 104, 109, 111, 118],
            gestures: [(412, .short)]),
        Case(name: "a spike is nothing", edges: [0, 3], gestures: []),
        Case(name: "a spike of just under the settling time is nothing", edges: [0, 19], gestures: []),
        Case(name: "a press of the settling time is one", edges: [0, 20], gestures: [(400, .short)]),
        Case(name: "double", edges: [0, 100, 250, 350], gestures: [(270, .double)]),
        Case(name: "double at the limit", edges: [0, 100, 400, 500], gestures: [(420, .double)]),
        Case(name: "just not a double", edges: [0, 100, 401, 500], gestures: [(400, .short), (801, .short)]),
        Case(name: "a spike in the window is no second press", edges: [0, 100, 395, 399], gestures: [(400, .short)]),
        Case(
            name: "three quick presses: double, then short", edges: [0, 50, 150, 200, 300, 350],
            gestures: [(170, .double), (700, .short)]),
        Case(name: "double and held on: nothing more", edges: [0, 100, 200, 9000], gestures: [(220, .double)]),
        Case(name: "2.9 s is short", edges: [0, 2900], gestures: [(2920, .short)]),
        Case(name: "let go just before 3 s is short", edges: [0, 2999], gestures: [(3019, .short)]),
        Case(name: "3.1 s is a hold, told at 3 s (row 83)", edges: [0, 3100], gestures: [(3000, .hold)]),
        Case(
            name: "a bounce across the threshold is still a hold", edges: [0, 2995, 2999, 3200],
            gestures: [(3000, .hold)]),
        Case(name: "9.9 s", edges: [0, 9900], gestures: [(3000, .hold)]),
        Case(
            name: "10.1 s: both, each at its threshold", edges: [0, 10_100],
            gestures: [(3000, .hold), (10_000, .longHold)]),
        Case(
            name: "a hold and then a short press", edges: [0, 3500, 3600, 3700],
            gestures: [(3000, .hold), (4000, .short)]),
        Case(name: "two short presses apart", edges: [0, 100, 1000, 1100], gestures: [(400, .short), (1400, .short)]),
    ]

    @Test("Edges become gestures at their thresholds", arguments: cases)
    func table(_ row: Case) {
        let seen = KeyPress.gestures(row.edges)
        #expect(seen.map(\.0) == row.gestures.map(\.0))
        #expect(seen.map(\.1) == row.gestures.map(\.1))
    }

    @Test("Edges that are read late mean the same", arguments: cases)
    func late(_ row: Case) {
        var play = KeyPress()
        for (i, edge) in row.edges.enumerated() {
            play.note(play.button.edge(isPressed: i % 2 == 0, at: KeyPress.at(edge)), at: edge)
        }
        play.run(to: 100_000)
        let gestures = play.seen.compactMap { if case .gesture(let gesture) = $1 { gesture } else { nil } }
        #expect(gestures == row.gestures.map(\.1))
    }

    @Test("Early and double timers do no harm", arguments: cases)
    func timers(_ row: Case) {
        var play = KeyPress()
        var next = 0
        for now in 0...((row.edges.last ?? 0) + 2000) where now % 5 == 0 || row.edges.contains(now) {
            while next < row.edges.count, row.edges[next] <= now {
                let edge = play.button.edge(isPressed: next % 2 == 0, at: KeyPress.at(row.edges[next]))
                play.note(edge, at: now)
                next += 1
            }
            play.note(play.button.timer(at: KeyPress.at(now)), at: now)
            play.note(play.button.timer(at: KeyPress.at(now)), at: now)
        }
        let gestures = play.seen.compactMap { if case .gesture(let gesture) = $1 { gesture } else { nil } }
        #expect(gestures == row.gestures.map(\.1))
    }

    @Test("A press is acknowledged as soon as it has settled, a threshold when it is reached")
    func acknowledged() {
        var play = KeyPress()
        play.note(play.button.edge(isPressed: true, at: .zero), at: 0)
        play.run(to: 12_000)
        let acknowledged = play.seen.filter { $0.1 == .acknowledge }.map(\.0)
        #expect(acknowledged == [20, 3000, 10_000])
    }

    @Test("A key that is down at the start is stuck after 10 s, prints nothing, and works when it is free (row 84)")
    func stuckAtStart() {
        var play = KeyPress()
        play.note(play.button.started(isPressed: true, at: .zero), at: 0)
        play.run(to: 9999)
        #expect(play.seen.isEmpty)
        play.run(to: 60_000)
        #expect(play.seen.map(\.0) == [10_000])
        #expect(play.seen.map(\.1) == [.stuck])
        #expect(play.button.isStuck)
        play.note(play.button.edge(isPressed: false, at: KeyPress.at(70_000)), at: 70_000)
        play.note(play.button.edge(isPressed: true, at: KeyPress.at(71_000)), at: 71_000)
        play.note(play.button.edge(isPressed: false, at: KeyPress.at(71_100)), at: 71_100)
        play.run(to: 80_000)
        #expect(play.seen.map(\.1) == [.stuck, .freed, .acknowledge, .gesture(.short)])
    }

    @Test("A finger on the key at the start means nothing")
    func fingerAtStart() {
        var play = KeyPress()
        play.note(play.button.started(isPressed: true, at: .zero), at: 0)
        play.run(to: 4999)
        play.note(play.button.edge(isPressed: false, at: KeyPress.at(5000)), at: 5000)
        play.run(to: 60_000)
        #expect(play.seen.isEmpty)
    }

    @Test("A key that stays down for a minute is stuck, after its holds")
    func stuckLater() {
        var play = KeyPress()
        play.note(play.button.edge(isPressed: true, at: .zero), at: 0)
        play.run(to: 600_000)
        #expect(play.seen.map(\.0) == [20, 3000, 3000, 10_000, 10_000, 60_000])
        #expect(play.seen.last?.1 == .stuck)
        #expect(play.timer == nil, "nothing is waited for")
    }

    @Test("No chatter, however wild, gives more gestures than presses could", arguments: 0..<50)
    func chatter(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var play = KeyPress()
        var now = 0
        for i in 0..<400 {
            now += Int.random(in: 0...15, using: &random)
            play.run(to: now - 1)
            play.note(play.button.edge(isPressed: i % 2 == 0, at: KeyPress.at(now)), at: now)
        }
        play.run(to: now + 1000)
        #expect(play.seen.isEmpty, "no level stood for 20 ms")
    }
}
