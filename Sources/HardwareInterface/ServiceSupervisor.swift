// Whoever started the box and watches over it: systemd, or nobody.

import BoxFoundation

/// Who started the box and watches it: told when it is ready, how it is, and that its loop still turns.
package protocol ServiceSupervisor: AnyObject {
    /// How often `stillTurning` is due; nil: nobody waits for it.
    var watchdogPeriod: Interval? { get }

    /// The loop turns and the devices were tried.
    func ready()

    /// A line for people.
    func status(_ text: String)

    /// The loop has turned. Only the loop itself says so, after a turn.
    func stillTurning()

    func stopping()
}

/// Nobody watches.
package final class AbsentSupervisor: ServiceSupervisor {
    package init() {}
    package var watchdogPeriod: Interval? { nil }
    package func ready() {}
    package func status(_ text: String) {}
    package func stillTurning() {}
    package func stopping() {}
}
