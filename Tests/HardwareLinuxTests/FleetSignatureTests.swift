// A signature that cnats leaves out, and a server that turns away whoever shows none.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

@Suite("A fleet's box shows its signature")
struct FleetSignatureTests {
    /// With the key below, Ed25519's signature of this nonce begins with a byte 0; that of the second one does not.
    private static let nonces = ["nonce-000000292", "nonce-000000001"]
    private static let info =
        #"{"server_id":"A","version":"2.9.10","headers":true,"max_payload":131072,"auth_required":true"#

    private let loop: EpollLoop
    private let folder = TemporaryFolder()
    private let log = SilentLog()

    init() throws { loop = try EpollLoop() }

    @Test("A signature that begins with 0 costs one more try, and no refusal")
    func zero() throws {
        let key = try #require(NKey(Array(0..<32)))
        folder.write(Array(key.seed.utf8), to: "box.nkey")
        let server = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log)
        let fleet = try NATSFleet(
            NATSFleet.Settings(
                servers: ["nats://\(server.address)"], usesTLS: false, ca: nil, credentials: folder.path + "/box.nkey",
                name: "box-1"), on: loop)
        fleet.dial()
        var greeted = 0
        var outcome: FleetEvent?
        loop.run {
            while let event = loop.next() {
                switch event {
                case .network(.opened(let connection, _)):
                    let nonce = Self.nonces[min(greeted, 1)]
                    greeted += 1
                    server.send(Array("INFO \(Self.info),\"nonce\":\"\(nonce)\"}\r\n".utf8), on: connection)
                case .network(.received(let connection, let bytes)): answer(bytes, on: connection, of: server)
                case .fleet(let event): if case nil = outcome { outcome = event }
                default: break
                }
            }
            return outcome != nil
        }
        guard case .opened? = outcome else {
            Issue.record("\(String(describing: outcome)) after \(greeted) tries")
            return
        }
        #expect(greeted == 2)
    }

    /// As nats-server does.
    private func answer(_ bytes: [UInt8], on connection: ConnectionID, of server: TCPListener) {
        let said = String(decoding: bytes, as: UTF8.self)
        if said.contains("CONNECT"), !said.contains("\"sig\"") {
            server.send(Array("-ERR 'Authorization Violation'\r\n".utf8), on: connection)
            server.close(connection)
        } else if said.contains("PING") {
            server.send(Array("PONG\r\n".utf8), on: connection)
        }
    }
}
