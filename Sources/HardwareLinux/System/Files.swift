// Reading whole files, with a limit; and secrets, only where nobody else can read them.

import CLinux
import Glibc

/// Reads whole files, each up to a limit in bytes, and writes them; secrets only where nobody else can read them.
package enum Files {
    /// - Throws: EFBIG where the file is over `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor(opening: path, O_RDONLY)
        return try read(file, path, limit: limit)
    }

    /// The first bytes of a file; fewer where it has fewer.
    package static func readStart(_ path: String, count: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor(opening: path, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: count)
        let (read, error) = retrying { Glibc.read(file.number, &bytes, count) }
        guard read >= 0 else { throw SystemError("read \(path)", errno: error) }
        return Array(bytes.prefix(read))
    }

    /// Reads a file that holds a secret.
    ///
    /// - Throws: EPERM where it can be read by its group or by others; the message then says what to do.
    package static func readSecret(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor(opening: path, O_RDONLY)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last("fstat \(path)") }
        guard status.st_mode & 0o077 == 0 else {
            throw SystemError("\(path) can be read by others: chmod 600 \(path)", errno: EPERM)
        }
        return try read(file, path, limit: limit)
    }

    /// Writes a new file of mode 0600 and syncs it. Root's becomes the folder's owner's: what is made for the box with sudo
    /// is for the box to read.
    ///
    /// - Throws: EEXIST where there is one already.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        if geteuid() == 0, let owner = owner(of: folder(of: path)) {
            guard fchown(file.number, owner.user, owner.group) == 0 else { throw .last("fchown \(path)") }
        }
        try write(bytes, to: file, path)
        guard fsync(file.number) == 0 else { throw .last("fsync \(path)") }
    }

    /// Writes a file that need not survive the plug, over an old one.
    package static func write(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try write(bytes, to: file, path)
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: EFBIG where it brings over `limit` bytes.
    package static func readStandardInput(limit: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor("dup standard input") { dup(STDIN_FILENO) }
        return try read(file, "standard input", limit: limit)
    }

    package static func writeStandardOutput(_ bytes: [UInt8]) throws(SystemError) {
        let file = try Descriptor("dup standard output") { dup(STDOUT_FILENO) }
        try write(bytes, to: file, "standard output")
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whose a file or folder is; nil where that cannot be asked.
    static func owner(of path: String) -> (user: uid_t, group: gid_t)? {
        var status = stat()
        return stat(path, &status) == 0 ? (status.st_uid, status.st_gid) : nil
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a folder and those above it where they are missing, of mode 0700.
    package static func makeFolder(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + name
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .last("mkdir \(made)") }
        }
    }

    private static func read(
        _ file: borrowing Descriptor, _ path: String, limit: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let (count, error) = retrying { Glibc.read(file.number, &chunk, chunk.count) }
            guard count >= 0 else { throw SystemError("read \(path)", errno: error) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw SystemError("read \(path), \(limit) bytes at most", errno: EFBIG) }
        }
    }

    static func write(_ bytes: [UInt8], to file: borrowing Descriptor, _ path: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, error) = retrying {
                rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
            }
            guard count >= 0 else { throw SystemError("write \(path)", errno: error) }
            rest = rest.dropFirst(count)
        }
    }
}

extension Files {
    /// The names in a folder, sorted, hidden ones left out; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
