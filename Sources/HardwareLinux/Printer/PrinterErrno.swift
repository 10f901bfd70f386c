// The one table from errno to what a person can do about a printer.

import Glibc
import HardwareInterface

extension PrinterLinkError {
    /// Of opening or connecting.
    init(opening error: SystemError) {
        switch error.errno {
        case ENOENT, ENODEV, ENXIO, EAFNOSUPPORT, EPROTONOSUPPORT: self = .absent
        // EBADE: Bluetooth's "key missing".
        case EACCES, EPERM, EBADE: self = .notPermitted
        case ECONNREFUSED: self = .refused
        case EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ENETDOWN: self = .unreachable
        case ETIMEDOUT: self = .timedOut
        // EMLINK, EALREADY: Bluetooth's "too many connections" and "connection exists".
        case EBUSY, EADDRINUSE, EMLINK, EALREADY: self = .busy
        case EPIPE, ECONNRESET, ECONNABORTED: self = .lost
        default: self = .failed(error.message)
        }
    }

    /// Of a link that stood.
    init(using error: SystemError) {
        switch error.errno {
        // A cable pulled out: USB says ENODEV or ENXIO, a serial port EIO.
        case ENODEV, ENXIO, EIO, ESHUTDOWN, ENOTCONN, EBADF: self = .lost
        default: self.init(opening: error)
        }
    }
}
