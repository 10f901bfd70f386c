import BoxFoundation
import CounterSimulation
import Glibc
import Testing

enum SimulationFixtures {
    private static let project: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/")
    }()

    /// Built beside these tests.
    static let program =
        project + "/.build/" + (_isDebugAssertConfiguration() ? "debug" : "release") + "/counterdesk"

    static var hasProgram: Bool { access(program, X_OK) == 0 }

    /// What the program prints.
    static func output(of words: String) throws -> String {
        let pipe = try #require(popen("COUNTERBOX_RESOURCES='\(project)/Resources' '\(program)' \(words)", "r"))
        defer { pclose(pipe) }
        return String(decoding: bytes(of: pipe), as: UTF8.self)
    }

    /// Made of 150 clips: once for all tests.
    static let pack = Result { () throws(EarPackFault) in try EarPack.load(read) }

    static func simulation() throws -> Simulation { Simulation(pack: try pack.get(), resources: read) }

    @Sendable static func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(project + "/Resources/" + name, "rb") else { return nil }
        defer { fclose(file) }
        return bytes(of: file)
    }

    private static func bytes(of file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return bytes
    }
}
