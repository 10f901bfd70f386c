// Calls of the printer link, each done on its device and answered with what came of it.

import BoxCore
import HardwareInterface
import ReceiptPrinting

extension BoxRuntime {
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
