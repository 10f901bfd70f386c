// `counterbox push`: sends pushes to a listening box as a hub would, and prints what the box says of them.

import BoxAssembly
import BoxFoundation
import HardwareLinux
import PushProtocol

enum PushVerb {
    static let verb = Verb(
        name: "push", operands: "BODY…",
        summary:
            "sends pushes to a listening box and prints each RESULT as a JSON line; a BODY is JSON, @FILE, or - for JSON lines",
        options: [
            CommandOption("to", value: "URL", "the box's address (default tcp://127.0.0.1:7788)"),
            CommandOption("ca", value: "FILE", "trusts these certificates alone (PEM; default: the system's trust)"),
            CommandOption("key", value: "FILE", "the box's key (default: the key of this machine's configuration)"),
            CommandOption("config", value: "FILE", "the configuration that names the key"),
            CommandOption("id", value: "ID", "the push's id (default: a random one); goes with one BODY"),
            CommandOption("ttl", value: "SECONDS", "how old it may be when it is spoken (default: the box's, 600)"),
            CommandOption("timeout", value: "SECONDS", "how long to wait for the outcomes (default 60)"),
        ], run: run)

    /// Bytes of a BODY's file at most.
    private static let mostFileBytes = 1 << 20

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard !words.operands.isEmpty else { throw .usage("push needs a BODY: counterbox push --help") }
        let target = try target(words)
        let timeout = try seconds(words, "timeout", in: 1...86_400) ?? 60
        let ttl = try seconds(words, "ttl", in: 0...315_360_000)
        let key = try key(words)
        var pushes: [OutgoingPush] = []
        for operand in words.operands where operand != "-" {
            pushes.append(OutgoingPush(id: words["id"] ?? randomID(), ttl: ttl, body: try body(operand)))
        }
        let readsInput = words.operands.contains("-")
        guard words["id"] == nil || (pushes.count == 1 && !readsInput) else {
            throw .usage("--id goes with one BODY: two payments never share an id")
        }
        let client = try PushClient(target, key: key, timeout: .seconds(timeout))
        return try client.run(pushes, input: readsInput ? { PushInput.push($0, ttl: ttl) } : nil)
    }

    private static func key(_ words: CommandWords) throws(VerbFailure) -> BoxKey {
        do {
            if let path = words["key"] { return try KeyFile.load(path) }
            return try KeyFile.load(Configuration.load(path: words["config"]).settings.keyPath)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func read(_ path: String) throws(VerbFailure) -> [UInt8] {
        do {
            return try Files.read(path, limit: mostFileBytes)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func target(_ words: CommandWords) throws(VerbFailure) -> PushTarget {
        let url = words["to"] ?? "tcp://127.0.0.1:7788"
        guard let target = PushTarget(url, ca: words["ca"]) else {
            throw .usage("--to \(url) should look like tcp://192.168.1.20:7788 or tls://box.example:7788")
        }
        guard target.usesTLS || words["ca"] == nil else { throw .usage("--ca goes with tls://") }
        return target
    }

    private static func seconds(
        _ words: CommandWords, _ name: String, in range: ClosedRange<Int>
    ) throws(VerbFailure) -> Int? {
        guard let text = words[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .usage("--\(name) takes whole seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func body(_ operand: String) throws(VerbFailure) -> JSON {
        var bytes = Array(operand.utf8)
        if operand.hasPrefix("@") {
            bytes = try read(String(operand.dropFirst()))
        }
        do {
            return try JSONReader.read(bytes)
        } catch {
            throw .usage("the BODY is no JSON: \(error.message) (line \(error.line), column \(error.column))")
        }
    }

    static func randomID() -> String {
        var random = SystemRandomNumberGenerator()
        return "push-" + Hex.text((0..<10).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}

/// A line of standard input as a push.
enum PushInput {
    static func push(_ line: [UInt8], ttl: Int?) -> Result<OutgoingPush, JSONFault> {
        Result { () throws(JSONFault) in
            OutgoingPush(id: PushVerb.randomID(), ttl: ttl, body: try JSONReader.read(line))
        }
    }
}
