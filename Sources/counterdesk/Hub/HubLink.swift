// One connection of a box to the hub.

import BoxAssembly
import BoxFoundation
import HardwareInterface
import PushProtocol

final class HubLink {
    let id: ConnectionID
    let address: String
    var session: HubSession
    /// Whose it is, once that is proved.
    var box: String?

    init(_ id: ConnectionID, _ session: HubSession, address: String) {
        self.id = id
        self.session = session
        self.address = address
    }
}

/// The listener's own lines.
final class HubLog: LogSink {
    func log(_ entry: LogEntry) { if entry.level <= .warning { Terminal.complain(entry.text) } }
}
