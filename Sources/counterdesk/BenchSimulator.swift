// The simulator: how much of a counter's time one second plays.

import BoxAssembly
import BoxFoundation
import CounterSimulation
import Glibc

enum BenchSimulator {
    static let group = BenchGroup(name: "simulator", lines: lines)

    private static let seeds: UInt64 = 4
    private static let hours = 24

    /// A core's speed by its own time, times the cores, since `counterdesk simulate --seeds` runs a process on each.
    private static func lines() throws(VerbFailure) -> [BenchLine] {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let simulation: Simulation
        do throws(EarPackFault) {
            simulation = try Simulation(resources: { resources.read($0) })
        } catch {
            throw .failure("the voice of the simulation cannot be made: \(error)")
        }
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return [
            BenchLine("days of \(hours) h, a core's speed times \(cores)", .timesRealTime, reach: "over 50,000") {
                () throws(VerbFailure) in
                var played = Interval.zero
                var fault: EarPackFault?
                let time = Bench.time {
                    do throws(EarPackFault) { played = try play(simulation) } catch { fault = error }
                }
                if let fault { throw .failure("\(fault)") }
                return Double(played.nanoseconds) / 1e9 / time * Double(cores)
            }
        ]
    }

    private static func play(_ simulation: Simulation) throws(EarPackFault) -> Interval {
        var played = Interval.zero
        for seed in 1...seeds {
            let options = SimulationOptions(seed: seed, length: .minutes(60 * hours))
            played = played + (try simulation.run(options)).length
        }
        return played
    }
}
