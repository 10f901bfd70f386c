// From a printer's address to its device.

import HardwareInterface

/// The device for a printer's address.
package enum PrinterDevices {
    /// - Parameter usualChannel: of a Bluetooth printer that cannot be asked for its serial port's, from its profile.
    /// - Returns: nil where the configuration says `none`.
    package static func device(
        at address: PrinterAddress, usualChannel: Int = 1, on loop: any DescriptorLoop
    ) -> (any PrinterDevice)? {
        switch address {
        case .none: nil
        case .tcp(let host, let port): TCPPrinter(host: host, port: port, on: loop)
        case .file(let path): FilePrinter(path: path, on: loop)
        case .serial(let path, let baud): FilePrinter(path: path, baud: baud, on: loop)
        case .bluetooth(let address, let channel):
            BluetoothPrinter(
                address: address, channel: channel, usualChannel: UInt8(clamping: usualChannel), on: loop)
        }
    }
}
