// One place where the sessions, peers and frames of these tests are made.

import BoxFoundation
import PushProtocol
import Testing

let start = Moment(nanoseconds: 5_000_000_000_000)
/// 2026-11-29T10:05:00Z.
let hubTime = WallTime(milliseconds: 1_795_946_700_000)
let hubNonce = String(repeating: "11", count: 32)
let boxNonce = String(repeating: "ab", count: 32)

func key(_ first: UInt8 = 0) -> BoxKey {
    guard let key = BoxKey((0..<32).map { first &+ UInt8($0) }) else { fatalError("32 bytes are a key") }
    return key
}

func identity(heartbeat: Interval? = nil) -> BoxSession.Identity {
    BoxSession.Identity(box: "counter-1", key: key(), firmware: "1.0.0", heartbeat: heartbeat)
}

/// A hub or a box that says whatever a test wants it to say, frame by frame.
struct RawPeer {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()

    mutating func frame(_ type: FrameType, _ payload: String = "") -> [UInt8] {
        encoder.encode(type, Array(payload.utf8))
    }

    /// The frames among what a session sent.
    mutating func frames(_ outputs: [BoxSessionOutput]) throws -> [Frame] {
        for case .send(let bytes) in outputs { decoder.receive(bytes) }
        return try rest()
    }

    mutating func frames(_ outputs: [HubSessionOutput]) throws -> [Frame] {
        for case .send(let bytes) in outputs { decoder.receive(bytes) }
        return try rest()
    }

    private mutating func rest() throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try decoder.next() { frames.append(frame) }
        return frames
    }
}

extension Frame {
    /// `RESULT {"id":"a"}`, for comparing.
    var line: String { "\(type) \(String(decoding: payload, as: UTF8.self))" }
}

/// A box in conversation with a hub of the test's own making.
struct BoxTable {
    var box: BoxSession
    var hub = RawPeer()
    var now = start
    private(set) var greeting: [Frame] = []

    init(
        hello: String = #"{"role":"hub","hub":"till","nonce":"\#(hubNonce)","time":1795946700000,"heartbeat":30}"#,
        heartbeat: Interval? = nil, welcomed: Bool = true
    ) throws {
        box = BoxSession(identity(heartbeat: heartbeat), channel: "plain", nonce: boxNonce)
        _ = box.start(at: now)
        guard welcomed else { return }
        greeting = try hub.frames(box.received(hub.frame(.hello, hello), at: now))
        let proof = HandshakeProof(box: "counter-1", hubNonce: hubNonce, boxNonce: boxNonce, channel: "plain")
        let outputs = box.received(
            hub.frame(.welcome, #"{"proof":"\#(proof.text(of: .hub, key: key()))"}"#), at: now)
        try #require(box.hub != nil, "\(outputs)")
    }

    /// What the box asks for when the hub sends a frame.
    mutating func hears(_ type: FrameType, _ payload: String = "") -> [BoxSessionOutput] {
        box.received(hub.frame(type, payload), at: now)
    }

    /// A push of an id, with a body that is good.
    mutating func push(_ id: String) -> [BoxSessionOutput] {
        hears(.push, #"{"id":"\#(id)","body":{"kind":"payment","amount":"1.00"}}"#)
    }

    /// What the hub reads of these outputs.
    mutating func lines(_ outputs: [BoxSessionOutput]) throws -> [String] { try hub.frames(outputs).map(\.line) }
}

extension [BoxSessionOutput] {
    var pushes: [ReceivedPush] { compactMap { if case .push(let push) = $0 { push } else { nil } } }
    var end: SessionEnd? { compactMap { if case .ended(let end) = $0 { end } else { nil } }.first }
    var told: [OutcomeToken] { compactMap { if case .told(let tokens) = $0 { tokens } else { nil } }.flatMap(\.self) }

    func timer(_ timer: SessionTimer) -> Moment? {
        compactMap { if case .timer(timer, at: let moment) = $0 { moment } else { nil } }.last ?? nil
    }
}

extension [HubSessionOutput] {
    var results: [PushResult] { compactMap { if case .result(let result) = $0 { result } else { nil } } }
    var end: SessionEnd? { compactMap { if case .ended(let end) = $0 { end } else { nil } }.first }

    func timer(_ timer: SessionTimer) -> Moment? {
        compactMap { if case .timer(timer, at: let moment) = $0 { moment } else { nil } }.last ?? nil
    }
}

/// A chunk of an annotated frame: the bytes, and what they are.
func bytes(_ fields: (String, String)...) -> [UInt8] {
    fields.flatMap { field in Hex.bytes(field.0) ?? Array(field.0.utf8) }
}
