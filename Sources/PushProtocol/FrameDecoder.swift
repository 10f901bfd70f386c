// Bytes of one direction of a connection to frames, whatever the splits and merges on the way.

import CChecksum

/// Feed it with `receive`, then call `next` until it gives nil. What was whole before a fault comes out before the fault
/// is thrown; after a fault it throws the same one for ever.
package struct FrameDecoder: Sendable {
    /// Received and not yet taken; the part before `at` is done with.
    private var chunk: [UInt8] = []
    private var at = 0
    /// The beginning of a header that a read cut in two.
    private var head: [UInt8] = []
    /// A header found good, whose payload is being gathered.
    private var header: (type: FrameType, fields: FrameHeader)?
    private var payload: [UInt8] = []
    private var expected: UInt64 = 1
    private var fault: ProtocolFault?

    package init() {}

    /// Bytes set aside for the payload under way: none before its header was found good.
    package var payloadRoom: Int { payload.capacity }

    package mutating func receive(_ bytes: [UInt8]) {
        guard fault == nil else { return }
        if at == chunk.count {
            chunk = bytes
        } else {
            chunk.removeFirst(at)
            chunk += bytes
        }
        at = 0
    }

    /// - Returns: the next whole frame; nil until more is received.
    package mutating func next() throws(ProtocolFault) -> Frame? {
        if let fault { throw fault }
        do throws(ProtocolFault) {
            return try takeFrame()
        } catch {
            fault = error
            (chunk, head, payload) = ([], [], [])
            at = 0
            throw error
        }
    }

    private mutating func takeFrame() throws(ProtocolFault) -> Frame? {
        if header == nil {
            guard let fields = takeHeader() else { return nil }
            header = (try fields.judge(expected: expected), fields)
        }
        guard let (type, fields) = header, takePayload(Int(fields.length)) else { return nil }
        let checksum = payload.withUnsafeBytes { checksum_crc32c(fields.ownChecksum, $0.baseAddress, $0.count) }
        guard checksum == fields.checksum else { throw .badChecksum }
        let frame = Frame(type: type, sequence: fields.sequence, payload: payload)
        payload = []
        header = nil
        expected += 1
        return frame
    }

    private mutating func takeHeader() -> FrameHeader? {
        if head.isEmpty, chunk.count - at >= Frame.headerSize {
            defer { at += Frame.headerSize }
            return chunk.withUnsafeBytes { FrameHeader(.init(rebasing: $0[at..<at + Frame.headerSize])) }
        }
        let taken = min(Frame.headerSize - head.count, chunk.count - at)
        head += chunk[at..<at + taken]
        at += taken
        guard head.count == Frame.headerSize else { return nil }
        defer { head.removeAll(keepingCapacity: true) }
        return head.withUnsafeBytes { FrameHeader($0) }
    }

    /// - Returns: whether the payload is whole.
    private mutating func takePayload(_ length: Int) -> Bool {
        let missing = length - payload.count
        let taken = min(missing, chunk.count - at)
        if payload.isEmpty, taken == length {
            payload = Array(chunk[at..<at + taken])
        } else {
            payload.reserveCapacity(length)
            payload += chunk[at..<at + taken]
        }
        at += taken
        return taken == missing
    }
}
