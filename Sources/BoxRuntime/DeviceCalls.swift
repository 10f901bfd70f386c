// Calls of the printer link, each done on its device and answered with what came of it.

import BoxCore
import HardwareInterface
import ReceiptPrinting

extension BoxRuntime {
    func perform(_ call: BluetoothCall) {
        let radio = devices.radio
        switch call {
        case .startSearch: radio.startSearch()
        case .stopSearch: radio.stopSearch()
        case .pair(let address): radio.pair(address)
        case .answer(let pin): radio.answer(pin: pin)
        case .forget(let address): radio.forget(address)
        case .rest: radio.rest()
        }
    }

    func perform(_ call: PrinterCall) -> PrinterAnswer? {
        let printer = devices.printer
        switch call {
        case .connect: printer.connect()
        case .write(let bytes):
            do throws(PrinterLinkError) {
                return .wrote(try printer.write(bytes))
            } catch {
                return .writeFailed(error)
            }
        case .askUnsent: return .unsent(printer.unsent())
        case .awaitRoom: printer.awaitRoom()
        case .disconnect: printer.disconnect()
        }
        return nil
    }
}
