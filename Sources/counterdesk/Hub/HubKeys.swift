// Which boxes a hub knows, and the key that it shares with each.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareLinux
import PushProtocol

/// The boxes that a hub knows, and their keys.
package struct HubKeys {
    /// Bytes of a file of keys at most: half a million boxes.
    private static let mostBytes = 64 << 20

    /// In the order of the file, or by name.
    package private(set) var boxes: [String] = []
    private var keys: [String: BoxKey] = [:]

    package subscript(box: String) -> BoxKey? { keys[box] }

    /// - Parameter path: a file of lines `BOX KEY`, or a folder of files `BOX.key`; all of them of mode 0600.
    package static func load(_ path: String) throws(VerbFailure) -> HubKeys {
        var keys = HubKeys()
        let files = Files.names(in: path).filter { $0.hasSuffix(".key") }
        if !files.isEmpty {
            for name in files {
                do throws(AssemblyFault) {
                    try keys.add(String(name.dropLast(".key".count)), KeyFile.load("\(path)/\(name)"))
                } catch {
                    throw .failure(error.message)
                }
            }
        } else {
            try keys.read(path)
        }
        return keys
    }

    /// For load: where there is no file, one with as many boxes is made.
    package static func loadOrMake(_ path: String, count: Int) throws(VerbFailure) -> HubKeys {
        if !Files.exists(path) {
            var random = SystemRandomNumberGenerator()
            let lines = (1...count).map { "load-\($0) \(BoxKey(using: &random).hex)\n" }
            do throws(SystemError) {
                try Files.create(path, Array(lines.joined().utf8))
            } catch {
                throw .failure(error.message)
            }
        }
        return try load(path)
    }

    private mutating func read(_ path: String) throws(VerbFailure) {
        let bytes: [UInt8]
        do {
            bytes = try Files.readSecret(path, limit: Self.mostBytes)
        } catch {
            throw .failure(error.errno == EPERM ? error.operation : error.message)
        }
        for (i, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 <= 0x20 }).map { String(decoding: $0, as: UTF8.self) }
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 2, let key = BoxKey(hex: words[1].lowercased()) else {
                throw .failure("\(path), line \(i + 1): a line is BOX KEY, the key 64 hex digits")
            }
            do throws(AssemblyFault) { try add(words[0], key) } catch {
                throw .failure("\(path), line \(i + 1): \(error.message)")
            }
        }
    }

    private mutating func add(_ box: String, _ key: BoxKey) throws(AssemblyFault) {
        guard BoxHello.isGoodID(box) else { throw AssemblyFault("\(box) is no box: 1 to 64 of A-Z a-z 0-9 - _") }
        guard keys.updateValue(key, forKey: box) == nil else { throw AssemblyFault("\(box) has two keys") }
        boxes.append(box)
    }
}
