import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

/// What every printer device keeps to, simulated or real.
@Suite struct PrinterContractTests {
    /// Every byte value: nothing on the way translates, but no status question among them.
    static let everyByte = (0...255).map { UInt8($0) }.filter { $0 != 0x10 }

    private static func isLost(_ event: PrinterEvent) -> Bool {
        if case .lost = event { true } else { false }
    }

    @Test("Connecting twice connects once", arguments: PrinterPlaceKind.allCases)
    func connectingTwiceConnectsOnce(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.device.connect()
        place.device.connect()
        let events = place.run(for: .milliseconds(150))
        #expect(events == [.connected])
    }

    @Test("What is written arrives byte by byte", arguments: PrinterPlaceKind.allCases)
    func whatIsWrittenArrivesByteByByte(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        var rest = Self.everyByte[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try place.device.write(rest.prefix(100)))
            place.run { _ in true }
        }
        place.run { _ in place.arrived().count >= Self.everyByte.count }
        #expect(place.arrived().elementsEqual(Self.everyByte))
        place.run { _ in place.device.unsent() == 0 }
        #expect(place.device.unsent() == 0)
    }

    @Test("What the printer says comes as it is", arguments: PrinterPlaceKind.allCases)
    func whatThePrinterSaysComesAsItIs(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        _ = place.arrived()
        let words = try place.speak()
        var heard: [UInt8] = []
        place.run { events in
            heard = events.flatMap { if case .received(let bytes) = $0 { bytes } else { [UInt8]() } }
            return heard.count >= words.count
        }
        #expect(heard == words)
    }

    @Test("A full printer takes nothing and says once when there is room", arguments: PrinterPlaceKind.allCases)
    func aFullPrinterTakesNothingAndSaysOnceWhenThereIsRoom(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        place.hold(true)
        let block = [UInt8](repeating: 0x41, count: 64 << 10)
        var taken = 0
        while true {
            let count = try place.device.write(block[...])
            taken += count
            // What is on its way makes room for a moment.
            if count == 0 {
                let quiet = place.run(for: .milliseconds(30))
                #expect(quiet.isEmpty)
                if try place.device.write(block[...]) == 0 { break }
            }
        }
        #expect(taken > 0)
        place.device.awaitRoom()
        let quiet = place.run(for: .milliseconds(50))
        #expect(quiet.isEmpty)
        place.hold(false)
        let events = place.run { !$0.isEmpty }
        #expect(events == [.room])
        #expect(place.run(for: .milliseconds(50)).isEmpty)
        #expect(try place.device.write(block[...]) > 0)
    }

    @Test("Room that is there is told once", arguments: PrinterPlaceKind.allCases)
    func roomThatIsThereIsToldOnce(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        place.device.awaitRoom()
        #expect(place.run(for: .milliseconds(50)) == [.room])
    }

    @Test("A printer that goes is told once and takes nothing more", arguments: PrinterPlaceKind.allCases)
    func aPrinterThatGoesIsToldOnceAndTakesNothingMore(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        _ = place.arrived()
        place.goAway()
        let events = place.run { !$0.isEmpty }
        #expect(events == [.lost(.lost)])
        #expect(throws: PrinterLinkError.lost) { _ = try place.device.write([0x41]) }
        #expect(place.device.unsent() == 0)
    }

    @Test("Where there is no printer each attempt fails", arguments: PrinterPlaceKind.allCases)
    func whereThereIsNoPrinterEachAttemptFails(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.goAway()
        for _ in 0..<3 {
            place.device.connect()
            let events = place.run { !$0.isEmpty }
            #expect(events.count == 1 && events.allSatisfy(Self.isLost))
        }
    }

    @Test("After disconnect nothing is heard and it connects again", arguments: PrinterPlaceKind.allCases)
    func afterDisconnectNothingIsHeardAndItConnectsAgain(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.connect()
        place.device.awaitRoom()
        place.device.disconnect()
        let events = place.run(for: .milliseconds(50))
        #expect(!events.contains(where: Self.isLost))
        #expect(throws: PrinterLinkError.lost) { _ = try place.device.write([0x41]) }
        (place as? TCPPlace)?.closeConnection()
        place.connect()
    }

    @Test("Disconnecting an attempt ends it", arguments: PrinterPlaceKind.allCases)
    func disconnectingAnAttemptEndsIt(kind: PrinterPlaceKind) throws {
        let place = try kind.make()
        place.device.connect()
        place.device.disconnect()
        let events = place.run(for: .milliseconds(100))
        // A device that opens at once has said so already.
        #expect(kind == .serial || events.isEmpty)
        #expect(!events.contains(where: Self.isLost))
    }

    @Test("No call takes longer than 20 ms", arguments: PrinterPlaceKind.allCases)
    func noCallTakesLong(kind: PrinterPlaceKind) throws {
        let block = [UInt8](repeating: 0x41, count: 1 << 20)
        let longest = try LongestCall.ofBest { calls in
            let place = try kind.make()
            let device = MeasuredPrinter(place.device, calls)
            place.hold(true)
            device.connect()
            place.run { !$0.isEmpty }
            for _ in 0..<3 { _ = try device.write(block[...]) }
            device.awaitRoom()
            _ = device.unsent()
            device.disconnect()
        }
        #expect(longest <= LongestCall.limit)
    }
}
