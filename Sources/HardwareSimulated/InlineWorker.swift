// A worker without a thread: the work is done and answered at `submit`, or after a time of the loop.

import BoxFoundation
import HardwareInterface

/// A worker without a thread, so that a run is the same each time.
package final class InlineWorker<Request: Sendable, Answer: Sendable>: Worker {
    package let name: String

    /// How long a request takes. Its work is done when that time is over, so that a power cut within it finds nothing
    /// done. Requests keep their order: one never overtakes an earlier, slower one.
    package var delay: Interval

    private let loop: any EventLoop
    private let work: (Request) -> Answer
    private var answers: [Answer] = []
    private var underWay = 0
    private var lastDue = Moment.zero

    /// - Parameter name: what `.worker` carries.
    package init(
        _ name: String, on loop: any EventLoop, delay: Interval = .zero, _ work: @escaping (Request) -> Answer
    ) {
        self.name = name
        self.loop = loop
        self.delay = delay
        self.work = work
    }

    package func submit(_ request: Request) {
        guard delay > .zero || underWay > 0 else { return perform(request) }
        lastDue = max(lastDue, loop.now + delay)
        underWay += 1
        loop.schedule(at: lastDue) { [weak self] in
            guard let self else { return }
            underWay -= 1
            perform(request)
        }
    }

    package func takeAnswers() -> [Answer] {
        let taken = answers
        answers = []
        return taken
    }

    private func perform(_ request: Request) {
        answers.append(work(request))
        if answers.count == 1 { loop.post(.worker(name)) }
    }
}
