import BoxFoundation
import HardwareInterface
import HardwareSimulated
import Testing

@Suite("The simulated panel, clock and log")
struct SimulatedPanelTests {
    private let loop = SimulatedLoop(startingAt: .zero)

    @Test("A light remembers changes with their moments, and no more than changes")
    func light() {
        let light = SimulatedLight(on: loop)
        light.set(brightness: 0)
        light.set(brightness: 70)
        loop.advance(by: .milliseconds(100))
        light.set(brightness: 70)
        light.set(brightness: 140)
        #expect(
            light.changes == [
                .init(brightness: 70, at: .zero), .init(brightness: 100, at: .zero + .milliseconds(100)),
            ])
    }

    @Test("A worn button swings after a press and after a release, and ends where it should")
    func bounce() {
        let button = SimulatedButton(on: loop)
        button.bounce = .milliseconds(6)
        button.press(for: .milliseconds(800))
        loop.advance(by: .seconds(2))
        var edges: [[Int]] = []
        while case .button(let edge)? = loop.next() {
            edges.append([edge.isPressed ? 1 : 0, Int((edge.at - .zero).milliseconds)])
        }
        #expect(edges == [[1, 0], [0, 3], [1, 6], [0, 800], [1, 803], [0, 806]])
    }

    @Test("A button pressed twice without a release is pressed once")
    func twice() {
        let button = SimulatedButton(on: loop)
        button.press()
        button.press()
        #expect(loop.pending == 1)
        #expect(button.isPressed)
    }

    @Test("The clock runs with the loop and can be set back")
    func clock() {
        let clock = SimulatedClock(on: loop, epoch: WallTime(milliseconds: 5000))
        clock.isSynchronised = false
        loop.advance(by: .seconds(2))
        #expect(clock.read() == ClockReading(time: WallTime(milliseconds: 7000), isSynchronised: false, offset: 28_800))
        clock.epoch = WallTime(milliseconds: 10)
        loop.advance(by: .milliseconds(5))
        #expect(clock.read().time == WallTime(milliseconds: 2015))
    }

    @Test("The log keeps the newest entries")
    func log() {
        let log = MemoryLog(capacity: 3)
        for n in 0..<20 { log.log(LogEntry(.info, "box", "\(n)")) }
        #expect(log.entries.suffix(3).map(\.text) == ["17", "18", "19"])
        #expect(log.entries.count <= 6)
        #expect(log.contains("19"))
    }
}
