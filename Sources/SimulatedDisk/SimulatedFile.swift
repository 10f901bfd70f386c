// A file as a disk holds it: what programs see, and what would be left if the power went now.

import BoxFoundation

final class SimulatedFile {
    /// A write since the last sync, in order.
    private struct Write {
        var offset: Int
        var bytes: [UInt8]
    }

    /// Sectors are written whole or not at all.
    static let sector = 512

    private(set) var content: [UInt8] = []
    private var synced: [UInt8] = []
    private var unsynced: [Write] = []

    var size: Int { content.count }

    /// Bytes that a write up to `end` would add.
    func growth(to end: Int) -> Int { max(0, end - content.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
        guard offset < content.count else { return 0 }
        let count = min(buffer.count, content.count - offset)
        content.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
        }
        return count
    }

    func write(_ bytes: [UInt8], at offset: Int) {
        Self.apply(Write(offset: offset, bytes: bytes), to: &content)
        unsynced.append(Write(offset: offset, bytes: bytes))
    }

    /// A new size takes effect at once, on the disk too.
    func truncate(to size: Int) {
        content.removeLast(max(0, content.count - size))
        synced.removeLast(max(0, synced.count - size))
        unsynced = unsynced.compactMap { write in
            write.offset >= size
                ? nil : Write(offset: write.offset, bytes: Array(write.bytes.prefix(size - write.offset)))
        }
    }

    func sync() {
        for write in unsynced { Self.apply(write, to: &synced) }
        unsynced = []
    }

    /// What was not synced is on the disk or not, each sector by itself, as chance has it.
    func cutPower(_ random: inout SeededRandom) {
        for write in unsynced {
            for start in stride(from: 0, to: write.bytes.count, by: Self.sector) where Bool.random(using: &random) {
                let part = write.bytes[start..<min(start + Self.sector, write.bytes.count)]
                Self.apply(Write(offset: write.offset + start, bytes: Array(part)), to: &synced)
            }
        }
        unsynced = []
        content = synced
    }

    private static func apply(_ write: Write, to content: inout [UInt8]) {
        let end = write.offset + write.bytes.count
        if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
        content.replaceSubrange(write.offset..<end, with: write.bytes)
    }
}
