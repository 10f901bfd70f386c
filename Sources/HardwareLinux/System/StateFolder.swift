// Small files that survive the plug: written beside the old one, synced, renamed over it, and the folder synced, so that
// there is the old content or the new one and never half of either. The content before is kept as a last good copy for
// the day when the disk itself lies.

import Glibc
import HardwareInterface

/// Small files that survive a pulled plug: the old content or the new one, never half of either. A file has 1 MiB at
/// most.
package final class StateFolder: StateStore {
    /// Bytes of one file at most.
    package static let mostBytes = 1 << 20

    package let path: String

    package init(_ path: String) { self.path = path }

    package func load(_ name: String) -> [UInt8]? { read(name) ?? read(name + ".last") }

    /// Why a file that is there cannot be read; nil where it can, and where none is seen.
    package func fault(reading name: String) -> SystemError? {
        do throws(SystemError) {
            _ = try Files.read("\(path)/\(name)", limit: Self.mostBytes)
            return nil
        } catch {
            return Files.exists("\(path)/\(name)") ? error : nil
        }
    }

    package func save(_ bytes: [UInt8], as name: String) -> Bool {
        do throws(SystemError) {
            try replace(name, with: bytes)
            return true
        } catch {
            return false
        }
    }

    /// A file of no bytes is what a power cut leaves of one that was never synced.
    private func read(_ name: String) -> [UInt8]? {
        guard let bytes = try? Files.read("\(path)/\(name)", limit: Self.mostBytes), !bytes.isEmpty else { return nil }
        return bytes
    }

    private func replace(_ name: String, with bytes: [UInt8]) throws(SystemError) {
        let file = "\(path)/\(name)"
        let new = file + ".new"
        unlink(new)
        try Files.create(new, bytes)
        if read(name) != nil {
            unlink(file + ".last")
            link(file, file + ".last")
        }
        guard rename(new, file) == 0 else { throw .last("rename \(new)") }
        let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw .last("fsync \(path)") }
    }
}
