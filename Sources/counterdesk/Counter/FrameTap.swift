// Reads along on the wire: every frame of every connection as a line, the secrets left out.

import BoxFoundation
import HardwareInterface
import PushProtocol

struct TappedFrame {
    /// What it says, without its secrets.
    var line: String
    /// nil where bytes came that are none.
    var frame: Frame?
}

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
    mutating func take(_ bytes: [UInt8], _ direction: FrameTrace.Direction, on connection: ConnectionID)
        -> [TappedFrame]
    {
        guard var line = lines[connection], !line.isBroken.contains(direction) else { return [] }
        defer { lines[connection] = line }
        let path: WritableKeyPath<Line, FrameDecoder> = direction == .sent ? \.sent : \.received
        line[keyPath: path].receive(bytes)
        var frames: [TappedFrame] = []
        do throws(ProtocolFault) {
            while let frame = try line[keyPath: path].next() {
                frames.append(TappedFrame(line: FrameTrace.line(frame, direction), frame: frame))
            }
        } catch {
            line.isBroken.insert(direction)
            frames.append(TappedFrame(line: "\(direction.rawValue) no frame: \(error.rawValue)", frame: nil))
        }
        return frames
    }
}
