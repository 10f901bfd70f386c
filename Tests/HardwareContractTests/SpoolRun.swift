// The printer's spool on a real device and the real loop: what the box's runtime does, for these tests alone.

import BoxFoundation
import HardwareInterface
import ReceiptPrinting

final class SpoolRun {
    let loop: any EventLoop
    let device: any PrinterDevice
    private(set) var spool: PrintSpool
    private(set) var ends: [PaperEnd] = []
    private(set) var loads: [Bool] = []
    private var timers: [(timer: PrinterTimer, at: Moment)] = []
    private let receipt: PrinterData
    /// Around each turn of the loop, which does not wait then.
    var measure: ((() -> Void) -> Void)?

    init(_ device: any PrinterDevice, on loop: any EventLoop, _ settings: PrinterLinkSettings, receipt: PrinterData) {
        self.device = device
        self.loop = loop
        self.receipt = receipt
        spool = PrintSpool(settings, random: SeededRandom(seed: 1))
    }

    func start() { perform(spool.start(at: loop.now)) }

    func add(_ id: Int64) { perform(spool.add(PrintJob(PrintJobID(id)), at: loop.now)) }

    /// Turns the loop until `isDone`, for ten seconds at most; `between` plays the other end.
    func run(between: () -> Void, until isDone: () -> Bool) {
        let limit = loop.now + .seconds(10)
        while !isDone(), loop.now < limit {
            between()
            while let event = loop.next() {
                if case .printer(let event) = event { perform(spool.handle(event, at: loop.now)) }
            }
            if let due = timers.first(where: { $0.at <= loop.now }) {
                timers.removeAll { $0.timer == due.timer }
                perform(spool.fired(due.timer, at: loop.now))
            }
            let next = timers.map(\.at).min() ?? limit
            if let measure { measure { loop.wait(until: loop.now) } }
            loop.wait(until: min(next, loop.now + .milliseconds(1)))
        }
    }

    private func perform(_ outputs: [PrintSpoolOutput]) {
        for output in outputs {
            switch output {
            case .load(let id, let isMarked):
                loads.append(isMarked)
                perform(spool.provide(id, receipt, at: loop.now))
            case .begin(let id): perform(spool.begun(id, at: loop.now))
            case .ended(_, let end, _): ends.append(end)
            case .call(let call): perform(call)
            case .timer(let timer, let moment):
                timers.removeAll { $0.timer == timer }
                if let moment { timers.append((timer, moment)) }
            case .copied, .state, .log, .stopped: break
            }
        }
    }

    private func perform(_ call: PrinterCall) {
        switch call {
        case .connect: device.connect()
        case .write(let bytes):
            do {
                perform(spool.wrote(try device.write(bytes), at: loop.now))
            } catch {
                perform(spool.writeFailed(error, at: loop.now))
            }
        case .askUnsent: perform(spool.unsent(device.unsent(), at: loop.now))
        case .awaitRoom: device.awaitRoom()
        case .disconnect: device.disconnect()
        }
    }
}
