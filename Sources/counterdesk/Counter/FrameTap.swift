// Reads along on the wire: every frame of every connection as a line, the secrets left out.

import BoxFoundation
import HardwareInterface
import PushProtocol

struct FrameTap {
    private struct Line {
        var sent = FrameDecoder()
        var received = FrameDecoder()
        /// After a fault nothing more of that direction can be read.
        var isBroken: Set<FrameTrace.Direction> = []
    }

    private var lines: [ConnectionID: Line] = [:]

    mutating func opened(_ connection: ConnectionID) { lines[connection] = Line() }

    mutating func closed(_ connection: ConnectionID) { lines[connection] = nil }

    /// - Parameter direction: seen from the box.
    /// - Returns: the frames that are whole with these bytes.
    mutating func take(_ bytes: [UInt8], _ direction: FrameTrace.Direction, on connection: ConnectionID) -> [String] {
        guard var line = lines[connection], !line.isBroken.contains(direction) else { return [] }
        defer { lines[connection] = line }
        let path: WritableKeyPath<Line, FrameDecoder> = direction == .sent ? \.sent : \.received
        line[keyPath: path].receive(bytes)
        var texts: [String] = []
        do throws(ProtocolFault) {
            while let frame = try line[keyPath: path].next() { texts.append(FrameTrace.line(frame, direction)) }
        } catch {
            line.isBroken.insert(direction)
            texts.append("\(direction.rawValue) no frame: \(error.rawValue)")
        }
        return texts
    }
}
