// `counterdesk hub`: a small hub for boxes that dial, for development and one shop; or many boxes that dial a hub.

import BoxAssembly
import BoxFoundation
import BoxSettings
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol

enum HubVerb {
    static let verb = Verb(
        name: "hub", operands: "[FILE]…",
        summary: "takes dialling boxes and pushes to them what FILEs or standard input say, a JSON line each: "
            + "{\"box\":…,\"id\":…,\"body\":…}, or a bare body for all boxes; prints each RESULT as a JSON line",
        options: [
            CommandOption("listen", value: "ADDRESS", "where boxes dial in (default 127.0.0.1:7789)"),
            CommandOption("certificate", value: "FILE", "speaks TLS with this certificate (PEM) and"),
            CommandOption("key", value: "FILE", "its key (PEM, mode 0600)"),
            CommandOption("allow-plaintext", "listens without TLS beyond this machine: for trusted wires"),
            CommandOption("keys", value: "PATH", "a file of lines BOX KEY, or a folder of files BOX.key"),
            CommandOption("store", value: "FILE", "keeps pushes there (default counterdesk-hub.sqlite)"),
            CommandOption("name", value: "NAME", "the hub's name (default counterdesk)"),
            CommandOption("heartbeat", value: "SECONDS", "10 to 120 (default 30)"),
            CommandOption("spread", value: "SECONDS", "over which boxes come back, 0 to 600 (default 0)"),
            CommandOption("until-done", "stops when the input has ended and every push has its outcome"),
            CommandOption("boxes", value: "N", "plays N boxes of --keys against the hub at --to, for load"),
            CommandOption("to", value: "URL", "the hub that the N boxes dial (tcp:// or tls://)"),
            CommandOption("ca", value: "FILE", "they trust these certificates alone (default: the system's)"),
            CommandOption("rate", value: "N", "boxes that begin to dial a second (default 500)"),
            CommandOption("seconds", value: "N", "the N boxes stop after that (default: at Ctrl-C)"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard let keysPath = words["keys"] else {
            throw .usage("--keys is missing: a file of lines BOX KEY (mode 0600), or a folder of files BOX.key")
        }
        if let count = try words.integer("boxes", in: 1...1_000_000) {
            guard let url = words["to"], let target = PushTarget(url, ca: words["ca"]) else {
                throw .usage("--boxes needs --to, such as tcp://127.0.0.1:7789")
            }
            let keys = try HubKeys.loadOrMake(keysPath, count: count)
            let crowd = try BoxCrowd(
                keys, count: count, target: target, rate: try words.integer("rate", in: 1...100_000) ?? 500,
                seconds: try words.integer("seconds", in: 1...86_400))
            return crowd.run()
        }
        let settings = try settings(words)
        let keys = try HubKeys.load(keysPath)
        let loop: EpollLoop
        do {
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw .failure(error.message)
        }
        let server = try HubServer(settings, keys: keys, on: loop, say: { Terminal.print($0) })
        return try server.run(files: words.operands)
    }

    private static func settings(_ words: CommandWords) throws(VerbFailure) -> HubSettings {
        let name = words["name"] ?? "counterdesk"
        guard BoxHello.isGoodID(name) else { throw .usage("--name takes 1 to 64 of A-Z a-z 0-9 - _") }
        guard (words["certificate"] == nil) == (words["key"] == nil) else {
            throw .usage("--certificate and --key go together")
        }
        let listen = words["listen"] ?? "127.0.0.1:7789"
        guard let address = HostAddress(listen, usualPort: 7789) else {
            throw .usage("--listen \(listen) should look like 127.0.0.1:7789")
        }
        guard words["certificate"] != nil || address.isLoopback || words.has("allow-plaintext") else {
            throw .usage("\(listen) can be reached from elsewhere: give --certificate and --key, or --allow-plaintext")
        }
        return HubSettings(
            name: name, address: address.description, certificate: words["certificate"], key: words["key"],
            store: words["store"] ?? "counterdesk-hub.sqlite",
            heartbeat: .seconds(try words.integer("heartbeat", in: 10...120) ?? 30),
            spread: .seconds(try words.integer("spread", in: 0...600) ?? 0), untilDone: words.has("until-done"))
    }
}

/// What `counterdesk hub` was told.
package struct HubSettings {
    package var name: String
    package var address: String
    package var certificate: String?
    package var key: String?
    package var store: String
    package var heartbeat: Interval
    package var spread: Interval
    package var untilDone: Bool

    package init(
        name: String = "counterdesk", address: String, certificate: String? = nil, key: String? = nil, store: String,
        heartbeat: Interval = .seconds(30), spread: Interval = .zero, untilDone: Bool = false
    ) {
        self.name = name
        self.address = address
        self.certificate = certificate
        self.key = key
        self.store = store
        self.heartbeat = heartbeat
        self.spread = spread
        self.untilDone = untilDone
    }
}

extension CommandWords {
    func integer(_ name: String, in range: ClosedRange<Int>) throws(VerbFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .usage("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
