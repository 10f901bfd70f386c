import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

@Suite struct PrintSpoolTests {
    @Test("Jobs come out once and in order")
    func jobsComeOutOnceAndInOrder() {
        let bench = PrinterBench()
        bench.start()
        for id in 1...10 as ClosedRange<Int64> { bench.add(id) }
        bench.finish()
        #expect(bench.ends.map(\.id) == Array(1...10))
        #expect(bench.ends.allSatisfy { $0.end == .printed })
        #expect(bench.paper.elementsEqual((1...10 as ClosedRange<Int64>).flatMap { PrinterBench.slip($0).bytes }))
    }

    @Test("A job is on its way within ten milliseconds once the printer is connected")
    func aJobIsOnItsWayWithinTenMillisecondsOnceThePrinterIsConnected() {
        let bench = PrinterBench()
        bench.start()
        bench.run(for: .seconds(60))
        bench.add(1)
        bench.run(for: .milliseconds(10))
        #expect(bench.taken.suffix(5) == PrinterBench.slip(1).bytes.suffix(5))
    }

    @Test("No byte goes out before the beginning is on disk")
    func noByteGoesOutBeforeTheBeginningIsOnDisk() {
        let bench = PrinterBench()
        bench.commitDelay = nil
        bench.start()
        bench.add(1)
        bench.run(for: .minutes(5))
        #expect(bench.begun == [1])
        #expect(bench.paper.isEmpty)
    }

    @Test("A job that waits for an absent printer has not begun")
    func aJobThatWaitsForAnAbsentPrinterHasNotBegun() {
        let bench = PrinterBench()
        bench.printer.goAway()
        bench.start()
        bench.add(1)
        bench.run(for: .minutes(30))
        #expect(bench.begun.isEmpty)
        #expect(bench.spool.queued == 1)
        bench.printer.comeBack()
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("A printer that cannot confirm ends jobs as sent after the drain")
    func aPrinterThatCannotConfirmEndsJobsAsSentAfterTheDrain() {
        var make = SimulatedPrinterMake()
        make.answersStatus = false
        make.bytesPerSecond = 100
        let bench = PrinterBench(
            make, settings: PrinterLinkSettings(carrier: .file, pace: 100, buffer: 4096, statusQueries: false))
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        let added = bench.loop.now
        bench.finish()
        #expect(bench.ends.map(\.end) == [.sent])
        let drained = Interval.forCount(PrinterBench.slip(1).bytes.count, perSecond: 100)
        #expect(bench.ends[0].at - added >= drained)
        #expect(bench.states == [.connecting, .ready])
    }

    @Test("A process id confirms a job and its absence only sends it", arguments: [true, false])
    func aProcessIDConfirmsAJobAndItsAbsenceOnlySendsIt(confirms: Bool) {
        var make = SimulatedPrinterMake()
        make.confirmsJobs = confirms
        make.bytesPerSecond = 300
        let settings = PrinterLinkSettings(carrier: .tcp, pace: 960, buffer: 1024, confirmation: .processID)
        let bench = PrinterBench(make, settings: settings)
        bench.start()
        bench.add(1)
        bench.add(2)
        bench.finish()
        #expect(bench.ends.map(\.end) == (confirms ? [.printed, .printed] : [.sent, .sent]))
        if confirms { #expect(bench.paper == PrinterBench.slip(1).bytes + PrinterBench.slip(2).bytes) }
    }

    @Test("What the printer confirms of an earlier start's job confirms no other")
    func anEarlierStartsConfirmationConfirmsNothing() {
        var make = SimulatedPrinterMake()
        (make.answersStatus, make.confirmsJobs, make.bytesPerSecond) = (false, true, 100)
        let settings = PrinterLinkSettings(
            carrier: .tcp, pace: 960, buffer: 1024, confirmation: .processID, statusQueries: false)
        let bench = PrinterBench(make, settings: settings)
        let start = bench.loop.now
        bench.start()
        bench.add(1)
        bench.run(for: .seconds(1))
        bench.restart(seed: 2)
        bench.add(2)
        bench.finish()
        #expect(bench.ends.map(\.id) == [2])
        let whole = PrinterBench.slip(1).bytes + PrinterBench.slip(2).bytes
        let took = Interval.forCount(whole.count, perSecond: 100)
        #expect(bench.ends[0].at - start >= took, "its own answer comes after both")
        #expect(bench.ends[0].end == .printed)
    }

    @Test("A printer that confirmed before is waited for when it does not")
    func aPrinterThatConfirmedBeforeIsWaitedFor() {
        var make = SimulatedPrinterMake()
        (make.answersStatus, make.confirmsJobs) = (false, true)
        let settings = PrinterLinkSettings(
            carrier: .tcp, pace: 960, buffer: 1024, confirmation: .processID, statusQueries: false)
        let bench = PrinterBench(make, settings: settings)
        bench.start()
        bench.add(1)
        bench.run(for: .seconds(5))
        #expect(bench.ends.map(\.end) == [.printed])
        bench.printer.change { $0.hasPaper = false }
        bench.add(2)
        bench.run(for: .minutes(60))
        #expect(bench.ends.count == 1)
        #expect(bench.states.last == .error)
        bench.printer.change { $0.hasPaper = true }
        bench.finish()
        #expect(bench.ends.map(\.end) == [.printed, .printed])
        bench.run(for: .seconds(1))
        #expect(bench.states.last == .ready)
        #expect(bench.paper.elementsEqual(PrinterBench.slip(1).bytes + PrinterBench.slip(2).bytes))
    }

    @Test("Without a printer nothing is printed and nothing waits")
    func withoutAPrinterNothingIsPrintedAndNothingWaits() {
        let bench = PrinterBench(settings: PrinterLinkSettings(carrier: .none))
        bench.start()
        bench.add(1)
        bench.run(for: .minutes(1))
        #expect(bench.ends.map(\.end) == [.none])
        #expect(bench.states == [.none])
        #expect(bench.printer.attempts == 0)
        #expect(bench.begun.isEmpty)
    }

    @Test("Copies are counted one by one")
    func copiesAreCountedOneByOne() {
        // The link goes in the middle of the second of three.
        let bench = PrinterBench()
        let length = PrinterBench.slip(1).bytes.count
        bench.start()
        bench.run(for: .seconds(1))
        bench.printer.link.bytesToLoss = length + length / 2 + 9
        bench.add(1, copies: 3)
        bench.finish()
        #expect(bench.count(of: 1) == (2, 1))
        #expect(bench.ends.map(\.id) == [1])
        let slip = PrinterBench.slip(1).bytes
        #expect(bench.paper.starts(with: slip))
        #expect(bench.paper.suffix(2 * length + PrinterBench.mark.count).elementsEqual(PrinterBench.mark + slip + slip))
    }

    @Test("A job added twice is printed once")
    func aJobAddedTwiceIsPrintedOnce() {
        let bench = PrinterBench()
        bench.start()
        bench.add(1)
        bench.add(1)
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("A job that had begun before a power cut comes marked")
    func aJobThatHadBegunBeforeAPowerCutComesMarked() {
        let bench = PrinterBench()
        bench.start()
        bench.add(1, isMarked: true)
        bench.finish()
        #expect(bench.count(of: 1) == (0, 1))
    }

    @Test("Reprints beyond the limit fail and pushes never")
    func reprintsBeyondTheLimitFailAndPushesNever() {
        let bench = PrinterBench()
        bench.printer.goAway()
        bench.start()
        for n in 1...20 as ClosedRange<Int64> {
            bench.add(-n, isMarked: true)
            bench.add(n)
        }
        #expect(bench.ends.map(\.id) == [-17, -18, -19, -20])
        #expect(bench.ends.allSatisfy { $0.end == .failed })
        bench.printer.comeBack()
        bench.finish()
        #expect(bench.ends.count == 40)
        #expect(!bench.begun.contains { $0 < 0 })
    }

    @Test("A receipt that cannot be made fails and the next one comes")
    func aReceiptThatCannotBeMadeFailsAndTheNextOneComes() {
        let bench = PrinterBench()
        bench.receipt = { $0 == 1 ? PrinterData([]) : PrinterBench.slip($0) }
        bench.start()
        bench.add(1)
        bench.add(2)
        bench.finish()
        #expect(bench.ends.map(\.end) == [.failed, .printed])
    }

    @Test("Stopping lets the receipt under way come out")
    func stoppingLetsTheReceiptUnderWayComeOut() {
        let bench = PrinterBench()
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        bench.add(2)
        bench.run(for: .milliseconds(5))
        bench.stop()
        #expect(!bench.isStopped)
        bench.run(for: .seconds(4))
        #expect(bench.isStopped)
        #expect(bench.ends.map(\.id) == [1])
        #expect(bench.begun == [1])
        #expect(bench.spool.queued == 1)
    }

    @Test("Stopping waits for a stuck printer no longer than its limit")
    func stoppingWaitsForAStuckPrinterNoLongerThanItsLimit() {
        let bench = PrinterBench()
        bench.start()
        bench.run(for: .seconds(1))
        bench.add(1)
        bench.run(for: .milliseconds(5))
        bench.printer.change { $0.hasPaper = false }
        bench.stop()
        bench.run(for: PrintSpool.stopLimit)
        #expect(bench.isStopped)
        #expect(bench.ends.isEmpty)
    }
}
