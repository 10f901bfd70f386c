import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

@Suite("The console's port")
struct TTYConsoleTests {
    private let loop: EpollLoop
    private let log = SilentLog()
    private let folder = TemporaryFolder()

    init() throws { loop = try EpollLoop() }

    @Test("A port that is late is opened when it appears, without looking again and again")
    func late() throws {
        let path = "\(folder.path)/ttyGS0"
        let console = TTYConsole(path, on: loop, log: log)
        let before = loop.wakeups
        loop.wait(until: loop.now + .milliseconds(30))
        #expect(loop.next() == nil)
        #expect(loop.wakeups - before <= 2)
        let terminal = try PseudoTerminal()
        symlink(terminal.path, path)
        #expect(nextEvent() == .opened)
        console.write([65])
        #expect(read(terminal, 1) == [65])
    }

    @Test("A port that goes and comes back is closed and opened, and works again")
    func goneAndBack() throws {
        let path = "\(folder.path)/ttyGS0"
        var terminal = try PseudoTerminal()
        symlink(terminal.path, path)
        let console = TTYConsole(path, on: loop, log: log)
        #expect(nextEvent() == .opened)
        for _ in 0..<3 {
            unlink(path)
            terminal.hangUp()
            #expect(nextEvent() == .closed)
            terminal = try PseudoTerminal()
            symlink(terminal.path, path)
            #expect(nextEvent() == .opened)
            terminal.type([66])
            #expect(nextEvent() == .received([66]))
            console.write([67])
            #expect(read(terminal, 1) == [67])
        }
    }

    @Test("Stopping with output that nobody reads drops it at once and opens nothing again")
    func stop() throws {
        let terminal = try PseudoTerminal()
        let console = TTYConsole(terminal.path, on: loop, log: log)
        #expect(nextEvent() == .opened)
        for _ in 0..<60 { console.write([UInt8](repeating: 1, count: 1000)) }
        console.stop()
        #expect(console.dropped > 0)
        loop.wait(until: loop.now + .milliseconds(5))
        #expect(loop.next() == nil)
    }

    @Test("A path that is no terminal is used for what it can")
    func noTerminal() {
        let console = TTYConsole("/dev/null", on: loop, log: log)
        #expect(nextEvent() == .opened)
        console.write([1])
        #expect(nextEvent() == .closed)
    }

    @Test("The log says once that there is no port, not at every try")
    func logOnce() {
        let console = TTYConsole("\(folder.path)/none", on: loop, log: log)
        folder.write([], to: "other")
        folder.write([], to: "another")
        loop.wait(until: loop.now + .milliseconds(5))
        #expect(log.entries.map(\.text) == ["no port yet: open \(console.path): No such file or directory (ENOENT)"])
    }

    @Test("The desk's console reads and writes the given descriptors until the input ends")
    func standard() throws {
        let input = PipeBox(try Pipe())
        let output = PipeBox(try Pipe())
        let console = StandardConsole(on: loop, input: input.pipe.reader.number, output: output.pipe.writer.number)
        #expect(nextEvent() == .opened)
        input.pipe.fill(Array("help\n".utf8))
        #expect(nextEvent() == .received(Array("help\n".utf8)))
        console.write(Array("ok\r\n".utf8))
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(Glibc.read(output.pipe.reader.number, &bytes, 16) == 4)
        // Far beyond what the pipe and the queue hold.
        for _ in 0..<40 { console.write([UInt8](repeating: 2, count: 8192)) }
        #expect(console.dropped > 0)
        #expect(console.dropped % 8192 == 0)
    }

    @Test("The end of standard input closes the desk's console once", arguments: ["/dev/null", "/etc/hostname"])
    func standardEnd(path: String) throws {
        let input = try Descriptor(opening: path, O_RDONLY)
        let output = try Descriptor(opening: "/dev/null", O_WRONLY)
        let console = StandardConsole(on: loop, input: input.number, output: output.number)
        var events: [ConsoleEvent] = []
        while events.last != .closed, let event = nextEvent() { events.append(event) }
        #expect(events.first == .opened)
        #expect(events.last == .closed)
        loop.wait(until: loop.now + .milliseconds(2))
        #expect(loop.next() == nil)
        #expect(console.dropped == 0)
    }

    @Test("Output into a file goes where the file is, after what others wrote")
    func standardFile() throws {
        folder.write([], to: "out")
        let input = PipeBox(try Pipe())
        let output = try Descriptor(opening: "\(folder.path)/out", O_WRONLY)
        #expect(try output.write([1, 2]) == 2)
        let console = StandardConsole(on: loop, input: input.pipe.reader.number, output: output.number)
        console.write([3])
        #expect(try output.write([4]) == 1)
        #expect(folder.read("out") == [1, 2, 3, 4])
    }

    private func nextEvent() -> ConsoleEvent? {
        var found: ConsoleEvent?
        loop.run {
            guard case .console(let event)? = loop.next() else { return false }
            found = event
            return true
        }
        return found
    }

    private func read(_ terminal: PseudoTerminal, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        loop.run {
            loop.schedule(at: loop.now + .milliseconds(1)) {}
            bytes += terminal.read()
            return bytes.count >= count
        }
        return bytes
    }
}
