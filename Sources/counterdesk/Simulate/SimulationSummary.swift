// What many seeds came to: how much was played, what went wrong, how fast it was.

import BoxFoundation
import CounterSimulation

struct SimulationSummary {
    private(set) var seeds = 0
    private(set) var failed = 0
    private var length = Interval.zero
    private var pushes = 0
    private var starts = 0
    private var calls = 0
    private var faults: [String: Int] = [:]
    private let clock = ContinuousClock()
    private let began = ContinuousClock().now

    mutating func add(_ report: SimulationReport) { add(line: Self.line(report)[...]) }

    /// Numbers and names, for another process to read.
    static func line(_ report: SimulationReport) -> String {
        let faults = FaultKind.allCases.compactMap { kind in report.faults[kind].map { "\(kind.rawValue)=\($0)" } }
        return
            "\(report.seed) \(report.violation == nil ? 0 : 1) \(report.length.nanoseconds) \(report.pushes) "
            + "\(report.starts) \(report.calls) " + faults.joined(separator: " ")
    }

    mutating func add(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count >= 6 else { return }
        seeds += 1
        failed += Int(words[1]) ?? 0
        length = length + Interval(nanoseconds: Int64(words[2]) ?? 0)
        pushes += Int(words[3]) ?? 0
        starts += Int(words[4]) ?? 0
        calls += Int(words[5]) ?? 0
        for word in words.dropFirst(6) {
            let parts = word.split(separator: "=")
            if parts.count == 2 { faults[String(parts[0]), default: 0] += Int(parts[1]) ?? 0 }
        }
    }

    mutating func addCrash() {
        seeds += 1
        failed += 1
    }

    var text: String {
        let passed = clock.now - began
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
        let hours = Double(length.milliseconds) / 3_600_000
        let speed = seconds > 0 ? Int(hours * 3600 / seconds) : 0
        var lines = [
            "\(seeds) seeds, \(failed) failed",
            "\(Int(hours)) hours of \(starts) starts: \(pushes) pushes, \(calls) device calls",
            "\(Int(hours / max(seconds, 1e-9))) hours a second: \(speed) times real time",
            "faults: \(faults.values.reduce(0, +))",
        ]
        for group in FaultGroup.allCases {
            let kinds = FaultKind.allCases.filter { $0.group == group }
            let told = kinds.compactMap { kind in faults[kind.rawValue].map { "\(kind.rawValue) \($0)" } }
            guard !told.isEmpty else { continue }
            let pad = String(repeating: " ", count: max(1, 9 - group.rawValue.utf8.count))
            lines.append("  \(group.rawValue)\(pad)" + told.joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }
}
