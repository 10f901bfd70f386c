// Frames of one direction of a connection to bytes.

import CChecksum

/// Numbers the frames of one direction from 1 and makes their bytes.
package struct FrameEncoder: Sendable {
    /// The sequence of the next frame; one beyond 32 bits means that the connection is used up.
    private var sequence: UInt64

    /// - Parameter sequence: of the first frame; another than 1 only to test a connection near its end.
    package init(sequence: UInt32 = 1) { self.sequence = UInt64(sequence) }

    /// Frames that can still be written: sequences never wrap, so a connection whose last one is due sends BYE with it.
    package var left: UInt64 { UInt64(UInt32.max) + 1 - sequence }

    package mutating func encode(_ type: FrameType, _ payload: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        append(type, payload, to: &bytes)
        return bytes
    }

    /// - Parameter payload: at most `Frame.mostPayload` bytes.
    /// - Returns: the sequence that the frame got.
    @discardableResult
    package mutating func append(_ type: FrameType, _ payload: [UInt8], to bytes: inout [UInt8]) -> UInt32 {
        precondition(payload.count <= Frame.mostPayload, "a payload over the frame's limit")
        precondition(left > 0, "a connection past its last sequence")
        let number = UInt32(sequence)
        sequence += 1
        bytes.reserveCapacity(bytes.count + Frame.headerSize + payload.count)
        let start = bytes.count
        Self.append(FrameHeader.magic, to: &bytes)
        bytes.append(FrameHeader.version)
        bytes.append(type.rawValue)
        Self.append(number, to: &bytes)
        Self.append(UInt32(payload.count), to: &bytes)
        let own = bytes.withUnsafeBytes { checksum_crc32c(0, $0.baseAddress! + start, 12) }
        Self.append(payload.withUnsafeBytes { checksum_crc32c(own, $0.baseAddress, $0.count) }, to: &bytes)
        bytes += payload
        return number
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }
}
