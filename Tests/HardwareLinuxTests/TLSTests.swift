import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol
import TestSupport
import Testing

/// A server certificate and what the box trusts.
struct TrustCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Hosts of the server's certificate.
    var hosts = "DNS:localhost,IP:127.0.0.1"
    var years = 2026...2036
    var isSelfSigned = false
    /// Trusts another CA than the one that signed.
    var trustsStranger = false
    /// Trusts the server's own certificate and no CA.
    var isPinned = false
    var host = "localhost"
    var year = 2027
    /// nil: it connects.
    var fault: CertificateFault?
}

@Suite("TLS")
struct TLSTests {
    private let loop: EpollLoop
    private let log = SilentLog()
    private let folder = TemporaryFolder()
    private let ca = TestCertificate("the right CA")

    init() throws { loop = try EpollLoop() }

    @Test(
        "A server is believed by its signer, its name and its dates, and a refusal names which of them was wrong",
        arguments: [
            TrustCase(testDescription: "right CA, name"),
            TrustCase(testDescription: "right CA, number", host: "127.0.0.1"),
            TrustCase(testDescription: "pinned server", isPinned: true),
            TrustCase(testDescription: "pinned self-signed server", isSelfSigned: true, isPinned: true),
            TrustCase(testDescription: "wrong CA", trustsStranger: true, fault: .wrongCA),
            TrustCase(testDescription: "self-signed", isSelfSigned: true, fault: .selfSigned),
            TrustCase(testDescription: "another name", hosts: "DNS:hub.example", fault: .wrongHost),
            TrustCase(testDescription: "another number", hosts: "IP:127.0.0.2", host: "127.0.0.1", fault: .wrongHost),
            TrustCase(
                testDescription: "a name for a number", hosts: "DNS:127.0.0.1", host: "127.0.0.1", fault: .wrongHost),
            TrustCase(testDescription: "part of a wildcard", hosts: "DNS:local*", fault: .wrongHost),
            TrustCase(testDescription: "expired", years: 2026...2028, year: 2029, fault: .expired),
            TrustCase(testDescription: "not yet valid", years: 2028...2036, fault: .notYetValid),
            TrustCase(testDescription: "a clock that was never set", year: 1970, fault: .notYetValid),
        ])
    func trust(trust: TrustCase) throws {
        let server = TestCertificate(
            "server", hosts: trust.hosts, signedBy: trust.isSelfSigned ? nil : ca,
            from: TestCertificate.year(trust.years.lowerBound), until: TestCertificate.year(trust.years.upperBound))
        let listener = try listen(server)
        let trusted = trust.trustsStranger ? TestCertificate("a stranger") : trust.isPinned ? server : ca
        let client = client(trusting: trusted)
        let time = trust.year == 1970 ? WallTime(milliseconds: 0) : TestCertificate.year(trust.year)
        let id = client.dial(try place(listener, host: trust.host), judgingAt: time)
        var events: [NetworkEvent] = []
        collect(&events) { events in
            trust.fault == nil
                ? events.count == 2 : events.contains { if case .closed(id, _) = $0 { true } else { false } }
        }
        guard let fault = trust.fault else {
            let channels = events.map { if case .opened(_, let peer) = $0 { peer.channel } else { "none" } }
            #expect(channels == [server.digest, server.digest])
            return
        }
        #expect(events.count == 2)
        #expect(events.first == .distrusted(id, fault))
        guard case .closed(id, let cause)? = events.last else {
            Issue.record("no end")
            return
        }
        #expect(cause.hasPrefix(fault.message))
        collect(&events) { _ in !log.entries.isEmpty }
        #expect(log.entries.first?.text.contains("is not taken: TLS failed") == true)
    }

    @Test("A box whose clock stands at 1970 connects by the floor of its clock")
    func floor() throws {
        let listener = try listen(TestCertificate("server", hosts: "IP:127.0.0.1", signedBy: ca))
        let clock = HubClock(buildDate: Firmware.released, saved: nil)
        let time = clock.time(system: WallTime(milliseconds: 0), isSynchronised: false)
        let client = client(trusting: ca)
        _ = client.dial(try place(listener), judgingAt: time)
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 2 }
        #expect(events.allSatisfy { if case .opened = $0 { true } else { false } })
    }

    @Test("Megabytes go both ways, in order, and a close sends what is queued first")
    func bytes() throws {
        let listener = try listen(TestCertificate("server", hosts: "IP:127.0.0.1", signedBy: ca))
        let client = client(trusting: ca)
        let id = client.dial(try place(listener), judgingAt: TestCertificate.year(2027))
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 2 }
        var random = SeededRandom(seed: 1)
        let up = random.bytes(900_000)
        let down = random.bytes(500_000)
        // Both devices number their connections from 1, so that one id names both ends.
        client.send(up, on: id)
        client.close(id)
        listener.send(down, on: id)
        events = []
        collect(&events) { events in events.filter { if case .closed = $0 { true } else { false } }.count == 2 }
        let received = events.flatMap { if case .received(_, let bytes) = $0 { bytes } else { [UInt8]() } }
        #expect(received.count >= up.count)
        #expect(Array(received.suffix(up.count)) == up || received == up)
        let causes = events.compactMap { if case .closed(_, let cause) = $0 { cause } else { nil } }
        #expect(causes.allSatisfy { $0 == "closed" || $0 == "closed by the other side" }, "\(causes)")
    }

    @Test("Whoever speaks no TLS is not heard of, and takes nobody's place")
    func plain() throws {
        let listener = try listen(TestCertificate("server", hosts: "IP:127.0.0.1", signedBy: ca))
        let stranger = TCPClient(on: loop) { _ in }
        for _ in 0..<(TLSListener.mostHandshakes + 4) {
            _ = stranger.dial([listener.address])
        }
        let client = client(trusting: ca)
        var events: [NetworkEvent] = []
        collect(&events) { _ in log.entries.count >= 4 }
        #expect(log.entries.allSatisfy { $0.text.contains("too many handshakes are under way") })
        _ = client.dial(try place(listener), judgingAt: TestCertificate.year(2027))
        collect(&events) { $0.count == 2 }
        #expect(events.allSatisfy { if case .opened = $0 { true } else { false } })
    }

    @Test("What is no TLS ends in words, on both sides")
    func garbage() throws {
        let listener = try listen(TestCertificate("server", hosts: "IP:127.0.0.1", signedBy: ca))
        let stranger = TCPClient(on: loop)
        let id = stranger.dial([listener.address])
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 1 }
        stranger.send(Array("GET / HTTP/1.0\r\n\r\n".utf8), on: id)
        collect(&events) { _ in !log.entries.isEmpty }
        #expect(log.entries.first?.text.contains("TLS failed: http request") == true)

        let plain = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log) { _ in }
        let client = client(trusting: ca)
        let dialled = client.dial(
            try #require(HostAndPort(plain.address.description)), judgingAt: .init(milliseconds: 0))
        events = []
        loop.schedule(at: loop.now + .milliseconds(20)) { client.close(dialled) }
        collect(&events) { $0.contains { if case .closed(dialled, _) = $0 { true } else { false } } }
    }

    @Test(
        "Files that cannot be used are named: the CA's, the certificate's, a key that others can read or of another certificate"
    )
    func files() throws {
        let server = TestCertificate("server", hosts: "IP:127.0.0.1", signedBy: ca)
        folder.write(server.text, to: "server.pem")
        folder.write(server.keyText, to: "open.key", mode: 0o644)
        folder.write(ca.keyText, to: "other.key")
        func fault(_ certificate: String, _ key: String) -> String {
            do throws(TLSSetupFault) {
                _ = try TLSContext.server(certificate: "\(folder.path)/\(certificate)", key: "\(folder.path)/\(key)")
                return "none"
            } catch {
                return error.message
            }
        }
        #expect(fault("missing.pem", "open.key").contains("missing.pem cannot be used"))
        #expect(fault("server.pem", "open.key").contains("can be read by others: chmod 600"))
        #expect(fault("server.pem", "other.key").contains("must be the certificate's"))

        let listener = try listen(server)
        let client = TLSClient(on: loop, ca: folder.path + "/none.pem")
        let id = client.dial(try place(listener), judgingAt: TestCertificate.year(2027))
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 1 }
        guard case .closed(id, let cause)? = events.first else {
            Issue.record("no end")
            return
        }
        #expect(cause.contains("none.pem cannot be used"))
    }

    // MARK: - The bench

    private func listen(_ server: TestCertificate) throws -> TLSListener {
        folder.write(server.text + ca.text, to: "listener.pem")
        folder.write(server.keyText, to: "listener.key")
        let context = try TLSContext.server(
            certificate: folder.path + "/listener.pem", key: folder.path + "/listener.key")
        return try TLSListener(on: "127.0.0.1:0", context, loop: loop, log: log)
    }

    private func client(trusting certificate: TestCertificate) -> TLSClient {
        folder.write(certificate.text, to: "ca.pem")
        return TLSClient(on: loop, ca: folder.path + "/ca.pem")
    }

    private func place(_ listener: TLSListener, host: String = "127.0.0.1") throws -> HostAndPort {
        try #require(HostAndPort("\(host):\(listener.address.port)"))
    }

    private func collect(_ events: inout [NetworkEvent], until isDone: ([NetworkEvent]) -> Bool) {
        var all = events
        loop.run {
            while let event = loop.next() { if case .network(let event) = event { all.append(event) } }
            return isDone(all)
        }
        events = all
    }
}
