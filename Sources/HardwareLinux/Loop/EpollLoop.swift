// The loop of the box: one thread, one epoll_wait for descriptors, a timer, signals and workers.

import BoxFoundation
import CLinux
import Glibc
import HardwareInterface

/// The loop of a real box: one thread, one `epoll_wait`. Handlers must not wait.
package final class EpollLoop: DescriptorLoop {
    /// Descriptors taken from the kernel in one turn.
    private static let mostReady = 64

    private struct Watch {
        /// Tells this watch from an earlier one of the same descriptor, whose readiness may still be in `ready`.
        var generation: UInt32
        var interest: DescriptorInterest
        /// The kernel refuses to wait for it: it is ready at every turn.
        var isAlwaysReady: Bool
        var handler: (DescriptorInterest) -> Void
    }

    private let epoll: Descriptor
    private var timer: LoopTimer
    private var signals: SignalReader?

    private var queue = EventQueue()
    private var schedule = LoopSchedule()

    /// By descriptor.
    private var watches: [Watch?] = []
    private var generations: UInt32 = 0
    /// In the order they were watched.
    private var alwaysReady: [Int32] = []
    private let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: mostReady)
    private var isWaiting = false

    /// Returns from epoll_wait so far: what the idle figure counts.
    package private(set) var wakeups = 0

    /// - Parameter takingSignals: SIGTERM, SIGINT and SIGHUP become events and SIGPIPE is ignored. Their mask is the
    ///   thread's and goes over to threads and children made later, so make the loop before any thread.
    package init(takingSignals: Bool = false) throws(SystemError) {
        epoll = try Descriptor("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        timer = try LoopTimer()
        signals = takingSignals ? try SignalReader() : nil
        watch(timer.number, for: .readable) { [unowned self] _ in timer.takeExpiry() }
        if let number = signals?.number {
            watch(number, for: .readable) { [unowned self] _ in postSignals() }
        }
    }

    deinit { ready.deallocate() }

    package var now: Moment { MonotonicClock.now }

    package func post(_ event: DeviceEvent) { queue.append(event) }

    package func next() -> DeviceEvent? { queue.removeFirst() }

    package func schedule(at moment: Moment, _ work: @escaping () -> Void) { schedule.add(at: moment, work) }

    package func wait(until deadline: Moment?) {
        guard queue.isEmpty else { return }
        precondition(!isWaiting, "a handler may not wait")
        isWaiting = true
        defer { isWaiting = false }
        collect(timeout: timeout(until: deadline))
        callAlwaysReady()
        runDue()
    }

    // MARK: - Waiting

    /// - Returns: milliseconds for epoll_wait: 0 to look without waiting, or -1 with the timer armed.
    private func timeout(until deadline: Moment?) -> Int32 {
        let target = [deadline, schedule.earliest].compactMap { $0 }.min()
        let isWanted = alwaysReady.contains { !(watches[Int($0)]?.interest ?? []).isEmpty }
        if isWanted { return 0 }
        if let target, target <= now { return 0 }
        timer.arm(target)
        return -1
    }

    private func collect(timeout: Int32) {
        let count = epoll_wait(epoll.number, ready, Int32(Self.mostReady), timeout)
        wakeups += 1
        guard count >= 0 else {
            if errno == EINTR { return }
            // Only a descriptor or memory that is not ours does this: there is no loop any more, and systemd starts the box anew.
            fatalError(SystemError.last("epoll_wait").message)
        }
        for i in 0..<Int(count) { dispatch(ready[i]) }
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = Int(truncatingIfNeeded: event.data.u64 & 0xFFFF_FFFF)
        let generation = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        guard descriptor < watches.count, let watch = watches[descriptor], watch.generation == generation else {
            return
        }
        watch.handler(DescriptorInterest(epoll: event.events))
    }

    private func callAlwaysReady() {
        for descriptor in alwaysReady {
            guard let watch = watches[Int(descriptor)], watch.isAlwaysReady, !watch.interest.isEmpty else { continue }
            watch.handler(watch.interest)
        }
    }

    /// Work that is scheduled for now by work that runs has its turn in the next `wait`.
    private func runDue() {
        guard !schedule.isEmpty else { return }
        let moment = now
        while let work = schedule.removeFirst(dueAt: moment) { work() }
    }

    private func postSignals() {
        for signal in signals?.take() ?? [] { post(.signal(signal)) }
    }

    // MARK: - Descriptors

    package func watch(
        _ descriptor: Int32, for interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void
    ) {
        while watches.count <= Int(descriptor) { watches.append(nil) }
        precondition(watches[Int(descriptor)] == nil, "descriptor \(descriptor) is watched already")
        generations &+= 1
        let interest = interest.subtracting(.failed)
        let isAlwaysReady = !control(EPOLL_CTL_ADD, descriptor, interest, generations)
        if isAlwaysReady { alwaysReady.append(descriptor) }
        watches[Int(descriptor)] = Watch(
            generation: generations, interest: interest, isAlwaysReady: isAlwaysReady, handler: handler)
    }

    package func change(_ descriptor: Int32, to interest: DescriptorInterest) {
        guard var watch = watched(descriptor) else { return }
        let interest = interest.subtracting(.failed)
        guard watch.interest != interest else { return }
        watch.interest = interest
        watches[Int(descriptor)] = watch
        if !watch.isAlwaysReady { _ = control(EPOLL_CTL_MOD, descriptor, interest, watch.generation) }
    }

    package func unwatch(_ descriptor: Int32) {
        guard let watch = watched(descriptor) else { return }
        watches[Int(descriptor)] = nil
        if watch.isAlwaysReady {
            alwaysReady.removeAll { $0 == descriptor }
        } else {
            _ = control(EPOLL_CTL_DEL, descriptor, [], watch.generation)
        }
    }

    private func watched(_ descriptor: Int32) -> Watch? {
        descriptor >= 0 && Int(descriptor) < watches.count ? watches[Int(descriptor)] : nil
    }

    /// - Returns: false where the kernel cannot wait for such a descriptor (EPERM).
    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: DescriptorInterest, _ generation: UInt32
    ) -> Bool {
        var event = epoll_event()
        event.events = interest.epoll
        event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        if epoll_ctl(epoll.number, operation, descriptor, &event) == 0 { return true }
        if errno == EPERM && operation == EPOLL_CTL_ADD { return false }
        // Watching what was closed is a fault of ours: going on would lose that device without a word.
        fatalError(SystemError.last("epoll_ctl for descriptor \(descriptor)").message)
    }
}

extension DescriptorInterest {
    /// The end of what a peer sends (EPOLLRDHUP) is found by reading it.
    fileprivate init(epoll events: UInt32) {
        self = []
        if events & EPOLLIN.rawValue != 0 { insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { insert(.writable) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { insert(.failed) }
    }

    fileprivate var epoll: UInt32 {
        (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
    }
}
