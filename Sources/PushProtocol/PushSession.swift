// One connection over which pushes come, whatever carries it: frames of a hub, or messages of a fleet's server. The core
// knows no difference beyond what comes in.

import BoxFoundation
import HardwareInterface

/// A ``BoxSession`` or a ``FleetSession``: the core knows no difference.
package struct PushSession: Sendable {
    // One of the two. Apart, so that each is changed where it lies.
    private var frames: BoxSession?
    private var fleet: FleetSession?

    package init(_ frames: BoxSession) { self.frames = frames }
    package init(_ fleet: FleetSession) { self.fleet = fleet }

    /// Whose connection this is; nil before `welcomed` and after the end.
    package var hub: HubHello? { frames.map(\.hub) ?? fleet?.hub }

    /// Whose pushes and commands come out of it, after its end as well.
    package var hubName: String? { frames.map(\.hubName) ?? FleetSubjects.hub }

    package var outcomeRoom: Int { frames?.outcomeRoom ?? fleet?.outcomeRoom ?? 0 }

    package var isTraced: Bool {
        get { frames?.isTraced ?? fleet?.isTraced ?? false }
        set {
            frames?.isTraced = newValue
            fleet?.isTraced = newValue
        }
    }

    // MARK: Events

    /// - Parameter status: how the box is now; frames send it later.
    package mutating func start(_ status: BoxStatus, at now: Moment) -> [BoxSessionOutput] {
        frames?.start(at: now) ?? fleet?.start(status, at: now) ?? []
    }

    package mutating func received(_ bytes: [UInt8], at now: Moment) -> [BoxSessionOutput] {
        frames?.received(bytes, at: now) ?? []
    }

    package mutating func received(_ message: FleetMessage, at now: Moment) -> [BoxSessionOutput] {
        fleet?.received(message, at: now) ?? []
    }

    package mutating func denied(_ words: String, at now: Moment) -> [BoxSessionOutput] {
        fleet?.denied(words, at: now) ?? []
    }

    package mutating func answer(_ sequence: UInt32, _ answer: PushAnswer, at now: Moment) -> [BoxSessionOutput] {
        frames?.answer(sequence, answer, at: now) ?? fleet?.answer(sequence, answer, at: now) ?? []
    }

    package mutating func outcome(_ outcome: PushOutcome, at now: Moment) -> [BoxSessionOutput] {
        frames?.outcome(outcome, at: now) ?? fleet?.outcome(outcome, at: now) ?? []
    }

    package mutating func status(_ status: BoxStatus, at now: Moment) -> [BoxSessionOutput] {
        frames?.status(status, at: now) ?? fleet?.status(status, at: now) ?? []
    }

    package mutating func reply(_ reply: CommandReply, at now: Moment) -> [BoxSessionOutput] {
        frames?.reply(reply, at: now) ?? fleet?.reply(reply, at: now) ?? []
    }

    package mutating func timer(_ timer: SessionTimer, at now: Moment) -> [BoxSessionOutput] {
        frames?.timer(timer, at: now) ?? fleet?.timer(timer, at: now) ?? []
    }

    package mutating func close(_ reason: ByeReason, at now: Moment) -> [BoxSessionOutput] {
        frames?.close(reason, at: now) ?? fleet?.close(reason, at: now) ?? []
    }
}
