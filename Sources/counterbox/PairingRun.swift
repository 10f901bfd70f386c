// Looking for a printer and pairing with it from the command line: the same decisions as the box's, on a loop of this
// program's own.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import ReceiptPrinting

final class PairingRun {
    private let loop: EpollLoop
    private let radio: BlueZRadio
    private var pairing: PrinterPairing
    private var timer: Moment?
    private var end: PairingEnd?
    private var typed: [UInt8] = []
    private var isListening = false
    /// Every device of the search, as it was last heard.
    private(set) var seen: [String: BluetoothNeighbour] = [:]
    /// Why there was no search.
    private(set) var fault: BluetoothFault?

    init(profilePIN: String?, on loop: EpollLoop) {
        self.loop = loop
        radio = BlueZRadio(on: loop)
        pairing = PrinterPairing(profilePIN: profilePIN)
    }

    func run(_ order: PairingOrder) -> PairingEnd {
        perform(pairing.begin(order, canAsk: isatty(STDIN_FILENO) == 1, at: loop.now))
        while true {
            if let end {
                Terminal.showProgress("")
                return end
            }
            loop.wait(until: timer)
            while let event = loop.next() { take(event) }
            if let due = timer, due <= loop.now {
                timer = nil
                perform(pairing.fired(at: loop.now))
            }
        }
    }

    private func take(_ event: DeviceEvent) {
        switch event {
        case .bluetooth(let event):
            if case .found(let device) = event { seen[device.address] = device }
            if case .searchFailed(let fault) = event { self.fault = fault }
            perform(pairing.handle(event, at: loop.now))
        case .signal(.terminate):
            perform(pairing.cancel())
            stopListening()
            end = .failed(PairingTrouble.words(.cancelled))
        default: break
        }
    }

    private func perform(_ outputs: [PairingOutput]) {
        for output in outputs {
            switch output {
            case .call(let call): perform(call)
            case .timer(let moment): timer = moment
            case .step(let line): tell(line)
            case .askPIN(let line): ask(line)
            case .ended(let end):
                // Also where the time for the PIN ran out: what is typed from now on is the shell's.
                stopListening()
                self.end = end
            }
        }
    }

    private func perform(_ call: BluetoothCall) {
        switch call {
        case .startSearch: radio.startSearch()
        case .stopSearch: radio.stopSearch()
        case .pair(let address): radio.pair(address)
        case .answer(let pin): radio.answer(pin: pin)
        case .forget(let address): radio.forget(address)
        case .rest: radio.rest()
        }
    }

    /// Progress where somebody watches.
    private func tell(_ line: String) { Terminal.showProgress(line) }

    // MARK: - The PIN

    private func ask(_ line: String) {
        Terminal.showProgress("")
        Terminal.print("\(line) (\(PrinterPairing.pinTime.seconds) s): ", end: "")
        typed = []
        guard !isListening else { return }
        isListening = true
        loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _ in read() }
    }

    /// A terminal gives a line at a time.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return answer(nil) }
        typed += buffer[..<count]
        guard let newline = typed.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let pin = String(decoding: typed[..<newline].filter { $0 > 0x20 }, as: UTF8.self)
        answer(PrinterPairing.pinLength.contains(pin.utf8.count) ? pin : nil)
    }

    private func answer(_ pin: String?) {
        stopListening()
        perform(pairing.answer(pin: pin, at: loop.now))
    }

    private func stopListening() {
        loop.unwatch(STDIN_FILENO)
        isListening = false
        typed = []
    }
}
