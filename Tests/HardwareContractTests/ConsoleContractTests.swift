import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import TestSupport
import Testing

/// A console with its host in the test's hand.
private protocol ConsoleBench: AnyObject {
    var loop: any EventLoop { get }
    var device: any ConsoleDevice { get }
    func type(_ bytes: [UInt8])
    func read() -> [UInt8]
    func setReading(_ isReading: Bool)
    func hangUp()
}

private final class SimulatedConsoleBench: ConsoleBench {
    let loop: any EventLoop = SimulatedLoop()
    private let console: SimulatedConsole

    init() {
        console = SimulatedConsole(on: loop)
        console.plug()
    }

    var device: any ConsoleDevice { console }
    func type(_ bytes: [UInt8]) { console.type(bytes) }
    func read() -> [UInt8] { console.takeOutput() }
    func setReading(_ isReading: Bool) { console.isStalled = !isReading }
    func hangUp() { console.unplug() }
}

private final class TerminalBench: ConsoleBench {
    let loop: any EventLoop
    private let console: TTYConsole
    private let terminal: PseudoTerminal
    private var isReading = true

    init() throws {
        let epoll = try EpollLoop()
        terminal = try PseudoTerminal()
        console = TTYConsole(terminal.path, on: epoll, log: MemoryLog())
        loop = epoll
    }

    var device: any ConsoleDevice { console }
    func type(_ bytes: [UInt8]) { terminal.type(bytes) }
    func read() -> [UInt8] { isReading ? terminal.read() : [] }
    func setReading(_ isReading: Bool) { self.isReading = isReading }
    func hangUp() { terminal.hangUp() }
}

@Suite("A console, simulated and on a pseudo-terminal")
struct ConsoleContractTests {
    private func makeBench(_ world: World) throws -> any ConsoleBench {
        let bench: any ConsoleBench = world == .simulated ? SimulatedConsoleBench() : try TerminalBench()
        let turns = bench.loop.run { !$0.isEmpty }
        #expect(turns.events.map(\.console) == [.opened])
        return bench
    }

    @Test("Every byte comes through as it is, both ways", arguments: World.allCases)
    func bytes(world: World) throws {
        let bench = try makeBench(world)
        let all = (0...255).map { UInt8($0) }
        bench.type(all)
        var received: [UInt8] = []
        bench.loop.run { events in
            received = events.compactMap(\.console).flatMap(\.bytes)
            return received.count == 256
        }
        #expect(received == all)
        bench.device.write(all)
        var arrived: [UInt8] = []
        bench.loop.run { _ in
            bench.loop.schedule(at: bench.loop.now + .milliseconds(1)) {}
            arrived += bench.read()
            return arrived.count == 256
        }
        #expect(arrived == all)
        #expect(bench.device.dropped == 0)
    }

    @Test(
        "A host that does not read costs whole writes, counted; what was taken comes in order",
        arguments: World.allCases)
    func stalled(world: World) throws {
        let bench = try makeBench(world)
        bench.setReading(false)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1023) + [UInt8(ascii: "\n")]
        for _ in 0..<200 { bench.device.write(line) }
        bench.loop.run(for: .milliseconds(2))
        let dropped = bench.device.dropped
        #expect(dropped >= 200 * 1024 - (64 << 10) - (128 << 10))
        #expect(dropped % 1024 == 0)
        #expect(dropped < 200 * 1024)

        bench.setReading(true)
        var arrived: [UInt8] = []
        bench.loop.run { _ in
            bench.loop.schedule(at: bench.loop.now + .milliseconds(1)) {}
            arrived += bench.read()
            return arrived.count == 200 * 1024 - dropped
        }
        #expect(arrived.count == 200 * 1024 - dropped)
        #expect(stride(from: 0, to: arrived.count, by: 1024).allSatisfy { Array(arrived[$0..<$0 + 1024]) == line })
        #expect(bench.device.dropped == dropped)
    }

    @Test("A port that hangs up is closed once, and output then is dropped and counted", arguments: World.allCases)
    func hangUp(world: World) throws {
        let bench = try makeBench(world)
        bench.hangUp()
        let turns = bench.loop.run { !$0.isEmpty }
        #expect(turns.events.map(\.console) == [.closed])
        bench.device.write([1, 2, 3])
        #expect(bench.device.dropped == 3)
        #expect(bench.loop.run(for: .milliseconds(5)).isEmpty)
    }
}

extension DeviceEvent {
    fileprivate var console: ConsoleEvent? { if case .console(let event) = self { event } else { nil } }
}

extension ConsoleEvent {
    fileprivate var bytes: [UInt8] { if case .received(let bytes) = self { bytes } else { [] } }
}
