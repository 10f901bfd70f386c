// A script of `scripts/` that measures one figure and prints it as a number.

import BoxAssembly
import Glibc

struct BenchScript {
    private let path: String

    init(_ name: String, _ resources: ResourceFolder) {
        path = resources.path + "/../scripts/" + name
    }

    /// Whether this is a checkout, where the scripts are.
    var isThere: Bool { access(path, X_OK) == 0 }

    /// - Returns: nil where the script is not there, or says nothing since what it measures is not.
    func figure(_ words: String...) throws(VerbFailure) -> Double? {
        guard isThere else { return nil }
        let said = words.joined(separator: " ")
        guard let pipe = popen(([Self.quoted(path)] + words.map(Self.quoted)).joined(separator: " "), "r") else {
            throw .failure("\(path) cannot be run")
        }
        var line = [CChar](repeating: 0, count: 80)
        let hasLine = fgets(&line, Int32(line.count), pipe) != nil
        guard pclose(pipe) == 0 else { throw .failure("\(path) \(said) failed") }
        guard hasLine else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let figure = Double(text), figure >= 0 else { throw .failure("\(path) \(said) says \(text)") }
        return figure
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
