// The state folder in memory, on a disk whose plug can be pulled.

import BoxFoundation
import HardwareInterface

/// Keeps files as StateFolder does: whole, or as they were. A power cut in the middle of a save leaves either the old
/// file or the new one; which, the test says.
package final class SimulatedState: StateStore, StateWriter {
    /// Where a power cut finds a save.
    package enum Cut: Sendable {
        /// Before the rename: the old file stays.
        case beforeRename
        /// After it: the new file is there, and nobody has been told.
        case afterRename
    }

    /// No space, or read-only: nothing can be saved.
    package var isFull = false
    /// Nothing can be read, as after a disk has died.
    package var isUnreadable = false

    /// The next save is the last thing that happens before the power goes: it answers false, as nobody hears the
    /// answer, and later calls do nothing until `powerOn`.
    package var cut: Cut?

    package private(set) var isOn = true
    package private(set) var saves = 0

    private var files: [String: [UInt8]] = [:]

    package init() {}

    package func load(_ name: String) -> [UInt8]? {
        guard isOn, !isUnreadable, let bytes = files[name], !bytes.isEmpty else { return nil }
        return bytes
    }

    package func write(_ bytes: [UInt8], as name: String, failed: @escaping () -> Void) {
        if !save(bytes, as: name) { failed() }
    }

    package func save(_ bytes: [UInt8], as name: String) -> Bool {
        guard isOn, !isFull else { return false }
        if let cut {
            isOn = false
            self.cut = nil
            if case .afterRename = cut { files[name] = bytes }
            return false
        }
        saves += 1
        files[name] = bytes
        return true
    }

    package func powerOn() { isOn = true }

    /// What is on the disk, for the test's eyes.
    package func content(of name: String) -> [UInt8]? { files[name] }

    /// Puts a file there as somebody else would: the setup file, or what a bad disk made of one.
    package func put(_ bytes: [UInt8]?, as name: String) { files[name] = bytes }
}
