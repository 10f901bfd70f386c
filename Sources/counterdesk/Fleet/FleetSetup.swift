// `counterdesk fleet --setup`: the fleet's streams, made or changed, over the same way that a box goes.

import BoxAssembly
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import PushProtocol

enum FleetSetup {
    private static let limit = Interval.seconds(20)

    static func run(_ words: CommandWords) throws(VerbFailure) -> ExitStatus {
        let streams = FleetStreams.all(
            shards: try words.integer("shards", in: 1...10_000) ?? 1,
            replicas: try words.integer("replicas", in: 1...5) ?? 1)
        let asker = try asker(words)
        for stream in streams {
            let name = stream["name"]?.string ?? ""
            var answer = try ask(asker, "$JS.API.STREAM.CREATE.\(name)", stream)
            // A stream of this name with other settings is there already.
            if answer["error"]?["err_code"]?.integer == 10058 {
                answer = try ask(asker, "$JS.API.STREAM.UPDATE.\(name)", stream)
            }
            try judge(answer, name)
        }
        return .success
    }

    static func makeConsumer(_ subjects: FleetSubjects, _ words: CommandWords) throws(VerbFailure) {
        let answer = try ask(try asker(words), subjects.makes, subjects.consumer)
        if let words = answer["error"]?["description"]?.string { throw .failure("the consumer: \(words)") }
        Terminal.complain("the consumer \(subjects.box) of \(subjects.pushStream) is there")
    }

    private static func asker(_ words: CommandWords) throws(VerbFailure) -> FleetAsker {
        guard let url = words["url"], url.hasPrefix("nats://") || url.hasPrefix("tls://") else {
            throw .usage("--url is needed, such as tls://nats.example:4222")
        }
        let settings = NATSFleet.Settings(
            servers: url.split(separator: ",").map(String.init), usesTLS: url.hasPrefix("tls://") || words["ca"] != nil,
            ca: words["ca"], credentials: words["credentials"], name: "counterdesk fleet")
        do throws(SystemError) {
            return try FleetAsker(settings, on: EpollLoop())
        } catch {
            throw .failure(error.message)
        }
    }

    private static func ask(_ asker: FleetAsker, _ subject: String, _ object: JSON) throws(VerbFailure) -> JSON {
        do throws(SystemError) {
            return try asker.ask(subject, object, within: limit)
        } catch {
            throw .failure(error.message)
        }
    }

    private static func judge(_ answer: JSON, _ name: String) throws(VerbFailure) {
        if let words = answer["error"]?["description"]?.string { throw .failure("\(name): \(words)") }
        Terminal.print("\(name) is there")
    }
}

/// Requests to JetStream, one after the other, waited for: for the command line and tests.
package final class FleetAsker {
    private let loop: EpollLoop
    private let fleet: NATSFleet
    private var connection: ConnectionID?
    private var fault: String?
    private var numbers = 0
    private var inbox: String { "_INBOX.asker.\(loopNumber).\(numbers)" }
    private let loopNumber = UInt32.random(in: 0 ... .max)
    /// What came besides answers: of subjects that were subscribed to.
    package private(set) var messages: [FleetMessage] = []
    package private(set) var denials: [String] = []

    package init(_ settings: NATSFleet.Settings, on loop: EpollLoop) throws(SystemError) {
        self.loop = loop
        fleet = try NATSFleet(settings, on: loop)
        fleet.dial()
        let limit = loop.now + .seconds(20)
        while connection == nil, fault == nil, loop.now < limit { turn(until: limit) }
        guard let connection else { throw SystemError("no connection: \(fault ?? "no answer")", errno: ENOTCONN) }
        fleet.perform(.subscribe("_INBOX.asker.\(loopNumber).>"), on: connection)
    }

    package func perform(_ call: FleetCall) { if let connection { fleet.perform(call, on: connection) } }

    /// - Throws: where no answer came in time.
    package func ask(_ subject: String, _ object: JSON, within limit: Interval) throws(SystemError) -> JSON {
        try ask(FleetMessage(subject, payload: object.bytes), within: limit)
    }

    package func ask(_ message: FleetMessage, within limit: Interval) throws(SystemError) -> JSON {
        numbers += 1
        var message = message
        let inbox = inbox
        message.reply = inbox
        perform(.publish(message))
        let end = loop.now + limit
        while loop.now < end, fault == nil, denials.isEmpty {
            if let i = messages.firstIndex(where: { $0.subject == inbox }) {
                let answer = messages.remove(at: i)
                if answer.status == 503 { throw SystemError("\(message.subject): nobody is there", errno: ENOENT) }
                return (try? JSONReader.read(answer.payload)) ?? .null
            }
            turn(until: end)
        }
        throw SystemError("\(message.subject): \(denials.first ?? fault ?? "no answer")", errno: ETIMEDOUT)
    }

    /// Lets come what comes.
    package func turn(until limit: Moment) {
        loop.wait(until: limit)
        while let event = loop.next() {
            guard case .fleet(let event) = event else { continue }
            switch event {
            case .opened(let id, _): connection = id
            case .message(_, let message): messages.append(message)
            case .denied(_, let words): denials.append(words)
            case .closed(_, let words): fault = words
            }
        }
    }
}
