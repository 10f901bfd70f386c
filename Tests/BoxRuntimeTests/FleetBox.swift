// A whole box on a real loop and a real connection to a `nats-server`; speaker and printer are simulated. And whoever
// pushes to it.

import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import Testing
import TestSupport
import VoiceAnnouncing
import counterdesk

final class FleetBox {
    let loop: EpollLoop
    let log = MemoryLog()
    private(set) var lights: [String] = []
    private(set) var phrases: [String] = []
    private let printer: SimulatedPrinter
    private let receipts: ReceiptMaker
    private var runtime: BoxRuntime?

    /// - Parameters:
    ///   - folder: keeps the journal, over restarts of the box.
    ///   - loses: acknowledgements that are lost on their way, the first ones.
    init(
        _ box: String = "box-1", in folder: TemporaryFolder, _ settings: NATSFleet.Settings, shard: Int? = nil,
        losing loses: Int = 0
    ) throws {
        let loop = try EpollLoop()
        self.loop = loop
        let fleet = LossyFleet(try NATSFleet(settings, on: loop), loses: loses)
        let journal = JournalDatabase(path: folder.path + "/journal-\(box).sqlite")
        let worker = InlineWorker<JournalBatch, JournalAnswer>("journal", on: loop) { journal.perform($0) }
        printer = SimulatedPrinter(on: loop)
        receipts = try TestResources.receipts()
        let setup = BoxSetup(
            identity: BoxSession.Identity(box: box, key: TestCounter.key, firmware: Firmware.version),
            voices: [try TestResources.voice.get()], voice: AnnouncerSettings(), receipts: receipts,
            printer: PrinterLinkSettings(carrier: .tcp, pace: 96_000, buffer: 65_536), seed: 1,
            fleet: FleetSubjects(box: box, shard: shard))
        let runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: SimulatedNetwork(on: loop), fleet: fleet, listen: {}, speaker: SimulatedSpeaker(loop: loop),
                speech: SimulatedSpeech(on: loop), printer: printer, radio: AbsentRadio(on: loop), usePrinter: { _ in },
                light: SimulatedLight(on: loop),
                console: SimulatedConsole(on: loop), journal: worker, clock: SystemClock(), state: SimulatedState(),
                log: log, news: { [unowned self] in take($0) }),
            loop: loop)
        self.runtime = runtime
        runtime.start()
    }

    private func take(_ news: BoxNews) {
        switch news {
        case .light(_, let pattern): lights.append(pattern)
        case .phraseBegan(let words): phrases.append(words)
        default: break
        }
    }

    var isWelcomed: Bool { lights.last == "steady" || lights.last == "fast blink" }

    /// - Returns: whether it became so within the time.
    func run(_ seconds: Int = 30, until condition: () -> Bool) -> Bool {
        let end = loop.now + .seconds(seconds)
        while !condition() {
            guard loop.now < end else { return false }
            runtime?.turn(until: loop.now + .milliseconds(20))
        }
        return true
    }

    func takePaper() -> String {
        var paper = VirtualPrinter(profile: receipts.profile)!
        paper.print(printer.takePaper())
        return paper.roll.text(showsCodes: true).filter { $0 != " " }
    }
}

/// The real connection, on which the first acknowledgements are lost.
private final class LossyFleet: FleetDevice {
    private let fleet: NATSFleet
    private var loses: Int

    init(_ fleet: NATSFleet, loses: Int) {
        self.fleet = fleet
        self.loses = loses
    }

    func dial() { fleet.dial() }

    func perform(_ call: FleetCall, on connection: ConnectionID) {
        if loses > 0, case .publish(let message) = call, message.payload == Array("+ACK".utf8) {
            loses -= 1
        } else {
            fleet.perform(call, on: connection)
        }
    }
}

/// Whoever runs the fleet: its streams, its pushes, and what comes of them.
final class FleetOwner {
    static let patience = Interval.seconds(20)
    let asker: FleetAsker
    private let loop: EpollLoop

    init(_ settings: NATSFleet.Settings, shards: Int = 1, replicas: Int = 1) throws {
        loop = try EpollLoop()
        asker = try FleetAsker(settings, on: loop)
        for stream in FleetStreams.all(shards: shards, replicas: replicas) {
            let name = stream["name"]?.string ?? ""
            let made = try asker.ask("$JS.API.STREAM.CREATE.\(name)", stream, within: Self.patience)
            try #require(made["error"] == nil, "\(made.text)")
        }
        asker.perform(.subscribe("counterbox.result.>"))
    }

    func push(_ id: String, _ body: JSON, to box: String = "box-1", age: Int? = nil) throws {
        var headers = [
            FleetMessage.Header("Counterbox-Id", id), FleetMessage.Header("Nats-Msg-Id", "\(box).\(id)"),
        ]
        if let age {
            let sent = SystemClock().read().time.milliseconds - Int64(age) * 1000
            headers.append(FleetMessage.Header("Counterbox-Sent", "\(sent)"))
        }
        let message = FleetMessage("counterbox.push.\(box)", headers: headers, payload: body.bytes)
        let kept = try asker.ask(message, within: Self.patience)
        try #require(kept["seq"] != nil, "\(kept.text)")
    }

    /// For a box that may not do so itself.
    func makeConsumer(of box: String) throws {
        let subjects = FleetSubjects(box: box)
        let made = try asker.ask(subjects.makes, subjects.consumer, within: Self.patience)
        try #require(made["error"] == nil, "\(made.text)")
    }

    var results: [JSON] {
        asker.turn(until: loop.now)
        return asker.messages.filter { $0.subject.hasPrefix("counterbox.result.") }
            .compactMap { try? JSONReader.read($0.payload) }
    }

    func result(_ id: String) -> JSON? { results.last { $0["id"]?.string == id } }
    var ids: [String] { results.compactMap { $0["id"]?.string } }

    /// Pulls that stand at a box's consumer.
    func pulls(of box: String) throws -> Int64 {
        let subject = "$JS.API.CONSUMER.INFO.COUNTERBOX_PUSH.\(box)"
        let info = try asker.ask(subject, .object(JSONObject()), within: Self.patience)
        return info["num_waiting"]?.integer ?? -1
    }

    /// Pushes that wait in a stream.
    func waiting(_ stream: String = "COUNTERBOX_PUSH") throws -> Int64 {
        let info = try asker.ask("$JS.API.STREAM.INFO.\(stream)", .object(JSONObject()), within: Self.patience)
        return info["state"]?["messages"]?.integer ?? -1
    }
}
