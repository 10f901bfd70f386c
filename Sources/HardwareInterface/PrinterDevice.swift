// A byte stream to a receipt printer, whatever carries it. Pace, status and outcomes are ReceiptPrinting's.

import BoxFoundation

/// Why a printer's link failed, by what a person can do. ReceiptPrinting turns it into words.
package enum PrinterLinkError: Error, Hashable, Sendable {
    /// No printer is configured, or the device file does not exist (ENOENT, ENODEV, ENXIO).
    case absent
    /// EACCES, EPERM.
    case notPermitted
    /// ECONNREFUSED: somebody is there, but not this service (on Bluetooth: the wrong channel).
    case refused
    /// EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ENETDOWN.
    case unreachable
    /// ETIMEDOUT, or no connection within the device's limit.
    case timedOut
    /// EBUSY, EADDRINUSE: held by another program or phone.
    case busy
    /// EPIPE, ECONNRESET, end of the stream: it was there and is gone.
    case lost
    /// The name cannot be resolved.
    case unknownName
    /// Anything else; the text names the call and the errno.
    case failed(String)
}

/// What happens on the way to the printer.
package enum PrinterEvent: Equatable, Sendable {
    case connected
    /// There is room to write, asked for with `awaitRoom`.
    case room
    /// Status bytes of the printer, in any split.
    case received([UInt8])
    /// The link is gone or never came to be; `connect` may be called again.
    case lost(PrinterLinkError)
}

/// No call blocks.
package protocol PrinterDevice: AnyObject {
    /// Begins to connect; `connected` or `lost` follows. A second call while one is under way does nothing.
    func connect()

    /// Takes bytes from the front.
    ///
    /// - Returns: how many were taken; 0 means there is no room now.
    func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int

    /// Bytes taken that this machine still holds (the kernel's send queue); 0 where it cannot be known.
    func unsent() -> Int

    /// Posts one `.printer(.room)` when bytes can be written.
    func awaitRoom()

    /// Closes at once. No `lost` follows.
    func disconnect()
}
