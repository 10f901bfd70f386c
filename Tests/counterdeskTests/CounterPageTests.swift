// What the page shows, and how it gets to a browser that reads slowly.

import BoxAssembly
import BoxCore
import BoxFoundation
import FrontPanel
import HardwareInterface
import PushProtocol
import ReceiptPrinting
import Testing
import counterdesk

@Suite("The page's state")
struct CounterPageTests {
    private var page = CounterPage(name: "counter-1", firmware: "1", address: "127.0.0.1:7788", printer: "generic-80mm")
    private let piece = PaperPiece(svg: "<svg/>", text: "收款")

    @Test("What was told is in the snapshot of a page that comes new")
    mutating func snapshot() {
        let sights: [CounterSight] = [
            .light(70), .news(.light(.printer, pattern: "double blink")), .news(.phraseBegan(words: "收款，一元")),
            .news(.printer(PrinterReport(.paperOut, "out of paper"))), .console(Array("box> ".utf8)),
            .paper(.grew(piece)),
            .clock(ClockReading(time: WallTime(milliseconds: 5), isSynchronised: true, offset: 60)),
        ]
        for sight in sights { #expect(!page.see(sight).isEmpty) }
        let snapshot = page.snapshot
        #expect(snapshot["event"] == "snapshot" && snapshot["box"]?["name"] == "counter-1")
        #expect(
            snapshot["light"] == 70 && snapshot["state"] == "printer needs you" && snapshot["pattern"] == "double blink"
        )
        #expect(snapshot["words"] == "收款，一元" && snapshot["speaking"] == true && snapshot["console"] == "box> ")
        #expect(snapshot["printer"]?["state"] == "paper-out" && snapshot["paper"]?["text"] == "收款")
        #expect(snapshot["clock"]?["offset"] == 60 && snapshot["switches"]?["plug"] == true)
    }

    @Test("Paper that is torn off hangs out no more, and the oldest pieces go")
    mutating func papers() {
        for _ in 0..<9 { _ = page.see(.paper(.torn(piece))) }
        let numbers = page.snapshot["papers"]?.array?.map { $0["number"] }
        #expect(page.snapshot["paper"] == nil && numbers == [4, 5, 6, 7, 8, 9])
    }

    @Test("A push shows the outcome that came last; a resend's word takes no outcome away")
    mutating func pushes() {
        _ = page.see(.pushed(id: "a", body: .object(["kind": "payment"])))
        for result in [
            PushResult(id: "a", state: .accepted),
            PushResult(id: "a", state: .done, voice: .announced, paper: .printed),
            PushResult(id: "a", state: .duplicate), PushResult(id: "of another hub", state: .accepted),
        ] { _ = page.see(.result(result)) }
        let pushes = page.snapshot["pushes"]?.array ?? []
        #expect(pushes.map { $0["state"] } == ["done"] && pushes.first?["body"] == #"{"kind":"payment"}"#)
    }

    @Test("A push of another hub is shown once, however often it comes")
    mutating func others() {
        #expect(page.see(.arrived(id: "a", body: "x")).count == 1)
        _ = page.see(.result(PushResult(id: "a", state: .done, voice: .announced, paper: .sent)))
        #expect(page.see(.arrived(id: "a", body: "x")).isEmpty)
        #expect(page.snapshot["pushes"]?.array?.map { $0["paper"] } == ["sent"])
    }

    @Test("Samples go as base64, the lower byte first")
    mutating func sound() {
        #expect(page.see(.sound([0x0102, -2], rate: 24_000)).map { $0["samples"] } == ["AgH+/w=="])
        #expect(page.see(.sound([], rate: 24_000)).isEmpty)
    }

    @Test("What is kept has limits")
    mutating func limits() {
        for n in 0..<1000 {
            _ = page.see(.console(Array("\(n) \(String(repeating: "x", count: 100))\n".utf8)))
            _ = page.see(.frame("> \(n) PING {}", at: CivilTime(WallTime(milliseconds: 0), offset: 0)))
            _ = page.see(.arrived(id: "\(n)", body: .string(String(repeating: "x", count: 1000))))
        }
        let snapshot = page.snapshot
        #expect((snapshot["console"]?.string?.utf8.count ?? 0) <= CounterPage.mostConsoleBytes)
        #expect(snapshot["console"]?.string?.hasSuffix("x\n") == true)
        #expect((snapshot["frames"]?.array?.count ?? 0) < 2 * CounterPage.mostFrames)
        #expect(snapshot["pushes"]?.array?.count == CounterPage.mostPushes)
        #expect(
            snapshot["pushes"]?.array?.allSatisfy { ($0["body"]?.string ?? "").utf8.count <= CounterPage.mostBody }
                == true)
    }

    @Test("A push of the page is kept whole, so that it can be sent again")
    mutating func wholeBody() {
        let body = JSON.string(String(repeating: "x", count: 1000))
        #expect(page.see(.pushed(id: "a", body: body)).map { $0["body"]?.string } == [body.text])
    }
}

@Suite("The feed of an open page")
struct PageFeedTests {
    private let snapshot = { PageFeed.text(.object(["event": "snapshot"])) }

    private func all(_ feed: inout PageFeed, most: Int = 7) -> String {
        var bytes: [UInt8] = []
        while feed.hasMore { bytes += feed.take(most: most, snapshot: snapshot) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "The snapshot comes first, what happened before it not at all, then events in their order, whatever the pieces")
    func order() {
        var feed = PageFeed()
        feed.add(PageFeed.text("before"))
        #expect(all(&feed) == "data: {\"event\":\"snapshot\"}\n\n")
        feed.add(PageFeed.text("a"))
        feed.add(PageFeed.text("b"))
        #expect(all(&feed) == "data: \"a\"\n\ndata: \"b\"\n\n")
        #expect(!feed.hasMore)
    }

    @Test("A page that falls behind gets the rest of the event under way, then the state anew")
    func behind() {
        var feed = PageFeed()
        _ = all(&feed)
        feed.add(PageFeed.text("first"))
        #expect(feed.take(most: 9, snapshot: snapshot).elementsEqual(Array("data: \"fi".utf8)))
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: PageFeed.mostWaiting / 2)
        for _ in 0..<3 { feed.add(large) }
        feed.add(PageFeed.text("left out, too"))
        #expect(all(&feed) == "rst\"\n\ndata: {\"event\":\"snapshot\"}\n\n")
    }
}

@Suite("The paper of the counter")
struct PaperStripTests {
    private var strip: PaperStrip

    init() throws {
        let resources = try #require(ResourceFolder.find())
        strip = PaperStrip(try PrinterProfile.load("generic-80mm") { resources.read($0) })
    }

    @Test("It grows by whole lines, whatever the pieces in which bytes come, and is torn off at the cut")
    mutating func lines() {
        let job = Array("one\ntwo\n".utf8) + [0x1B, 0x64, 5, 0x1D, 0x56, 1] + Array("next".utf8)
        var changes: [PaperChange] = []
        for byte in job { changes += strip.print([byte]) }
        let texts = changes.map { change in
            switch change {
            case .grew(let piece): "+" + piece.text
            case .torn(let piece): "-" + piece.text
            }
        }
        #expect(texts == ["+one\n", "+one\ntwo\n", "+one\ntwo\n", "-one\ntwo\n[cut]\n"])
        #expect(strip.tear().count == 1 && strip.tear().isEmpty)
    }

    @Test("Two receipts at once are two pieces")
    mutating func two() {
        let receipt = Array("one\n".utf8) + [0x1D, 0x56, 1]
        let changes = strip.print(receipt + receipt)
        #expect(changes.count == 2)
        for change in changes { if case .grew = change { Issue.record("torn at once") } }
    }
}
