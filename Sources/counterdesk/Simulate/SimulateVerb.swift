// `counterdesk simulate`: years of bad days in minutes (`docs/simulator.md`).

import BoxAssembly
import BoxFoundation
import CounterSimulation
import Glibc
import HardwareLinux

enum SimulateVerb {
    static let verb = Verb(
        name: "simulate", operands: "",
        summary:
            "plays a counter's bad days in moved time: the whole box on simulated devices, and witnesses beside it "
            + "that say where it broke its promise",
        options: [
            CommandOption("seed", value: "N", "settles everything that happens (default: 1)"),
            CommandOption("seeds", value: "N", "so many seeds, from --seed on, one process a core"),
            CommandOption("hours", value: "H", "how long each shop works (default: 1)"),
            CommandOption(
                "shop", value: "KIND",
                ShopKind.allCases.map(\.rawValue).joined(separator: ", ") + " (default: the seed says)"),
            CommandOption(
                "without", value: "KNOBS",
                "leaves faults out: " + FaultGroup.allCases.map(\.rawValue).joined(separator: ",")),
            CommandOption("faults", value: "NUMBERS", "only these faults of the plan, as a failure names them"),
            CommandOption("plan", "prints the faults of the seed and runs nothing"),
            CommandOption("trace", "tells the story line by line"),
            CommandOption("until-failure", "stops at the first seed that fails"),
            CommandOption("commit", value: "ID", "of the source, printed with a failure"),
            CommandOption("jobs", value: "N", "processes at once (default: one a core)"),
            CommandOption("worker", value: "STEP", "for the processes of --seeds: every STEP-th seed, a line each"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("simulate takes no operands") }
        let order = try SimulateOrder(words)
        if words.has("plan") {
            for fault in order.options(for: order.first).plan.faults { Terminal.print("\(fault)") }
            return .success
        }
        if let step = try words.integer("worker", in: 1...100_000) { return try work(order, step: UInt64(step)) }
        guard order.count > 1 else { return try runOne(order, isTraced: words.has("trace")) }
        guard !words.has("trace") else { throw .usage("--trace tells the story of one seed: leave --seeds out") }
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let jobs = try words.integer("jobs", in: 1...1024)
        let workers = SeedWorkers(
            order, resources: resources.path, jobs: jobs, untilFailure: words.has("until-failure"))
        return try workers.run()
    }

    private static func simulation() throws(VerbFailure) -> Simulation {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        do throws(EarPackFault) {
            return try Simulation(resources: { resources.read($0) })
        } catch {
            throw .failure("the voice of the simulation cannot be made: \(error)")
        }
    }

    private static func runOne(_ order: SimulateOrder, isTraced: Bool) throws(VerbFailure) -> ExitStatus {
        let simulation = try simulation()
        var options = order.options(for: order.first)
        if isTraced { options.story = { Terminal.print($0) } }
        var summary = SimulationSummary()
        let report = try report(of: options, by: simulation)
        summary.add(report)
        if let violation = report.violation {
            Terminal.print(try failure(violation, options, order, simulation))
        } else if !isTraced {
            Terminal.print(summary.text)
        }
        return report.violation == nil ? .success : .failure
    }

    /// A line `begins SEED` before each seed, so that a crash has a name, and one with what came of it.
    private static func work(_ order: SimulateOrder, step: UInt64) throws(VerbFailure) -> ExitStatus {
        let simulation = try simulation()
        for seed in stride(from: order.first, to: order.first + order.count, by: Int(step)) {
            Terminal.print("begins \(seed)")
            let options = order.options(for: seed)
            let report = try report(of: options, by: simulation)
            if let violation = report.violation {
                let text = try failure(violation, options, order, simulation)
                for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                    Terminal.print("! \(line)")
                }
            }
            Terminal.print("ended \(SimulationSummary.line(report))")
        }
        return .success
    }

    private static func report(
        of options: SimulationOptions, by simulation: Simulation
    ) throws(VerbFailure) -> SimulationReport {
        do throws(EarPackFault) {
            return try simulation.run(options)
        } catch {
            throw .failure("\(error)")
        }
    }

    /// What broke, the faults that it takes, and how to see it again.
    private static func failure(
        _ violation: Violation, _ options: SimulationOptions, _ order: SimulateOrder, _ simulation: Simulation
    ) throws(VerbFailure) -> String {
        let faults: [Fault]
        do throws(EarPackFault) {
            faults = try simulation.shrink(options, violation)
        } catch {
            throw .failure("\(error)")
        }
        let numbers = faults.map { String($0.number) }.joined(separator: ",")
        let commit = order.commit.map { " at \($0)" } ?? ""
        let all = options.plan.faults.count
        let lines =
            ["seed \(options.seed)\(commit) failed at \(violation.at.clock): \(violation.text)"]
            + ["  \(faults.count) of \(all) faults suffice" + (faults.isEmpty ? "" : ":")]
            + faults.map { "    \($0)" }
            + [
                "  again: counterdesk simulate --seed \(options.seed) --hours \(order.hours)"
                    + (order.shop.map { " --shop \($0.rawValue)" } ?? "")
                    + " --faults \(numbers.isEmpty ? "none" : numbers) --trace"
            ]
        return lines.joined(separator: "\n")
    }
}

/// What was asked for.
struct SimulateOrder {
    var first: UInt64
    var count: UInt64
    var hours: Int
    var shop: ShopKind?
    var groups: Set<FaultGroup>
    var only: Set<Int>?
    var commit: String?

    init(_ words: CommandWords) throws(VerbFailure) {
        first = UInt64(try words.integer("seed", in: 0...Int(Int32.max)) ?? 1)
        count = UInt64(try words.integer("seeds", in: 1...1_000_000) ?? 1)
        hours = try words.integer("hours", in: 1...100_000) ?? 1
        shop = try words.choice("shop")
        commit = words["commit"]
        groups = Set(FaultGroup.allCases)
        for name in (words["without"] ?? "").split(separator: ",") {
            guard let group = FaultGroup(rawValue: String(name)) else {
                throw .usage("--without \(name): some of " + FaultGroup.allCases.map(\.rawValue).joined(separator: ","))
            }
            groups.remove(group)
        }
        guard let text = words["faults"] else { return }
        var numbers: Set<Int> = []
        for part in text.split(separator: ",") where part != "none" {
            guard let number = Int(part) else { throw .usage("--faults \(text): numbers, such as 3,17, or none") }
            numbers.insert(number)
        }
        only = numbers
    }

    func options(for seed: UInt64) -> SimulationOptions {
        SimulationOptions(seed: seed, length: .minutes(60 * hours), shop: shop, groups: groups, only: only)
    }

    /// As words for a process of its own.
    func words(from first: UInt64, step: Int) -> [String] {
        var words = [
            "simulate", "--seed", String(first), "--seeds", String(self.first + count - first), "--hours",
            String(hours),
            "--worker", String(step),
        ]
        if let shop { words += ["--shop", shop.rawValue] }
        let without = FaultGroup.allCases.filter { !groups.contains($0) }.map(\.rawValue).joined(separator: ",")
        if !without.isEmpty { words += ["--without", without] }
        if let only {
            words += ["--faults", only.isEmpty ? "none" : only.sorted().map(String.init).joined(separator: ",")]
        }
        if let commit { words += ["--commit", commit] }
        return words
    }
}
