// Tells when a name appears in a folder, so that nobody has to look again and again.

import CLinux
import Glibc

/// An inotify watch for a name being made, moved in or given other rights (udev gives them after it has made a node).
struct FolderWatch: ~Copyable {
    private let descriptor: Descriptor
    private let name: String

    /// - Throws: ENOENT where the folder itself is not there.
    init(for path: String) throws(SystemError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = try Descriptor("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)
        guard inotify_add_watch(descriptor.number, folder, events) >= 0 else { throw .last("watch \(folder)") }
        self.descriptor = descriptor
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    }

    var number: Int32 { descriptor.number }

    /// Takes all that happened.
    ///
    /// - Returns: whether any of it concerns the name; true as well where too much happened to be told.
    func takeEvents() -> Bool {
        var isConcerned = false
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while let count = try? descriptor.read(into: buffer), count > 0 {
                if concerns(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { isConcerned = true }
            }
        }
        return isConcerned
    }

    private func concerns(_ events: UnsafeRawBufferPointer) -> Bool {
        let header = MemoryLayout<inotify_event>.size
        var rest = events[...]
        while rest.count >= header {
            let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let text = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || text.elementsEqual(name.utf8) { return true }
            rest = rest.dropFirst(header + Int(event.len))
        }
        return false
    }
}
