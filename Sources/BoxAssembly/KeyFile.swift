// The box's key, where the configuration says it is.

import BoxSettings
import Glibc
import HardwareLinux
import PushProtocol

package enum KeyFile {
    /// Bytes of the file at most: the digits and some white space.
    private static let mostBytes = 256

    package static func load(_ path: String) throws(AssemblyFault) -> BoxKey {
        let bytes: [UInt8]
        do {
            bytes = try Files.readSecret(path, limit: mostBytes)
        } catch {
            if error.errno == ENOENT {
                throw AssemblyFault("there is no key at \(path): counterbox key new \(path) makes one")
            }
            throw AssemblyFault(error.errno == EPERM ? error.operation : "the key cannot be read: \(error.message)")
        }
        do {
            return try BoxKey.read(bytes)
        } catch {
            throw AssemblyFault("\(path): \(error.message)")
        }
    }

    /// - Throws: where there is a file already: a key is never written over.
    package static func write(_ key: BoxKey, to path: String) throws(AssemblyFault) {
        do {
            try Files.create(path, Array((key.hex + "\n").utf8))
        } catch {
            if error.errno == EEXIST { throw AssemblyFault("\(path) is there already and is left as it is") }
            throw AssemblyFault("the key cannot be written: \(error.message)")
        }
    }
}
