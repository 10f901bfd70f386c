// Who may make the box speak (`docs/push-protocol.md`, Handshake).

import BoxFoundation
import PushProtocol
import Testing

@Suite("Handshake")
struct HandshakeTests {
    static func proof(_ channel: String = "plain", box: String = "counter-1") -> HandshakeProof {
        HandshakeProof(box: box, hubNonce: hubNonce, boxNonce: boxNonce, channel: channel)
    }

    // Made with Python: hmac.new(bytes(range(32)), b"counterbox-1|box|counter-1|1111…|abab…|plain", "sha256").
    @Test(
        "Proofs are those that another implementation makes",
        arguments: [
            ("plain", HandshakeProof.Side.box, "b1b3787c5f2275cecc4a887baeac348886169a546ac3059071ee4e4b0162ec4e"),
            ("plain", .hub, "a16e1bc46667a86ed5fb7e9adf2a75a127f2badea79e065b41e09f14c15a2a4a"),
            (
                String(repeating: "c0", count: 32), .box,
                "5c40bf458726d1a5631e830ae4c53fb53db4a85d650d95b707756f397af3f56f"
            ),
            (
                String(repeating: "c0", count: 32), .hub,
                "11025384455f5aeaac25a6cc9a399bdd355d40441b477a7eb60dcc1200a753f9"
            ),
        ])
    func vectors(channel: String, side: HandshakeProof.Side, text: String) {
        #expect(Self.proof(channel).text(of: side, key: key()) == text)
        #expect(Self.proof(channel).isRight(text, of: side, key: key()))
    }

    @Test("A proof of another side, box, channel, key, case or length is wrong")
    func wrongProofs() throws {
        let right = "b1b3787c5f2275cecc4a887baeac348886169a546ac3059071ee4e4b0162ec4e"
        #expect(!Self.proof().isRight(right, of: .hub, key: key()))
        #expect(!Self.proof(box: "counter-2").isRight(right, of: .box, key: key()))
        #expect(!Self.proof(String(repeating: "c0", count: 32)).isRight(right, of: .box, key: key()))
        #expect(!Self.proof().isRight(right, of: .box, key: key(1)))
        for text in [right.uppercased(), String(right.dropLast()), right + "00", "", String(right.dropLast(2)) + "4f"] {
            #expect(!Self.proof().isRight(text, of: .box, key: key()), "\(text)")
        }
    }

    @Test("A key is 64 lower-case hex digits, and no print of it shows them")
    func keys() throws {
        let hex = String(repeating: "0f", count: 32)
        let key = try #require(BoxKey(hex: hex))
        #expect(key.hex == hex)
        var dumped = ""
        dump(key, to: &dumped)
        dump(BoxSession(identity(), channel: "plain", nonce: boxNonce).self, to: &dumped)
        for shown in ["\(key)", String(reflecting: key), "\([key])", dumped] {
            #expect(!shown.contains("15") && !shown.contains("0f0f"), "\(shown)")
        }
        for bad in [hex.uppercased(), String(hex.dropLast(2)), hex + "00", "", "zz" + hex.dropFirst(2)] {
            #expect(BoxKey(hex: bad) == nil)
        }
        #expect(BoxKey([1, 2, 3]) == nil)
    }

    @Test("The box answers HELLO with its own and waits for WELCOME")
    func helloes() throws {
        let table = try BoxTable()
        let hello = try #require(table.greeting.first)
        #expect(
            hello.line
                == #"hello {"role":"box","box":"counter-1","nonce":"\#(boxNonce)","firmware":"1.0.0","proof":"#
                + #""b1b3787c5f2275cecc4a887baeac348886169a546ac3059071ee4e4b0162ec4e"}"#)
        #expect(table.greeting.count == 1)
        #expect(table.box.hub?.hub == "till")
    }

    @Test("A wrong proof of the hub ends in unauthorized, and nothing of its HELLO takes effect")
    func strangeHub() throws {
        var table = try BoxTable(welcomed: false)
        _ = try table.lines(table.hears(.hello, #"{"role":"hub","hub":"till","nonce":"\#(hubNonce)"}"#))
        let outputs = table.hears(.welcome, #"{"proof":"\#(String(repeating: "0", count: 64))"}"#)
        #expect(outputs.end == .byUs(.unauthorized))
        #expect(outputs.last == .close)
        #expect(table.box.hub == nil)
        #expect(!outputs.contains { if case .welcomed = $0 { true } else { false } })
        #expect(try table.lines(outputs).last == #"bye {"reason":"unauthorized"}"#)
        #expect(table.push("a") == [])
    }

    @Test(
        "A HELLO out of form is a protocol error",
        arguments: [
            #"{"hub":"till","nonce":"\#(hubNonce)"}"#,
            #"{"role":"box","hub":"till","nonce":"\#(hubNonce)"}"#,
            #"{"role":"hub","hub":"till"}"#,
            #"{"role":"hub","hub":"till","nonce":"\#(hubNonce.dropLast())"}"#,
            #"{"role":"hub","hub":"till","nonce":"\#(hubNonce)00"}"#,
            #"{"role":"hub","hub":"till","nonce":"AB\#(hubNonce.dropFirst(2))"}"#,
            #"{"role":"hub","hub":"a b","nonce":"\#(hubNonce)"}"#,
            #"{"role":"hub","hub":"é","nonce":"\#(hubNonce)"}"#,
            #"{"role":"hub","hub":"\#(String(repeating: "a", count: 65))","nonce":"\#(hubNonce)"}"#,
            #"{"role":"hub","hub":7,"nonce":"\#(hubNonce)"}"#,
            #"{"role":"hub","hub":"K","nonce":"\#(hubNonce)"}"#.replacing("K", with: "\u{212A}"),
        ])
    func badHellos(payload: String) throws {
        var table = try BoxTable(welcomed: false)
        #expect(table.hears(.hello, payload).end == .byUs(.badPayload))
    }

    @Test(
        "A hub's name may be missing, empty or 64 bytes",
        arguments: [
            ("", #"{"role":"hub","nonce":"\#(hubNonce)"}"#),
            ("", #"{"role":"hub","hub":"","nonce":"\#(hubNonce)"}"#),
            (
                String(repeating: "Z", count: 64),
                #"{"role":"hub","hub":"\#(String(repeating: "Z", count: 64))","nonce":"\#(hubNonce)","new":[1]}"#
            ),
            ("A-z_0", #"{"role":"hub","hub":"A-z_0","nonce":"\#(hubNonce)"}"#),
        ])
    func hubNames(name: String, payload: String) throws {
        let table = try BoxTable(hello: payload)
        #expect(table.box.hub?.hub == name)
    }

    @Test(
        "A heartbeat is taken into 10 to 120 s, a spread into 0 to 600, and both have defaults",
        arguments: [
            (#""heartbeat":30,"spread":60"#, 30, 60), (#""heartbeat":1,"spread":601"#, 10, 600),
            (#""heartbeat":9999,"spread":-1"#, 120, 0), (#""heartbeat":"30""#, 30, 0), (#""x":1"#, 30, 0),
            (#""heartbeat":null,"spread":1e99"#, 30, 600), (#""heartbeat":-5"#, 30, 0), (#""heartbeat":45.9"#, 45, 0),
        ])
    func timing(names: String, heartbeat: Int64, spread: Int64) throws {
        let table = try BoxTable(hello: #"{"role":"hub","nonce":"\#(hubNonce)",\#(names)}"#)
        #expect(table.box.hub?.heartbeat.seconds == heartbeat)
        #expect(table.box.hub?.spread.seconds == spread)
    }

    @Test(
        "Before WELCOME every other frame is out of turn",
        arguments: [
            FrameType.push, .ping, .pong, .command, .result, .status, .reply, .welcome,
        ])
    func beforeHello(type: FrameType) throws {
        var table = try BoxTable(welcomed: false)
        #expect(table.hears(type).end == .byUs(.outOfTurn))
    }

    @Test(
        "Between HELLO and WELCOME every other frame is out of turn",
        arguments: [
            FrameType.push, .ping, .pong, .command, .result, .status, .reply, .hello,
        ])
    func beforeWelcome(type: FrameType) throws {
        var table = try BoxTable(welcomed: false)
        _ = table.hears(.hello, #"{"role":"hub","nonce":"\#(hubNonce)"}"#)
        #expect(table.hears(type).end == .byUs(.outOfTurn))
    }

    @Test(
        "After WELCOME what a hub may not send is out of turn",
        arguments: [
            FrameType.hello, .welcome, .result, .status, .reply,
        ])
    func afterWelcome(type: FrameType) throws {
        var table = try BoxTable()
        #expect(table.hears(type).end == .byUs(.outOfTurn))
    }

    @Test("A payload is judged before the turn")
    func payloadBeforeTurn() throws {
        var table = try BoxTable()
        #expect(table.hears(.result, "[]").end == .byUs(.badPayload))
    }

    @Test(
        "A WELCOME without a proof in form is a protocol error",
        arguments: [
            "{}", #"{"proof":""}"#, #"{"proof":7}"#, #"{"proof":"\#(String(repeating: "A", count: 64))"}"#,
        ])
    func badWelcome(payload: String) throws {
        var table = try BoxTable(welcomed: false)
        _ = table.hears(.hello, #"{"role":"hub","nonce":"\#(hubNonce)"}"#)
        #expect(table.hears(.welcome, payload).end == .byUs(.badPayload))
    }

    @Test("A handshake that is not finished in 10 s is closed, earlier is too early, and later is too late")
    func handshakeTimeout() throws {
        var box = BoxSession(identity(), channel: "plain", nonce: boxNonce)
        let due = try #require(box.start(at: start).timer(.handshake))
        #expect(due == start + .seconds(10))
        #expect(box.timer(.handshake, at: due + .milliseconds(-1)).end == nil)
        #expect(box.timer(.handshake, at: due).end == .byUs(.handshakeTimeout))
        #expect(box.timer(.handshake, at: due) == [])

        var table = try BoxTable()
        #expect(table.box.timer(.handshake, at: due + .seconds(60)) == [])
    }

    /// The third frame of a welcomed connection, spoilt in one way each.
    static let spoilt: [(ProtocolFault, [UInt8])] = [
        (.badMagic, FrameTests.header(magic: 0x0BAD, sequence: 3)),
        (.badVersion, FrameTests.header(version: 2, sequence: 3)),
        (.badType, FrameTests.header(type: 0x40, sequence: 3)),
        (.tooLong, FrameTests.header(sequence: 3, length: .max)),
        (.badSequence, FrameTests.header(sequence: 2)),
        (.badChecksum, FrameTests.header(sequence: 3, checksum: 1)),
        (.badPayload, third(.ping, "[]")),
        (.outOfTurn, third(.hello, "{}")),
    ]

    static func third(_ type: FrameType, _ payload: String) -> [UInt8] {
        var encoder = FrameEncoder(sequence: 3)
        return encoder.encode(type, Array(payload.utf8))
    }

    @Test("Every protocol error ends the connection with its own reason", arguments: spoilt)
    func everyFault(fault: ProtocolFault, bytes: [UInt8]) throws {
        var table = try BoxTable()
        let outputs = table.box.received(bytes, at: start)
        #expect(try table.lines(outputs) == [#"bye {"reason":"\#(fault.rawValue)"}"#])
        let reason = ByeReason(fault)
        #expect(outputs.suffix(2) == [.ended(.byUs(reason)), .close] && reason.isProtocolError)
    }

    @Test("Both sides end with a fault and its reason; what a hub sent before it is not lost")
    func faultReasons() throws {
        for fault in ProtocolFault.allCases { #expect(ByeReason(fault).rawValue == fault.rawValue) }
        var table = try BoxTable()
        let good = table.hub.frame(.push, #"{"id":"a","body":{"kind":"payment","amount":"1"}}"#)
        let outputs = table.box.received(good + [UInt8](repeating: 0, count: 16), at: start)
        #expect(outputs.pushes.map(\.id) == ["a"])
        #expect(outputs.end == .byUs(.badMagic))
        #expect(try table.lines(outputs) == [#"bye {"reason":"bad-magic"}"#])
        #expect(table.box.answer(outputs.pushes[0].sequence, .accepted, at: start) == [])
    }

    @Test(
        "A BYE of the hub ends the session in every phase",
        arguments: [
            (#"{"reason":"replaced"}"#, "replaced"), (#"{"reason":"a\nb"}"#, ""), ("", ""), (#"{"reason":5}"#, ""),
            (#"{"reason":"\#(String(repeating: "好", count: 40))"}"#, String(repeating: "好", count: 21)),
        ])
    func theirBye(payload: String, reason: String) throws {
        for welcomed in [false, true] {
            var table = try BoxTable(welcomed: welcomed)
            #expect(table.hears(.bye, payload) == [.ended(.byPeer(reason)), .close])
            #expect(table.push("a") == [])
        }
    }

    @Test("A newer connection of a hub's name takes the older one's place")
    func roster() {
        var roster = HubRoster<Int>()
        #expect(roster.welcomed("till", 1) == nil)
        #expect(roster.welcomed("", 2) == nil)
        #expect(roster.welcomed("till", 3) == 1)
        #expect(roster.connection(of: "till") == 3)
        #expect(roster.closed(1) == nil)
        #expect(roster.connection(of: "till") == 3)
        #expect(roster.closed(3) == "till")
        #expect(roster.connection(of: "till") == nil)
        #expect(roster.entries.map(\.hub) == [""])
    }
}
