// A thread for calls that may take long, with a mailbox on either side. Answers reach the loop through an eventfd.

import CLinux
import Glibc
import HardwareInterface

/// Does requests one after the other on a thread of its own. `.worker(name)` is posted when answers are there.
///
/// Requests are not bounded here: whoever submits has a limit on what it has under way.
package final class WorkerThread<Request: Sendable, Answer: Sendable>: Worker {
    package let name: String

    private let loop: any DescriptorLoop
    private let mailbox: WorkerMailbox<Request, Answer>
    private let thread: pthread_t
    private var isRunning = true

    /// - Parameters:
    ///   - name: what `.worker` carries; its first 15 bytes also name the thread.
    ///   - onAnswers: called from the loop in place of posting `.worker`, for a device that has its own worker.
    ///   - makeWork: called once on the thread, so that what the work keeps (a database handle) lives there alone.
    package init(
        _ name: String, on loop: any DescriptorLoop, onAnswers: (() -> Void)? = nil,
        making makeWork: @escaping @Sendable () -> (Request) -> Answer
    ) throws(SystemError) {
        self.name = name
        self.loop = loop
        mailbox = try WorkerMailbox()
        let mailbox = mailbox
        thread = try startThread(name) { mailbox.serve(makeWork()) }
        loop.watch(mailbox.bell.number, for: .readable) { [unowned self] _ in
            guard self.mailbox.hush() else { return }
            if let onAnswers { onAnswers() } else { self.loop.post(.worker(self.name)) }
        }
    }

    /// - Parameter work: keeps nothing between two requests.
    package convenience init(
        _ name: String, on loop: any DescriptorLoop, _ work: @escaping @Sendable (Request) -> Answer
    ) throws(SystemError) {
        try self.init(name, on: loop, making: { work })
    }

    deinit { stop() }

    package func submit(_ request: Request) {
        precondition(isRunning, "worker \(name) was stopped")
        mailbox.put(request)
    }

    package func takeAnswers() -> [Answer] { mailbox.takeAnswers() }

    /// Waits until all that was submitted is done, and ends the thread. The answers can still be taken. The only call
    /// here that blocks: for the end of the program.
    package func stop() {
        guard end() else { return }
        mailbox.close(discarding: false)
        pthread_join(thread, nil)
    }

    /// Does not wait: requests not begun are dropped, the one under way ends unheard. For work that may hang, such as
    /// name resolution.
    package func abandon() {
        guard end() else { return }
        mailbox.close(discarding: true)
        pthread_detach(thread)
    }

    private func end() -> Bool {
        guard isRunning else { return false }
        isRunning = false
        loop.unwatch(mailbox.bell.number)
        return true
    }
}

/// What both threads touch, under one lock.
///
/// `@unchecked Sendable`: every stored `var` is read and written with `lock` held.
private final class WorkerMailbox<Request: Sendable, Answer: Sendable>: @unchecked Sendable {
    /// Readable when answers have come since the last `hush`.
    let bell: Descriptor

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeup = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// In the order submitted.
    private var requests: [Request] = []
    private var answers: [Answer] = []
    private var isClosed = false
    private var isDiscarding = false

    init() throws(SystemError) {
        bell = try Descriptor("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
        pthread_mutex_init(lock, nil)
        pthread_cond_init(wakeup, nil)
    }

    deinit {
        pthread_cond_destroy(wakeup)
        pthread_mutex_destroy(lock)
        wakeup.deallocate()
        lock.deallocate()
    }

    // MARK: The loop's side

    func put(_ request: Request) {
        locked { requests.append(request) }
        pthread_cond_signal(wakeup)
    }

    func takeAnswers() -> [Answer] {
        locked {
            let taken = answers
            answers = []
            return taken
        }
    }

    /// - Returns: whether answers are there.
    func hush() -> Bool {
        var rings: UInt64 = 0
        _ = read(bell.number, &rings, MemoryLayout<UInt64>.size)
        return locked { !answers.isEmpty }
    }

    func close(discarding: Bool) {
        locked {
            isClosed = true
            isDiscarding = discarding
            if discarding { requests = [] }
        }
        pthread_cond_signal(wakeup)
    }

    // MARK: The worker's side

    func serve(_ work: (Request) -> Answer) {
        while let batch = waitForRequests() {
            for request in batch {
                if locked({ isDiscarding }) { return }
                let answer = work(request)
                let isFirst = locked {
                    guard !isDiscarding else { return false }
                    answers.append(answer)
                    return answers.count == 1
                }
                if isFirst { ring() }
            }
        }
    }

    /// - Returns: all that wait; nil when closed and nothing waits.
    private func waitForRequests() -> [Request]? {
        locked {
            while requests.isEmpty && !isClosed { pthread_cond_wait(wakeup, lock) }
            guard !requests.isEmpty else { return nil }
            let batch = requests
            requests = []
            return batch
        }
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell.number, &one, MemoryLayout<UInt64>.size)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
