import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

/// What only real printer devices have: files, pipes, names, dead ends.
@Suite struct PrinterLinuxTests {
    /// A path that no other test has.
    private static func path(_ name: String) -> String { "/tmp/counterbox-printer-\(getpid())-\(name)" }

    private static func contents(_ path: String) -> [UInt8] {
        let number = open(path, O_RDONLY)
        guard number >= 0 else { return [] }
        defer { close(number) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return Array(buffer[..<max(0, read(number, &buffer, buffer.count))])
    }

    private static func connect(_ device: any PrinterDevice, _ loop: any EventLoop) -> [DeviceEvent] {
        device.connect()
        return loop.run { !$0.isEmpty }.events
    }

    private static func error(_ events: [DeviceEvent]) -> PrinterLinkError? {
        if events.count == 1, case .printer(.lost(let error)) = events[0] { error } else { nil }
    }

    private static func isConnected(_ events: [DeviceEvent]) -> Bool {
        if events.count == 1, case .printer(.connected) = events[0] { true } else { false }
    }

    @Test("A plain file collects receipts")
    func aPlainFileCollectsReceipts() throws {
        let path = Self.path("file")
        defer { unlink(path) }
        for text in ["one\n", "two\n"] {
            let loop = try EpollLoop()
            let device = FilePrinter(path: path, on: loop)
            #expect(Self.isConnected(Self.connect(device, loop)))
            #expect(try device.write(Array(text.utf8)[...]) == 4)
            #expect(device.unsent() == 0)
            device.awaitRoom()
            let events = loop.run { !$0.isEmpty }.events
            guard events.count == 1, case .printer(.room) = events[0] else { return #expect(Bool(false), "no room") }
            device.disconnect()
        }
        #expect(Self.contents(path) == Array("one\ntwo\n".utf8))
    }

    @Test("Where another printer is put in its place, nothing more is heard of the old one")
    func exchanged() throws {
        let path = Self.path("exchanged")
        defer { unlink(path) }
        let loop = try EpollLoop()
        let printer = ExchangeablePrinter(FilePrinter(path: path, on: loop), on: loop)
        loop.post(.signal(.reload))
        printer.connect()
        loop.post(.signal(.terminate))
        printer.use(FilePrinter(path: "/dev/counterbox-no-printer", on: loop))
        printer.connect()
        let events = loop.run { $0.count == 3 }.events
        #expect(events.count == 3)
        #expect(Self.error(Array(events.suffix(1))) == .absent)
        guard case .signal(.reload) = events[0], case .signal(.terminate) = events[1] else {
            return #expect(Bool(false), "\(events)")
        }
    }

    @Test("A pipe is a printer for as long as somebody reads")
    func aPipeIsAPrinterForAsLongAsSomebodyReads() throws {
        let path = Self.path("pipe")
        defer { unlink(path) }
        #expect(mkfifo(path, 0o600) == 0)
        let loop = try EpollLoop()
        let device = FilePrinter(path: path, on: loop)
        #expect(Self.error(Self.connect(device, loop)) == .absent)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        #expect(Self.isConnected(Self.connect(device, loop)))
        #expect(try device.write([0x41]) == 1)
        close(reader)
        #expect(Self.error(loop.run { !$0.isEmpty }.events) == .lost)
    }

    @Test("A device file that is not there is absent and is not made")
    func aDeviceFileThatIsNotThereIsAbsentAndIsNotMade() throws {
        let loop = try EpollLoop()
        for device in [
            FilePrinter(path: "/dev/counterbox-no-printer", on: loop),
            FilePrinter(path: "/tmp/counterbox-no-port", baud: 9600, on: loop),
            FilePrinter(path: "/tmp/counterbox-no-folder/receipts", on: loop),
        ] { #expect(Self.error(Self.connect(device, loop)) == .absent) }
        #expect(access("/dev/counterbox-no-printer", F_OK) != 0)
        #expect(access("/tmp/counterbox-no-port", F_OK) != 0)
    }

    @Test("A device that is readable and says nothing is not taken for gone")
    func aDeviceThatIsReadableAndSaysNothingIsNotTakenForGone() throws {
        let loop = try EpollLoop()
        let device = FilePrinter(path: "/dev/null", on: loop)
        #expect(Self.isConnected(Self.connect(device, loop)))
        let before = loop.wakeups
        let events = loop.run(for: .milliseconds(100))
        #expect(events.isEmpty)
        #expect(loop.wakeups - before < 10)
        #expect(try device.write([0x41]) == 1)
        device.disconnect()
    }

    @Test("A folder is no printer")
    func aFolderIsNoPrinter() throws {
        let loop = try EpollLoop()
        guard case .failed = Self.error(Self.connect(FilePrinter(path: "/tmp", on: loop), loop)) else {
            return #expect(Bool(false), "a folder was opened")
        }
    }

    @Test("A port where nobody listens refuses")
    func aPortWhereNobodyListensRefuses() throws {
        let place = try TCPPlace()
        place.goAway()
        #expect(Self.error(Self.connect(place.device, place.loop)) == .refused)
    }

    @Test("A name is looked up without holding the loop")
    func aNameIsLookedUpWithoutHoldingTheLoop() throws {
        let place = try TCPPlace(host: "localhost")
        place.connect()
    }

    @Test("A name that is none is named so")
    func aNameThatIsNoneIsNamedSo() throws {
        let loop = try EpollLoop()
        let device = TCPPrinter(host: "no such host", port: 9100, on: loop)
        #expect(Self.error(Self.connect(device, loop)) == .unknownName)
    }

    @Test("A printer that closes is lost between two receipts")
    func aPrinterThatClosesIsLostBetweenTwoReceipts() throws {
        let place = try TCPPlace()
        place.connect()
        _ = place.arrived()
        place.closeConnection()
        let events = place.run { !$0.isEmpty }
        #expect(events == [.lost(.lost)])
        place.connect()
        #expect(try place.device.write([0x41]) == 1)
        place.run { _ in place.arrived() == [0x41] }
        #expect(place.arrived() == [0x41])
    }

    @Test("Bytes that the printer has not taken are unsent")
    func bytesThatThePrinterHasNotTakenAreUnsent() throws {
        let place = try TCPPlace()
        place.connect()
        place.hold(true)
        let block = [UInt8](repeating: 0x41, count: 256 << 10)
        let taken = try place.device.write(block[...])
        #expect(taken > 0)
        _ = place.run(for: .milliseconds(30))
        #expect(place.device.unsent() > 0)
        place.hold(false)
        place.run { _ in place.device.unsent() == 0 }
        #expect(place.device.unsent() == 0)
        #expect(place.arrived().count == taken)
    }

    @Test("Calling somebody who never answers holds nothing up")
    func callingSomebodyWhoNeverAnswers() throws {
        let longest = try LongestCall.ofBest { calls in
            // A server whose waiting room is full answers no further call.
            let full = try FullServer()
            let loop = try EpollLoop()
            let device = MeasuredPrinter(TCPPrinter(host: "127.0.0.1", port: full.port, on: loop), calls)
            device.connect()
            let end = loop.now + .milliseconds(150)
            while loop.now < end {
                calls.measure { loop.wait(until: loop.now) }
                loop.wait(until: loop.now + .milliseconds(5))
            }
            #expect(loop.next() == nil)
            #expect(throws: PrinterLinkError.lost) { _ = try device.write([0x41]) }
            device.disconnect()
        }
        #expect(longest <= LongestCall.limit)
    }

    @Test("A box without Bluetooth says so")
    func aBoxWithoutBluetoothSaysSo() throws {
        let loop = try EpollLoop()
        for channel in [nil, 1] as [UInt8?] {
            let device = BluetoothPrinter(address: "DC:0D:30:00:00:01", channel: channel, on: loop)
            let error = Self.error(Self.connect(device, loop))
            // A machine that has it finds nobody at this address.
            #expect(error == .absent || error == .unreachable || error == .timedOut)
        }
    }
}
