// The whole box through bad days. What a seed found once has a test of its own name below; the seeds themselves change their
// meaning whenever the plans do.

import BoxFoundation
import CounterSimulation
import Testing

@Suite("A counter's bad days")
struct SimulationTests {
    /// Of an hour each, in eight parts that run side by side.
    static let seeds: UInt64 = 200

    @Test("Every promise is kept", arguments: 0..<8 as Range<UInt64>)
    func promises(part: UInt64) throws {
        let simulation = try SimulationFixtures.simulation()
        for seed in stride(from: 1 + part, through: Self.seeds, by: 8) {
            let report = try simulation.run(SimulationOptions(seed: seed))
            #expect(
                report.violation == nil,
                "again: counterdesk simulate --seed \(seed) --trace: \(report.violation?.text ?? "")")
        }
    }

    @Test("Two hours of each shop", arguments: ShopKind.allCases)
    func hours(shop: ShopKind) throws {
        let options = SimulationOptions(seed: 5, length: .minutes(120), shop: shop)
        let report = try SimulationFixtures.simulation().run(options)
        #expect(report.violation == nil, "\(report.violation?.text ?? "")")
        #expect(report.pushes > 0)
    }

    @Test("The same seed tells the same story, word for word")
    func sameStory() throws {
        func story(_ seed: UInt64) throws -> [String] {
            var lines: [String] = []
            _ = try SimulationFixtures.simulation().run(SimulationOptions(seed: seed) { lines.append($0) })
            return lines
        }
        for seed in [3, 21] as [UInt64] {
            let first = try story(seed)
            #expect(first.count > 100)
            #expect(try story(seed) == first)
        }
    }

    /// Sets and dictionaries have another order in every process.
    @Test("Another process tells the same story", .enabled(if: SimulationFixtures.hasProgram))
    func sameStoryElsewhere() throws {
        let stories = try (1...3).map { _ in try SimulationFixtures.output(of: "simulate --seed 21 --trace") }
        #expect(stories[0].count > 10_000)
        #expect(Set(stories).count == 1)
    }

    @Test("A fault taken out of the plan changes no other one")
    func plan() {
        let all = FaultPlan(seed: 7, length: .minutes(600), groups: Set(FaultGroup.allCases))
        #expect(all.faults.count > 20)
        #expect(all.faults.map(\.number) == Array(all.faults.indices))
        let some = FaultPlan(seed: 7, length: .minutes(600), groups: [.power, .printer])
        #expect(some.faults == all.faults.filter { [.power, .printer].contains($0.kind.group) })
    }

    @Test("Without faults nothing is repeated, put off or lost", arguments: ShopKind.allCases)
    func calm(shop: ShopKind) throws {
        var lines: [String] = []
        let options = SimulationOptions(seed: 11, length: .minutes(120), shop: shop, groups: []) { lines.append($0) }
        let report = try SimulationFixtures.simulation().run(options)
        #expect(report.violation == nil, "\(report.violation?.text ?? "")")
        #expect(report.faults.isEmpty && report.starts == 1)
        #expect(!lines.contains { $0.contains("\"duplicate\"") || $0.contains("\"later\"") || $0.contains("failed\"") })
    }
}
