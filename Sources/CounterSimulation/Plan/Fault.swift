// What goes wrong, and when: a list of values, settled before the first moment of a run. A fault carries all that it needs,
// so that taking one out of the list changes nothing about the others, and a failure can be shrunk to those that matter.

import BoxFoundation

/// The knobs: each can be left out.
package enum FaultGroup: String, CaseIterable, Sendable {
    case network, hub, peer, power, disk, clock, speaker, printer, panel, console
}

/// What can go wrong; `size` is a fault's own, in the unit that the kind says.
package enum FaultKind: String, CaseIterable, Sendable {
    // The way to the hub.
    /// Bytes take so many milliseconds (`size`).
    case delay
    /// What is sent arrives in pieces of a few bytes.
    case split
    /// What the hub sends within 40 ms arrives as one.
    case merge
    /// The connection is reset, and what was on its way is lost.
    case reset
    /// Nothing comes any more either way, and no side is told.
    case halfOpen
    /// A connection that is quiet for 40 s is forgotten by the router.
    case natForgets
    /// No connection can be made.
    case noRoute
    /// The hub reads nothing.
    case deafHub

    // The hub.
    case hubRestart
    /// The hub sends again what the box has answered (`size` pushes).
    case amnesia
    /// The same, each with another body.
    case otherBodies
    /// The hub leaves PINGs un-answered.
    case keepsNothing
    /// A frame that is none, in the middle of a good connection; `size` says which.
    case badFrame
    /// The hub opens a second connection while the first still stands.
    case secondConnection

    // Strangers.
    /// Connects and says nothing, garbage, or proves itself wrongly; `size` says which.
    case stranger
    /// Connects ten times in a row.
    case strangers

    // Power.
    /// At the so-manieth call of any device (`size`), for `lasts`.
    case powerCut
    /// At the so-manieth write or sync of the disk (`size`), for `lasts`.
    case powerCutInDisk
    /// SIGTERM, and a new start after `lasts`.
    case terminate

    // The disk.
    case diskFull, diskReadOnly, diskWritesFail, diskSyncsFail
    /// A commit takes so many milliseconds (`size`).
    case diskSlow
    /// One bit of the journal's write-ahead log turns while the power is off for `lasts`.
    case bitRot

    // The clock.
    /// The next start finds 1970 and no time source; now the clock jumps there too.
    case clock1970
    /// The clock jumps by so many seconds (`size`), back where it is negative.
    case clockJump

    // Sound.
    case underrun, speakerBusy, speakerGone, speakerStalled, speakerSuspended
    /// The speech program is missing, stuck, or breaks off; `size` says which.
    case speechBroken

    // The printer.
    case paperOut, coverOpen, printerError, outOfRange, printerAsleep
    /// The link is lost when so many more bytes were taken (`size`).
    case linkLost
    /// The link carries so many bytes a second (`size`).
    case slowLink
    /// The printer prints so many bytes a second (`size`).
    case slowPrinter
    /// It says that all is fine, whatever is.
    case lyingStatus
    case silentPrinter
    /// Off and on: what was in its buffer is gone.
    case printerPowerCycle
    /// It says bytes that nobody asked for.
    case printerNoise
    /// Writes take a few bytes at a time or none.
    case shortWrites
    case connectRefused

    // Panel and console.
    case buttonBounce, buttonStuck, buttonStorm
    case consoleNoise, consoleStall, consoleUnplugged

    package var group: FaultGroup {
        switch self {
        case .delay, .split, .merge, .reset, .halfOpen, .natForgets, .noRoute, .deafHub: .network
        case .hubRestart, .amnesia, .otherBodies, .keepsNothing, .badFrame, .secondConnection: .hub
        case .stranger, .strangers: .peer
        case .powerCut, .powerCutInDisk, .terminate: .power
        case .diskFull, .diskReadOnly, .diskWritesFail, .diskSyncsFail, .diskSlow, .bitRot: .disk
        case .clock1970, .clockJump: .clock
        case .underrun, .speakerBusy, .speakerGone, .speakerStalled, .speakerSuspended, .speechBroken: .speaker
        case .paperOut, .coverOpen, .printerError, .outOfRange, .printerAsleep, .linkLost, .slowLink, .slowPrinter,
            .lyingStatus, .silentPrinter, .printerPowerCycle, .printerNoise, .shortWrites, .connectRefused:
            .printer
        case .buttonBounce, .buttonStuck, .buttonStorm: .panel
        case .consoleNoise, .consoleStall, .consoleUnplugged: .console
        }
    }
}

/// One thing that goes wrong: when, for how long, and how badly.
package struct Fault: Equatable, Sendable {
    /// Its place in the whole plan of its seed: how a replay names it.
    package var number: Int
    package var kind: FaultKind
    /// After the start of the run.
    package var at: Interval
    package var lasts: Interval
    /// What it means is said at each kind.
    package var size: Int

    package var ends: Interval { at + lasts }
}

extension Fault: CustomStringConvertible {
    /// `12: at 00:31:05 outOfRange, 45 s`.
    package var description: String {
        var text = "\(number): at \(StoryTime.text(at)) \(kind.rawValue)"
        if size != 0 { text += " \(size)" }
        if lasts > .zero { text += ", \(StoryTime.text(lasts)) long" }
        return text
    }
}

extension Interval {
    /// `01:02:03.004`, for people.
    package var clock: String { StoryTime.text(self) }
}

enum StoryTime {
    /// `01:02:03.004`; milliseconds only where there are any.
    static func text(_ time: Interval) -> String {
        let all = time.milliseconds
        let (seconds, rest) = (all / 1000, all % 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let text = parts.joined(separator: ":")
        guard rest > 0 else { return text }
        let digits = String(rest)
        return text + "." + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
}
