import BoxFoundation
import HardwareInterface
import HardwareSimulated
import ReceiptPrinting
import Testing

/// The pairing on a simulated radio, and somebody who may know the PIN.
private final class PairingBench {
    let loop = SimulatedLoop()
    let radio: SimulatedRadio
    var pairing: PrinterPairing
    var timer: Moment?
    var end: PairingEnd?
    var steps: [String] = []
    /// What a person answers, one after another; then nothing.
    var answers: [String?] = []
    var asked = 0

    init(_ devices: [SimulatedBluetoothDevice], profilePIN: String? = nil) {
        radio = SimulatedRadio(on: loop)
        radio.devices = devices
        pairing = PrinterPairing(profilePIN: profilePIN)
    }

    func run(_ order: PairingOrder, canAsk: Bool = false) {
        end = nil
        perform(pairing.begin(order, canAsk: canAsk, at: loop.now))
        let limit = loop.now + .minutes(10)
        while end == nil, loop.now < limit {
            if case .bluetooth(let event) = loop.next() {
                perform(pairing.handle(event, at: loop.now))
            } else if let due = timer, due <= loop.now {
                timer = nil
                perform(pairing.fired(at: loop.now))
            } else {
                loop.wait(until: timer ?? limit)
            }
        }
    }

    func perform(_ outputs: [PairingOutput]) {
        for output in outputs {
            switch output {
            case .call(.startSearch): radio.startSearch()
            case .call(.stopSearch): radio.stopSearch()
            case .call(.pair(let address)): radio.pair(address)
            case .call(.answer(let pin)): radio.answer(pin: pin)
            case .call(.forget(let address)): radio.forget(address)
            case .call(.rest): radio.rest()
            case .timer(let moment): timer = moment
            case .step(let line): steps.append(line)
            case .askPIN:
                asked += 1
                if !answers.isEmpty { perform(pairing.answer(pin: answers.removeFirst(), at: loop.now)) }
            case .ended(let end): self.end = end
            }
        }
    }

    var isPaired: Bool { if case .paired = end { true } else { false } }
    var pairedAddress: String? { if case .paired(let device) = end { device.address } else { nil } }
    var words: String? { if case .failed(let words) = end { words } else { nil } }
}

@Suite("Pairing a printer")
struct PrinterPairingTests {
    static let address = "DC:0D:30:00:00:01"
    static let printerClass: UInt32 = 0x04_0680
    static let phoneClass: UInt32 = 0x5A_020C

    static func device(
        _ number: Int, _ name: String, _ deviceClass: UInt32, signal: Int? = -50, pin: String? = nil,
        isPaired: Bool = false
    ) -> SimulatedBluetoothDevice {
        SimulatedBluetoothDevice(
            BluetoothNeighbour(
                address: "DC:0D:30:00:00:0\(number)", name: name, deviceClass: deviceClass, signal: signal,
                isPaired: isPaired),
            pin: pin)
    }

    @Test("A scan lists likely printers first, then by signal")
    func scan() {
        let bench = PairingBench([
            Self.device(1, "手机", Self.phoneClass, signal: -30), Self.device(2, "", 0x1F00, signal: -40),
            Self.device(3, "MTP-II", 0x1F00, signal: -80), Self.device(4, "x", Self.printerClass, signal: -90),
            Self.device(5, "y", Self.printerClass, signal: -45),
            Self.device(6, "y", Self.printerClass, signal: -40, isPaired: true),
        ])
        bench.run(.scan)
        guard case .scanned(let found) = bench.end else { return #expect(Bool(false), "no list") }
        #expect(found.map { $0.address.suffix(1) } == ["5", "4", "6", "3", "2", "1"])
        #expect(found.map(\.isLikelyPrinter) == [true, true, true, true, false, false])
        #expect(!bench.radio.isHeld)
    }

    @Test("A name that comes later is kept, whatever the signal does meanwhile")
    func lateName() {
        var pairing = PrinterPairing(profilePIN: nil)
        var device = BluetoothNeighbour(address: Self.address, deviceClass: Self.printerClass, signal: -40)
        _ = pairing.begin(.scan, canAsk: false, at: .zero)
        _ = pairing.handle(.searching, at: .zero)
        _ = pairing.handle(.found(device), at: .zero)
        (device.name, device.signal) = ("MTP-II", -70)
        _ = pairing.handle(.found(device), at: .zero)
        (device.name, device.signal) = ("", nil)
        _ = pairing.handle(.found(device), at: .zero)
        (device.name, device.signal) = ("MTP-II", -40)
        #expect(pairing.fired(at: .zero + PrinterPairing.searchTime).contains(.ended(.scanned([device]))))
    }

    @Test("What is not there is told in words of what to do")
    func scanFails() {
        for (fault, word) in [
            (BluetoothFault.noService, "systemctl start bluetooth"), (.noAdapter, "no Bluetooth adapter"),
            (.adapterOff, "rfkill"), (.notPermitted, "group bluetooth"),
        ] {
            let bench = PairingBench([])
            bench.radio.fault = fault
            bench.run(.scan)
            #expect(bench.words?.contains(word) == true)
        }
    }

    @Test(
        "The usual PINs are tried, then the profile's",
        arguments: [nil, "0000", "1234", "5678"] as [String?], [printerClass, 0x1F00])
    func usualPINs(pin: String?, deviceClass: UInt32) {
        let bench = PairingBench([Self.device(1, "MTP-II", deviceClass, pin: pin)], profilePIN: "5678")
        bench.run(.pair(Self.address))
        #expect(bench.pairedAddress == Self.address)
        #expect(bench.radio.pins.last == pin)
        #expect(bench.asked == 0)
    }

    @Test("To a printer BlueZ says 0000 itself, and ours begins with 1234")
    func orderOfPINs() {
        let bench = PairingBench([Self.device(1, "MTP-II", Self.printerClass, pin: "9")], profilePIN: "5678")
        bench.run(.pair(Self.address))
        #expect(bench.radio.pins == ["0000", "1234", "0000", "5678", "0000", "0000"])
        #expect(bench.words?.contains("PIN") == true)
        let other = PairingBench([Self.device(1, "MTP-II", 0x1F00, pin: "9")], profilePIN: "1234")
        other.run(.pair(Self.address))
        #expect(other.radio.pins == ["0000", "1234"])
    }

    @Test("A person is asked where no usual PIN fits, three times")
    func asks() {
        let bench = PairingBench([Self.device(1, "MTP-II", 0x1F00, pin: "8888")])
        bench.answers = ["7777", "8888"]
        bench.run(.pair(Self.address), canAsk: true)
        #expect(bench.isPaired && bench.asked == 2)
        let stubborn = PairingBench([Self.device(1, "MTP-II", 0x1F00, pin: "8888")])
        stubborn.answers = ["1", "2", "3", "8888"]
        stubborn.run(.pair(Self.address), canAsk: true)
        #expect(!stubborn.isPaired && stubborn.asked == 3)
    }

    @Test("A person who says nothing ends it within a minute, one who gives up at once")
    func silence() {
        let bench = PairingBench([Self.device(1, "MTP-II", 0x1F00, pin: "8888")])
        let begin = bench.loop.now
        bench.run(.pair(Self.address), canAsk: true)
        #expect(bench.words != nil && bench.loop.now - begin < .seconds(75))
        #expect(!bench.radio.isHeld)
        bench.answers = [nil]
        bench.run(.pair(Self.address), canAsk: true)
        #expect(bench.words == PairingTrouble.words(.cancelled))
    }

    @Test("Without an address the likeliest printer in range is taken, and never a phone")
    func likeliest() {
        let far = Self.device(3, "MTP-II", Self.printerClass, signal: -80)
        let near = Self.device(4, "MTP-III", Self.printerClass, signal: -50)
        let bench = PairingBench([Self.device(1, "手机", Self.phoneClass, signal: -20), far, near])
        bench.run(.pair(nil))
        #expect(bench.pairedAddress == near.neighbour.address)
        let none = PairingBench([Self.device(1, "手机", Self.phoneClass, signal: -20)])
        none.run(.pair(nil))
        #expect(none.words?.hasPrefix("no printer was found") == true)
        #expect(none.radio.devices.allSatisfy { !$0.neighbour.isPaired })
    }

    @Test("An old bond with a printer that is there is dropped and made anew")
    func renews() {
        let bench = PairingBench([Self.device(1, "MTP-II", Self.printerClass, isPaired: true)])
        bench.run(.pair(Self.address))
        #expect(bench.isPaired)
        #expect(bench.steps.contains { $0.hasPrefix("dropping the old bond") })
    }

    @Test("An old bond with a printer that does not answer is kept")
    func keeps() {
        var device = Self.device(1, "MTP-II", Self.printerClass, isPaired: true)
        device.isInRange = false
        let bench = PairingBench([device])
        bench.run(.pair(Self.address))
        #expect(bench.words == PairingTrouble.words(.noAnswer))
        #expect(bench.radio.devices[0].neighbour.isPaired)
    }

    @Test("A printer that is paired and connected is left as it is")
    func connected() {
        var device = Self.device(1, "MTP-II", Self.printerClass, isPaired: true)
        device.neighbour.isConnected = true
        let bench = PairingBench([device])
        bench.run(.pair(Self.address))
        #expect(bench.isPaired && bench.radio.devices[0].neighbour.isPaired)
        #expect(!bench.steps.contains { $0.hasPrefix("dropping") })
    }

    @Test("A printer that is not there is not found, and one that goes does not answer")
    func notThere() {
        let bench = PairingBench([])
        bench.run(.pair(Self.address))
        #expect(bench.words?.hasPrefix("the printer was not found") == true)
        let faults: [(BluetoothFault, String)] = [
            (.noAnswer, "off, asleep, out of range"), (.refused, "pairing mode"), (.notAuthenticated, "reset"),
            (.busy, "busy"), (.cancelled, "off, asleep, out of range"), (.failed("x"), "x"),
        ]
        for (fault, word) in faults {
            var device = Self.device(1, "MTP-II", Self.printerClass)
            device.pairingFault = fault
            let failing = PairingBench([device])
            failing.run(.pair(Self.address))
            #expect(failing.words?.contains(word) == true)
            #expect(!failing.radio.isHeld)
        }
    }

    @Test("A printer that hangs up is called again when its link is gone; after a PIN, that was its no")
    func hangsUp() {
        var pairing = PrinterPairing(profilePIN: nil)
        let device = BluetoothNeighbour(address: Self.address, deviceClass: 0x1F00, signal: -40)
        var now = Moment.zero
        func hangUp() -> [PairingOutput] {
            let outputs = pairing.handle(.pairingFailed(.cancelled), at: now)
            guard outputs.last == .timer(at: now + PrinterPairing.pauseTime) else { return outputs }
            now = now + PrinterPairing.pauseTime
            return outputs + pairing.fired(at: now)
        }
        _ = pairing.begin(.pair(Self.address), canAsk: true, at: now)
        _ = pairing.handle(.searching, at: now)
        #expect(pairing.handle(.found(device), at: now).contains(.call(.pair(Self.address))))
        for pin in ["0000", "1234"] {
            let again = hangUp()
            #expect(again.contains(.call(.pair(Self.address))) && !again.contains(.step("that PIN was wrong")))
            #expect(pairing.handle(.pinWanted, at: now) == [.call(.answer(pin: pin))])
            let next = hangUp()
            #expect(next.contains(.call(.pair(Self.address))) && next.contains(.step("that PIN was wrong")))
        }
        _ = pairing.handle(.pinWanted, at: now)
        #expect(pairing.isAsking)
        _ = pairing.answer(pin: nil, at: now)
        #expect(hangUp().last == .ended(.failed(PairingTrouble.words(.cancelled))))
    }

    @Test("A second order while one is under way does nothing, and cancelling lets go")
    func twice() {
        let bench = PairingBench([])
        bench.perform(bench.pairing.begin(.scan, canAsk: false, at: bench.loop.now))
        #expect(bench.pairing.begin(.pair(nil), canAsk: false, at: bench.loop.now).isEmpty)
        bench.perform(bench.pairing.cancel())
        #expect(!bench.pairing.isActive && !bench.radio.isHeld && bench.timer == nil)
        #expect(bench.pairing.cancel().isEmpty)
        #expect(bench.pairing.fired(at: bench.loop.now).isEmpty)
    }

    @Test("What the link failed with, and what a search shows, tell the causes apart")
    func advice() {
        let addresses: [PrinterAddress] = [
            .tcp(host: "192.168.1.50", port: 9100), .file(path: "/dev/usb/lp0"),
            .serial(path: "/dev/ttyUSB0", baud: 9600), .bluetooth(address: Self.address, channel: nil),
        ]
        let all: [PrinterLinkError] = [
            .absent, .notPermitted, .refused, .unreachable, .timedOut, .busy, .lost, .unknownName, .failed("x"),
        ]
        for address in addresses {
            for trouble in all {
                #expect(!PrinterAdvice.lines(.unreachable, at: address, trouble: trouble).isEmpty)
            }
            #expect(PrinterAdvice.lines(.ready, at: address, trouble: nil).isEmpty)
            for state in [PrinterState.paperOut, .coverOpen, .error, .unknown] {
                #expect(!PrinterAdvice.lines(state, at: address, trouble: nil).isEmpty)
            }
        }
        let refused = PrinterAdvice.lines(.unreachable, at: addresses[0], trouble: .refused).joined()
        #expect(refused.contains("another device has 192.168.1.50") && !refused.contains("power button"))
        let bluetooth = {
            PrinterAdvice.lines(.unreachable, at: addresses[3], trouble: .unreachable, $0).joined(separator: "\n")
        }
        #expect(bluetooth(nil).contains("power button") && bluetooth(nil).contains("lost its bond"))
        #expect(bluetooth(.failed(.noService)) == PairingTrouble.words(.noService))
        #expect(bluetooth(.seen(isPaired: false)).contains("printer pair \(Self.address)"))
        #expect(bluetooth(.seen(isPaired: true)).contains("lost its bond"))
        #expect(bluetooth(.notSeen(isPaired: true)).contains("power button"))
        #expect(bluetooth(.notSeen(isPaired: false)).contains("printer scan"))
    }
}
