// The one table from errors of BlueZ and the bus to what a person can do.

import HardwareInterface

extension BluetoothFault {
    init(_ fault: BusFault) {
        switch fault.name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            BusFault.disconnected.name, "org.freedesktop.DBus.Error.FileNotFound":
            self = .noService
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
            "org.bluez.Error.NotPermitted", "org.bluez.Error.NotAuthorized":
            self = .notPermitted
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
            "org.bluez.Error.DoesNotExist":
            self = .notFound
        case "org.bluez.Error.Blocked", "org.bluez.Error.NotReady": self = .adapterOff
        case "org.bluez.Error.ConnectionAttemptFailed", "org.bluez.Error.NotAvailable": self = .noAnswer
        case "org.bluez.Error.AuthenticationFailed": self = .notAuthenticated
        case "org.bluez.Error.AuthenticationRejected", "org.bluez.Error.Rejected": self = .refused
        case "org.bluez.Error.AuthenticationTimeout", "org.freedesktop.DBus.Error.NoReply",
            "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut":
            self = .timedOut
        case "org.bluez.Error.AuthenticationCanceled", "org.bluez.Error.Canceled": self = .cancelled
        case "org.bluez.Error.InProgress": self = .busy
        // The bus tried to start BlueZ and could not.
        case let name
        where name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1."):
            self = .noService
        default: self = .failed(fault.text.isEmpty ? fault.name : "\(fault.name): \(fault.text)")
        }
    }
}
