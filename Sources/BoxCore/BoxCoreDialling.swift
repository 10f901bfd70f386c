// Where the box dials its hub: what the dialler wants, and what the light says of it.

import BoxFoundation
import HardwareInterface
import PushProtocol

extension BoxCore {
    /// Lets the dialler, where there is one, take something and does what it asks for.
    mutating func dial(_ event: (inout HubDialler, Moment) -> [HubDiallerOutput]) {
        guard var dialler else { return }
        let outputs = event(&dialler, now)
        self.dialler = dialler
        for output in outputs {
            switch output {
            case .dial: effects.append(.dial(judgingAt: clock.time))
            case .timer(let moment): effects.append(.timer(.redial, at: moment))
            case .log(let entry): log(entry)
            }
        }
        showHub()
    }

    /// A box that dials wants its hub always; one that listens misses only a hub that was there.
    mutating func showHub() {
        let isMissed = dialler.map { !$0.isWelcomed } ?? !lostHubs.isEmpty
        if isMissed { hubLostAt = hubLostAt ?? now } else { hubLostAt = nil }
        set(.noHub, isMissed)
        isReportDue = true
    }

    /// The hub's certificate was not believed. One that has expired by a time that a hub told may be right by our own.
    mutating func distrusted(_ connection: ConnectionID, _ fault: CertificateFault) {
        certificateFault = (connection, fault)
        isReportDue = true
        guard fault == .expired, let floor = hubClock.certificateExpired() else { return }
        log(.warning, "box", "the time that a hub told is dropped: by it the hub's certificate would have expired")
        keep(floor)
        take(systemClock)
    }
}
