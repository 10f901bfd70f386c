// What `trace on` shows, and what it never shows.

import BoxFoundation
import PushProtocol
import Testing

@Suite("Trace of frames")
struct FrameTraceTests {
    static func frame(_ type: FrameType, _ payload: String) -> Frame {
        Frame(type: type, sequence: 12, payload: Array(payload.utf8))
    }

    @Test(
        "A frame is one line, without nonce and proof",
        arguments: [
            (frame(.result, #"{"id":"a","state":"accepted"}"#), #"> 12 RESULT {"id":"a","state":"accepted"}"#),
            (frame(.ping, ""), "> 12 PING {}"),
            (
                frame(.hello, #"{"role":"hub","nonce":"11","proof":"22","heartbeat":30}"#),
                #"> 12 HELLO {"role":"hub","nonce":"…","proof":"…","heartbeat":30}"#
            ),
            (frame(.welcome, #"{"pr\u006fof":"22"}"#), #"> 12 WELCOME {"proof":"…"}"#),
            (frame(.welcome, #"{"proof":"22""#), "> 12 WELCOME (13 bytes that are no JSON object)"),
            (frame(.push, #"{"id":"a\nb"}"#), #"> 12 PUSH {"id":"a\nb"}"#),
        ])
    func lines(frame: Frame, line: String) {
        #expect(FrameTrace.line(frame, .sent) == line)
    }

    @Test("A long payload is cut and its length told")
    func long() {
        let line = FrameTrace.line(Self.frame(.push, #"{"id":"\#(String(repeating: "好", count: 200))"}"#), .received)
        #expect(line.hasPrefix(#"< 12 PUSH {"id":"好"#) && line.hasSuffix("好… (609 bytes)") && line.utf8.count < 440)
    }

    @Test("A traced session shows both directions and none of its secrets")
    func session() throws {
        var box = BoxSession(identity(), channel: "plain", nonce: boxNonce)
        var hub = RawPeer()
        box.isTraced = true
        var outputs = box.start(at: start)
        outputs += box.received(hub.frame(.hello, #"{"role":"hub","nonce":"\#(hubNonce)"}"#), at: start)
        outputs += box.received(hub.frame(.welcome, #"{"proof":"\#(String(repeating: "0", count: 64))"}"#), at: start)
        let lines = outputs.compactMap { if case .trace(let line) = $0 { line } else { nil } }
        #expect(
            lines == [
                #"< 1 HELLO {"role":"hub","nonce":"…"}"#,
                #"> 1 HELLO {"role":"box","box":"counter-1","nonce":"…","firmware":"1.0.0","proof":"…"}"#,
                #"< 2 WELCOME {"proof":"…"}"#, #"> 2 BYE {"reason":"unauthorized"}"#,
            ])
    }
}
