// `counterdesk fleet`: many boxes on a NATS server, for load; and what whoever runs a fleet sets up: its streams, and the
// user of a box.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol

enum FleetVerb {
    static let verb = Verb(
        name: "fleet", operands: "",
        summary:
            "plays N boxes on a nats-server of its own and pushes to them; or makes a fleet's streams (--setup); or "
            + "prints a box's user for the server's configuration (--user)",
        options: [
            CommandOption("boxes", value: "N[,N]…", "how many boxes; a run for each number"),
            CommandOption("pushes", value: "N", "pushes of each run (default 20000)"),
            CommandOption("rate", value: "N", "pushes a second (default 500); 0 publishes all at once"),
            CommandOption("dials", value: "N", "boxes that begin to dial a second (default 1000)"),
            CommandOption("to", value: "HOST:PORT", "a server that is there already, in place of its own"),
            CommandOption("chart", value: "FILE", "draws latency against boxes (SVG)"),
            CommandOption("json", "prints the figures for machines"),
            CommandOption("setup", "makes the streams at --url, or changes them to what they should be"),
            CommandOption("url", value: "URL", "nats:// or tls:// and HOST:PORT"),
            CommandOption("ca", value: "FILE", "trusts these certificates alone (default: the system's)"),
            CommandOption("credentials", value: "FILE", "an nkey's seed or a JWT, of a user that may make streams"),
            CommandOption("shards", value: "N", "streams of pushes (default 1)"),
            CommandOption("replicas", value: "N", "servers that keep each stream: 1, 3 or 5 (default 1)"),
            CommandOption("user", value: "BOX", "prints this box's user; with --url makes its consumer"),
            CommandOption("nkey", value: "KEY", "the box's public key, which `counterbox key nkey` printed"),
            CommandOption("makes-consumer", "the box may make its consumer itself: docs/fleet.md says when"),
        ], run: run)

    private static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard words.operands.isEmpty else { throw .usage("fleet takes no operands") }
        if let box = words["user"] { return try user(box, words) }
        if words.has("setup") { return try FleetSetup.run(words) }
        guard let boxes = words["boxes"] else { throw .usage("fleet needs --boxes, --setup or --user") }
        return try load(boxes, words)
    }

    private static func user(_ box: String, _ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        guard BoxHello.isGoodID(box) else { throw .usage("--user takes 1 to 64 of A-Z a-z 0-9 - _") }
        guard let key = words["nkey"], key.hasPrefix("U"), key.utf8.count == 56 else {
            throw .usage("--nkey takes the public key that `counterbox key nkey` prints: U and 55 more")
        }
        let shards = try words.integer("shards", in: 1...10_000) ?? 1
        let shard = shards == 1 ? nil : FleetSubjects.shard(of: box, in: shards)
        if let shard { Terminal.complain("the box's settings need push.shard: \(shard)") }
        let subjects = FleetSubjects(box: box, shard: shard)
        Terminal.print(FleetStreams.user(subjects, key: key, makesConsumer: words.has("makes-consumer")))
        if words["url"] != nil { try FleetSetup.makeConsumer(subjects, words) }
        return .success
    }

    // MARK: - Load

    private static func load(_ boxes: String, _ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let counts = boxes.split(separator: ",").compactMap { Int($0) }.filter { (1...1_000_000).contains($0) }
        guard !counts.isEmpty, counts.count == boxes.split(separator: ",").count else {
            throw .usage("--boxes takes numbers from 1 to 1000000")
        }
        let rate = try words.integer("rate", in: 0...1_000_000) ?? 500
        let room = DescriptorLimit.raise() - 64
        var rows: [FleetFigures] = []
        for count in counts {
            if count > room {
                Terminal.complain("the system allows \(room) connections only: so many boxes are played")
            }
            let plan = FleetLoad.Plan(
                boxes: min(count, room), pushes: try words.integer("pushes", in: 1...10_000_000) ?? 20_000,
                rate: rate == 0 ? nil : rate, dials: try words.integer("dials", in: 1...100_000) ?? 1000)
            let figures = try measure(plan, at: words["to"])
            Terminal.print(words.has("json") ? figures.json.text : figures.line(isFirst: rows.isEmpty))
            rows.append(figures)
        }
        if let path = words["chart"] {
            do throws(SystemError) {
                try Files.write(path, Array(FleetChart.svg(rows).utf8))
            } catch {
                throw .failure(error.message)
            }
        }
        return rows.allSatisfy { $0.lost == 0 && $0.repeated == 0 } ? .success : .failure
    }

    private static func measure(_ plan: FleetLoad.Plan, at address: String?) throws(VerbFailure) -> FleetFigures {
        do throws(SystemError) {
            if let address {
                guard let place = HostAndPort(address) else { throw SystemError("--to takes HOST:PORT", errno: EINVAL) }
                return try run(FleetLoad(plan, at: place)) { nil }
            }
            let folder = try Self.folder()
            defer { Self.remove(folder) }
            let server = try FleetServer(in: folder)
            defer { server.stop() }
            guard let place = HostAndPort("127.0.0.1:\(server.port)") else { throw SystemError("port", errno: EINVAL) }
            return try run(FleetLoad(plan, at: place)) { server.usage }
        } catch {
            throw .failure(error.message)
        }
    }

    private static func run(
        _ load: FleetLoad, _ usage: () -> (resident: Int, processor: Double)?
    ) throws(SystemError) -> FleetFigures {
        do throws(VerbFailure) {
            return try load.run(usage: usage)
        } catch {
            throw SystemError(error.message, errno: ECANCELED)
        }
    }

    private static func folder() throws(SystemError) -> String {
        let path = (getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/counterdesk-fleet-\(getpid())"
        try Files.makeFolder(path)
        return path
    }

    private static func remove(_ folder: String) {
        for name in Files.names(in: folder) where name != "." && name != ".." {
            if unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
        }
        rmdir(folder)
    }
}

extension FleetFigures {
    private static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return value >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    func line(isFirst: Bool) -> String {
        let titles = [
            "boxes", "welcomed in s", "pushes", "pushes/s", "taken ms p50", "p99", "told ms p50", "p99", "lost",
            "twice",
            "server MiB", "server µs/push",
        ]
        let cells = [
            "\(boxes)", Self.text(welcome), "\(pushes)", Self.text(rate), Self.text(Self.percentile(taken, 0.5)),
            Self.text(Self.percentile(taken, 0.99)), Self.text(Self.percentile(told, 0.5)),
            Self.text(Self.percentile(told, 0.99)), "\(lost)", "\(repeated)", resident.map { "\($0 >> 20)" } ?? "",
            processor.map { Self.text($0) } ?? "",
        ]
        func row(_ cells: [String]) -> String {
            zip(cells, titles).map { cell, title in
                String(repeating: " ", count: max(0, max(title.count, 6) - cell.count)) + cell
            }.joined(separator: "  ")
        }
        return isFirst ? row(titles) + "\n" + row(cells) : row(cells)
    }

    var json: JSON {
        .object([
            "boxes": .integer(boxes), "welcomeSeconds": .number(Self.text(welcome)), "pushes": .integer(pushes),
            "pushesPerSecond": .number(Self.text(rate)), "takenP50": .number(Self.text(Self.percentile(taken, 0.5))),
            "takenP99": .number(Self.text(Self.percentile(taken, 0.99))),
            "toldP50": .number(Self.text(Self.percentile(told, 0.5))),
            "toldP99": .number(Self.text(Self.percentile(told, 0.99))), "lost": .integer(lost),
            "repeated": .integer(repeated), "broken": .integer(broken), "serverBytes": resident.map { .integer($0) },
            "serverMicrosecondsPerPush": processor.map { .number(Self.text($0)) },
        ])
    }
}
