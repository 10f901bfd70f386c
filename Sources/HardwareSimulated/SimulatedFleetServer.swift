// A NATS server with JetStream, as much of it as a fleet's box meets (`docs/fleet.md`): a work queue of pushes with a pull
// consumer a box, streams of results and of last statuses, commands. It outlives the boxes; faults are knobs.

import BoxFoundation
import HardwareInterface

/// As much of NATS JetStream as a box meets, with knobs for its faults. It outlives the boxes.
package final class SimulatedFleetServer {
    package static let pushStream = "COUNTERBOX_PUSH"
    package static let resultStream = "COUNTERBOX_RESULT"
    package static let statusStream = "COUNTERBOX_STATUS"
    private static let ackWait = Interval.seconds(10)

    /// Streams that are there.
    package var streams: Set<String> = [pushStream, resultStream, statusStream]
    /// How long a message takes, each way.
    package var latency = Interval.milliseconds(1)
    /// The server's clock less the loop's, in milliseconds.
    package var clockOffset: Int64 = 1_796_000_000_000
    /// Why a dial is refused; nil lets it in.
    package var refusal: String?
    /// Subjects whose publication the permissions do not allow.
    package var denied: Set<String> = []
    /// Acknowledgements are lost on their way: what is acknowledged comes again.
    package var losesAcknowledgements = false
    /// PubAcks are lost on their way, though the stream has the message.
    package var losesPubAcks = false
    /// JetStream takes requests and answers none.
    package var isDeaf = false

    /// What back ends read: results without repeats, by `Nats-Msg-Id`.
    package private(set) var results: [FleetMessage] = []
    /// The last one of each box.
    package private(set) var statuses: [String: [UInt8]] = [:]
    /// Answers to commands, and all else that the box published to nobody of ours.
    package private(set) var replies: [FleetMessage] = []
    /// Publications that a stream had already.
    package private(set) var repeats = 0
    /// Requests to make a consumer.
    package private(set) var creations = 0

    private struct Stored {
        var place: UInt64
        var message: FleetMessage
        var time: WallTime
        var deliveries = 0
    }

    private struct Pull {
        var reply: String
        var left: Int
        var until: Moment
        var heartbeat: Interval
        weak var client: SimulatedFleet?
    }

    private final class Consumer {
        let subject: String
        var pulls: [Pull] = []
        /// Given and not acknowledged.
        var pending: (place: UInt64, until: Moment)?
        init(_ subject: String) { self.subject = subject }
    }

    private let loop: any EventLoop
    private var pushes: [Stored] = []
    private var consumers: [String: Consumer] = [:]
    private var places: UInt64 = 0
    private var statusPlaces: [String: (place: UInt64, time: WallTime)] = [:]
    private var clients: [SimulatedFleet] = []
    private var isUp = true

    package init(on loop: any EventLoop) { self.loop = loop }

    package var clock: WallTime { WallTime(milliseconds: Int64(loop.now.nanoseconds / 1_000_000) + clockOffset) }

    // MARK: - The back end's side

    /// Pushes that are not acknowledged.
    package var waiting: Int { pushes.count }

    package func push(_ id: String?, _ body: JSON, to box: String, headers: [FleetMessage.Header] = []) {
        push(id, bytes: body.bytes, to: box, headers: headers)
    }

    package func push(_ id: String?, bytes: [UInt8], to box: String, headers: [FleetMessage.Header] = []) {
        places += 1
        let own = id.map { [FleetMessage.Header("Counterbox-Id", $0)] } ?? []
        let message = FleetMessage("counterbox.push.\(box)", headers: own + headers, payload: bytes)
        pushes.append(Stored(place: places, message: message, time: clock))
        pump()
    }

    package func command(_ object: JSON, to box: String) {
        let message = FleetMessage("counterbox.command.\(box)", reply: "_INBOX.asker.1", payload: object.bytes)
        for client in clients { deliver(message, to: client) }
    }

    // MARK: - Faults

    /// All connections go; what was given is given again.
    package func stop() {
        isUp = false
        for client in clients { client.lose("the server closed the connection") }
        clients = []
        for consumer in consumers.values { consumer.pulls = [] }
    }

    package func start() { isUp = true }

    /// Connections are cut, and new ones refused with these words.
    package func refuse(_ words: String) {
        for client in clients { client.lose(words) }
        clients = []
        refusal = words
    }

    /// The consumer's leader is another server now: pulls are forgotten, whether or not anybody is told.
    package func changeLeader(tellingBoxes: Bool) {
        for consumer in consumers.values {
            for pull in consumer.pulls where tellingBoxes { say(409, to: pull) }
            consumer.pulls = []
        }
    }

    package func deleteConsumers() {
        for consumer in consumers.values { for pull in consumer.pulls { say(409, to: pull) } }
        consumers = [:]
    }

    /// The consumer gives what it gave again at once.
    package func giveAgain() {
        for consumer in consumers.values { consumer.pending = nil }
        pump()
    }

    // MARK: - The box's side

    func connect(_ client: SimulatedFleet) -> String? {
        guard isUp else { return "refused" }
        if let refusal { return refusal }
        clients.append(client)
        return nil
    }

    func disconnect(_ client: SimulatedFleet) {
        clients.removeAll { $0 === client }
        for consumer in consumers.values { consumer.pulls.removeAll { $0.client === client } }
    }

    func publish(_ message: FleetMessage, from client: SimulatedFleet) {
        loop.schedule(at: loop.now + latency) { [weak self, weak client] in
            guard let self, let client, isUp, clients.contains(where: { $0 === client }) else { return }
            take(message, from: client)
        }
    }

    private func take(_ message: FleetMessage, from client: SimulatedFleet) {
        let subject = message.subject
        guard !denied.contains(where: { subject.hasPrefix($0) }) else {
            return client.deny("Permissions Violation for Publish to \"\(subject)\"")
        }
        let tokens = subject.split(separator: ".").map(String.init)
        if subject.hasPrefix("$JS.ACK.") { return acknowledge(tokens, message) }
        if isDeaf { return }
        switch tokens.prefix(4).joined(separator: ".") {
        case "$JS.API.CONSUMER.INFO": answer(message, client, consumer(tokens[5], in: tokens[4]))
        case "$JS.API.CONSUMER.CREATE": create(tokens, message, client)
        case "$JS.API.CONSUMER.MSG": pull(tokens[6], message, client)
        case "$JS.API.DIRECT.GET": giveStatus(tokens.dropFirst(5).joined(separator: "."), message, client)
        default: keep(message, tokens, client)
        }
    }

    private func consumer(_ name: String, in stream: String) -> JSON {
        guard streams.contains(stream) else { return Self.error(10059, "stream not found") }
        return consumers[name] == nil ? Self.error(10014, "consumer not found") : .object(["name": .string(name)])
    }

    private func create(_ tokens: [String], _ message: FleetMessage, _ client: SimulatedFleet) {
        creations += 1
        guard streams.contains(tokens[4]) else { return answer(message, client, Self.error(10059, "stream not found")) }
        let name = tokens[5]
        if consumers[name] == nil { consumers[name] = Consumer(tokens.dropFirst(6).joined(separator: ".")) }
        answer(message, client, .object(["name": .string(name)]))
    }

    private func pull(_ name: String, _ message: FleetMessage, _ client: SimulatedFleet) {
        // A real server says nothing at all here.
        guard let consumer = consumers[name], let reply = message.reply else { return }
        let wish = try? JSONReader.read(message.payload)
        let pull = Pull(
            reply: reply, left: Int(wish?["batch"]?.integer ?? 1),
            until: loop.now + Interval(nanoseconds: wish?["expires"]?.integer ?? 0),
            heartbeat: Interval(nanoseconds: wish?["idle_heartbeat"]?.integer ?? 0), client: client)
        consumer.pulls.append(pull)
        loop.schedule(at: pull.until) { [weak self] in self?.expire(reply, of: name) }
        beat(reply, of: name, every: pull.heartbeat)
        pump()
    }

    private func expire(_ reply: String, of name: String) {
        guard let i = consumers[name]?.pulls.firstIndex(where: { $0.reply == reply }) else { return }
        if let pull = consumers[name]?.pulls.remove(at: i) { say(408, to: pull) }
    }

    private func beat(_ reply: String, of name: String, every interval: Interval) {
        guard interval > .zero else { return }
        loop.schedule(at: loop.now + interval) { [weak self] in
            guard let self, let pull = consumers[name]?.pulls.first(where: { $0.reply == reply }) else { return }
            say(100, to: pull)
            beat(reply, of: name, every: interval)
        }
    }

    // MARK: - The work queue

    private func pump() {
        guard isUp, streams.contains(Self.pushStream) else { return }
        for (name, consumer) in consumers.sorted(by: { $0.key < $1.key }) { pump(consumer, name) }
    }

    private func pump(_ consumer: Consumer, _ name: String) {
        guard consumer.pending == nil, let pull = consumer.pulls.first, let client = pull.client,
            let i = pushes.firstIndex(where: { $0.message.subject == consumer.subject })
        else { return }
        pushes[i].deliveries += 1
        let push = pushes[i]
        let until = loop.now + Self.ackWait
        consumer.pending = (push.place, until)
        consumer.pulls[0].left -= 1
        if consumer.pulls[0].left == 0 { consumer.pulls.removeFirst() }
        var message = push.message
        message.reply =
            "$JS.ACK.\(Self.pushStream).\(name).\(push.deliveries).\(push.place).1.\(push.time.milliseconds * 1_000_000).0"
        deliver(message, to: client)
        awaitAcknowledgement(consumer, push.place)
    }

    private func awaitAcknowledgement(_ consumer: Consumer, _ place: UInt64) {
        guard let until = consumer.pending?.until, consumer.pending?.place == place else { return }
        loop.schedule(at: until) { [weak self, weak consumer] in
            guard let self, let consumer, let pending = consumer.pending, pending.place == place else { return }
            guard loop.now >= pending.until else { return awaitAcknowledgement(consumer, place) }
            consumer.pending = nil
            pump()
        }
    }

    private func acknowledge(_ tokens: [String], _ message: FleetMessage) {
        guard !losesAcknowledgements, let consumer = consumers[tokens[3]], let place = UInt64(tokens[5]) else { return }
        if message.payload == Array("+WPI".utf8) {
            if consumer.pending?.place == place { consumer.pending?.until = loop.now + Self.ackWait }
            return
        }
        pushes.removeAll { $0.place == place }
        if consumer.pending?.place == place { consumer.pending = nil }
        pump()
    }

    // MARK: - Streams

    private func keep(_ message: FleetMessage, _ tokens: [String], _ client: SimulatedFleet) {
        let stream = tokens[1] == "status" ? Self.statusStream : Self.resultStream
        guard tokens[0] == "counterbox", tokens[1] == "result" || tokens[1] == "status" else {
            replies.append(message)
            return
        }
        guard streams.contains(stream) else { return nobody(message, client) }
        places += 1
        if tokens[1] == "status" {
            statuses[message.subject] = message.payload
            statusPlaces[message.subject] = (places, clock)
        } else if let name = message.header("Nats-Msg-Id"),
            results.contains(where: { $0.header("Nats-Msg-Id") == name })
        {
            repeats += 1
        } else {
            results.append(message)
        }
        guard !losesPubAcks else { return }
        answer(message, client, .object(["stream": .string(stream), "seq": .integer(places)]))
    }

    private func giveStatus(_ subject: String, _ message: FleetMessage, _ client: SimulatedFleet) {
        guard let reply = message.reply, streams.contains(Self.statusStream), let kept = statusPlaces[subject] else {
            return nobody(message, client)
        }
        let civil = CivilTime(kept.time, offset: 0)
        let milliseconds = String(kept.time.milliseconds % 1000 + 1000).dropFirst()
        let headers = [
            FleetMessage.Header("Nats-Sequence", "\(kept.place)"),
            FleetMessage.Header("Nats-Time-Stamp", "\(civil.date)T\(civil.time).\(milliseconds)Z"),
        ]
        deliver(FleetMessage(reply, headers: headers, payload: statuses[subject] ?? []), to: client)
    }

    // MARK: - To the box

    private static func error(_ number: Int, _ words: String) -> JSON {
        .object(["error": .object(["code": 404, "err_code": .integer(number), "description": .string(words)])])
    }

    private func answer(_ message: FleetMessage, _ client: SimulatedFleet, _ object: JSON) {
        if let reply = message.reply { deliver(FleetMessage(reply, payload: object.bytes), to: client) }
    }

    private func nobody(_ message: FleetMessage, _ client: SimulatedFleet) {
        if let reply = message.reply { deliver(FleetMessage(reply, status: 503), to: client) }
    }

    private func say(_ status: Int, to pull: Pull) {
        if let client = pull.client { deliver(FleetMessage(pull.reply, status: status), to: client) }
    }

    private func deliver(_ message: FleetMessage, to client: SimulatedFleet) {
        loop.schedule(at: loop.now + latency) { [weak client] in client?.arrive(message) }
    }
}
