import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

@Suite("The epoll loop")
struct EpollLoopTests {
    @Test("A descriptor's handler is called when it is readable, and again while something is left")
    func readable() throws {
        let loop = try EpollLoop()
        let pipe = try Pipe()
        var calls: [DescriptorInterest] = []
        loop.watch(pipe.reader.number, for: .readable) { calls.append($0) }
        pipe.fill([1, 2, 3])
        loop.wait(until: loop.now)
        loop.wait(until: loop.now)
        #expect(calls == [.readable, .readable])
        pipe.drain()
        loop.wait(until: loop.now)
        #expect(calls.count == 2)
        loop.unwatch(pipe.reader.number)
    }

    @Test("A descriptor watched for nothing is called for failures only")
    func failed() throws {
        let loop = try EpollLoop()
        var pipe: PipeBox? = PipeBox(try Pipe())
        let number = pipe?.pipe.writer.number ?? -1
        let writer = try Descriptor("dup") { dup(number) }
        var calls: [DescriptorInterest] = []
        loop.watch(writer.number, for: .writable) { calls.append($0) }
        loop.change(writer.number, to: [])
        loop.wait(until: loop.now)
        #expect(calls == [])
        pipe = nil
        loop.wait(until: loop.now)
        #expect(calls == [.failed])
        loop.unwatch(writer.number)
    }

    @Test("A handler that unwatches and closes the others stops their calls in the same turn")
    func unwatchInDispatch() throws {
        let loop = try EpollLoop()
        var pipes: [Int: PipeBox] = [:]
        var calls = 0
        for i in 0..<8 {
            let pipe = PipeBox(try Pipe())
            pipe.pipe.fill([1])
            pipes[i] = pipe
            loop.watch(pipe.pipe.reader.number, for: .readable) { _ in
                calls += 1
                for other in pipes.values { loop.unwatch(other.pipe.reader.number) }
                pipes = [:]
            }
        }
        loop.wait(until: loop.now)
        loop.wait(until: loop.now)
        #expect(calls == 1)
    }

    @Test("A descriptor number used again in the same turn gets no readiness of its predecessor")
    func reuse() throws {
        let loop = try EpollLoop()
        var first: PipeBox? = PipeBox(try Pipe())
        var second: PipeBox? = PipeBox(try Pipe())
        var fresh: [PipeBox] = []
        var staleCalls = 0
        let numbers = [first, second].compactMap { $0?.pipe.reader.number }
        func replace() {
            for number in numbers { loop.unwatch(number) }
            (first, second) = (nil, nil)
            // The kernel hands out the lowest free numbers: both readers' numbers come back.
            fresh = (0..<2).compactMap { _ in try? PipeBox(Pipe()) }
            for pipe in fresh { loop.watch(pipe.pipe.reader.number, for: .readable) { _ in staleCalls += 1 } }
        }
        for number in numbers { loop.watch(number, for: .readable) { _ in replace() } }
        first?.pipe.fill([1])
        second?.pipe.fill([1])
        loop.wait(until: loop.now)
        #expect(fresh.count == 2)
        #expect(staleCalls == 0)
        for pipe in fresh { loop.unwatch(pipe.pipe.reader.number) }
    }

    @Test("What the kernel cannot wait for is ready at every turn while it is asked for", arguments: ["/dev/null"])
    func alwaysReady(path: String) throws {
        let loop = try EpollLoop()
        let file = try Descriptor(opening: path, O_WRONLY)
        var calls: [DescriptorInterest] = []
        loop.watch(file.number, for: .writable) { calls.append($0) }
        loop.wait(until: nil)
        loop.wait(until: nil)
        #expect(calls == [.writable, .writable])
        loop.change(file.number, to: [])
        loop.wait(until: loop.now + .milliseconds(1))
        #expect(calls.count == 2)
        loop.unwatch(file.number)
    }

    @Test("Unwatching what is not watched does nothing")
    func unwatchTwice() throws {
        let loop = try EpollLoop()
        loop.unwatch(-1)
        loop.unwatch(12_345)
        loop.change(12_345, to: .readable)
    }

    @Test("SIGTERM and SIGINT ask to stop, SIGHUP to read the settings again")
    func signals() throws {
        let loop = try EpollLoop(takingSignals: true)
        // To this thread alone: the others of the test process do not block them.
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            pthread_kill(pthread_self(), signal)
            loop.wait(until: loop.now + .seconds(1))
            guard case .signal(let event)? = loop.next() else {
                Issue.record("no event for signal \(signal)")
                continue
            }
            #expect(event == (signal == SIGHUP ? .reload : .terminate))
        }
        var mask = sigset_t()
        sigemptyset(&mask)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    @Test("A loop with nothing to do wakes up only for its deadline")
    func idle() throws {
        let loop = try EpollLoop()
        let pipe = try Pipe()
        loop.watch(pipe.reader.number, for: .readable) { _ in }
        let before = loop.wakeups
        loop.wait(until: loop.now + .milliseconds(20))
        #expect(loop.wakeups - before == 1)
        loop.unwatch(pipe.reader.number)
    }

    @Test("Scheduled work wakes the loop without a deadline")
    func scheduledAlone() throws {
        let loop = try EpollLoop()
        var isDone = false
        loop.schedule(at: loop.now + .microseconds(300)) { isDone = true }
        loop.wait(until: nil)
        #expect(isDone)
    }
}
