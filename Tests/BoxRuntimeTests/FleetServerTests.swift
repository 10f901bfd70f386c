// A whole box and a real `nats-server`, over the real way through cnats.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol
import Testing
import TestSupport
import counterdesk

@Suite(
    "A fleet on a real nats-server", .serialized,
    .enabled(if: FleetServer.path != nil, "there is no nats-server here: apt-get install nats-server"))
struct FleetServerTests {
    private static let payment = JSON.object(["kind": "payment", "amount": "12.50", "channel": "wechat"])
    private static let silent = JSON.object(["kind": "payment", "amount": "3.00", "say": false])

    private let folder = TemporaryFolder()

    private func settings(_ server: FleetServer, ca: String? = nil, key: String? = nil) -> NATSFleet.Settings {
        NATSFleet.Settings(
            servers: [server.url.replacing("127.0.0.1", with: ca == nil ? "127.0.0.1" : "localhost")],
            usesTLS: ca != nil, ca: ca.map { folder.path + "/" + $0 }, credentials: key.map { folder.path + "/" + $0 },
            name: "test")
    }

    @Test("Pushes of a plain client are spoken, printed and answered, and leave the work queue")
    func whole() throws {
        let server = try FleetServer(in: folder.path)
        defer { server.stop() }
        let owner = try FleetOwner(settings(server))
        let box = try FleetBox(in: folder, settings(server))
        try owner.push("a", Self.payment)
        try owner.push("bad", .object(["kind": "payment", "amount": "1.234"]))
        #expect(box.run { owner.result("a") != nil && owner.result("bad") != nil })
        #expect(box.phrases == ["微信收款，十二点五元"])
        #expect(box.takePaper().contains("12.50"))
        #expect(owner.result("a")?["state"] == "done")
        #expect(owner.result("a")?["voice"] == "announced")
        #expect(owner.result("bad")?["reason"] == "bad-amount")
        #expect(box.run { (try? owner.waiting()) == 0 })
    }

    @Test("A box that was off for an hour gets everything once, in order; what is too old is printed and not shouted")
    func off() throws {
        let server = try FleetServer(in: folder.path)
        defer { server.stop() }
        let owner = try FleetOwner(settings(server))
        do {
            let box = try FleetBox(in: folder, settings(server))
            #expect(box.run { box.isWelcomed })
        }
        try owner.push("old", Self.payment, age: 3600)
        for i in 1...20 { try owner.push("p\(i)", Self.silent) }
        let box = try FleetBox(in: folder, settings(server))
        #expect(box.run(60) { owner.ids.count == 21 })
        #expect(owner.ids.sorted() == (["old"] + (1...20).map { "p\($0)" }).sorted())
        #expect(owner.result("old")?["voice"] == "expired")
        #expect(box.phrases.isEmpty)
        #expect(box.takePaper().contains("12.50"))
    }

    @Test("A server killed and started again costs nothing, and nothing comes twice")
    func restart() throws {
        let server = try FleetServer(in: folder.path)
        defer { server.stop() }
        let ids = (1...8).map { "p\($0)" }
        var told: [String] = []
        do {
            let owner = try FleetOwner(settings(server))
            let box = try FleetBox(in: folder, settings(server))
            for id in ids.prefix(4) { try owner.push(id, Self.silent) }
            #expect(box.run { owner.ids.count == 4 })
            told += owner.ids
            server.cut()
            #expect(box.run { box.lights.last == "slow blink" })
            try server.start()
            let next = try FleetOwner(settings(server))
            for id in ids.suffix(4) { try next.push(id, Self.silent) }
            #expect(box.run { next.ids.count == 4 })
            told += next.ids
        }
        #expect(told.sorted() == ids)
    }

    @Test("A push that is given again after the journal has it is acknowledged in silence")
    func redelivered() throws {
        let server = try FleetServer(in: folder.path)
        defer { server.stop() }
        let owner = try FleetOwner(settings(server))
        // The box's own consumer, less patient.
        let subjects = FleetSubjects(box: "box-1")
        let hasty = subjects.consumer.text.replacing("\"ack_wait\":10000000000", with: "\"ack_wait\":500000000")
        let made = try owner.asker.ask(
            "$JS.API.CONSUMER.CREATE.COUNTERBOX_PUSH.box-1.counterbox.push.box-1", JSONReader.read(hasty),
            within: FleetOwner.patience)
        #expect(made["error"] == nil)
        let box = try FleetBox(in: folder, settings(server), losing: 2)
        try owner.push("a", Self.silent)
        #expect(box.run { (try? owner.waiting()) == 0 })
        #expect(box.run { owner.result("a") != nil })
        #expect(owner.ids == ["a"])
        #expect(box.takePaper().split(separator: "3.00", omittingEmptySubsequences: false).count == 2)
    }

    @Test("A consumer that somebody deletes is made again; a stream that is gone is told, and works once it is back")
    func deleted() throws {
        let server = try FleetServer(in: folder.path)
        defer { server.stop() }
        let owner = try FleetOwner(settings(server))
        let box = try FleetBox(in: folder, settings(server))
        #expect(box.run { box.isWelcomed })
        let empty = JSON.object(JSONObject())
        // Where the consumer goes before the pull has come, nobody says so.
        #expect(box.run { (try? owner.pulls(of: "box-1")) == 1 })
        _ = try owner.asker.ask("$JS.API.CONSUMER.DELETE.COUNTERBOX_PUSH.box-1", empty, within: FleetOwner.patience)
        try owner.push("a", Self.silent)
        #expect(box.run { owner.result("a") != nil })
        _ = try owner.asker.ask("$JS.API.STREAM.DELETE.COUNTERBOX_PUSH", empty, within: FleetOwner.patience)
        #expect(box.run { box.lights.last == "slow blink" })
        #expect(box.run { box.log.entries.contains { $0.text.contains("the stream COUNTERBOX_PUSH is missing") } })
        let again = try FleetOwner(settings(server))
        try again.push("b", Self.silent)
        #expect(box.run { again.result("b") != nil })
    }

    @Test("Over TLS with nkeys a box reads its own alone; another's credentials, a wrong CA or none get nothing")
    func credentials() throws {
        let keys = try Keys(folder)
        let server = try FleetServer(in: folder.path, settings: keys.settings(folder, boxes: ["box-1", "box-2"]))
        defer { server.stop() }
        let owner = try FleetOwner(settings(server, ca: "ca.pem", key: "owner.seed"))
        try owner.push("a", Self.silent)
        for (ca, key) in [("ca.pem", "box-2.seed"), ("other.pem", "box-1.seed"), ("ca.pem", nil)] {
            let stranger = try FleetBox(in: folder, settings(server, ca: ca, key: key))
            #expect(stranger.run { stranger.log.entries.contains { $0.text.hasPrefix("there is no hub") } })
            #expect(!stranger.isWelcomed)
            #expect(stranger.takePaper().isEmpty)
        }
        #expect(try owner.waiting() == 1)
        let box = try FleetBox(in: folder, settings(server, ca: "ca.pem", key: "box-1.seed"))
        #expect(box.run { box.log.entries.contains { $0.text.contains("the box has no consumer") } })
        try owner.makeConsumer(of: "box-1")
        #expect(box.run { owner.result("a") != nil })
        try server.reload(settings: keys.settings(folder, boxes: ["box-2"]))
        #expect(box.run { box.lights.last == "slow blink" })
        #expect(box.run { box.log.entries.contains { $0.text.contains("uthori") } })
        #expect(box.log.entries.allSatisfy { !$0.text.contains("SU") })
    }

    @Test("The server puts a box into the shard that the box's settings name")
    func shards() throws {
        let mapping = """
            mappings: { "counterbox.push.*": "counterbox.push.{{partition(4,1)}}.{{wildcard(1)}}" }
            """
        let server = try FleetServer(in: folder.path, settings: mapping)
        defer { server.stop() }
        let owner = try FleetOwner(settings(server), shards: 4)
        var expected = [0, 0, 0, 0]
        for i in 0..<24 {
            expected[FleetSubjects.shard(of: "counter-\(i)", in: 4)] += 1
            try owner.push("x", Self.silent, to: "counter-\(i)")
        }
        for (shard, count) in expected.enumerated() {
            #expect(try owner.waiting("COUNTERBOX_PUSH_\(shard)") == Int64(count))
        }
        let shard = FleetSubjects.shard(of: "box-1", in: 4)
        let box = try FleetBox(in: folder, settings(server), shard: shard)
        try owner.push("a", Self.silent)
        #expect(box.run { owner.result("a") != nil })
    }
}

/// A CA, a server's certificate, and the nkeys of an owner and two boxes, as files.
private struct Keys {
    private var publicKeys: [String: String] = [:]

    init(_ folder: TemporaryFolder) throws {
        let ca = TestCertificate("ca")
        let certificate = TestCertificate("server", hosts: "DNS:localhost,IP:127.0.0.1", signedBy: ca)
        folder.write(ca.text, to: "ca.pem")
        folder.write(TestCertificate("other").text, to: "other.pem")
        folder.write(certificate.text, to: "server.pem")
        folder.write(certificate.keyText, to: "server.key")
        var random = SystemRandomNumberGenerator()
        for name in ["owner", "box-1", "box-2"] {
            let key = NKey(using: &random)
            #expect(NKey(seed: key.seed)?.publicKey == key.publicKey)
            publicKeys[name] = key.publicKey
            folder.write(Array((key.seed + "\n").utf8), to: "\(name).seed")
        }
    }

    func settings(_ folder: TemporaryFolder, boxes: [String]) -> String {
        let users = boxes.map { FleetStreams.user(FleetSubjects(box: $0), key: publicKeys[$0] ?? "") }
        return """
            tls { cert_file: "\(folder.path)/server.pem", key_file: "\(folder.path)/server.key" }
            authorization { users: [
                { nkey: \(publicKeys["owner"] ?? "") }
            \(users.joined(separator: "\n"))
            ] }
            """
    }
}
