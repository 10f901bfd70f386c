import Glibc

/// A folder of this test's own, gone with it.
package final class TemporaryFolder {
    package let path: String

    package init() {
        var template = Array("/tmp/counterbox-test-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let made = mkdtemp(base) else { fatalError("no temporary folder") }
            return String(cString: made)
        }
    }

    deinit { Self.remove(path) }

    package func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, mode)
        _ = Glibc.write(file, bytes, bytes.count)
        fchmod(file, mode)
        close(file)
    }

    package func read(_ name: String) -> [UInt8]? {
        let file = open("\(path)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    package var names: [String] { Self.names(in: path).sorted() }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        for name in names(in: path) {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
