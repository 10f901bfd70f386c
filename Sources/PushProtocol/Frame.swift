// A frame as `docs/push-protocol.md` lays it out: sixteen bytes of header, then one JSON object.

import BoxFoundation
import CChecksum

/// What a frame is; the raw values are the wire's.
package enum FrameType: UInt8, CaseIterable, Sendable {
    case hello = 0x01
    case welcome = 0x02
    case push = 0x10
    case result = 0x11
    case ping = 0x20
    case pong = 0x21
    case status = 0x30
    case command = 0x31
    case reply = 0x32
    case bye = 0x7F
}

/// A frame: type, sequence, and a payload of at most 65,536 bytes.
package struct Frame: Equatable, Sendable {
    /// Bytes before the payload.
    package static let headerSize = 16
    /// Bytes of payload at most.
    package static let mostPayload = 65_536

    package var type: FrameType
    /// Counts the sender's own frames on this connection, from 1.
    package var sequence: UInt32
    /// JSON in UTF-8, as it came; empty means `{}`.
    package var payload: [UInt8]

    package init(type: FrameType, sequence: UInt32, payload: [UInt8] = []) {
        self.type = type
        self.sequence = sequence
        self.payload = payload
    }

    /// Reads the payload.
    package func object() throws(ProtocolFault) -> JSONObject {
        if payload.isEmpty { return JSONObject() }
        let value: JSON
        do { value = try JSONReader.read(payload) } catch { throw .badPayload }
        guard let object = value.object else { throw .badPayload }
        return object
    }
}

/// The sixteen bytes before a payload, as read and not yet judged.
struct FrameHeader: Equatable, Sendable {
    static let magic: UInt16 = 0xC0B1
    static let version: UInt8 = 1

    var magic: UInt16
    var version: UInt8
    var type: UInt8
    var sequence: UInt32
    var length: UInt32
    var checksum: UInt32
    /// The checksum of bytes 0 to 11, which the payload's continues.
    var ownChecksum: UInt32

    /// - Parameter bytes: `Frame.headerSize` bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        magic = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt16.self))
        version = bytes[2]
        type = bytes[3]
        sequence = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        checksum = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        ownChecksum = checksum_crc32c(0, bytes.baseAddress, 12)
    }

    /// Judges what can be judged before there is a payload, in the page's order.
    func judge(expected: UInt64) throws(ProtocolFault) -> FrameType {
        guard magic == Self.magic else { throw .badMagic }
        guard version == Self.version else { throw .badVersion }
        guard let type = FrameType(rawValue: type) else { throw .badType }
        guard length <= UInt32(Frame.mostPayload) else { throw .tooLong }
        guard UInt64(sequence) == expected else { throw .badSequence }
        return type
    }
}
