import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

@Suite("A worker, inline and on a thread")
struct WorkerContractTests {
    typealias Doubler = any Worker<Int, Int>

    /// A worker called "double" and the loop that it answers through.
    private func makeDoubler(_ world: World) throws -> (loop: any EventLoop, worker: Doubler) {
        switch world {
        case .simulated:
            let loop = SimulatedLoop()
            return (loop, InlineWorker("double", on: loop, delay: .milliseconds(1)) { $0 * 2 })
        case .real:
            let loop = try EpollLoop()
            return (loop, try WorkerThread("double", on: loop) { $0 * 2 })
        }
    }

    @Test("Every request has one answer, in order, and the loop is told", arguments: World.allCases)
    func order(world: World) throws {
        let (loop, worker) = try makeDoubler(world)
        for n in 0..<500 { worker.submit(n) }
        var answers: [Int] = []
        var told = 0
        while answers.count < 500 {
            let turn = loop.run { !$0.isEmpty }
            try #require(turn.isDone)
            #expect(turn.events.allSatisfy { $0.workerName == "double" })
            told += turn.events.count
            answers += worker.takeAnswers()
        }
        #expect(answers == (0..<500).map { $0 * 2 })
        #expect(told > 0)
    }

    @Test("Answers taken early leave at most an empty call behind", arguments: World.allCases)
    func early(world: World) throws {
        let (loop, worker) = try makeDoubler(world)
        worker.submit(4)
        let turn = loop.run { _ in worker.takeAnswers() == [8] }
        #expect(turn.isDone)
        for _ in loop.run(for: .milliseconds(3)) { #expect(worker.takeAnswers() == []) }
    }

    @Test("With nothing submitted there is no answer", arguments: World.allCases)
    func nothing(world: World) throws {
        let (_, worker) = try makeDoubler(world)
        #expect(worker.takeAnswers() == [])
    }
}

@Suite("An inline worker")
struct InlineWorkerTests {
    @Test("Without a delay the answer is there at once")
    func atOnce() {
        let loop = SimulatedLoop()
        let worker = InlineWorker("w", on: loop) { (n: Int) in n + 1 }
        worker.submit(1)
        worker.submit(2)
        #expect(worker.takeAnswers() == [2, 3])
        #expect(loop.pending == 1)
    }

    @Test("The work is done when its time is over, and an answer without delay does not overtake")
    func delayed() {
        let loop = SimulatedLoop()
        var done: [Int] = []
        let worker = InlineWorker("w", on: loop, delay: .milliseconds(30)) { (n: Int) in done.append(n) }
        worker.submit(1)
        worker.delay = .zero
        worker.submit(2)
        #expect(done == [])
        loop.advance(by: .milliseconds(29))
        #expect(done == [])
        loop.advance(by: .milliseconds(1))
        #expect(done == [1, 2])
        #expect(worker.takeAnswers().count == 2)
    }
}
