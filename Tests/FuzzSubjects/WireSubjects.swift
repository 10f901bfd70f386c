// What comes over the wire.

import BoxFoundation
import PushProtocol

enum WireSubjects {
    private static let start = Moment(nanoseconds: 5_000_000_000_000)

    // MARK: Frames

    /// The same frames and the same fault come out, however the stream is cut; none is longer than the page allows, and no
    /// room is set aside for more.
    static func frames(_ bytes: [UInt8]) {
        let seed = bytes.first.map(UInt64.init) ?? 0
        let whole = decoded([Array(bytes.dropFirst())])
        var random = SeededRandom(seed: seed)
        var pieces: [[UInt8]] = []
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...40, using: &random))
            pieces.append(Array(rest.prefix(count)))
            rest.removeFirst(count)
        }
        let cut = decoded(pieces)
        precondition(whole.frames == cut.frames && whole.fault == cut.fault, "a cut changes what is read")
    }

    private static func decoded(_ pieces: [[UInt8]]) -> (frames: [Frame], fault: ProtocolFault?) {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for piece in pieces {
            decoder.receive(piece)
            do {
                while let frame = try decoder.next() {
                    precondition(frame.payload.count <= Frame.mostPayload, "a frame over its limit")
                    frames.append(frame)
                }
            } catch {
                return (frames, error)
            }
            precondition(decoder.payloadRoom <= 2 * Frame.mostPayload, "room for more than a frame")
        }
        return (frames, nil)
    }

    // MARK: A session

    private static let key = BoxKey((0..<32).map { UInt8($0) })
    private static let hubNonce = String(repeating: "11", count: 32)
    private static let boxNonce = String(repeating: "ab", count: 32)

    /// A welcomed hub says anything in good frames (a byte for the type, then the payload up to a zero byte): the box's own
    /// frames stay whole and in their order, and after its end it says nothing more.
    static func session(_ bytes: [UInt8]) {
        guard let key else { preconditionFailure("32 bytes are a key") }
        var hub = FrameEncoder()
        var ear = FrameDecoder()
        var box = BoxSession(.init(box: "counter-1", key: key, firmware: "1.0.0"), channel: "plain", nonce: boxNonce)
        let proof = HandshakeProof(box: "counter-1", hubNonce: hubNonce, boxNonce: boxNonce, channel: "plain")
        let hello = #"{"role":"hub","hub":"till","nonce":"\#(hubNonce)","time":1795946700000,"heartbeat":30}"#
        let welcome = #"{"proof":"\#(proof.text(of: .hub, key: key))"}"#
        _ = hear(box.start(at: start), &ear)
        _ = hear(box.received(hub.encode(.hello, Array(hello.utf8)), at: start), &ear)
        _ = hear(box.received(hub.encode(.welcome, Array(welcome.utf8)), at: start), &ear)
        precondition(box.hub != nil, "the handshake holds")
        var now = start
        for part in parts(bytes, 64) {
            guard let first = part.first else { continue }
            let type = FrameType.allCases[Int(first) % FrameType.allCases.count]
            now = now + .milliseconds(Int(first))
            answer(hear(box.received(hub.encode(type, Array(part.dropFirst())), at: now), &ear), &box, &ear, at: now)
        }
        _ = hear(box.timer(.tell, at: now + .seconds(1)), &ear)
        _ = hear(box.close(.closing, at: now), &ear)
        precondition(box.received(hub.encode(.ping), at: now).isEmpty, "something is said after the end")
    }

    private static func answer(
        _ pushes: [ReceivedPush], _ box: inout BoxSession, _ ear: inout FrameDecoder, at now: Moment
    ) {
        for push in pushes {
            let answer: PushAnswer =
                switch push.payment {
                case .success: .accepted
                case .failure(let refusal): .refused(refusal, detail: nil)
                }
            _ = hear(box.answer(push.sequence, answer, at: now), &ear)
            guard case .success = push.payment else { continue }
            let end = PushOutcome(
                id: push.id, voice: .announced, paper: .sent, token: OutcomeToken(Int64(push.sequence)))
            _ = hear(box.outcome(end, at: now), &ear)
        }
    }

    private static func hear(_ outputs: [BoxSessionOutput], _ ear: inout FrameDecoder) -> [ReceivedPush] {
        var pushes: [ReceivedPush] = []
        for output in outputs {
            switch output {
            case .send(let bytes): ear.receive(bytes)
            case .push(let push): pushes.append(push)
            default: break
            }
        }
        do {
            while let frame = try ear.next() { _ = try frame.object() }
        } catch {
            preconditionFailure("the box sends a frame that is none")
        }
        return pushes
    }

    // MARK: JSON and bodies

    /// What is read and written again is the same value; JSON5 takes all that JSON does, as the same value.
    static func json(_ bytes: [UInt8]) {
        if let value = try? JSONReader.read(bytes) {
            guard let again = try? JSONReader.read(value.bytes) else { preconditionFailure("our own JSON is not read") }
            precondition(again == value && again.bytes == value.bytes, "JSON changes on its way")
            guard let five = try? JSONReader.read(bytes, as: .json5) else { preconditionFailure("JSON is JSON5") }
            precondition(five == value, "JSON5 reads JSON otherwise")
        }
        if let value = try? JSONReader.read(bytes, as: .json5) {
            precondition((try? JSONReader.read(value.bytes)) == value, "JSON5 is written as JSON")
        }
    }

    /// A body that is taken has an amount within the limits, or is a notice; the journal's copy is read as the same.
    static func body(_ bytes: [UInt8]) {
        guard let body = try? JSONReader.read(bytes) else { return }
        judge(PaymentReader.read(body))
        guard let copy = try? JSONReader.read(body.bytes) else { preconditionFailure("the journal's copy is not read") }
        precondition(PaymentReader.read(copy) == PaymentReader.read(body), "the journal's copy is another payment")
    }

    /// A phone's alert in any words.
    static func alert(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        judge(PaymentReader.read(.object(["aps": .object(["alert": .string(text)])])))
        judge(
            PaymentReader.read(
                .object(["aps": .object(["alert": .object(["title": .string(text), "body": .string(text)])])])))
    }

    private static func judge(_ read: Result<Payment, PushRefusal>) {
        guard case .success(let payment) = read else { return }
        guard let amount = payment.amount else {
            precondition(payment.kind == .notice, "a payment without an amount")
            return
        }
        precondition((0...999_999_999_999).contains(amount.minor), "an amount out of range")
    }
}
