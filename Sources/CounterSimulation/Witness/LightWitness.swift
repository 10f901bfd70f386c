// Watches the one light, as a shopkeeper does from behind the counter: what it shows must be so. The patterns are the README's
// page, written down once more.

import BoxFoundation
import HardwareSimulated

/// What a person would call it.
enum SeenLight: Equatable {
    case steady, dark, slowBlink, doubleBlink, fast, longShort
    /// It changes, or answers a key.
    case other
}

final class LightWitness {
    private static let look = Interval.seconds(10)
    /// So much of the past is looked at.
    private static let window = Interval.seconds(5)

    private unowned let world: SimulatedWorld
    /// Within the window, oldest first.
    private var changes: [(isOn: Bool, at: Moment)] = []
    private var isOn = false
    private var startedAt = Moment.zero

    init(_ world: SimulatedWorld) { self.world = world }

    func started(_ run: BoxRun) {
        changes = []
        isOn = false
        startedAt = world.loop.now
        run.light.onChange = { [unowned self] brightness in changed(brightness > 0) }
        watch(run)
    }

    private func watch(_ run: BoxRun) {
        world.loop.schedule(at: world.loop.now + Self.look) { [weak self, weak run] in
            guard let self, let run, run === world.run else { return }
            judge()
            watch(run)
        }
    }

    private func changed(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        changes.append((isOn, world.loop.now))
        let start = world.loop.now + (Interval.zero - Self.window)
        if changes.count > 200 { changes.removeAll { $0.at < start } }
    }

    // MARK: - What is seen

    var seen: SeenLight {
        let now = world.loop.now
        let recent = changes.filter { now - $0.at <= Self.window }
        guard recent.count > 1 else { return recent.isEmpty ? (isOn ? .steady : .dark) : .other }
        var on: Set<Int64> = []
        var off: Set<Int64> = []
        for (a, b) in zip(recent, recent.dropFirst()) {
            let length = Self.rounded(b.at - a.at)
            if a.isOn { on.insert(length) } else { off.insert(length) }
        }
        return Self.patterns.first { on == $0.on && off == $0.off }?.light ?? .other
    }

    /// To 50 ms.
    private static func rounded(_ length: Interval) -> Int64 { (length.milliseconds + 25) / 50 * 50 }

    private static let patterns: [(light: SeenLight, on: Set<Int64>, off: Set<Int64>)] = [
        (.fast, [100], [100]), (.slowBlink, [1000], [1000]), (.doubleBlink, [150], [200, 1000]),
        (.longShort, [900, 200], [250, 650]),
    ]

    // MARK: - What must be so

    private func judge() {
        let seen = seen
        guard seen != .other else { return }
        if seen == .dark { return world.fail("the light is dark") }
        if seen == .longShort, !mayBeFault { world.fail("the light says fault, and nothing is") }
        if needsPerson, ![.doubleBlink, .longShort].contains(seen) {
            world.fail("the printer needs a person, and the light is \(seen)")
        }
        if hubIsAway, ![.slowBlink, .doubleBlink, .longShort].contains(seen) {
            world.fail("the hub is away, and the light is \(seen)")
        }
    }

    /// The journal, or a phrase that could not be heard.
    private var mayBeFault: Bool {
        let isFresh = world.loop.now - world.witness.phraseJudgedAt <= Self.window
        return !world.witness.lastPhraseWasHeard || isFresh
            || world.hadFault(of: [.disk, .speaker], from: world.loop.now)
            || world.witness.accounts.contains { $0.isRotten }
    }

    /// The printer stands, can say so, and nothing else changed for a while.
    private var needsPerson: Bool {
        let kinds: Set<FaultKind> = [.paperOut, .coverOpen, .printerError]
        let printer = world.active.filter { $0.kind.group == .printer }
        guard world.shop.link.statusQueries, world.shop.link.carrier != .none, !printer.isEmpty,
            printer.allSatisfy({ kinds.contains($0.kind) })
        else { return false }
        return isSettled(for: .seconds(60))
    }

    private var hubIsAway: Bool {
        guard world.shop.hubs == 1, let hub = world.hubs.first, !hub.isWelcomed,
            hub.isDown || world.conditions.hasNoRoute
        else { return false }
        guard world.shop.dials || hub.lastWelcome ?? .zero > startedAt else { return false }
        return isSettled(for: .seconds(hub.heartbeat * 3 + 60))
    }

    /// Nothing began or ended for so long.
    private func isSettled(for length: Interval) -> Bool { world.loop.now - max(world.changedAt, startedAt) > length }

    /// All is well and nothing is under way.
    func judgeEnd() {
        let seen = seen
        let isRight = seen == .steady || seen == .longShort && !world.witness.lastPhraseWasHeard
        if !isRight { world.fail("all is well, and the light is \(seen)") }
    }
}
