// `counterdesk bench`: measures, prints a table or JSON, and judges nothing.

import BoxAssembly
import BoxFoundation
import HardwareLinux

enum BenchVerb {
    /// Every group, in the order of the table. A new line goes into its subject's group, a new subject into a file of
    /// its own and here.
    static let groups = [
        BenchBox.group, BenchProgram.group, BenchWire.group, BenchVoice.group, BenchReceipt.group, BenchSimulator.group,
    ]

    private static let usualRuns = 5
    private static let mostRuns = 1000

    static let verb = Verb(
        name: "bench", operands: "[GROUP]…",
        summary: "measures; groups: " + groups.map(\.name).joined(separator: ", ") + " (default: all)",
        options: [
            CommandOption("json", "prints one JSON object a figure, in plain units (seconds, bytes, a second)"),
            CommandOption("runs", value: "N", "runs of each figure (default \(usualRuns))"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let runs = try runs(words)
        let chosen = try chosen(words.operands)
        if _isDebugAssertConfiguration() {
            Terminal.complain("this is a debug build: its figures say little, take a release build")
        }
        var table = BenchTable()
        for group in chosen {
            for line in try group.lines() {
                let result = try measure(line, of: group.name, runs: runs)
                if words.has("json") { Terminal.print(result.json.text) } else { table.add(result) }
            }
        }
        Terminal.print(table.text, end: "")
        return .success
    }

    private static func runs(_ words: CommandWords) throws(VerbFailure) -> Int {
        guard let text = words["runs"] else { return usualRuns }
        guard let runs = Int(text), (1...mostRuns).contains(runs) else {
            throw .usage("--runs \(text): a number from 1 to \(mostRuns)")
        }
        return runs
    }

    private static func chosen(_ names: [String]) throws(VerbFailure) -> [BenchGroup] {
        for name in names where !groups.contains(where: { $0.name == name }) {
            throw .usage("there is no group \(name): " + groups.map(\.name).joined(separator: ", "))
        }
        return names.isEmpty ? groups : groups.filter { names.contains($0.name) }
    }

    /// Line and peer take turns, so that what slows the machine slows both.
    private static func measure(
        _ line: BenchLine, of group: String, runs: Int
    ) throws(VerbFailure) -> BenchResult {
        var ours: [Double] = []
        var theirs: [Double] = []
        for run in 1...runs {
            Terminal.showProgress("\(group): \(line.name), run \(run) of \(runs)")
            guard let figure = try line.measure() else { break }
            ours.append(figure)
            if let figure = try line.peer?.measure() { theirs.append(figure) }
        }
        Terminal.showProgress("")
        return BenchResult(
            group: group, line: line, figure: ours.isEmpty ? nil : BenchFigure(ours),
            peer: theirs.isEmpty ? nil : BenchFigure(theirs))
    }
}
