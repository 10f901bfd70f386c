// A printer that another can be put in the place of while the box runs.

import HardwareInterface

/// A printer whose device can be changed while the box runs; what the old one had still to say is dropped.
package final class ExchangeablePrinter: PrinterDevice {
    private var device: any PrinterDevice
    private let loop: any EventLoop

    package init(_ device: any PrinterDevice, on loop: any EventLoop) {
        self.device = device
        self.loop = loop
    }

    /// Calls go to this one from now on; nothing more is heard of the other.
    package func use(_ other: any PrinterDevice) {
        device.disconnect()
        dropEvents()
        device = other
    }

    /// What the old printer said and nobody has taken yet would be taken for the new one's word.
    private func dropEvents() {
        var others: [DeviceEvent] = []
        while let event = loop.next() {
            if case .printer = event { continue }
            others.append(event)
        }
        for event in others { loop.post(event) }
    }

    package func connect() { device.connect() }
    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int { try device.write(bytes) }
    package func unsent() -> Int { device.unsent() }
    package func awaitRoom() { device.awaitRoom() }
    package func disconnect() { device.disconnect() }
}
