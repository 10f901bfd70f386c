import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// Random days in the life of a printer. A failure names its seed: the same seed is the same day.
@Suite struct PrinterFaultTests {
    /// One printer, some jobs, and everything that can happen to them.
    private struct Day {
        let seed: UInt64
        let answers: Bool
        let bench: PrinterBench
        let copies: [Int]
        /// The printer stopped, or lost its buffer, at some time.
        private(set) var hasStopped = false
        private(set) var losses = 0
        /// What was in the printer's buffer is gone, or it has said things that are not so.
        private(set) var isUntold = false
        private var random: SeededRandom

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            var make = SimulatedPrinterMake()
            make.buffer = [256, 1024, 4096].randomElement(using: &random) ?? 1024
            make.bytesPerSecond = [300, 960, 5000].randomElement(using: &random) ?? 960
            make.hasFlowControl = Bool.random(using: &random)
            make.answersStatus = Bool.random(using: &random)
            make.tellsChanges = make.answersStatus && Bool.random(using: &random)
            make.confirmsJobs = Bool.random(using: &random)
            make.answerDelay = random.interval(in: .zero ... .milliseconds(300))
            let confirmation: PrinterLinkSettings.Confirmation =
                make.confirmsJobs ? .processID : make.answersStatus ? .statusAfterDrain : .none
            self.seed = seed
            answers = make.answersStatus
            bench = PrinterBench(
                make,
                settings: PrinterLinkSettings(
                    carrier: .bluetooth, pace: make.bytesPerSecond, buffer: make.buffer, confirmation: confirmation,
                    statusQueries: make.answersStatus),
                seed: seed)
            copies = (0..<Int.random(in: 3...12, using: &random)).map { _ in
                Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 2...3, using: &random) : 1
            }
            self.random = random
        }

        mutating func run() {
            bench.start()
            for (i, copies) in copies.enumerated() {
                bench.add(Int64(i + 1), copies: copies)
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    disturb()
                    bench.run(for: random.interval(in: .zero ... .seconds(2)))
                }
                if Int.random(in: 0..<10, using: &random) == 0 { bench.run(for: .minutes(15)) }
            }
            heal()
            bench.finish(within: .minutes(180))
            bench.run(for: .minutes(2))
        }

        private mutating func disturb() {
            let printer = bench.printer
            // Days of their own for what no box can know all of.
            if seed % 4 == 3, Int.random(in: 0..<10, using: &random) == 0 {
                isUntold = true
                return lose { $0.powerCycle() }
            }
            if seed % 4 == 2, Bool.random(using: &random) {
                isUntold = true
                printer.say(random.bytes(Int.random(in: 1...8, using: &random)))
            }
            switch Int.random(in: 0..<14, using: &random) {
            case 0: lose { $0.lose() }
            case 1: lose { $0.goAway() }
            case 2, 3: printer.comeBack()
            case 4:
                losses += printer.link.bytesToLoss == nil ? 1 : 0
                printer.link.bytesToLoss = Int.random(in: 0...400, using: &random)
            case 5: stop { $0.hasPaper = false }
            case 6: stop { $0.isCoverOpen = true }
            case 7: stop { $0.loadPaper(lasting: 100) }
            case 8, 9:
                printer.change {
                    $0.isCoverOpen = false
                    $0.loadPaper()
                }
            case 10: printer.link.writeLimits += (0..<20).map { _ in Int.random(in: 0...9, using: &random) }
            case 11: printer.link.refusal = .refused
            case 12: printer.link.refusal = nil
            default: printer.link.bytesPerSecond = Bool.random(using: &random) ? nil : 700
            }
        }

        private mutating func lose(_ how: (SimulatedPrinter) -> Void) {
            losses += 1
            how(bench.printer)
        }

        private mutating func stop(_ how: (inout SimulatedPrinterMachine) -> Void) {
            hasStopped = true
            bench.printer.change(how)
        }

        private mutating func heal() {
            bench.printer.comeBack()
            bench.printer.link = SimulatedPrinterLink()
            bench.printer.change {
                $0.isCoverOpen = false
                $0.loadPaper()
            }
        }

        /// What is wrong with the day; empty when nothing is.
        var faults: [String] {
            var faults: [String] = []
            guard bench.ends.map(\.id) == Array(1...Int64(copies.count)) else {
                return ["ends \(bench.ends.map(\.id))"]
            }
            if bench.begun != bench.ends.map(\.id) { faults.append("begun \(bench.begun)") }
            if !isExcused, !isUntold, bench.printer.machine.overflowed > 0 { faults.append("the buffer was overrun") }
            var marked = 0
            for (i, wanted) in copies.enumerated() {
                let count = bench.count(of: Int64(i + 1))
                marked += count.marked
                if count.unmarked > wanted { faults.append("receipt \(i + 1) \(count.unmarked) times unmarked") }
                let isPromised = !isUntold || (seed % 4 == 3 && answers && bench.ends[i].end == .printed)
                if !isExcused, isPromised, count.unmarked + count.marked < wanted {
                    faults.append("receipt \(i + 1) is missing")
                }
            }
            if marked > losses { faults.append("\(marked) marked for \(losses) losses") }
            return faults
        }

        /// A printer without flow control that stops and cannot say so loses what it is sent, and nobody can know.
        private var isExcused: Bool { hasStopped && !answers && !bench.printer.machine.make.hasFlowControl }
    }

    @Test("Whatever happens, each receipt comes out, unmarked at most once", arguments: 0..<8)
    func whateverHappens(block: UInt64) {
        for seed in (block * 25)..<(block * 25 + 25) {
            var day = Day(seed: seed)
            day.run()
            #expect(day.faults.isEmpty, "seed \(seed)")
        }
    }

    /// 868: a link that fell before the printer could answer made it a printer that never answers, and the next receipt
    /// went out while it had no paper.
    /// 30: noise looked like the automatic status of a printer that cannot be asked, and it was waited for without end.
    @Test("Days that once went wrong", arguments: [30, 868 as UInt64])
    func found(seed: UInt64) {
        var day = Day(seed: seed)
        day.run()
        #expect(day.faults.isEmpty, "seed \(seed)")
    }

    // Found by the simulator: the light went from “printer needs you” to “busy” and back every ten seconds.
    @Test("A question that this machine takes is no sign that the printer prints: its trouble stays told")
    func questionIsNoProgress() {
        var make = SimulatedPrinterMake()
        make.confirmsJobs = true
        make.answersStatus = false
        let settings = PrinterLinkSettings(
            carrier: .tcp, pace: make.bytesPerSecond, buffer: make.buffer, confirmation: .processID,
            statusQueries: false)
        let bench = PrinterBench(make, settings: settings)
        bench.start()
        bench.add(1)
        bench.finish()
        bench.printer.change { $0.hasError = true }
        bench.add(2)
        bench.run(for: .seconds(60))
        #expect(bench.states.suffix(2) == [.ready, .error])
        bench.printer.change { $0.hasError = false }
        bench.finish()
        #expect(bench.ends.map(\.end) == [.printed, .printed])
        #expect(bench.states.last == .ready)
    }
}
