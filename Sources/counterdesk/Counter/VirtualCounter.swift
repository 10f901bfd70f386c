// The virtual counter: the box, its printer, its light and button, and whoever stands before them, on a page or at a
// terminal.

import BoxAssembly
import BoxCore
import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// The box with its printer, light and button, on a page or at a terminal.
package final class VirtualCounter {
    /// Paper and sound are looked at so often.
    private static let tick = Interval.milliseconds(50)
    /// How much of a phrase may still come when the box has ended it.
    private static let lastWord = Interval.seconds(1)

    private let configuration: Configuration
    private let devices: CounterDevices
    private let profile: PrinterProfile
    private let hub: CounterHub
    private var ready: String?
    private let stopsOnce: Bool
    private var box: PoweredBox?
    private var server: PageServer?
    private var input = LineInput()

    private var page: CounterPage
    private var switches = CounterSwitches()
    private var strip: PaperStrip
    private var tale: CounterTale
    private var isSpoken = false
    private var isPrinted = false
    private var isHeldByPage = false

    /// - Parameters:
    ///   - printer: the printer's profile.
    ///   - ready: a file that gets a line when the box takes connections.
    ///   - once: stops after the first payment.
    package init(
        _ configuration: Configuration, printer: String, ready: String? = nil, once: Bool = false
    ) throws(AssemblyFault) {
        let loop: EpollLoop
        let state = configuration.settings.state
        do throws(SystemError) {
            try Files.makeFolder(state + "/desk")
            loop = try EpollLoop(takingSignals: true)
        } catch {
            throw AssemblyFault(error.message)
        }
        self.configuration = CounterParts.configuration(configuration, printer: printer)
        let setup = try CounterParts.setup(self.configuration)
        profile = setup.receipts.profile
        devices = CounterDevices(
            loop: loop, printer: SimulatedPrinter(CounterParts.printer(profile), on: loop),
            button: SimulatedButton(on: loop),
            light: SimulatedLight(on: loop), clock: SimulatedClock(on: loop), log: StandardLog(least: .warning))
        page = CounterPage(
            name: setup.identity.box, firmware: setup.identity.firmware,
            address: CounterParts.address(self.configuration), printer: profile.name)
        strip = PaperStrip(profile)
        tale = CounterTale(folder: state + "/desk", columns: profile.columns)
        (self.ready, stopsOnce) = (ready, once)
        hub = CounterHub(key: setup.identity.key, on: loop)
        hub.onResult = { [unowned self] in see(.result($0)) }
        devices.light.onChange = { [unowned self] in see(.light($0)) }
        setClock()
    }

    /// Serves the page.
    ///
    /// - Parameter port: of 127.0.0.1; 0 takes a free one.
    package func open(port: UInt16) throws(AssemblyFault) {
        guard let resources = ResourceFolder.find() else { throw AssemblyFault(ResourceFolder.missing) }
        let files = PageFiles(resources: resources)
        do throws(PageServerFault) {
            let server = try PageServer(
                port: port, on: devices.loop, load: { files.load($0) },
                snapshot: { [unowned self] in snapshot }, order: { [unowned self] in take($0) })
            self.server = server
            tale.tell("page", "http://127.0.0.1:\(server.port)")
        } catch {
            throw AssemblyFault(error.message)
        }
    }

    /// Until SIGTERM, Ctrl-C, or `q` and Enter.
    package func run() throws(AssemblyFault) {
        input.watch(on: devices.loop) { [unowned self] in take(line: $0) }
        Terminal.print("b Enter: button   hold Enter: 3 s   paper Enter: paper out or in   q Enter: stop")
        look()
        var isOver = false
        while !isOver {
            if switches[.plug], box == nil { try plugIn() }
            if !switches[.plug], box != nil { pullPlug() }
            if let box {
                box.turn()
                isOver = box.isStopped
            } else {
                isOver = waitWithoutPower()
            }
        }
        box?.end()
    }

    // MARK: - Power

    private func plugIn() throws(AssemblyFault) {
        let watch = BoxWatch(
            ready: { [unowned self] in takesConnections() },
            news: { [unowned self] in take($0) }, console: { [unowned self] in see(.console($0)) },
            frame: { [unowned self] in take(frame: $0) })
        let box = try PoweredBox(CounterParts.setup(configuration), configuration, devices, watch: watch)
        box.wire.faults = switches.wire
        box.wire.onOthers = { [unowned self] in takeOthers($0) }
        self.box = box
    }

    private func takesConnections() {
        hub.attach(box?.wire)
        // Once: a FIFO that nobody reads any more would hold the counter up.
        guard let ready else { return }
        self.ready = nil
        try? Files.write(ready, Array("ready\n".utf8))
    }

    private func pullPlug() {
        hub.attach(nil)
        box?.losePower(devices)
        box = nil
        setClock()
    }

    /// - Returns: whether it is over.
    private func waitWithoutPower() -> Bool {
        devices.loop.wait(until: nil)
        while let event = devices.loop.next() { if case .signal(.terminate) = event { return true } }
        return false
    }

    // MARK: - What the box does

    private func see(_ sight: CounterSight) {
        let events = page.see(sight)
        server?.tell(events)
    }

    /// The clock goes on by itself: it is read anew.
    private var snapshot: JSON {
        _ = page.see(.clock(devices.clock.read()))
        return page.snapshot
    }

    private func take(_ news: BoxNews) {
        // What was heard up to here belongs to the phrase before.
        hear()
        tale.tell(news)
        see(.news(news))
        switch news {
        case .phraseEnded(let end): if end == .announced || end == .merged { isSpoken = true }
        case .receiptEnded: if profile.cutter == .none { tearSoon() }
        default: break
        }
        stopIfDone()
    }

    private func take(frame line: String) {
        let reading = SystemClock().read()
        see(.frame(line, at: CivilTime(reading.time, offset: reading.offset)))
    }

    /// What other hubs push is shown like the page's own.
    private func takeOthers(_ frame: Frame) {
        guard frame.type == .push || frame.type == .result, let payload = try? frame.object() else { return }
        if frame.type == .result {
            if let result = PushResult(payload) { see(.result(result)) }
        } else if let id = payload["id"]?.string, let body = payload["body"] {
            see(.arrived(id: id, body: body))
        }
    }

    private func look() {
        hear()
        for change in strip.print(devices.printer.takePaper()) { take(change) }
        // A page that went away with the key down lets go of it.
        if isHeldByPage, server?.openPages == 0 { press(false) }
        devices.loop.schedule(at: devices.loop.now + Self.tick) { [weak self] in self?.look() }
    }

    private func hear() {
        guard let speaker = box?.speaker, let rate = speaker.format?.rate else { return }
        let samples = speaker.takeHeard().flatMap(\.samples)
        tale.hear(samples, rate: rate)
        see(.sound(samples, rate: rate))
    }

    private func take(_ change: PaperChange) {
        see(.paper(change))
        guard case .torn(let piece) = change else { return }
        tale.show(paper: piece.text)
        isPrinted = true
        stopIfDone()
    }

    /// A printer without a cutter: a hand tears the receipt off when its last line is out.
    private func tearSoon() {
        let empty = devices.printer.machine.momentOfEmpty(after: devices.loop.now)
        devices.loop.schedule(at: empty + Self.lastWord) { [weak self] in self?.tear() }
    }

    private func tear() { for change in strip.tear() { take(change) } }

    private func stopIfDone() {
        guard stopsOnce, isSpoken, isPrinted else { return }
        // The hub still has to hear the outcome.
        devices.loop.schedule(at: devices.loop.now + Self.lastWord) { [loop = devices.loop] in
            loop.post(.signal(.terminate))
        }
    }

    // MARK: - A hand on it

    /// - Returns: why it cannot be done; nil where it was.
    private func take(_ order: PageOrder) -> String? {
        switch order {
        case .button(let isPressed): press(isPressed)
        case .set(let which, let isOn): set(which, isOn)
        case .delay(let delay):
            switches.delay = delay
            box?.wire.faults = switches.wire
        case .clock(let clock):
            switches.clock = clock
            setClock()
        case .type(let text):
            guard box != nil else { return "the box has no power" }
            devices.loop.post(.console(.received(Array(text.utf8))))
        case .push(let body, let id): return push(body, id)
        }
        see(.switches(switches))
        return nil
    }

    private func press(_ isPressed: Bool) {
        isHeldByPage = isPressed
        if isPressed { devices.button.press() } else { devices.button.release() }
    }

    private func set(_ which: CounterSwitch, _ isOn: Bool) {
        guard switches[which] != isOn else { return }
        switches[which] = isOn
        let printer = devices.printer
        switch which {
        // The box may not go while it takes its turn: `run` does it.
        case .plug: break
        case .paper: printer.change { $0.hasPaper = isOn }
        case .paperLow: printer.change { $0.isPaperLow = isOn }
        case .cover: printer.change { $0.isCoverOpen = isOn }
        case .slow: printer.change { $0.make.bytesPerSecond = isOn ? CounterParts.crawl : CounterParts.pace }
        case .printer, .range:
            if which == .printer, !isOn { printer.powerCycle() }
            if switches[.printer], switches[.range] { printer.comeBack() } else { printer.goAway() }
        case .cable, .dead: box?.wire.faults = switches.wire
        }
    }

    private func push(_ body: JSON, _ id: String?) -> String? {
        guard !page.boxDials else { return "this box dials its own hub: push there" }
        var random = SystemRandomNumberGenerator()
        let id = id ?? "desk-" + Hex.text((0..<6).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        guard hub.push(OutgoingPush(id: id, sent: SystemClock().read().time, body: body)) else {
            return "this push is under way already"
        }
        see(.pushed(id: id, body: body))
        return nil
    }

    private func setClock() {
        let real = SystemClock().read()
        let clock = devices.clock
        let sinceStart = devices.loop.now - .zero
        clock.offset = real.offset
        clock.isSynchronised = switches.clock != .lost
        switch switches.clock {
        case .right: clock.epoch = real.time + (.zero - sinceStart)
        case .ahead: clock.epoch = real.time + .minutes(24 * 60) + (.zero - sinceStart)
        case .lost: clock.epoch = WallTime(milliseconds: 0) + (.zero - sinceStart)
        }
        see(.clock(clock.read()))
    }

    private func take(line: String) {
        switch line {
        case "b": devices.button.press(for: .milliseconds(100))
        case "bb":
            devices.button.press(for: .milliseconds(80))
            devices.loop.schedule(at: devices.loop.now + .milliseconds(200)) { [button = devices.button] in
                button.press(for: .milliseconds(80))
            }
        case "hold": devices.button.press(for: .milliseconds(3200))
        case "paper": _ = take(.set(.paper, isOn: !switches[.paper]))
        case "q": devices.loop.post(.signal(.terminate))
        case "": break
        default: tale.tell("desk", "b, bb, hold, paper or q")
        }
    }
}
