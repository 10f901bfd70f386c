// The bytes of frames (`docs/push-protocol.md`, Frame).

import BoxFoundation
import PushProtocol
import Testing

@Suite("Frames")
struct FrameTests {
    static let emptyPing = bytes(
        ("c0b1", "magic"), ("01", "version"), ("20", "PING"), ("00000003", "sequence 3"), ("00000000", "no payload"),
        ("7966cfb6", "CRC-32C of the twelve bytes before"))
    static let bracedPing = bytes(
        ("c0b1", "magic"), ("01", "version"), ("20", "PING"), ("00000003", "sequence 3"), ("00000002", "two bytes"),
        ("29c85869", "CRC-32C of the twelve bytes before and the payload"), ("7b7d", "{}"))
    static let result = bytes(
        ("c0b1", "magic"), ("01", "version"), ("11", "RESULT"), ("00000001", "sequence 1"), ("0000001d", "29 bytes"),
        ("6841d6f9", "checksum"), (#"{"id":"a","state":"accepted"}"#, "payload"))
    static let pong = bytes(
        ("c0b1", "magic"), ("01", "version"), ("21", "PONG"), ("00000002", "sequence 2"), ("0000000a", "10 bytes"),
        ("8bd6fd99", "checksum"), (#"{"ping":7}"#, "payload"))
    /// Three frames as they follow one another.
    static let stream = result + pong + emptyPing
    static let streamFrames = [
        Frame(type: .result, sequence: 1, payload: Array(#"{"id":"a","state":"accepted"}"#.utf8)),
        Frame(type: .pong, sequence: 2, payload: Array(#"{"ping":7}"#.utf8)),
        Frame(type: .ping, sequence: 3),
    ]

    static func decode(_ chunks: [[UInt8]]) throws(ProtocolFault) -> [Frame] {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for chunk in chunks {
            decoder.receive(chunk)
            while let frame = try decoder.next() { frames.append(frame) }
        }
        return frames
    }

    @Test("The page's two PING vectors are what the encoder writes")
    func vectors() {
        var encoder = FrameEncoder(sequence: 3)
        #expect(encoder.encode(.ping) == Self.emptyPing)
        encoder = FrameEncoder(sequence: 3)
        #expect(encoder.encode(.ping, Array("{}".utf8)) == Self.bracedPing)
    }

    @Test("Frames of both directions are written field by field")
    func encoding() {
        var encoder = FrameEncoder()
        var written = encoder.encode(.result, Self.streamFrames[0].payload)
        written += encoder.encode(.pong, Self.streamFrames[1].payload)
        written += encoder.encode(.ping)
        #expect(written == Self.stream)
    }

    @Test("No payload and an empty object are the same")
    func emptyPayload() throws {
        for payload: [UInt8] in [[], Array("{}".utf8), Array(" { } ".utf8)] {
            #expect(try Frame(type: .ping, sequence: 1, payload: payload).object() == JSONObject())
        }
    }

    @Test("Every single cut of a three-frame stream gives the same frames")
    func everyCut() throws {
        for cut in 0...Self.stream.count {
            let chunks = [Array(Self.stream[..<cut]), Array(Self.stream[cut...])]
            #expect(try Self.decode(chunks) == Self.streamFrames, "cut at \(cut)")
        }
    }

    @Test("Every pair of cuts gives the same frames")
    func everyPairOfCuts() throws {
        var wrong: [(Int, Int)] = []
        for first in 0...Self.stream.count {
            for second in first...Self.stream.count {
                let chunks = [Self.stream[..<first], Self.stream[first..<second], Self.stream[second...]].map(
                    Array.init)
                if try Self.decode(chunks) != Self.streamFrames { wrong.append((first, second)) }
            }
        }
        #expect(wrong.isEmpty, "cuts at \(wrong)")
    }

    @Test("Byte by byte, and with everything received before anything is taken, the frames are the same")
    func byteByByte() throws {
        #expect(try Self.decode(Self.stream.map { [$0] }) == Self.streamFrames)
        var decoder = FrameDecoder()
        for byte in Self.stream { decoder.receive([byte]) }
        var frames: [Frame] = []
        while let frame = try decoder.next() { frames.append(frame) }
        #expect(frames == Self.streamFrames)
    }

    @Test(
        "A frame of the largest payload passes in any pieces, one byte more does not", arguments: [1, 7, 4096, 70_000])
    func largest(piece: Int) throws {
        let payload = Array(#"{"a":""#.utf8) + [UInt8](repeating: 0x61, count: 65_536 - 8) + Array(#""}"#.utf8)
        var encoder = FrameEncoder()
        let whole = encoder.encode(.push, payload)
        let chunks = stride(from: 0, to: whole.count, by: piece).map { Array(whole[$0..<min($0 + piece, whole.count)]) }
        #expect(try Self.decode(chunks) == [Frame(type: .push, sequence: 1, payload: payload)])
        var decoder = FrameDecoder()
        decoder.receive(Self.header(sequence: 1, length: 65_537))
        #expect(throws: ProtocolFault.tooLong) { try decoder.next() }
    }

    // MARK: Faults

    static func header(
        magic: UInt16 = 0xC0B1, version: UInt8 = 1, type: UInt8 = 0x20, sequence: UInt32 = 1, length: UInt32 = 0,
        checksum: UInt32 = 0
    ) -> [UInt8] {
        var header: [UInt8] = []
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { header += $0 } }
        add(magic)
        add(version)
        add(type)
        add(sequence)
        add(length)
        add(checksum)
        return header
    }

    @Test(
        "A header is judged with its sixteenth byte, in the page's order",
        arguments: [
            (header(magic: 0xC0B2, version: 9, type: 0, sequence: 9, length: .max), ProtocolFault.badMagic),
            (header(magic: 0, version: 1), .badMagic),
            (header(version: 0, type: 0, sequence: 9, length: .max), .badVersion),
            (header(version: 2), .badVersion),
            (header(type: 0x03, sequence: 9, length: .max), .badType),
            (header(type: 0x00), .badType),
            (header(type: 0xFF), .badType),
            (header(sequence: 9, length: .max), .tooLong),
            (header(length: 65_537), .tooLong),
            (header(length: 0x8000_0000), .tooLong),
            (header(sequence: 0), .badSequence),
            (header(sequence: 2, checksum: 1), .badSequence),
            (header(sequence: .max), .badSequence),
            (header(sequence: 1, checksum: 1), .badChecksum),
        ])
    func headerFaults(header: [UInt8], fault: ProtocolFault) throws {
        var decoder = FrameDecoder()
        for byte in header.dropLast() {
            decoder.receive([byte])
            #expect(try decoder.next() == nil)
        }
        decoder.receive([header[15]])
        #expect(throws: fault) { try decoder.next() }
        decoder.receive(Self.emptyPing)
        #expect(throws: fault) { try decoder.next() }
    }

    @Test("A length of 4 GiB is refused before any room is made", arguments: [UInt32.max, 0x1_0001, 0x8000_0000])
    func noRoom(length: UInt32) {
        var decoder = FrameDecoder()
        decoder.receive(Self.header(length: length))
        #expect(throws: ProtocolFault.tooLong) { try decoder.next() }
        #expect(decoder.payloadRoom == 0)
    }

    @Test("Room is made for a payload only once its header is good, and as much as it says")
    func roomForPayload() throws {
        var decoder = FrameDecoder()
        var header = Self.header(length: 1000)
        let last = header.removeLast()
        decoder.receive(header)
        #expect(try decoder.next() == nil)
        #expect(decoder.payloadRoom == 0)
        decoder.receive([last, 0x7B])
        #expect(try decoder.next() == nil)
        #expect((1000..<2100).contains(decoder.payloadRoom))
    }

    @Test("Any flipped bit of a frame is noticed")
    func flippedBits() {
        let frame = Self.result
        for bit in 0..<frame.count * 8 {
            var flipped = frame
            flipped[bit / 8] ^= 1 << (bit % 8)
            // A longer length asks for more bytes: they come.
            let got = Result { () throws(ProtocolFault) in
                try Self.decode([flipped, [UInt8](repeating: 0, count: 70_000)])
            }
            guard case .failure = got else {
                Issue.record("bit \(bit) went by")
                continue
            }
        }
    }

    @Test("What came whole before a fault comes out before it")
    func framesBeforeFault() throws {
        var decoder = FrameDecoder()
        decoder.receive(Self.stream + Self.header(magic: 0))
        var frames: [Frame] = []
        #expect(throws: ProtocolFault.badMagic) { while let frame = try decoder.next() { frames.append(frame) } }
        #expect(frames == Self.streamFrames)
    }

    @Test("A sequence given twice, left out or going back is a fault")
    func sequences() throws {
        for numbers: [UInt32] in [[1, 1], [1, 3], [1, 2, 1], [2], [0]] {
            #expect(throws: ProtocolFault.badSequence) {
                try Self.decode(
                    numbers.map { number in
                        var encoder = FrameEncoder(sequence: number)
                        return encoder.encode(.ping)
                    })
            }
        }
    }

    @Test(
        "Bytes that are no JSON object are a bad payload",
        arguments: [
            "[]", "null", "1", "\"a\"", "{", "{}{}", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":1}}", "{\"a\":01}",
            "{'a':1}",
            "{\"a\":1,}", "\u{FEFF}{}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\\ud800\"}", "{\"a\":\"\u{1}\"}",
            "{\"a\":" + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}", "{\"a\":NaN}", " ",
            "{\"a\":1,\"\\u0061\":2}",
        ])
    func badPayloads(text: String) {
        let frame = Frame(type: .ping, sequence: 1, payload: Array(text.utf8))
        #expect(throws: ProtocolFault.badPayload) { try frame.object() }
    }

    @Test(
        "Bytes that are no UTF-8 are a bad payload",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE4, 0xBD],
        ] as [[UInt8]])
    func badUTF8(bad: [UInt8]) {
        let frame = Frame(type: .ping, sequence: 1, payload: Array("{\"a\":\"".utf8) + bad + Array("\"}".utf8))
        #expect(throws: ProtocolFault.badPayload) { try frame.object() }
    }

    @Test("Thirty-two levels are taken; names that differ in a byte are two names")
    func goodPayloads() throws {
        let deep = "{\"a\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        #expect(try Frame(type: .ping, sequence: 1, payload: Array(deep.utf8)).object().members.count == 1)
        let composed = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        #expect(try Frame(type: .ping, sequence: 1, payload: Array(composed.utf8)).object().members.count == 2)
        let many = "{" + (0..<20).map { "\"n\($0)\":0," }.joined() + composed.dropFirst()
        #expect(try Frame(type: .ping, sequence: 1, payload: Array(many.utf8)).object().members.count == 22)
    }

    @Test("A connection's last sequence is its last")
    func lastSequence() throws {
        var encoder = FrameEncoder(sequence: .max)
        #expect(encoder.left == 1)
        _ = encoder.encode(.bye)
        #expect(encoder.left == 0)
    }

    @Test("A session outlives any noise: it ends with a reason or waits for more", arguments: 0..<8)
    func noise(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<60 {
            var table = try BoxTable()
            var stream: [UInt8] = []
            for _ in 0..<8 {
                let type = FrameType.allCases.randomElement(using: &random) ?? .push
                let payload = [
                    "", #"{"id":"a","body":{"kind":"payment","amount":"1"}}"#,
                    #"{"id":"b","sent":1e400,"ttl":-9e99,"time":{}}"#,
                    #"{"ping":18446744073709551616}"#, #"{"id":"c","command":"volume","value":1e99}"#,
                    #"{"id":"d","body":{"aps":{"alert":"元元1元","amount":"\u0000"},"isVoice":[]}}"#,
                ].randomElement(using: &random)
                stream += table.hub.frame(type, payload ?? "")
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                stream[Int.random(in: 0..<stream.count, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            var outputs: [BoxSessionOutput] = []
            for byte in stream { outputs += table.box.received([byte], at: start) }
            #expect(outputs.count { $0 == .close } == (outputs.end == nil ? 0 : 1))
            #expect(outputs.end == nil || outputs.last == .close)
            _ = try table.hub.frames(outputs)
        }
    }
}
