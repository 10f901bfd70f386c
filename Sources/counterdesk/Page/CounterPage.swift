// What the page shows, as a value: whatever the counter's devices show becomes events for the pages that are open, and one
// snapshot for a page that comes new.

import BoxCore
import BoxFoundation
import FrontPanel
import HardwareInterface
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// What somebody who stands at the counter sees and hears.
package enum CounterSight: Sendable {
    case light(Int)
    case news(BoxNews)
    case sound([Int16], rate: Int)
    case paper(PaperChange)
    case console([UInt8])
    case frame(String, at: CivilTime)
    /// The page's own push sets out, for the first time or once more.
    case pushed(id: String, body: JSON)
    /// A push of another hub comes; one that comes again is shown already.
    case arrived(id: String, body: JSON)
    case result(PushResult)
    case switches(CounterSwitches)
    case clock(ClockReading)
}

/// What the counter's devices show becomes events for open pages, and a snapshot for a new one.
package struct CounterPage: Sendable {
    /// What a page that comes new is shown of what was.
    package static let mostPapers = 6
    package static let mostFrames = 100
    package static let mostPushes = 20
    package static let mostConsoleBytes = 16 << 10
    /// Bytes of a push's body that are shown.
    package static let mostBody = 300

    private struct Push: Sendable {
        var id: String
        var body: String
        /// Of the page; what another hub sent only that hub can send again.
        var isOwn: Bool
        var result: PushResult?

        var json: JSON {
            var object = result?.json.object ?? JSONObject()
            object.set("event", "push")
            object.set("id", .string(id))
            object.set("body", .string(body))
            object.set("own", .bool(isOwn))
            return .object(object)
        }
    }

    private let box: JSON
    /// It dials a hub of its own and takes no pushes here.
    package let boxDials: Bool
    private var light = 0
    private var state = LightState.ready
    private var pattern = LightPattern.of(.ready).name
    private var words = ""
    private var isSpeaking = false
    private var printer = PrinterReport(.connecting, "")
    private var switches = CounterSwitches()
    private var clock: ClockReading?
    private var console: [UInt8] = []
    private var frames: [JSON] = []
    private var pushes: [Push] = []
    private var papers: [JSON] = []
    private var papersTorn = 0
    private var hanging: PaperPiece?

    /// - Parameters:
    ///   - name: the box's id.
    ///   - address: where it takes pushes; empty where it dials.
    ///   - printer: the printer's name.
    package init(name: String, firmware: String, address: String, printer: String) {
        boxDials = address.isEmpty
        box = .object([
            "name": .string(name), "firmware": .string(firmware), "address": .string(address),
            "printer": .string(printer),
        ])
    }

    /// - Returns: what the open pages are told.
    package mutating func see(_ sight: CounterSight) -> [JSON] {
        switch sight {
        case .light(let brightness):
            light = brightness
            return [.object(["event": "light", "brightness": .integer(brightness)])]
        case .news(let news): return see(news)
        case .sound(let samples, let rate):
            guard !samples.isEmpty else { return [] }
            return [
                .object(["event": "sound", "rate": .integer(rate), "samples": .string(Base64Text.of(samples))])
            ]
        case .paper(let change): return [see(change)]
        case .console(let bytes): return see(console: bytes)
        case .frame(let line, let time): return see(frame: line, at: time)
        case .pushed(let id, let body): return [add(id, body, isOwn: true)]
        case .arrived(let id, let body): return pushes.contains { $0.id == id } ? [] : [add(id, body, isOwn: false)]
        case .result(let result): return see(result)
        case .switches(let switches):
            self.switches = switches
            return [event("switches", ["switches": switches.json])]
        case .clock(let reading):
            clock = reading
            return [event("clock", ["clock": Self.json(reading)])]
        }
    }

    /// Everything that a page shows.
    package var snapshot: JSON {
        .object([
            "event": "snapshot", "box": box, "light": .integer(light), "state": .string(state.name),
            "pattern": .string(pattern), "words": .string(words), "speaking": .bool(isSpeaking),
            "printer": Self.json(printer), "switches": switches.json, "clock": clock.map { Self.json($0) },
            "console": .string(String(decoding: console, as: UTF8.self)), "frames": .array(frames),
            "pushes": .array(pushes.map(\.json)), "papers": .array(papers),
            "paper": hanging.map { Self.json($0) },
        ])
    }

    // MARK: - Sights

    private mutating func see(_ news: BoxNews) -> [JSON] {
        switch news {
        case .light(let state, let pattern):
            (self.state, self.pattern) = (state, pattern)
            return [event("state", ["state": .string(state.name), "pattern": .string(pattern)])]
        case .phraseBegan(let words):
            (self.words, isSpeaking) = (words, true)
            return [event("phrase", ["words": .string(words)])]
        case .phraseEnded(let end):
            isSpeaking = false
            return [event("phrase-end", ["end": .string(end.rawValue)])]
        case .printer(let report):
            printer = report
            return [event("printer", ["printer": Self.json(report)])]
        case .receiptEnded(let end, let cause):
            return [event("receipt", ["end": .string(end.rawValue), "cause": cause.map { .string($0) }])]
        // The wire shows them whether the box traces or not.
        case .frame: return []
        }
    }

    private mutating func see(_ change: PaperChange) -> JSON {
        switch change {
        case .grew(let piece):
            hanging = piece
            return event("paper", ["paper": Self.json(piece)])
        case .torn(let piece):
            hanging = nil
            papersTorn += 1
            var paper = Self.json(piece).object ?? JSONObject()
            paper.set("number", .integer(papersTorn))
            papers.append(.object(paper))
            papers.removeFirst(max(0, papers.count - Self.mostPapers))
            return event("torn", ["paper": .object(paper)])
        }
    }

    private mutating func see(console bytes: [UInt8]) -> [JSON] {
        console += bytes
        if console.count > Self.mostConsoleBytes {
            let start = console.count - Self.mostConsoleBytes / 2
            let line = console[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
            console.removeFirst(line)
        }
        return [event("console", ["text": .string(String(decoding: bytes, as: UTF8.self))])]
    }

    private mutating func see(frame line: String, at time: CivilTime) -> [JSON] {
        let frame = event("frame", ["time": .string(time.time), "line": .string(line)])
        frames.append(frame)
        if frames.count >= 2 * Self.mostFrames { frames.removeFirst(frames.count - Self.mostFrames) }
        return [frame]
    }

    private mutating func add(_ id: String, _ body: JSON, isOwn: Bool) -> JSON {
        // The page's own can be sent again, so it is kept whole.
        let text = isOwn ? body.text : body.text.clipped(Self.mostBody)
        let push = Push(id: id, body: text, isOwn: isOwn)
        pushes.removeAll { $0.id == id }
        pushes.append(push)
        pushes.removeFirst(max(0, pushes.count - Self.mostPushes))
        return push.json
    }

    private mutating func see(_ result: PushResult) -> [JSON] {
        guard let place = pushes.lastIndex(where: { $0.id == result.id }) else { return [] }
        // A resend's `duplicate` says less than the outcome that is there.
        if let old = pushes[place].result, old.isFinal, !result.isFinal { return [] }
        pushes[place].result = result
        return [pushes[place].json]
    }

    // MARK: - JSON

    private func event(_ name: String, _ members: KeyValuePairs<String, JSON?>) -> JSON {
        var object = JSON.object(members).object ?? JSONObject()
        object.set("event", .string(name))
        return .object(object)
    }

    private static func json(_ piece: PaperPiece) -> JSON {
        .object(["svg": .string(piece.svg), "text": .string(piece.text)])
    }

    private static func json(_ report: PrinterReport) -> JSON {
        .object(["state": .string(report.state.rawValue), "words": .string(report.words)])
    }

    private static func json(_ reading: ClockReading) -> JSON {
        .object([
            "time": .integer(reading.time.milliseconds), "offset": .integer(reading.offset),
            "set": .bool(reading.isSynchronised),
        ])
    }
}
