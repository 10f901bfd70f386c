// One printer's spool on a simulated printer, and somebody who plays the core: makes the receipts, keeps the journal,
// performs what the spool wants.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting

final class PrinterBench {
    struct End: Equatable {
        var id: Int64
        var end: PaperEnd
        var at: Moment
    }

    let loop = SimulatedLoop()
    let printer: SimulatedPrinter
    private(set) var spool: PrintSpool
    private let settings: PrinterLinkSettings

    /// The receipt of a job without its mark; by default some lines of text with the job's number.
    var receipt: (Int64) -> PrinterData = { PrinterBench.slip($0) }
    /// What `begin` is answered after; nil answers never.
    var commitDelay: Interval? = .milliseconds(1)

    private(set) var ends: [End] = []
    private(set) var reports: [PrinterReport] = []
    private(set) var begun: [Int64] = []
    /// Job and copies that are out, as the journal is told.
    private(set) var copied: [[Int64]] = []
    private(set) var log: [String] = []
    private(set) var isStopped = false
    /// Bytes that the device took of receipts' data and of questions.
    private(set) var taken: [UInt8] = []
    private(set) var wakeups = 0
    private var timers: [(timer: PrinterTimer, at: Moment)] = []

    init(
        _ make: SimulatedPrinterMake = SimulatedPrinterMake(), settings: PrinterLinkSettings? = nil, seed: UInt64 = 1
    ) {
        printer = SimulatedPrinter(make, on: loop)
        let usual = PrinterLinkSettings(
            carrier: .tcp, pace: make.bytesPerSecond, buffer: make.buffer, confirmation: .statusAfterDrain)
        self.settings = settings ?? usual
        spool = PrintSpool(self.settings, random: SeededRandom(seed: seed))
    }

    /// A receipt of lines, with a break after each.
    static func slip(_ id: Int64, lines: Int = 6) -> PrinterData {
        var data = PrinterData([])
        for line in 0..<lines {
            data.bytes += Array("receipt \(id) line \(line) ........\n".utf8)
            data.breaks.append(data.bytes.count)
        }
        return data
    }

    static let mark = Array("** again **\n".utf8)

    // MARK: - What the box does

    func start() { perform(spool.start(at: loop.now)) }

    func add(_ id: Int64, copies: Int = 1, isMarked: Bool = false) {
        perform(spool.add(PrintJob(PrintJobID(id), copies: copies, isMarked: isMarked), at: loop.now))
    }

    func stop() { perform(spool.stop(at: loop.now)) }

    /// The box's plug is pulled and put back; the printer keeps what it has.
    func restart(seed: UInt64) {
        printer.disconnect()
        timers = []
        while loop.next() != nil {}
        spool = PrintSpool(settings, random: SeededRandom(seed: seed))
        start()
    }

    /// A timer out of its time.
    func fire(_ timer: PrinterTimer) { perform(spool.fired(timer, at: loop.now)) }

    func run(for interval: Interval) { run(until: loop.now + interval) }

    func run(until end: Moment) {
        while true {
            while let event = loop.next() {
                if case .printer(let event) = event { perform(spool.handle(event, at: loop.now)) }
            }
            if let due = timers.filter({ $0.at <= loop.now }).min(by: { $0.at < $1.at }) {
                timers.removeAll { $0.timer == due.timer }
                perform(spool.fired(due.timer, at: loop.now))
                continue
            }
            guard loop.now < end else { return }
            let next = timers.map(\.at).min() ?? end
            wakeups += 1
            loop.wait(until: min(next, end))
        }
    }

    /// Runs until all jobs have ended, for an hour at most.
    func finish(within limit: Interval = .minutes(60)) {
        let end = loop.now + limit
        while spool.queued > 0, loop.now < end { run(until: min(end, loop.now + .milliseconds(500))) }
        printer.run()
    }

    // MARK: - What the runtime does

    private func perform(_ outputs: [PrintSpoolOutput]) {
        for output in outputs { perform(output) }
    }

    private func perform(_ output: PrintSpoolOutput) {
        switch output {
        case .load(let id, let isMarked):
            var data = receipt(id.number)
            if isMarked {
                data.bytes = Self.mark + data.bytes
                data.breaks = data.breaks.map { $0 + Self.mark.count }
            }
            perform(spool.provide(id, data, at: loop.now))
        case .begin(let id):
            // Each copy begins by itself; a job is noted once.
            if begun.last != id.number { begun.append(id.number) }
            guard let commitDelay else { return }
            loop.schedule(at: loop.now + commitDelay) { [unowned self] in perform(spool.begun(id, at: loop.now)) }
        case .copied(let id, let copies): copied.append([id.number, Int64(copies)])
        case .ended(let id, let end, _): ends.append(End(id: id.number, end: end, at: loop.now))
        case .call(let call): perform(call)
        case .timer(let timer, let moment):
            timers.removeAll { $0.timer == timer }
            if let moment { timers.append((timer, moment)) }
        case .state(let report): reports.append(report)
        case .log(let entry): log.append(entry.text)
        case .stopped: isStopped = true
        }
    }

    private func perform(_ call: PrinterCall) {
        switch call {
        case .connect: printer.connect()
        case .write(let bytes): write(bytes)
        case .askUnsent: perform(spool.unsent(printer.unsent(), at: loop.now))
        case .awaitRoom: printer.awaitRoom()
        case .disconnect: printer.disconnect()
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>) {
        do {
            let count = try printer.write(bytes)
            taken += bytes.prefix(count)
            perform(spool.wrote(count, at: loop.now))
        } catch {
            perform(spool.writeFailed(error, at: loop.now))
        }
    }

    // MARK: - What came out

    var states: [PrinterState] { reports.map(\.state) }
    var paper: [UInt8] { printer.machine.printed }

    /// How often a whole receipt is on paper, unmarked and marked.
    func count(of id: Int64) -> (unmarked: Int, marked: Int) {
        let whole = receipt(id).bytes
        let all = PrinterBench.occurrences(of: whole, in: paper)
        let marked = PrinterBench.occurrences(of: Self.mark + whole, in: paper)
        return (all - marked, marked)
    }

    static func occurrences(of needle: [UInt8], in hay: [UInt8]) -> Int {
        let length = hay.count
        return hay.withUnsafeBytes { hay in
            needle.withUnsafeBytes { needle in
                guard length >= needle.count, let hay = hay.baseAddress, let start = needle.baseAddress else {
                    return 0
                }
                return (0...(length - needle.count)).reduce(0) { sum, i in
                    memcmp(hay + i, start, needle.count) == 0 ? sum + 1 : sum
                }
            }
        }
    }
}
