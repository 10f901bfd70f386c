import BoxFoundation
import FrontPanel
import Testing

/// Watches a light on a clock of milliseconds.
struct LightWatch {
    var light: Light
    var timer: Moment?
    var seen: [Change] = []

    struct Change: Equatable {
        var at: Int
        var brightness: Int
        init(_ at: Int, _ brightness: Int) {
            self.at = at
            self.brightness = brightness
        }
    }

    init(brightness: Int = 100) {
        light = Light(brightness: brightness, at: .zero)
        note(light.start(at: .zero), at: 0)
    }

    mutating func note(_ outputs: [PanelOutput], at now: Int) {
        for output in outputs {
            switch output {
            case .light(let brightness): seen.append(Change(now, brightness))
            case .timer(.light, let at): timer = at
            default: Issue.record("not the light's: \(output)")
            }
        }
    }

    mutating func run(to end: Int) {
        while let due = timer, due <= KeyPress.at(end) {
            timer = nil
            note(light.timer(at: due), at: Int((due - .zero).milliseconds))
        }
    }

    mutating func set(_ state: LightState, _ isSo: Bool = true, at now: Int) {
        run(to: now - 1)
        note(light.set(state, isSo, at: KeyPress.at(now)), at: now)
    }
}

@Suite("The light")
struct LightTests {
    typealias Change = LightWatch.Change

    @Test("Ready is steady and needs no timer")
    func ready() {
        var watch = LightWatch()
        watch.run(to: 100_000)
        #expect(watch.seen == [Change(0, 100)])
        #expect(watch.timer == nil)
    }

    @Test(
        "Every state has its own pattern",
        arguments: [
            (LightState.noHub, [(0, 100), (1000, 0), (2000, 100), (3000, 0)]),
            (
                .printer,
                [(0, 100), (150, 0), (350, 100), (500, 0), (1500, 100), (1650, 0), (1850, 100), (2000, 0), (3000, 100)]
            ),
            (.fault, [(0, 100), (900, 0), (1150, 100), (1350, 0), (2000, 100), (2900, 0)]),
        ])
    func patterns(state: LightState, changes: [(Int, Int)]) {
        var watch = LightWatch()
        watch.set(state, at: 0)
        watch.run(to: 3100)
        #expect(watch.seen == changes.map { Change($0.0, $0.1) })
    }

    @Test("Busy blinks five times a second")
    func busy() {
        var watch = LightWatch()
        watch.set(.busy, at: 0)
        watch.run(to: 999)
        #expect(watch.seen.map(\.at) == Array(stride(from: 0, to: 1000, by: 100)))
    }

    @Test("The most urgent wins, and what it hid comes back: fault, printer, no hub, busy, ready")
    func priority() {
        var watch = LightWatch()
        var shown: [LightState] = []
        let order: [LightState] = [.busy, .noHub, .printer, .fault]
        for (i, state) in order.enumerated() {
            watch.set(state, at: 10_000 * (i + 1))
            shown.append(watch.light.state)
        }
        watch.set(.busy, at: 55_000)
        #expect(watch.light.state == .fault)
        for (i, state) in order.reversed().enumerated() {
            watch.set(state, false, at: 60_000 + 10_000 * i)
            shown.append(watch.light.state)
        }
        #expect(shown == [.busy, .noHub, .printer, .fault, .printer, .noHub, .busy, .ready])
        watch.run(to: 200_000)
        #expect(watch.seen.last?.brightness == 100)
        #expect(watch.timer == nil)
    }

    @Test("What is said twice does not begin the pattern anew")
    func twice() {
        var once = LightWatch()
        once.set(.noHub, at: 0)
        once.run(to: 5000)
        var often = LightWatch()
        for now in stride(from: 0, through: 5000, by: 70) { often.set(.noHub, at: now) }
        often.run(to: 5000)
        #expect(often.seen == once.seen)
    }

    @Test("A key is answered at once, on a light that is on and on one that is off", arguments: [0, 1300])
    func acknowledgement(now: Int) {
        var watch = LightWatch()
        if now > 0 { watch.set(.noHub, at: 0) }
        watch.run(to: now)
        watch.seen = []
        watch.note(watch.light.acknowledge(at: KeyPress.at(now)), at: now)
        watch.run(to: now + 240)
        let flash = [Change(now, 0), Change(now + 60, 100), Change(now + 180, 0), Change(now + 240, 100)]
        // An unlit light is dark already, and stays dark after the flash until its own pattern lights it.
        #expect(watch.seen == (now == 0 ? flash : Array(flash[1...2])))
    }

    @Test("A blink goes on in step after a key was answered")
    func inStep() {
        var watch = LightWatch()
        watch.set(.noHub, at: 0)
        watch.run(to: 300)
        watch.note(watch.light.acknowledge(at: KeyPress.at(300)), at: 300)
        watch.run(to: 2500)
        #expect(watch.seen.suffix(3) == [Change(540, 100), Change(1000, 0), Change(2000, 100)])
    }

    @Test("Identify winks for 10 s over whatever is shown, and a fault comes back after it")
    func identify() {
        var watch = LightWatch()
        watch.set(.fault, at: 0)
        watch.run(to: 1000)
        watch.seen = []
        watch.note(watch.light.identify(at: KeyPress.at(1000)), at: 1000)
        #expect(watch.light.pattern == "winks")
        watch.run(to: 10_999)
        #expect(watch.seen.count == 40)
        #expect(watch.seen.filter { $0.brightness == 100 }.map(\.at) == (0..<20).map { 1000 + 500 * $0 })
        watch.run(to: 11_000)
        #expect(watch.light.pattern == "long-short")
    }

    @Test(
        "The configured brightness is that of a lit light",
        arguments: [(100, 100), (40, 40), (1, 1), (0, 0), (-5, 0), (300, 100)])
    func brightness(configured: Int, lit: Int) {
        #expect(LightWatch(brightness: configured).seen == [Change(0, lit)])
    }

    @Test("Another brightness shows at once")
    func brightnessChange() {
        var watch = LightWatch()
        watch.note(watch.light.set(brightness: 30, at: KeyPress.at(5)), at: 5)
        #expect(watch.seen == [Change(0, 100), Change(5, 30)])
    }

    @Test("Early, late and double timers do no harm")
    func timers() {
        var watch = LightWatch()
        watch.set(.printer, at: 0)
        for now in 0..<4000 {
            watch.note(watch.light.timer(at: KeyPress.at(now)), at: now)
            watch.note(watch.light.timer(at: KeyPress.at(now)), at: now)
        }
        var calm = LightWatch()
        calm.set(.printer, at: 0)
        calm.run(to: 3999)
        #expect(watch.seen == calm.seen)
        watch.note(watch.light.timer(at: KeyPress.at(4_000_000)), at: 4_000_000)
        #expect(watch.timer.map { $0 > KeyPress.at(4_000_000) } == true)
    }
}

@Suite("The front panel")
struct FrontPanelTests {
    @Test("A press flashes the light before it is known what it means")
    func flash() {
        var panel = FrontPanel(at: .zero)
        _ = panel.start(isPressed: false, at: .zero)
        _ = panel.edge(isPressed: true, at: KeyPress.at(100), now: KeyPress.at(101))
        let outputs = panel.timer(.button, at: KeyPress.at(120))
        #expect(outputs.first == .light(0))
        #expect(outputs.contains(.acknowledge))
        #expect(panel.status == PanelStatus(isPressed: true, isStuck: false, state: .ready, pattern: "steady"))
    }
}
