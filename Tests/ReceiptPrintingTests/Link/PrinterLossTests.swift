import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// A link lost at every place of a job (`docs/product.md`, Printer).
@Suite struct PrinterLossTests {
    private static let length = PrinterBench.slip(1).bytes.count

    private static func bench(confirmation: PrinterLinkSettings.Confirmation, answers: Bool) -> PrinterBench {
        var make = SimulatedPrinterMake()
        make.buffer = 1024
        make.bytesPerSecond = 960
        make.answersStatus = answers
        make.confirmsJobs = confirmation == .processID
        return PrinterBench(
            make,
            settings: PrinterLinkSettings(
                carrier: .bluetooth, pace: 960, buffer: 1024, confirmation: confirmation, statusQueries: answers))
    }

    @Test("A link lost inside brings exactly one marked reprint", arguments: 1...length)
    func aLinkLostInsideBringsExactlyOneMarkedReprint(byte: Int) {
        let bench = Self.bench(confirmation: .none, answers: false)
        bench.start()
        bench.run(for: .seconds(1))
        bench.printer.link.bytesToLoss = byte
        bench.add(1)
        bench.add(2)
        bench.finish()
        let (unmarked, marked) = bench.count(of: 1)
        #expect(marked == 1)
        #expect(unmarked == (byte == Self.length ? 1 : 0))
        #expect(bench.count(of: 2) == (1, 0))
        #expect(bench.ends.map(\.id) == [1, 2])
        #expect(bench.begun == [1, 2])
    }

    @Test("A link lost before the first byte brings the receipt whole and unmarked")
    func aLinkLostBeforeTheFirstByteBringsTheReceiptWholeAndUnmarked() {
        // EPIPE on the first byte of a link that was idle.
        let bench = Self.bench(confirmation: .none, answers: false)
        bench.start()
        bench.run(for: .minutes(3))
        bench.printer.link.bytesToLoss = 0
        bench.add(1)
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
        #expect(bench.printer.connections == 2)
    }

    @Test("A link lost in the question before a job leaves it unmarked")
    func aLinkLostInTheQuestionBeforeAJobLeavesItUnmarked() {
        let bench = Self.bench(confirmation: .statusAfterDrain, answers: true)
        bench.start()
        bench.run(for: .seconds(1))
        // The next status question is the next thing written.
        bench.printer.link.bytesToLoss = 2
        bench.run(for: .seconds(12))
        bench.add(1)
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("A link lost while the printer's buffer drains is still inside")
    func aLinkLostWhileThePrintersBufferDrainsIsStillInside() {
        let bench = Self.bench(confirmation: .none, answers: false)
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        bench.run(for: .forCount(Self.length - 5, perSecond: 960))
        #expect(bench.ends.isEmpty)
        bench.printer.lose()
        bench.finish()
        #expect(bench.count(of: 1).marked == 1)
    }

    @Test("A link lost after the drain brings nothing")
    func aLinkLostAfterTheDrainBringsNothing() {
        let bench = Self.bench(confirmation: .none, answers: false)
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        bench.run(for: .forCount(Self.length, perSecond: 960) + .milliseconds(2))
        #expect(bench.ends.map(\.end) == [.sent])
        bench.printer.lose()
        bench.run(for: .minutes(10))
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("A link lost between drain and confirmation ends as sent and brings nothing")
    func aLinkLostBetweenDrainAndConfirmationEndsAsSentAndBringsNothing() {
        let bench = Self.bench(confirmation: .processID, answers: false)
        bench.printer.change { $0.make.confirmsJobs = false }
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        bench.run(for: .seconds(2))
        #expect(bench.ends.isEmpty)
        bench.printer.lose()
        bench.run(for: .minutes(10))
        #expect(bench.ends.map(\.end) == [.sent])
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("Every further loss inside brings it again marked")
    func everyFurtherLossInsideBringsItAgainMarked() {
        let bench = Self.bench(confirmation: .none, answers: false)
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        for _ in 0..<5 {
            let taken = bench.taken.count
            while bench.taken.count == taken { bench.run(for: .milliseconds(20)) }
            bench.printer.lose()
        }
        bench.finish()
        let (unmarked, marked) = bench.count(of: 1)
        // A short receipt lies whole in the printer's buffer when the link goes.
        #expect(unmarked == 1)
        #expect(marked == 5)
        #expect(bench.printer.connections == 6)
        #expect(bench.ends.map(\.end) == [.sent])
    }

    @Test("Ten jobs across three absences are each there once")
    func tenJobsAcrossThreeAbsencesAreEachThereOnce() {
        let bench = Self.bench(confirmation: .statusAfterDrain, answers: true)
        bench.start()
        for id in 1...10 as ClosedRange<Int64> {
            bench.add(id)
            if [3, 6, 9].contains(id) {
                // Between two jobs, not in one.
                bench.finish()
                bench.printer.goAway()
                bench.run(for: .minutes(7))
            }
            if [4, 7, 10].contains(id) { bench.printer.comeBack() }
        }
        bench.finish()
        #expect(bench.ends.map(\.id) == Array(1...10))
        for id in 1...10 as ClosedRange<Int64> { #expect(bench.count(of: id) == (1, 0)) }
    }
}
