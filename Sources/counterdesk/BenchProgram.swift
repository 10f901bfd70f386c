// The program itself: how large what ships is.

import BoxAssembly
import Glibc

enum BenchProgram {
    static let group = BenchGroup(name: "program", lines: lines)

    private static func lines() throws(VerbFailure) -> [BenchLine] {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        return [("arm64", "scripts/arm64"), ("amd64", "scripts/package")].map { architecture, maker in
            BenchLine(
                "stripped firmware, \(architecture), as \(maker) left it", .bytes,
                reach: architecture == "arm64" ? "under 10 MiB" : nil
            ) { size("\(resources.path)/../out/\(architecture)/counterbox") }
        }
    }

    private static func size(_ path: String) -> Double? {
        var about = stat()
        return stat(path, &about) == 0 ? Double(about.st_size) : nil
    }
}
