// What was measured, as a table for people and as JSON for machines.

import BoxFoundation

struct BenchResult {
    var group: String
    var line: BenchLine
    /// nil where what is measured is not on this machine.
    var figure: BenchFigure?
    /// nil where there is no peer, or none on this machine.
    var peer: BenchFigure?

    /// How many times better than the peer, by the medians.
    var advantage: Double? {
        guard let peer, let figure, peer.median > 0, figure.median > 0 else { return nil }
        return line.unit.isRate ? figure.median / peer.median : peer.median / figure.median
    }

    var json: JSON {
        .object([
            "group": .string(group), "name": .string(line.name), "unit": .string(line.unit.plainName),
            "runs": .integer(figure?.count ?? 0), "median": figure.map { .number("\($0.median)") },
            "least": figure.map { .number("\($0.least)") }, "most": figure.map { .number("\($0.most)") },
            "reach": line.reach.map { .string($0) }, "peer": line.peer.map { .string($0.name) },
            "peerMedian": peer.map { .number("\($0.median)") },
            "advantage": advantage.map { .number("\($0)") },
        ])
    }
}

struct BenchTable {
    private var rows: [[String]] = []

    /// Empty where nothing was measured.
    var text: String {
        guard !rows.isEmpty else { return "" }
        let all = [["what", "median", "least to most", "reach"]] + rows
        let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    mutating func add(_ result: BenchResult) {
        let unit = result.line.unit
        let name = "\(result.group): \(result.line.name)"
        guard let figure = result.figure else {
            return rows.append([name, "not on this machine", "", result.line.reach ?? ""])
        }
        rows.append([
            name, unit.text(figure.median),
            "\(unit.text(figure.least)) to \(unit.text(figure.most))", result.line.reach ?? "",
        ])
        guard let name = result.line.peer?.name else { return }
        guard let peer = result.peer else { return rows.append(["  beside \(name)", "not on this machine", "", ""]) }
        rows.append([
            "  beside \(name)", unit.text(peer.median), "\(unit.text(peer.least)) to \(unit.text(peer.most))",
            result.advantage.map { Self.digits($0) + " times better" } ?? "",
        ])
    }

    /// Three digits that mean something.
    static func digits(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let decimals = abs(value) >= 99.95 ? 0 : abs(value) >= 9.995 ? 1 : 2
        let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
        let scaled = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % Int64(scale))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return sign + String(scaled / Int64(scale)) + "." + zeros + fraction
    }
}

extension BenchUnit {
    fileprivate var plainName: String {
        switch self {
        case .perSecond(let what): what + "/s"
        case .seconds: "s"
        case .bytes: "bytes"
        case .timesRealTime: "times real time"
        }
    }

    fileprivate func text(_ value: Double) -> String {
        switch self {
        case .perSecond(let what):
            Self.scaled(value, [(1e9, " thousand million"), (1e6, " million"), (1, "")]) + " \(what)/s"
        case .seconds: Self.scaled(value, [(1, " s"), (1e-3, " ms"), (1e-6, " us"), (1e-9, " ns")])
        case .timesRealTime: BenchTable.digits(value) + " times real time"
        case .bytes: Self.scaled(value, [(1_048_576, " MiB"), (1024, " KiB"), (1, " bytes")])
        }
    }

    private static func scaled(_ value: Double, _ steps: [(step: Double, name: String)]) -> String {
        let last = steps[steps.count - 1]
        let (step, name) = steps.first { abs(value) >= $0.step } ?? last
        return BenchTable.digits(value / step) + name
    }
}
