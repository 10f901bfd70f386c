// A receipt printer at the end of a link that can be bad in every way that links are.

import BoxFoundation
import HardwareInterface

/// Faults of the link, to be set at any time.
package struct SimulatedPrinterLink: Sendable {
    /// Bytes that this machine holds for the link.
    package var sendQueue = 4096
    /// Bytes a second that the link carries; nil carries all at once.
    package var bytesPerSecond: Int?
    package var connectDelay = Interval.milliseconds(50)
    /// How long an attempt takes to fail where nobody answers.
    package var connectLimit = Interval.seconds(5)
    /// What an attempt fails with, though somebody answers (`refused`, `busy`, `notPermitted`).
    package var refusal: PrinterLinkError?
    /// The link is lost when so many bytes in all have been taken; 0 refuses the first byte of the next write.
    package var bytesToLoss: Int?
    /// What the next writes take at most, one by one; 0 is no room.
    package var writeLimits: [Int] = []
    /// The printer goes to sleep when nothing has come for so long.
    package var sleepAfter: Interval?

    package init() {}
}

/// A printer and the link to it: out of range, asleep, slow, lost after any byte.
package final class SimulatedPrinter: PrinterDevice {
    private enum State { case closed, connecting, open }

    /// Printing is worked out so often, and whenever somebody looks.
    private static let tick = Interval.milliseconds(20)

    package var link = SimulatedPrinterLink()
    private(set) package var machine: SimulatedPrinterMachine
    package private(set) var isInRange = true
    package private(set) var isAsleep = false
    /// Connections that came to be.
    package private(set) var connections = 0
    /// Attempts to connect.
    package private(set) var attempts = 0

    private let loop: any EventLoop
    private var state = State.closed
    /// Tells what was scheduled for an earlier attempt or connection.
    private var generation = 0
    private var queue: [UInt8] = []
    private var queueMovedAt = Moment.zero
    private var wantsRoom = false
    private var isTicking = false
    private var activeAt = Moment.zero

    package init(_ make: SimulatedPrinterMake = SimulatedPrinterMake(), on loop: any EventLoop) {
        self.loop = loop
        machine = SimulatedPrinterMachine(make)
    }

    // MARK: - The device

    package func connect() {
        guard state == .closed else { return }
        state = .connecting
        attempts += 1
        let isThere = isInRange && !isAsleep
        later(isThere ? link.connectDelay : link.connectLimit) { printer in printer.finishConnecting() }
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        guard state == .open, isInRange else { throw .lost }
        run()
        if link.bytesToLoss == 0 {
            link.bytesToLoss = nil
            drop()
            throw .lost
        }
        var count = min(bytes.count, link.sendQueue - queue.count)
        if !link.writeLimits.isEmpty { count = min(count, link.writeLimits.removeFirst()) }
        if let left = link.bytesToLoss { count = min(count, left) }
        guard count > 0 else { return 0 }
        activeAt = loop.now
        queue += bytes.prefix(count)
        run()
        if let left = link.bytesToLoss {
            link.bytesToLoss = left == count ? nil : left - count
            if left == count { lose() }
        }
        return count
    }

    package func unsent() -> Int {
        run()
        return queue.count
    }

    package func awaitRoom() {
        wantsRoom = true
        later(.zero) { printer in printer.run() }
    }

    package func disconnect() { drop() }

    // MARK: - What a hand can do

    /// Changes the machine: paper, cover, faults.
    package func change(_ change: (inout SimulatedPrinterMachine) -> Void) {
        run()
        let before = machine.automaticStatus
        change(&machine)
        tellChange(since: before)
        run()
    }

    /// Out of range, and back.
    package func goAway() {
        isInRange = false
        if state == .open { lose() }
    }

    package func comeBack() { isInRange = true }

    /// The link is lost now; the printer stays where it is.
    package func lose() {
        guard state == .open else { return }
        drop()
        loop.post(.printer(.lost(.lost)))
    }

    package func fallAsleep() {
        isAsleep = true
        lose()
    }

    /// Says something that nobody asked for.
    package func say(_ bytes: [UInt8]) { answer(bytes, after: .zero) }

    /// Somebody pressed its button.
    package func wakeUp() {
        isAsleep = false
        activeAt = loop.now
    }

    /// Switched off and on again.
    package func powerCycle() {
        run()
        lose()
        machine.powerCycle()
    }

    /// What came onto paper since the last call, taken away.
    package func takePaper() -> [UInt8] {
        run()
        defer { machine.clearPaper() }
        return machine.printed
    }

    /// The same, by the number of the connection that it came over.
    package func takePaperByConnection() -> [(connection: Int, bytes: [UInt8])] {
        run()
        return machine.takePaper()
    }

    /// Works out what has been printed by now.
    package func run() {
        moveQueue()
        let before = machine.automaticStatus
        let confirmations = machine.run(to: loop.now)
        tellChange(since: before)
        moveQueue()
        if !confirmations.isEmpty { answer(confirmations, after: .zero) }
        if wantsRoom, state == .open, queue.count < link.sendQueue {
            wantsRoom = false
            loop.post(.printer(.room))
        }
        keepTicking()
    }

    // MARK: - Inside

    private func finishConnecting() {
        guard state == .connecting else { return }
        if let refusal = link.refusal { return failConnecting(refusal) }
        guard isInRange, !isAsleep else { return failConnecting(.unreachable) }
        state = .open
        connections += 1
        activeAt = loop.now
        queueMovedAt = loop.now
        loop.post(.printer(.connected))
        watchForSleep()
    }

    private func failConnecting(_ error: PrinterLinkError) {
        state = .closed
        loop.post(.printer(.lost(error)))
    }

    private func drop() {
        run()
        generation += 1
        state = .closed
        queue = []
        wantsRoom = false
    }

    /// From this machine over the link into the printer, as far as both let it.
    private func moveQueue() {
        guard state == .open, !queue.isEmpty else {
            queueMovedAt = loop.now
            return
        }
        var count = queue.count
        if let rate = link.bytesPerSecond {
            count = min(count, Int((loop.now - queueMovedAt).nanoseconds * Int64(rate) / 1_000_000_000))
            guard count > 0 else { return }
        }
        queueMovedAt = loop.now
        if machine.make.hasFlowControl { count = min(count, machine.room + Self.questionLength(queue)) }
        let answers = machine.receive(queue.prefix(count), connection: connections)
        queue.removeFirst(count)
        if !answers.isEmpty { answer(answers, after: machine.make.answerDelay) }
    }

    /// A question at the front is taken even by a full buffer.
    private static func questionLength(_ queue: [UInt8]) -> Int { queue.first == 0x10 ? min(3, queue.count) : 0 }

    private func answer(_ bytes: [UInt8], after delay: Interval) {
        guard state == .open else { return }
        later(delay) { printer in
            if printer.state == .open { printer.loop.post(.printer(.received(bytes))) }
        }
    }

    private func tellChange(since before: [UInt8]) {
        guard machine.make.tellsChanges, machine.automaticStatus != before else { return }
        answer(machine.automaticStatus, after: .zero)
    }

    private func keepTicking() {
        let hasWork = !queue.isEmpty || (machine.held > 0 && !machine.isStopped)
        guard hasWork, !isTicking else { return }
        isTicking = true
        loop.schedule(at: loop.now + Self.tick) { [weak self] in
            self?.isTicking = false
            self?.run()
        }
    }

    private func watchForSleep() {
        guard let limit = link.sleepAfter else { return }
        later(activeAt + limit - loop.now) { printer in
            guard printer.state == .open else { return }
            if printer.loop.now - printer.activeAt >= limit { printer.fallAsleep() } else { printer.watchForSleep() }
        }
    }

    /// Does something later, unless the connection is another by then.
    private func later(_ delay: Interval, _ work: @escaping (SimulatedPrinter) -> Void) {
        let generation = generation
        loop.schedule(at: loop.now + delay) { [weak self] in
            guard let self, self.generation == generation else { return }
            work(self)
        }
    }
}
