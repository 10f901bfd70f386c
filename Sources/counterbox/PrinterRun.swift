// The printer's spool from the command line: connects, tells how the printer is, prints one page.

import BoxAssembly
import BoxFoundation
import HardwareInterface
import HardwareLinux
import ReceiptPrinting

final class PrinterRun {
    private let loop: EpollLoop
    private let device: any PrinterDevice
    private var spool: PrintSpool
    private var timers: [(timer: PrinterTimer, at: Moment)] = []
    private var page: PrinterData?
    private(set) var report: PrinterReport
    /// What the last attempt to connect failed with.
    var trouble: PrinterLinkError? { spool.trouble?.error }
    private(set) var end: (end: PaperEnd, cause: String?)?
    private(set) var isBroken = false

    init(_ device: any PrinterDevice, _ settings: PrinterLinkSettings, on loop: EpollLoop) {
        self.device = device
        self.loop = loop
        spool = PrintSpool(settings, random: SeededRandom(seed: Machine.seed))
        report = spool.report
    }

    /// Connects, and waits until the printer has said how it is or cannot be reached.
    func connect(within limit: Interval) {
        perform(spool.start(at: loop.now))
        run(within: limit) { report.state != .connecting }
    }

    /// Prints a page; waits for paper, cover and the like as long as the limit lets.
    func print(_ bytes: [UInt8], within limit: Interval) {
        page = PrinterData(bytes)
        perform(spool.add(PrintJob(PrintJobID(-1)), at: loop.now))
        run(within: limit) { end != nil }
    }

    func close() {
        perform(spool.stop(at: loop.now))
        device.disconnect()
    }

    private func run(within limit: Interval, until isDone: () -> Bool) {
        let deadline = loop.now + limit
        while !isDone(), !isBroken, loop.now < deadline {
            loop.wait(until: (timers.map(\.at) + [deadline]).min())
            while let event = loop.next() { take(event) }
            while let due = timers.filter({ $0.at <= loop.now }).min(by: { $0.at < $1.at }) {
                timers.removeAll { $0.timer == due.timer }
                perform(spool.fired(due.timer, at: loop.now))
            }
        }
    }

    private func take(_ event: DeviceEvent) {
        switch event {
        case .printer(let event): perform(spool.handle(event, at: loop.now))
        case .signal(.terminate): isBroken = true
        default: break
        }
    }

    private func perform(_ outputs: [PrintSpoolOutput]) {
        for output in outputs {
            switch output {
            case .load(let id, _): perform(spool.provide(id, page ?? PrinterData([]), at: loop.now))
            case .begin(let id): perform(spool.begun(id, at: loop.now))
            case .ended(_, let end, let cause): self.end = (end, cause)
            case .call(let call): perform(call)
            case .timer(let timer, let moment):
                timers.removeAll { $0.timer == timer }
                if let moment { timers.append((timer, moment)) }
            case .state(let report):
                self.report = report
                Terminal.showProgress(report.words)
            case .copied, .log, .stopped: break
            }
        }
    }

    private func perform(_ call: PrinterCall) {
        switch call {
        case .connect: device.connect()
        case .write(let bytes):
            do throws(PrinterLinkError) {
                let count = try device.write(bytes)
                perform(spool.wrote(count, at: loop.now))
            } catch {
                perform(spool.writeFailed(error, at: loop.now))
            }
        case .askUnsent: perform(spool.unsent(device.unsent(), at: loop.now))
        case .awaitRoom: device.awaitRoom()
        case .disconnect: device.disconnect()
        }
    }
}
