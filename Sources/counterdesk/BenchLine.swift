// A figure of the benchmark: what is measured, and how one run of it goes. `BenchVerb` has the table of all.

import BoxAssembly
import BoxFoundation
import HardwareLinux

enum BenchUnit: Sendable {
    /// So many of these a second: more is better.
    case perSecond(String)
    /// Seconds: less is better.
    case seconds
    /// Bytes: less is better.
    case bytes
    /// So many times as fast as real time: more is better.
    case timesRealTime

    var isRate: Bool {
        switch self {
        case .perSecond, .timesRealTime: true
        case .seconds, .bytes: false
        }
    }
}

/// One line of the table. `measure` is called once a run and answers in the unit; nil where what it measures is not on
/// this machine.
struct BenchLine {
    /// Another program that does the same, measured in the same runs.
    struct Peer {
        var name: String
        /// nil where the peer is not on this machine.
        var measure: () throws(VerbFailure) -> Double?
    }

    var name: String
    var unit: BenchUnit
    /// What the product is to reach, in words; nil where nothing is promised.
    var reach: String?
    var peer: Peer?
    var measure: () throws(VerbFailure) -> Double?

    init(
        _ name: String, _ unit: BenchUnit, reach: String? = nil, peer: Peer? = nil,
        measure: @escaping () throws(VerbFailure) -> Double?
    ) {
        self.name = name
        self.unit = unit
        self.reach = reach
        self.peer = peer
        self.measure = measure
    }
}

/// Lines that share what they are measured on.
struct BenchGroup: Sendable {
    /// One word: what is named on the command line.
    var name: String
    /// Makes what the lines are measured on.
    var lines: @Sendable () throws(VerbFailure) -> [BenchLine]
}

/// Runs of one figure.
struct BenchFigure {
    /// In the line's unit, sorted.
    private let runs: [Double]

    /// - Parameter runs: one or more.
    init(_ runs: [Double]) {
        precondition(!runs.isEmpty, "a figure has at least one run")
        self.runs = runs.sorted()
    }

    var count: Int { runs.count }
    var least: Double { runs[0] }
    var most: Double { runs[runs.count - 1] }
    var median: Double { (runs[runs.count / 2] + runs[(runs.count - 1) / 2]) / 2 }
}

enum Bench {
    /// - Returns: how often a second `work` can be done `count` times, by the processor's time.
    static func rate(of count: Int, _ work: () -> Void) -> Double { Double(count) / max(time(work), 1e-9) }

    /// - Returns: seconds of the processor.
    static func time(_ work: () -> Void) -> Double {
        let start = ProcessUsage.processorSeconds
        work()
        return ProcessUsage.processorSeconds - start
    }

    /// - Returns: bytes that became resident.
    static func memory(_ work: () -> Void) -> Double {
        let start = ProcessUsage.residentBytes
        work()
        return Double(ProcessUsage.residentBytes - start)
    }
}
