// Pairing on the whole box: by the button and at the console.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PushProtocol
import Testing

@Suite("Pairing on the box")
struct PairingOnTheBoxTests {
    private static let address = "DC:0D:30:00:00:01"
    private static let printer = PrinterAddress.bluetooth(address: address, channel: nil)

    private static func device(pin: String? = nil) -> SimulatedBluetoothDevice {
        SimulatedBluetoothDevice(
            BluetoothNeighbour(address: address, name: "MTP-II", deviceClass: 0x04_0680, signal: -50), pin: pin)
    }

    private static func counter(
        _ devices: [SimulatedBluetoothDevice], carrier: PrinterCarrier = .none
    ) throws -> TestCounter {
        let counter = try TestCounter(carrier: carrier)
        counter.run.radio.devices = devices
        return counter
    }

    private static func ask(_ counter: TestCounter, _ line: String, for time: Interval = .seconds(1)) -> String {
        _ = counter.run.console.takeOutput()
        counter.run.console.type(line + "\r\n")
        counter.advance(time)
        return String(decoding: counter.run.console.takeOutput(), as: UTF8.self)
    }

    @Test("Ten seconds pair the likeliest printer, say so, and print there")
    func button() throws {
        let counter = try Self.counter([Self.device()])
        let hub = counter.hub()
        counter.button.press(for: .milliseconds(10_200))
        counter.advance(.seconds(12))
        #expect(counter.lights.last == "fast")
        counter.advance(.seconds(20))
        #expect(counter.chosenPrinters == [Self.printer])
        #expect(counter.phrases.suffix(2) == ["正在配对", "配对成功"])
        // The status phrase that was cut off is no fault.
        #expect(!counter.lights.contains("long-short"))
        #expect(counter.lights.last == "steady")
        hub.push("a", PaymentTests.payment("1.00", order: "N1"))
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(counter.takePaper().contains("N1"))
    }

    @Test("Without a printer in range the button says that it failed, and nothing changes")
    func buttonFails() throws {
        let counter = try Self.counter([])
        counter.button.press(for: .milliseconds(10_200))
        counter.advance(.seconds(40))
        #expect(counter.chosenPrinters.isEmpty)
        #expect(counter.phrases.last == "配对失败")
        #expect(counter.log.contains("no printer was found"))
    }

    @Test("A status phrase is cut off where the button is held on")
    func cutsStatus() throws {
        let counter = try Self.counter([])
        counter.button.press(for: .milliseconds(10_200))
        counter.advance(.milliseconds(10_400))
        #expect(counter.phrases.count == 2)
    }

    @Test("The console lists what is around")
    func scan() throws {
        let counter = try Self.counter([Self.device()])
        let text = Self.ask(counter, "printer scan", for: .seconds(14))
        for part in ["searching for 12 s", Self.address, "-50 dBm", "printer", "MTP-II"] {
            #expect(text.contains(part))
        }
        #expect(counter.chosenPrinters.isEmpty)
    }

    @Test("For machines each line is an object")
    func scanForMachines() throws {
        let counter = try Self.counter([Self.device()])
        _ = Self.ask(counter, "json on")
        let lines = Self.ask(counter, "printer scan", for: .seconds(14)).split(separator: "\r\n")
        #expect(lines.count == 2)
        let list = try JSONReader.read(Array((lines.last ?? "").utf8), as: .json)
        #expect(list["devices"]?.array?.first?["address"]?.string == Self.address)
    }

    @Test("The console asks for a PIN that is none of the usual")
    func pin() throws {
        let counter = try Self.counter([Self.device(pin: "8888")])
        let asked = Self.ask(counter, "printer pair \(Self.address)", for: .seconds(14))
        #expect(asked.contains("printer pin PIN"))
        #expect(Self.ask(counter, "printer pin 8888", for: .seconds(3)).contains("paired with MTP-II"))
        #expect(counter.chosenPrinters == [Self.printer])
        #expect(Self.ask(counter, "printer pin 8888").contains("no printer asks"))
    }

    @Test("After pairing doctor, net and STATUS name the new printer")
    func named() throws {
        let counter = try Self.counter([Self.device()], carrier: .tcp)
        counter.advance(.seconds(1))
        #expect(Self.ask(counter, "doctor").contains("printer: \(TestCounter.printerAddress)"))
        _ = Self.ask(counter, "printer pair \(Self.address)", for: .seconds(5))
        for line in ["doctor", "net", "printer"] {
            let text = Self.ask(counter, line)
            #expect(text.contains("\(Self.printer)"), "\(text)")
            #expect(!text.contains("\(TestCounter.printerAddress)"), "\(text)")
        }
    }

    @Test("The button speaks while a pairing runs, and takes over one that nobody waits for")
    func buttonTakesOver() throws {
        let counter = try Self.counter([Self.device(pin: "8888")])
        #expect(Self.ask(counter, "printer pair \(Self.address)", for: .seconds(14)).contains("printer pin PIN"))
        counter.button.press(for: .milliseconds(10_200))
        counter.advance(.seconds(15))
        #expect(counter.phrases.last == "正在配对")
        counter.advance(.seconds(60))
        #expect(counter.phrases.last == "配对失败")
    }

    @Test("Ctrl-C ends a search")
    func cancel() throws {
        let counter = try Self.counter([Self.device()])
        _ = Self.ask(counter, "printer scan")
        #expect(counter.run.radio.isHeld)
        counter.run.console.type([0x03])
        counter.advance(.seconds(1))
        #expect(!counter.run.radio.isHeld)
        #expect(Self.ask(counter, "printer scan", for: .seconds(14)).contains(Self.address))
    }

    @Test("An address that is none is refused")
    func badAddress() throws {
        #expect(Self.ask(try Self.counter([]), "printer pair 12:34").contains("is no Bluetooth address"))
    }

    @Test("A printer chosen in the middle of a receipt gets it again, marked")
    func middle() throws {
        let counter = try Self.counter([Self.device()], carrier: .tcp)
        let hub = counter.hub()
        counter.printer.link.bytesPerSecond = 20
        hub.push("a", PaymentTests.payment("1.00", order: "N1"))
        counter.advance(.seconds(2))
        _ = Self.ask(counter, "printer pair \(Self.address)", for: .seconds(3))
        counter.printer.link.bytesPerSecond = nil
        #expect(counter.advance(until: { hub.done("a") != nil }))
        #expect(counter.takePaper().components(of: "补打") == 1)
    }

    @Test("Printer status says what is likely wrong")
    func status() throws {
        let counter = try TestCounter()
        counter.printer.goAway()
        counter.advance(.seconds(30))
        let text = Self.ask(counter, "printer status")
        #expect(text.contains("unreachable:") && text.contains("waiting   0"))
        #expect(text.contains("likely    it is off, or has gone to sleep"))
    }
}
