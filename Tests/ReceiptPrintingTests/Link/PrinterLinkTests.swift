import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// What the light shows, and what waits for what.
@Suite struct PrinterLinkTests {
    private static func make(_ change: (inout SimulatedPrinterMake) -> Void = { _ in }) -> SimulatedPrinterMake {
        var make = SimulatedPrinterMake()
        make.buffer = 1024
        make.bytesPerSecond = 960
        make.hasFlowControl = false
        change(&make)
        return make
    }

    @Test("Paper out in the middle and back an hour later prints on", arguments: [true, false])
    func paperOutInTheMiddleAndBackAnHourLaterPrintsOn(tellsChanges: Bool) {
        let bench = PrinterBench(Self.make { $0.tellsChanges = tellsChanges })
        bench.receipt = { PrinterBench.slip($0, lines: 80) }
        bench.start()
        bench.run(for: .seconds(1))
        bench.printer.change { $0.loadPaper(lasting: 700) }
        bench.add(1)
        bench.add(2)
        bench.run(for: .minutes(60))
        #expect(bench.paper.count == 700)
        #expect(bench.spool.queued == 2)
        #expect(bench.states.last == .paperOut)
        bench.printer.change { $0.loadPaper() }
        bench.finish()
        #expect(bench.paper.elementsEqual(bench.receipt(1).bytes + bench.receipt(2).bytes))
        #expect(bench.printer.machine.overflowed == 0)
        #expect(bench.ends.map(\.end) == [.printed, .printed])
        #expect(bench.states.last == .ready)
    }

    @Test("Paper that runs out in the last line is never reported as printed")
    func paperThatRunsOutInTheLastLineIsNeverReportedAsPrinted() {
        let bench = PrinterBench(Self.make())
        let length = PrinterBench.slip(1).bytes.count
        bench.start()
        bench.run(for: .seconds(1))
        bench.printer.change { $0.loadPaper(lasting: length - 1) }
        bench.add(1)
        bench.run(for: .minutes(10))
        #expect(bench.ends.isEmpty)
        bench.printer.change { $0.loadPaper() }
        bench.finish()
        #expect(bench.ends.map(\.end) == [.printed])
        #expect(bench.paper.elementsEqual(PrinterBench.slip(1).bytes))
    }

    @Test("A printer switched off while it holds a receipt for want of paper prints it again marked")
    func aPrinterSwitchedOffWhileItHoldsAReceiptForWantOfPaperPrintsItAgainMarked() {
        let bench = PrinterBench(Self.make())
        bench.start()
        bench.run(for: .seconds(1))
        bench.printer.change { $0.loadPaper(lasting: 20) }
        bench.add(1)
        bench.run(for: .minutes(1))
        #expect(bench.ends.isEmpty)
        bench.printer.powerCycle()
        bench.printer.change { $0.loadPaper() }
        bench.finish()
        #expect(bench.count(of: 1) == (0, 1))
        #expect(bench.ends.map(\.end) == [.printed])
    }

    @Test("No job begins while the cover is open")
    func noJobBeginsWhileTheCoverIsOpen() {
        let bench = PrinterBench(Self.make())
        bench.start()
        bench.printer.change { $0.isCoverOpen = true }
        bench.run(for: .seconds(15))
        bench.add(1)
        bench.run(for: .minutes(10))
        #expect(bench.begun.isEmpty)
        #expect(bench.states.last == .coverOpen)
        bench.printer.change { $0.isCoverOpen = false }
        bench.run(for: .seconds(5))
        #expect(bench.ends.map(\.end) == [.printed])
    }

    @Test("Low paper is shown and printed on")
    func lowPaperIsShownAndPrintedOn() {
        let bench = PrinterBench(Self.make())
        bench.printer.change { $0.isPaperLow = true }
        bench.start()
        bench.add(1)
        bench.finish()
        #expect(bench.states.last == .paperLow)
        #expect(bench.ends.map(\.end) == [.printed])
    }

    @Test("A silent printer is unknown and prints")
    func aSilentPrinterIsUnknownAndPrints() {
        let bench = PrinterBench(Self.make { $0.answersStatus = false })
        // A real one swallows the questions.
        bench.start()
        bench.run(for: .seconds(2))
        #expect(bench.states == [.connecting, .unknown])
        bench.add(1)
        bench.finish()
        #expect(bench.ends.map(\.end) == [.sent])
        #expect(bench.states.last == .unknown)
    }

    @Test("A printer that takes nothing for long is shown")
    func aPrinterThatTakesNothingForLongIsShown() {
        let bench = PrinterBench(
            Self.make {
                $0.answersStatus = false
                $0.hasFlowControl = true
            },
            settings: PrinterLinkSettings(carrier: .tcp, pace: 100_000, buffer: 100_000, statusQueries: false))
        bench.receipt = { PrinterBench.slip($0, lines: 400) }
        bench.start()
        bench.printer.change { $0.hasPaper = false }
        bench.add(1)
        bench.run(for: .seconds(10))
        #expect(bench.states.last == .error)
        bench.printer.change { $0.hasPaper = true }
        bench.finish()
        #expect(bench.states.last == .ready)
        bench.run(for: .seconds(30))
        #expect(bench.paper.elementsEqual(bench.receipt(1).bytes))
    }

    @Test("A printer that sleeps after ten minutes is shown and prints when it wakes")
    func aPrinterThatSleepsAfterTenMinutesIsShownAndPrintsWhenItWakes() {
        let bench = PrinterBench(
            Self.make { $0.answersStatus = false },
            settings: PrinterLinkSettings(carrier: .bluetooth, pace: 960, buffer: 1024, statusQueries: false))
        bench.printer.link.sleepAfter = .minutes(10)
        bench.start()
        bench.run(for: .minutes(12))
        #expect(bench.states == [.connecting, .ready, .asleep])
        bench.add(1)
        bench.run(for: .minutes(30))
        #expect(bench.states.last == .asleep)
        bench.printer.wakeUp()
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
        #expect(bench.states.last == .ready)
    }

    @Test("A printer that only closes idle connections stays ready")
    func aPrinterThatOnlyClosesIdleConnectionsStaysReady() {
        let bench = PrinterBench(
            Self.make { $0.answersStatus = false },
            settings: PrinterLinkSettings(carrier: .tcp, pace: 960, buffer: 1024, statusQueries: false))
        bench.start()
        for id in 1...5 as ClosedRange<Int64> {
            bench.run(for: .minutes(2))
            bench.printer.lose()
            bench.add(id)
            bench.run(for: .seconds(3))
        }
        #expect(bench.states == [.connecting, .ready])
        #expect(bench.ends.count == 5)
        for id in 1...5 as ClosedRange<Int64> { #expect(bench.count(of: id) == (1, 0)) }
    }

    @Test("A printer that stops answering is taken for gone")
    func aPrinterThatStopsAnsweringIsTakenForGone() {
        // The link stands, as after a power cut at the printer: nothing tells this machine.
        let bench = PrinterBench(Self.make())
        bench.start()
        bench.run(for: .seconds(5))
        #expect(bench.states.last == .ready)
        bench.printer.change { $0.make.answerDelay = .minutes(600) }
        bench.printer.link.refusal = .unreachable
        bench.run(for: .seconds(20))
        #expect(bench.states.last == .unreachable)
    }

    @Test(
        "What stands in the way is shown and tried again",
        arguments: [PrinterLinkError.refused, .busy, .unreachable, .absent])
    func whatStandsInTheWayIsShownAndTriedAgain(error: PrinterLinkError) {
        let bench = PrinterBench(Self.make())
        bench.printer.link.refusal = error
        bench.start()
        bench.add(1)
        bench.run(for: .minutes(20))
        #expect(bench.states == [.connecting, .unreachable])
        #expect(bench.reports.last?.words == PrinterTrouble.words(error, .tcp))
        bench.printer.link.refusal = nil
        bench.finish()
        #expect(bench.ends.map(\.end) == [.printed])
    }

    @Test("The back-off grows to a minute and a new job tries at once")
    func theBackOffGrowsToAMinuteAndANewJobTriesAtOnce() {
        let bench = PrinterBench(Self.make())
        bench.printer.link.refusal = .refused
        bench.start()
        bench.run(for: .minutes(60))
        let attempts = bench.printer.attempts
        #expect((60...360).contains(attempts))
        bench.add(1)
        bench.run(for: PrinterLink.leastRetry)
        #expect(bench.printer.attempts > attempts)
        bench.printer.link.refusal = nil
        bench.add(2)
        bench.run(for: .seconds(5))
        #expect(bench.ends.map(\.id) == [1, 2])
    }

    @Test("Many jobs at once do not hammer an absent printer")
    func manyJobsAtOnceDoNotHammerAnAbsentPrinter() {
        let bench = PrinterBench(Self.make())
        bench.printer.link.refusal = .refused
        bench.start()
        bench.run(for: .minutes(1))
        let attempts = bench.printer.attempts
        for id in 1...100 as ClosedRange<Int64> {
            bench.add(id)
            bench.run(for: .milliseconds(100))
        }
        #expect(bench.printer.attempts - attempts <= 11)
    }

    @Test("Every cause has words for every carrier", arguments: PrinterCarrier.allCases)
    func everyCauseHasWordsForEveryCarrier(carrier: PrinterCarrier) {
        let errors: [PrinterLinkError] = [
            .absent, .notPermitted, .refused, .unreachable, .timedOut, .busy, .lost, .unknownName, .failed("read: EIO"),
        ]
        for error in errors {
            let words = PrinterTrouble.words(error, carrier)
            #expect(!words.isEmpty && !words.hasSuffix("."))
            #expect(PrinterTrouble.state(error).needsPerson)
        }
        #expect(PrinterTrouble.words(.unreachable, .bluetooth).contains("held by a phone"))
    }

    @Test("A Bluetooth printer that never answers may have lost its bond, and its receipt waits")
    func aLostBond() {
        let bench = PrinterBench(
            Self.make(), settings: PrinterLinkSettings(carrier: .bluetooth, pace: 960, buffer: 1024))
        bench.printer.link.refusal = .unreachable
        bench.start()
        bench.add(1)
        bench.run(for: .seconds(5))
        #expect(bench.reports.last?.words.contains("held by a phone") == true)
        bench.run(for: .minutes(20))
        #expect(bench.reports.last?.words.contains("pair it again") == true)
        #expect(bench.spool.queued == 1)
        bench.printer.link.refusal = nil
        bench.finish()
        #expect(bench.count(of: 1) == (1, 0))
    }

    @Test("A timer that comes early or twice changes nothing")
    func aTimerThatComesEarlyOrTwiceChangesNothing() {
        let bench = PrinterBench(Self.make())
        bench.start()
        bench.add(1)
        for _ in 0..<40 {
            bench.run(for: .milliseconds(17))
            for timer in PrinterTimer.allCases where timer != .stop { bench.fire(timer) }
        }
        bench.finish()
        #expect(bench.paper.elementsEqual(PrinterBench.slip(1).bytes))
        #expect(bench.count(of: 1) == (1, 0))
    }
}
