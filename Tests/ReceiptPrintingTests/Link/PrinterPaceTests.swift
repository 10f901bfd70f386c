import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// Pace, buffer, short writes (`docs/field-reports.md` 57, 67, 68, 69).
@Suite struct PrinterPaceTests {
    /// 1 KiB at 9600 baud, and what does not fit is lost.
    private static func smallPrinter(answers: Bool) -> SimulatedPrinterMake {
        var make = SimulatedPrinterMake()
        make.buffer = 1024
        make.bytesPerSecond = 960
        make.hasFlowControl = false
        make.answersStatus = answers
        return make
    }

    private static func settings(answers: Bool) -> PrinterLinkSettings {
        PrinterLinkSettings(
            carrier: .bluetooth, pace: 960, buffer: 1024, confirmation: answers ? .statusAfterDrain : .none,
            statusQueries: answers)
    }

    @Test("A receipt of forty items comes out of a small printer byte by byte", arguments: [true, false])
    func aReceiptOfFortyItemsComesOutOfASmallPrinterByteByByte(answers: Bool) {
        let bench = PrinterBench(Self.smallPrinter(answers: answers), settings: Self.settings(answers: answers))
        bench.receipt = { PrinterBench.slip($0, lines: 80) }
        bench.start()
        bench.run(for: .seconds(1))
        let added = bench.loop.now
        bench.add(1)
        bench.finish()
        let bytes = bench.receipt(1).bytes
        #expect(bytes.count > 2 * 1024)
        #expect(bench.paper.elementsEqual(bytes))
        #expect(bench.printer.machine.overflowed == 0)
        #expect(bench.printer.machine.fullest <= 1024)
        let took = bench.ends[0].at - added
        #expect(took >= .forCount(bytes.count, perSecond: 960))
        #expect(took < .forCount(bytes.count, perSecond: 960) + .seconds(1))
    }

    @Test("A tall image without breaks never overruns the buffer")
    func aTallImageWithoutBreaksNeverOverrunsTheBuffer() {
        let bench = PrinterBench(Self.smallPrinter(answers: true), settings: Self.settings(answers: true))
        let image = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 % 251) | 0x80 }
        bench.receipt = { _ in PrinterData(image, breaks: []) }
        bench.start()
        bench.add(1)
        bench.finish()
        #expect(bench.paper.elementsEqual(image))
        #expect(bench.printer.machine.overflowed == 0)
    }

    @Test("A slow link counts against the printer's buffer")
    func aSlowLinkCountsAgainstThePrintersBuffer() {
        // The kernel holds bytes back and then delivers them in one go.
        let bench = PrinterBench(Self.smallPrinter(answers: false), settings: Self.settings(answers: false))
        bench.printer.link.bytesPerSecond = 300
        bench.receipt = { PrinterBench.slip($0, lines: 200) }
        bench.start()
        bench.add(1)
        bench.run(for: .seconds(8))
        bench.printer.link.bytesPerSecond = nil
        bench.finish()
        #expect(bench.paper.elementsEqual(bench.receipt(1).bytes))
        #expect(bench.printer.machine.overflowed == 0)
    }

    @Test(
        "Short writes and no room lose nothing",
        arguments: [[3, 0, 1, 0, 0, 2], Array(repeating: 1, count: 500), [0, 0, 0, 0, 7, 1, 0, 100]])
    func shortWritesAndNoRoomLoseNothing(limits: [Int]) {
        let bench = PrinterBench()
        bench.printer.link.writeLimits = limits
        bench.start()
        bench.add(1)
        bench.add(2)
        bench.finish()
        #expect(bench.paper.elementsEqual(PrinterBench.slip(1).bytes + PrinterBench.slip(2).bytes))
        #expect(bench.ends.map(\.end) == [.printed, .printed])
    }

    @Test("A printer that stopped unnoticed for a while is not overrun when it goes on", arguments: 0..<12)
    func aPrinterThatStoppedUnnoticed(twentieth: Int) {
        // Stopped at any moment between two questions, and mended shortly before one.
        for mended in 0..<10 {
            let bench = PrinterBench(Self.smallPrinter(answers: true), settings: Self.settings(answers: true))
            bench.receipt = { PrinterBench.slip($0, lines: 120) }
            bench.start()
            bench.run(for: .seconds(1))
            bench.add(1)
            bench.run(for: .milliseconds(500 + 50 * twentieth))
            bench.printer.change { $0.hasPaper = false }
            bench.run(for: .milliseconds(6000 + 200 * mended))
            #expect(bench.states.last == .paperOut)
            bench.printer.change { $0.hasPaper = true }
            bench.finish()
            #expect(bench.printer.machine.overflowed == 0)
            #expect(bench.paper.elementsEqual(bench.receipt(1).bytes))
        }
    }

    @Test("Breaks are found behind lines and pictures, and not inside of commands")
    func breaksAreFound() {
        let line: [UInt8] = [0x1B, 0x40] + Array("one".utf8) + [0x0A]
        // A picture of 8 by 10 dots and one of 8 by 100, whose data hold line feeds.
        let small: [UInt8] = [0x1D, 0x76, 0x30, 0x00, 1, 0, 10, 0] + [UInt8](repeating: 0x0A, count: 10)
        let large: [UInt8] = [0x1D, 0x76, 0x30, 0x00, 1, 0, 100, 0] + [UInt8](repeating: 0x0A, count: 100)
        let a = line.count
        #expect(PrinterData(line + small + large + line).breaks == [a, a + 126, 2 * a + 126])
        // Behind an unknown command, and in one that is cut off, nothing is certain.
        #expect(PrinterData(line + [0x1B, 0xFE] + line).breaks == [a])
        #expect(PrinterData(line + large.dropLast()).breaks == [a])
    }

    @Test("Questions come only between commands")
    func questionsComeOnlyBetweenCommands() {
        let bench = PrinterBench(Self.smallPrinter(answers: true), settings: Self.settings(answers: true))
        bench.receipt = { PrinterBench.slip($0, lines: 80) }
        // Shorter than a question now and then.
        bench.printer.link.writeLimits = (0..<400).map { $0 % 5 }
        bench.start()
        bench.add(1)
        bench.finish()
        let places = [0] + bench.receipt(1).breaks
        let asked = bench.printer.machine.questions.map(\.offset)
        #expect(asked.contains { $0 > 0 && $0 < bench.receipt(1).bytes.count })
        for offset in asked { #expect(places.contains(offset)) }
    }

    @Test("An idle link wakes the box less than twice a second")
    func anIdleLinkWakesTheBoxLessThanTwiceASecond() {
        let bench = PrinterBench()
        bench.start()
        bench.run(for: .seconds(20))
        let before = bench.wakeups
        bench.run(for: .minutes(10))
        #expect(bench.wakeups - before < 600 * 2)
    }

    @Test("Room is there at the moment that is named", arguments: [7, 960, 11_520, 999_983])
    func roomIsThereAtTheMomentThatIsNamed(rate: Int) {
        var pace = PrinterPace(rate: rate, buffer: 1024)
        pace.add(1024, at: .zero + .seconds(1))
        for count in [1, 255, 256, 257, 1000, 1024] {
            guard let moment = pace.moment(ofRoomFor: count) else { return #expect(Bool(false)) }
            #expect(pace.room(at: moment) >= count)
        }
    }

    @Test("The model of the buffer rounds up and stops with the printer")
    func theModelOfTheBufferRoundsUpAndStopsWithThePrinter() {
        var pace = PrinterPace(rate: 1000, buffer: 100)
        let start = Moment.zero + .seconds(5)
        pace.add(60, at: start)
        #expect(pace.level(at: start) == 60)
        #expect(pace.room(at: start) == 40)
        #expect(pace.level(at: start + .microseconds(1)) == 60)
        #expect(pace.level(at: start + .milliseconds(10)) == 50)
        #expect(pace.moment(ofRoomFor: 70) == start + .milliseconds(30))
        pace.stop(at: start + .milliseconds(10))
        #expect(pace.level(at: start + .minutes(60)) == 50)
        #expect(pace.momentOfEmpty == nil)
        pace.resume(at: start + .minutes(60))
        #expect(pace.momentOfEmpty == start + .minutes(60) + .milliseconds(50))
        pace.raise(to: 80, at: start + .minutes(60))
        pace.raise(to: 10, at: start + .minutes(60))
        #expect(pace.level(at: start + .minutes(60)) == 80)
    }
}
