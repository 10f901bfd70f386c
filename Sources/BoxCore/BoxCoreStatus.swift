// What a hub is told of the box, and what it may ask for.

import BoxFoundation
import HardwareInterface
import PushProtocol
import ReceiptPrinting

extension BoxCore {
    /// A STATUS that says no more than a changed queue waits so long for more.
    static let statusRest = Interval.seconds(1)

    var status: BoxStatus {
        BoxStatus(
            printer: BoxStatus.Printer(rawValue: spool.report.state.rawValue) ?? .unknown, queued: ledger.unended,
            volume: volume, firmware: Firmware.version, uptime: now - startedAt, more: doctorStatus)
    }

    /// After WELCOME: all of it.
    mutating func sendStatus(to connection: ConnectionID) {
        let status = status
        drive(connection) { session, now in session.status(status, at: now) }
    }

    /// Tells every hub what has changed: at once, but for the queue, which moves with every push.
    mutating func tellStatus() {
        let new = status
        guard let old = toldStatus else {
            toldStatus = new
            return
        }
        if new.printer != old.printer || new.volume != old.volume || new.more != old.more {
            sendStatus()
        } else if new.queued != old.queued, !isStatusDue {
            isStatusDue = true
            effects.append(.timer(.status, at: now + Self.statusRest))
        }
    }

    mutating func sendStatus() {
        isStatusDue = false
        toldStatus = status
        for entry in roster.entries { sendStatus(to: entry.connection) }
    }

    // MARK: - Commands

    mutating func handle(_ command: ReceivedCommand, on connection: ConnectionID) {
        log(.info, "push", "the hub commands: \(command.kind.name)")
        switch command.kind {
        case .volume(let value):
            set(volume: value)
            reply(CommandReply(id: command.id, isOK: true), on: connection)
        case .reprint(let push):
            let hub = sessions[connection]?.hubName ?? ""
            reprint(.command(id: command.id, connection), hub: hub, id: push)
        case .say(let text):
            say(text: text)
            reply(CommandReply(id: command.id, isOK: true), on: connection)
        case .identify:
            identify()
            reply(CommandReply(id: command.id, isOK: true), on: connection)
        case .status:
            reply(CommandReply(id: command.id, isOK: true, more: status.object), on: connection)
        }
    }

    mutating func reply(_ reply: CommandReply, on connection: ConnectionID) {
        drive(connection) { session, now in session.reply(reply, at: now) }
    }

    mutating func identify() {
        panel { panel, now in panel.identify(at: now) }
        sayTest()
    }
}

extension ReceivedCommand.Kind {
    /// Its word on the wire.
    var name: String {
        switch self {
        case .volume: "volume"
        case .reprint: "reprint"
        case .say: "say"
        case .identify: "identify"
        case .status: "status"
        }
    }
}
