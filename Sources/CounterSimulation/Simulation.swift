// One seed, one run, one report: `docs/simulator.md`.

import BoxFoundation
import ReceiptPrinting

/// What a run is asked for. Equal options give equal stories.
package struct SimulationOptions {
    package var seed: UInt64
    /// How long the shop works; what is open then is given time to end.
    package var length: Interval
    /// nil: the seed says.
    package var shop: ShopKind?
    package var groups: Set<FaultGroup>
    /// Faults by their numbers, where not all of the plan are wanted.
    package var only: Set<Int>?
    /// Takes the story line by line.
    package var story: ((String) -> Void)?

    package init(
        seed: UInt64, length: Interval = .minutes(60), shop: ShopKind? = nil,
        groups: Set<FaultGroup> = Set(FaultGroup.allCases), only: Set<Int>? = nil, story: ((String) -> Void)? = nil
    ) {
        (self.seed, self.length, self.shop) = (seed, length, shop)
        (self.groups, self.only, self.story) = (groups, only, story)
    }

    package var plan: FaultPlan {
        let plan = FaultPlan(seed: seed, length: length, groups: groups)
        return only.map { plan.only($0) } ?? plan
    }
}

/// A promise that was broken.
package struct Violation: Equatable, Sendable {
    /// After the start.
    package var at: Interval
    package var text: String

    /// The same whatever push and amount it is about: shrinking keeps to one kind.
    package var kind: String { String(text.filter { $0.isASCII && !$0.isNumber }) }
}

/// What a run came to: the first broken promise, if any, and what was counted.
package struct SimulationReport: Equatable, Sendable {
    package var seed: UInt64
    /// nil where every promise was kept.
    package var violation: Violation?
    /// Simulated time.
    package var length: Interval
    package var pushes: Int
    /// Starts of the box.
    package var starts: Int
    /// Calls of devices.
    package var calls: Int
    package var faults: [FaultKind: Int]
}

/// Plays one seed after another in moved time (docs/simulator.md).
package struct Simulation {
    private let read: (String) -> [UInt8]?
    private let pack: EarPack

    /// - Parameter read: a file below `Resources`.
    package init(resources read: @escaping (String) -> [UInt8]?) throws(EarPackFault) {
        self.init(pack: try EarPack.load(read), resources: read)
    }

    /// - Parameter pack: read once for many simulations.
    package init(pack: EarPack, resources read: @escaping (String) -> [UInt8]?) {
        (self.pack, self.read) = (pack, read)
    }

    package func run(_ options: SimulationOptions) throws(EarPackFault) -> SimulationReport {
        try run(options, plan: options.plan)
    }

    package func run(_ options: SimulationOptions, plan: FaultPlan) throws(EarPackFault) -> SimulationReport {
        let world: SimulatedWorld
        do throws(PrinterProfileFault) {
            world = try SimulatedWorld(options, pack: pack, plan: plan, read: read)
        } catch {
            throw .unusable(error.message)
        }
        world.go()
        return SimulationReport(
            seed: options.seed, violation: world.violation, length: world.elapsed, pushes: world.pushes,
            starts: world.runs, calls: world.power.calls, faults: world.faultCounts)
    }

    /// The faults without which a run would not have failed: taken out in ever smaller groups as long as it fails in the
    /// same way (delta debugging, Zeller and Hildebrandt).
    ///
    /// - Parameter most: runs at most.
    package func shrink(
        _ options: SimulationOptions, _ violation: Violation, most: Int = 300
    ) throws(EarPackFault) -> [Fault] {
        var options = options
        options.story = nil
        // What comes after it cannot matter.
        var faults = options.plan.faults.filter { $0.at <= violation.at }
        var left = most
        var groups = 2
        if try !fails(options, faults, as: violation, &left) { return options.plan.faults }
        while faults.count > 1, left > 0 {
            let size = max(1, (faults.count + groups - 1) / groups)
            var isSmaller = false
            var start = 0
            while start < faults.count, left > 0 {
                let rest = Array(faults[..<start] + faults[min(start + size, faults.count)...])
                if try fails(options, rest, as: violation, &left) {
                    (faults, isSmaller) = (rest, true)
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            groups = isSmaller ? max(2, groups - 1) : min(faults.count, groups * 2)
        }
        return faults
    }

    private func fails(
        _ options: SimulationOptions, _ faults: [Fault], as violation: Violation, _ left: inout Int
    ) throws(EarPackFault) -> Bool {
        left -= 1
        return try run(options, plan: FaultPlan(faults)).violation?.kind == violation.kind
    }
}
