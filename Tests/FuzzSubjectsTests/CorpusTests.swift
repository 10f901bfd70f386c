// The corpus: seeds of each fuzzer, and every input that once broke something.

import FuzzSubjects
import Glibc
import Testing

@Suite("Bytes of strangers")
struct CorpusTests {
    @Test("Every input of the corpus is taken as its subject promises", arguments: FuzzSubject.all)
    func replay(subject: FuzzSubject) throws {
        let inputs = try #require(Self.files(of: subject.name))
        #expect(!inputs.isEmpty)
        for input in inputs {
            subject.run(input)
            // Cut short and with a bit turned, as a bad line would deliver it.
            for cut in stride(from: 0, to: input.count, by: max(1, input.count / 16)) {
                subject.run(Array(input[..<cut]))
                var turned = input
                turned[cut] ^= 0x20
                subject.run(turned)
            }
        }
    }

    /// The files of a subject's folder, nil where there is none.
    private static func files(of subject: String) -> [[UInt8]]? {
        let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "\(root)/FuzzCorpus/\(subject)"
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().compactMap { read("\(path)/\($0)") }
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }
}
