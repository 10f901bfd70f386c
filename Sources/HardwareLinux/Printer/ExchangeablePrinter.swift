// A printer that another can be put in the place of while the box runs.

import HardwareInterface

package final class ExchangeablePrinter: PrinterDevice {
    private var device: any PrinterDevice

    package init(_ device: any PrinterDevice) { self.device = device }

    /// Calls go to this one from now on; nothing more is heard of the other.
    package func use(_ other: any PrinterDevice) {
        device.disconnect()
        device = other
    }

    package func connect() { device.connect() }
    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int { try device.write(bytes) }
    package func unsent() -> Int { device.unsent() }
    package func awaitRoom() { device.awaitRoom() }
    package func disconnect() { device.disconnect() }
}
