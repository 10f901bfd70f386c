// The hub and boxes that dial it, over loopback.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol
import TestSupport
import Testing
import counterdesk

@Suite("The hub")
struct HubServerTests {
    private static let key = String(repeating: "0a", count: 32)
    private let folder = TemporaryFolder()

    init() { folder.write(Array("box-a \(Self.key)\nbox-b \(Self.key)\n".utf8), to: "keys") }

    @Test("A push for one goes to one, a push for all to all, and each RESULT is a line")
    func delivery() throws {
        let bench = try HubBench(folder)
        let a = try bench.box("box-a", key: Self.key)
        let b = try bench.box("box-b", key: Self.key)
        bench.run { a.isWelcomed && b.isWelcomed }
        bench.server.take(lines: [
            #"{"box":"box-a","id":"x","body":{"kind":"payment","amount":"1.00"}}"#,
            #"{"id":"y","body":{"kind":"payment","amount":"2.00"}}"#,
        ])
        bench.run { bench.lines.count == 6 }
        #expect(a.ids == ["x", "y"] && b.ids == ["y"])
        #expect(
            bench.lines.filter { $0["box"] == "box-a" && $0["id"] == "x" }.map { $0["state"] } == ["accepted", "done"])
        #expect(bench.lines.filter { $0["box"] == "box-b" }.map { $0["voice"] } == [nil, "silent"])
        // The outcome is told only when the hub has kept it.
        bench.run { a.told == 2 && b.told == 1 }
        #expect(a.told == 2 && b.told == 1)
    }

    @Test(
        "What a box has not answered comes again to its next connection, over a hub that died too, in the first order")
    func again() throws {
        var bench: HubBench? = try HubBench(folder)
        let silent = try bench?.box("box-a", key: Self.key, answers: false)
        bench?.server.take(
            lines: (1...300).map { #"{"box":"box-a","id":"p\#($0)","body":{"kind":"notice","say":"\#($0)"}}"# })
        bench?.run { silent?.ids.count == 256 }
        // Never more than the window.
        #expect(silent?.ids.count == 256)
        bench = nil
        bench = try HubBench(folder)
        let box = try #require(bench).box("box-a", key: Self.key)
        bench?.run { box.told == 300 }
        #expect(box.ids == (1...300).map { "p\($0)" })
        bench = nil
        bench = try HubBench(folder)
        let last = try #require(bench).box("box-a", key: Self.key)
        bench?.run { last.isWelcomed }
        bench?.turn()
        #expect(last.ids.isEmpty)
    }

    @Test("A box that comes anew takes the place of its old connection, with all that waits")
    func replaced() throws {
        let bench = try HubBench(folder)
        let old = try bench.box("box-a", key: Self.key, answers: false)
        bench.server.take(lines: [#"{"box":"box-a","id":"x","body":{"kind":"notice","say":"x"}}"#])
        bench.run { old.ids == ["x"] }
        let new = try bench.box("box-a", key: Self.key)
        bench.run { new.told == 1 && old.end != nil }
        #expect(new.ids == ["x"])
        #expect(old.end == .byPeer("replaced"))
    }

    @Test("An unknown box and a wrong key hear the same", arguments: ["box-c", "box-a"])
    func unauthorized(name: String) throws {
        let bench = try HubBench(folder)
        let key = name == "box-a" ? String(repeating: "0b", count: 32) : Self.key
        let box = try bench.box(name, key: key)
        bench.run { box.end != nil }
        #expect(box.end == .byPeer("unauthorized"))
    }
}

/// A hub and its boxes, each side with its own loop, turned by hand.
private final class HubBench {
    let server: HubServer
    private let hubLoop: EpollLoop
    private let boxLoop: EpollLoop
    private let network: TCPClient
    private var boxes: [ConnectionID: DialledBox] = [:]
    var lines: [JSON] { output.lines }
    private let output = Output()

    private final class Output {
        var lines: [JSON] = []
    }

    init(_ folder: TemporaryFolder) throws {
        hubLoop = try EpollLoop()
        boxLoop = try EpollLoop()
        let output = output
        server = try HubServer(
            HubSettings(address: "127.0.0.1:0", store: folder.path + "/hub.sqlite"),
            keys: HubKeys.load(folder.path + "/keys"), on: hubLoop,
            say: { if let json = try? JSONReader.read($0) { output.lines.append(json) } })
        network = TCPClient(on: boxLoop)
    }

    func box(_ name: String, key: String, answers: Bool = true) throws -> DialledBox {
        let identity = BoxSession.Identity(box: name, key: try #require(BoxKey(hex: key)), firmware: "test")
        let box = DialledBox(identity, network, number: boxes.count + 1, answers: answers)
        boxes[network.dial([server.address])] = box
        return box
    }

    /// Turns both sides until it is so, for ten seconds at most.
    func run(until isDone: () -> Bool) {
        let limit = hubLoop.now + .seconds(10)
        while !isDone(), hubLoop.now < limit { turn() }
    }

    func turn() {
        hubLoop.wait(until: hubLoop.now + .milliseconds(1))
        #expect(throws: Never.self) { try server.turn() }
        boxLoop.wait(until: boxLoop.now + .milliseconds(1))
        while case .network(let event)? = boxLoop.next() {
            switch event {
            case .opened(let id, _): boxes[id]?.opened(id, at: boxLoop.now)
            case .received(let id, let bytes): boxes[id]?.received(bytes, at: boxLoop.now)
            case .closed, .distrusted: break
            }
        }
        for (_, box) in boxes.sorted(by: { $0.key < $1.key }) { box.fire(at: boxLoop.now) }
    }
}

/// A box's session that takes every push, and ends it in silence.
private final class DialledBox {
    private(set) var ids: [String] = []
    private(set) var told = 0
    private(set) var end: SessionEnd?
    private var session: BoxSession
    private var connection: ConnectionID?
    private var timers: [SessionTimer: Moment] = [:]
    private let network: TCPClient
    private let answers: Bool

    init(_ identity: BoxSession.Identity, _ network: TCPClient, number: Int, answers: Bool) {
        var random = SeededRandom(seed: UInt64(number))
        session = BoxSession(identity, channel: "plain", nonce: Nonce.random(using: &random))
        self.network = network
        self.answers = answers
    }

    var isWelcomed: Bool { session.hub != nil }

    func opened(_ id: ConnectionID, at now: Moment) {
        connection = id
        take(session.start(at: now), at: now)
    }

    func received(_ bytes: [UInt8], at now: Moment) { take(session.received(bytes, at: now), at: now) }

    func fire(at now: Moment) {
        for timer in SessionTimer.allCases where timers[timer].map({ $0 <= now }) ?? false {
            timers[timer] = nil
            take(session.timer(timer, at: now), at: now)
        }
    }

    private func take(_ first: [BoxSessionOutput], at now: Moment) {
        var outputs = first
        while !outputs.isEmpty {
            switch outputs.removeFirst() {
            case .send(let bytes): if let connection { network.send(bytes, on: connection) }
            case .close: if let connection { network.close(connection) }
            case .ended(let end): self.end = end
            case .timer(let timer, let moment): timers[timer] = moment
            case .push(let push):
                ids.append(push.id)
                guard answers else { continue }
                outputs += session.answer(push.sequence, .accepted, at: now)
                let token = OutcomeToken(Int64(ids.count))
                outputs += session.outcome(
                    PushOutcome(id: push.id, voice: .silent, paper: .none, token: token), at: now)
            case .told(let tokens): told += tokens.count
            case .welcomed, .command, .log, .trace, .fleet, .fleetFault: break
            }
        }
    }
}
