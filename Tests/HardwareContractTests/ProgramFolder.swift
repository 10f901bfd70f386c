// Shell scripts in the place of espeak-ng, in a folder of this test's own.

import Glibc
import HardwareLinux

final class ProgramFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/counterbox-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in Files.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// - Parameter body: what the script does, in this folder.
    /// - Returns: its path.
    func program(_ body: String, named name: String = "program") throws -> String {
        try write(Array("\(body)\n".utf8), to: "body")
        let file = "\(path)/\(name)"
        unlink(file)
        guard symlink(Self.standIn, file) == 0 else { throw SystemError.last("symlink") }
        return file
    }

    private static let standIn: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/Programs/stand-in"
    }()

    func write(_ bytes: [UInt8], to name: String) throws { try Files.write("\(path)/\(name)", bytes) }

    func read(_ name: String) -> String? {
        (try? Files.read("\(path)/\(name)", limit: 1 << 22)).map { String(decoding: $0, as: UTF8.self) }
    }
}
