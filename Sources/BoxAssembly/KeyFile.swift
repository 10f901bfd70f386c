// The box's key, where the configuration says it is.

import BoxDoctor
import BoxSettings
import Glibc
import HardwareLinux
import PushProtocol

/// Reads the box's key and a fleet's credentials, and judges their files: mode 0600, nobody else may read them.
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

    /// What a doctor says of it; the key itself is read and forgotten.
    package static func fact(_ path: String) -> KeyFact {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.readSecret(path, limit: mostBytes)
        } catch {
            return fact(of: path, error)
        }
        do {
            _ = try BoxKey.read(bytes)
            return .ready
        } catch {
            return .unusable(path: path, reason: error.message)
        }
    }

    /// The same of the file with a fleet's credentials.
    package static func fact(credentials path: String) -> KeyFact {
        do throws(SystemError) {
            let isGood = try NATSFleet.holdsCredentials(path)
            return isGood ? .ready : .unusable(path: path, reason: "it holds neither an nkey's seed nor a JWT")
        } catch {
            return fact(of: path, error)
        }
    }

    private static func fact(of path: String, _ error: SystemError) -> KeyFact {
        switch error.errno {
        case ENOENT, ENOTDIR: .missing(path: path)
        case EPERM: .exposed(path: path, mode: mode(path))
        case EACCES: .unreadable(path: path)
        default: .unusable(path: path, reason: error.message)
        }
    }

    private static func mode(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : 0
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
