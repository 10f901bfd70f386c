// A terminal line for a technician. Editing and commands are ServiceConsole's.

import BoxFoundation

/// What comes from the terminal.
package enum ConsoleEvent: Equatable, Sendable {
    /// The port is there (again). Says nothing of a person at the other end.
    case opened
    /// What was typed, in any split; never empty.
    case received([UInt8])
    case closed
}

/// A terminal line. It never makes its caller wait: what a host does not read is dropped and counted.
package protocol ConsoleDevice: AnyObject {
    /// Bytes that wait for a stalled host at most; what is over is dropped whole and counted.
    static var mostQueued: Int { get }

    /// Queues output and never blocks. With no host, or a stalled one, output beyond the limit is dropped.
    func write(_ bytes: [UInt8])

    /// Bytes dropped so far.
    var dropped: Int { get }
}

extension ConsoleDevice {
    package static var mostQueued: Int { 64 << 10 }
}
