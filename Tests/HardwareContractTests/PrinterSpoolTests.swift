import BoxFoundation
import HardwareInterface
import HardwareLinux
import ReceiptPrinting
import Testing

/// Receipts over real sockets, ports and files, from the spool to the last byte.
@Suite struct PrinterSpoolTests {
    private static let receipt = PrinterData((0..<30_000).map { UInt8(truncatingIfNeeded: 0x20 + $0 % 90) })

    private static func settings(_ carrier: PrinterCarrier, pace: Int = 1_000_000) -> PrinterLinkSettings {
        PrinterLinkSettings(carrier: carrier, pace: pace, buffer: 4096, statusQueries: false)
    }

    @Test("A receipt reaches the printer byte by byte", arguments: [PrinterPlaceKind.tcp, .serial])
    func aReceiptReachesThePrinter(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        let run = SpoolRun(place.device, on: place.loop, Self.settings(.tcp), receipt: Self.receipt)
        run.start()
        run.add(1)
        run.add(2)
        run.run(between: { _ = place.arrived() }, until: { run.ends.count == 2 })
        #expect(run.ends == [.sent, .sent])
        #expect(place.arrived().elementsEqual(Self.receipt.bytes + Self.receipt.bytes))
    }

    @Test("A printer that goes in the middle gets the receipt again, marked")
    func aPrinterThatGoesInTheMiddle() throws {
        let place = try TCPPlace()
        let run = SpoolRun(place.device, on: place.loop, Self.settings(.tcp, pace: 50_000), receipt: Self.receipt)
        run.start()
        run.add(1)
        run.run(between: { _ = place.arrived() }, until: { place.arrived().count > 5000 })
        place.closeConnection()
        run.run(between: { _ = place.arrived() }, until: { !run.ends.isEmpty })
        #expect(run.ends == [.sent])
        #expect(run.loads == [false, true])
        #expect(place.arrived().suffix(Self.receipt.bytes.count).elementsEqual(Self.receipt.bytes))
    }

    @Test(
        "A printer that takes a while and then nothing never holds the loop",
        arguments: [PrinterPlaceKind.tcp, .serial])
    func neverHoldsTheLoop(kind: PrinterPlaceKind) throws {
        let longest = try LongestCall.ofBest { calls in
            let place = try kind.make()
            let device = MeasuredPrinter(place.device, calls)
            let run = SpoolRun(device, on: place.loop, Self.settings(.tcp), receipt: Self.receipt)
            run.measure = { calls.measure($0) }
            run.start()
            run.add(1)
            run.run(between: { _ = place.arrived() }, until: { place.arrived().count > 5000 })
            place.hold(true)
            let end = place.loop.now + .milliseconds(300)
            run.run(between: {}, until: { place.loop.now >= end })
        }
        #expect(longest <= LongestCall.limit)
    }

    @Test("A printer that answers confirms its receipts")
    func aPrinterThatAnswers() throws {
        let place = try TCPPlace()
        var settings = Self.settings(.tcp)
        (settings.statusQueries, settings.confirmation) = (true, .statusAfterDrain)
        let run = SpoolRun(place.device, on: place.loop, settings, receipt: Self.receipt)
        run.start()
        run.add(1)
        var answered = 0
        run.run(
            between: {
                // 10 appears only in questions: the receipt is printable text.
                let asked = place.arrived().filter { $0 == 0x10 }.count
                if asked > answered {
                    place.say([UInt8](repeating: 0x12, count: asked - answered))
                    answered = asked
                }
            }, until: { !run.ends.isEmpty })
        #expect(run.ends == [.printed])
        #expect(answered >= 6)
    }
}
