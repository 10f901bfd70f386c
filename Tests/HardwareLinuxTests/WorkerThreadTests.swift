import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

@Suite("A worker on a thread")
struct WorkerThreadTests {
    @Test("Stopping finishes what was submitted; the answers can still be taken")
    func stop() throws {
        let loop = try EpollLoop()
        let worker = try WorkerThread("count", on: loop) { (n: Int) in n }
        for n in 0..<1000 { worker.submit(n) }
        worker.stop()
        #expect(worker.takeAnswers() == Array(0..<1000))
        worker.stop()
    }

    @Test("The work's own state is made on the thread and kept from request to request")
    func state() throws {
        let loop = try EpollLoop()
        let worker = try WorkerThread<Int, SumAnswer>(
            "sum", on: loop,
            making: {
                let maker = pthread_self()
                var sum = 0
                return { n in
                    sum += n
                    return SumAnswer(sum: sum, isMakersThread: pthread_self() == maker, thread: UInt(pthread_self()))
                }
            })
        for n in 1...4 { worker.submit(n) }
        worker.stop()
        let answers = worker.takeAnswers()
        #expect(answers.map(\.sum) == [1, 3, 6, 10])
        #expect(answers.allSatisfy { $0.isMakersThread })
        #expect(answers.allSatisfy { $0.thread != UInt(pthread_self()) })
    }

    private struct SumAnswer {
        var sum: Int
        var isMakersThread: Bool
        var thread: UInt
    }

    @Test("An abandoned worker is not waited for, however long its work takes")
    func abandon() throws {
        let loop = try EpollLoop()
        let orders = PipeBox(try Pipe())
        let reports = PipeBox(try Pipe())
        let (order, report) = (orders.pipe.reader.number, reports.pipe.writer.number)
        _ = fcntl(order, F_SETFL, 0)
        let worker = try WorkerThread("stuck", on: loop) { (n: Int) in
            var byte = UInt8(n)
            _ = write(report, &byte, 1)
            _ = read(order, &byte, 1)
            _ = write(report, &byte, 1)
        }
        var reported = 0
        loop.watch(reports.pipe.reader.number, for: .readable) { _ in
            reported += 1
            reports.pipe.drain()
        }
        worker.submit(1)
        worker.submit(2)
        loop.run { reported == 1 }
        worker.abandon()
        orders.pipe.fill([9])
        loop.run { reported == 2 }
        #expect(reported == 2)
        #expect(worker.takeAnswers().isEmpty)
        #expect(loop.next() == nil)
        loop.unwatch(reports.pipe.reader.number)
    }

    @Test("A device's own worker calls it in place of posting an event")
    func onAnswers() throws {
        let loop = try EpollLoop()
        var calls = 0
        let worker = try WorkerThread<Int, Int>("own", on: loop, onAnswers: { calls += 1 }, making: { { $0 } })
        worker.submit(7)
        loop.run { calls == 1 }
        #expect(calls == 1)
        #expect(worker.takeAnswers() == [7])
        #expect(loop.next() == nil)
    }
}
