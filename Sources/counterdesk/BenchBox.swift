// The whole firmware as a process of its own, measured from outside by `scripts/bench-box`.

import BoxAssembly
import Glibc

enum BenchBox {
    static let group = BenchGroup(name: "box", lines: lines)

    private static let figures: [(name: String, unit: BenchUnit, reach: String?, line: String)] = [
        ("sound", .seconds, "p99 under 2 ms beyond the journal's commit", "push to first audio block, p99"),
        ("paper", .seconds, "p99 under 10 ms", "push to first printer byte, p99"),
        ("pushes", .perSecond("pushes"), "over 5,000/s", "taken, journaled, answered, one connection"),
        ("memory", .bytes, "under 16 MiB", "resident, idle, one pack, listening"),
        ("own", .bytes, nil, "of these, the box's alone"),
        ("growth", .bytes, "flat", "grown by a year's pushes, 100,000 after the first 100,000"),
        ("wake-ups", .perSecond("wake-ups"), "under 2 a second", "idle"),
        ("start", .seconds, "under 100 ms", "start to ready, 100,000 journal rows"),
    ]

    /// What a plain box in Python can be asked, too.
    private static let shared: Set<String> = ["sound", "paper", "pushes", "memory"]

    private static func lines() throws(VerbFailure) -> [BenchLine] {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let script = BenchScript("bench-box", resources)
        guard script.isThere else {
            throw .failure("the group box needs a checkout: its scripts/bench-box is not here")
        }
        let folder = try ownFolder()
        return figures.map { figure in
            let peer = BenchLine.Peer(name: "a plain box in Python, without a journal") { () throws(VerbFailure) in
                try script.figure("--build", folder, "--peer", figure.name)
            }
            return BenchLine(
                figure.line, figure.unit, reach: figure.reach, peer: shared.contains(figure.name) ? peer : nil
            ) { () throws(VerbFailure) in
                guard let value = try script.figure("--build", folder, figure.name) else {
                    throw .failure("scripts/bench-box says nothing about \(figure.name)")
                }
                return value
            }
        }
    }

    /// Where this program lies, and the firmware beside it.
    private static func ownFolder() throws(VerbFailure) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { throw .failure("the folder of this program is not known") }
        return String(path[..<slash])
    }
}
