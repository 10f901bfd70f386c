// A seed's faults. How much goes wrong differs from seed to seed: some days are calm, on some everything breaks at once.

import BoxFoundation

/// All faults of a seed, in the order of their moments.
package struct FaultPlan: Equatable, Sendable {
    package var faults: [Fault]

    package init(_ faults: [Fault]) { self.faults = faults }

    /// When the last of them is over.
    package var ends: Interval { faults.map(\.ends).max() ?? .zero }

    /// - Parameters:
    ///   - length: of the shop's day; what the faults leave behind is put right after it.
    ///   - groups: those that are on.
    package init(seed: UInt64, length: Interval, groups: Set<FaultGroup>) {
        var random = SeededRandom(seed: seed ^ 0x6661_756C_7473)
        var all: [Fault] = []
        for group in FaultGroup.allCases {
            // A group's faults come from chance of its own: a knob changes nothing about the others.
            var own = SeededRandom(seed: random.next())
            let kinds = FaultKind.allCases.filter { $0.group == group }
            for at in Self.moments(group, length, &own) {
                let kind = kinds[Int.random(in: 0..<kinds.count, using: &own)]
                all.append(Self.fault(kind, at: at, &own))
            }
        }
        all.sort { $0.at < $1.at }
        for i in all.indices { all[i].number = i }
        faults = all.filter { groups.contains($0.kind.group) }
    }

    /// Those of these numbers.
    package func only(_ numbers: Set<Int>) -> FaultPlan { FaultPlan(faults.filter { numbers.contains($0.number) }) }

    /// Gaps whose mean is settled once a seed and group: from one in 4 minutes to one in 4 hours.
    private static func moments(_ group: FaultGroup, _ length: Interval, _ random: inout SeededRandom) -> [Interval] {
        let minutes: [Int] =
            switch group {
            case .network, .power: [5, 15, 30, 60]
            case .printer, .speaker, .hub: [8, 20, 60, 240]
            case .peer, .disk, .panel, .console: [15, 40, 120, 240]
            case .clock: [60, 240]
            }
        guard Int.random(in: 0..<5, using: &random) > 0 else { return [] }
        let mean = minutes[Int.random(in: 0..<minutes.count, using: &random)]
        var moments: [Interval] = []
        var at = random.interval(in: .zero ... .minutes(mean))
        while at < length {
            moments.append(at)
            // Now and then two come close together.
            let isClose = Int.random(in: 0..<4, using: &random) == 0
            at = at + random.interval(in: .milliseconds(20)...(isClose ? .seconds(10) : .minutes(2 * mean)))
        }
        return moments
    }

    private static func fault(_ kind: FaultKind, at: Interval, _ random: inout SeededRandom) -> Fault {
        var fault = Fault(number: 0, kind: kind, at: at, lasts: .zero, size: 0)
        func lasts(_ least: Interval, _ most: Interval, _ random: inout SeededRandom) {
            // Short ones are as likely as long ones at every scale.
            let doublings = Int.random(in: 0...6, using: &random)
            let top = max(least, most / (1 << doublings))
            fault.lasts = random.interval(in: least...top)
        }
        func size(_ range: ClosedRange<Int>, _ random: inout SeededRandom) {
            fault.size = Int.random(in: range, using: &random)
        }
        switch kind {
        case .delay:
            lasts(.seconds(2), .minutes(5), &random)
            size(1...8000, &random)
        case .split, .merge: lasts(.seconds(5), .minutes(10), &random)
        case .reset, .halfOpen, .secondConnection: break
        case .natForgets: lasts(.minutes(1), .minutes(20), &random)
        case .noRoute, .deafHub, .hubRestart: lasts(.milliseconds(100), .minutes(8), &random)
        case .amnesia, .otherBodies: size(1...12, &random)
        case .keepsNothing: lasts(.seconds(5), .minutes(4), &random)
        case .badFrame: size(0...7, &random)
        case .stranger: size(0...5, &random)
        case .strangers: size(0...5, &random)
        case .powerCut:
            lasts(.milliseconds(300), .minutes(15), &random)
            size(0...400, &random)
        case .powerCutInDisk:
            lasts(.milliseconds(300), .minutes(15), &random)
            size(0...40, &random)
        case .terminate: lasts(.milliseconds(500), .minutes(2), &random)
        case .diskFull, .diskReadOnly, .diskWritesFail, .diskSyncsFail: lasts(.milliseconds(50), .minutes(5), &random)
        case .diskSlow:
            lasts(.seconds(1), .minutes(5), &random)
            size(20...3000, &random)
        case .bitRot:
            lasts(.seconds(1), .seconds(30), &random)
            size(0...1_000_000, &random)
        case .clock1970: lasts(.minutes(1), .minutes(30), &random)
        case .clockJump:
            size(-100_000...100_000, &random)
            if Int.random(in: 0..<4, using: &random) == 0 { fault.size *= 1000 }
        case .underrun: size(1...6, &random)
        case .speakerBusy, .speakerGone, .speakerStalled, .speakerSuspended:
            lasts(.milliseconds(100), .minutes(2), &random)
        case .speechBroken:
            lasts(.minutes(1), .minutes(20), &random)
            size(0...2, &random)
        case .paperOut, .coverOpen, .printerError, .outOfRange, .printerAsleep, .connectRefused:
            lasts(.milliseconds(200), .minutes(10), &random)
        case .linkLost: size(0...2500, &random)
        case .slowLink:
            lasts(.seconds(5), .minutes(10), &random)
            size(200...4000, &random)
        case .slowPrinter:
            lasts(.seconds(5), .minutes(10), &random)
            size(150...1200, &random)
        case .lyingStatus, .silentPrinter: lasts(.seconds(10), .minutes(10), &random)
        case .printerPowerCycle: break
        case .printerNoise: size(0...1000, &random)
        case .shortWrites: size(1...40, &random)
        case .buttonBounce: lasts(.minutes(1), .minutes(30), &random)
        case .buttonStuck: lasts(.seconds(5), .minutes(5), &random)
        case .buttonStorm: size(2...60, &random)
        case .consoleNoise: size(1...3000, &random)
        case .consoleStall, .consoleUnplugged: lasts(.milliseconds(100), .minutes(10), &random)
        }
        return fault
    }
}
