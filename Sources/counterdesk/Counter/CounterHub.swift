// The counter's own hub: what a customer pays on the page reaches the box as any hub's push does, with handshake, frames
// and outcomes.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import PushProtocol

/// The hub behind the page's form.
package final class CounterHub: WireHub {
    /// The name that the box knows it by.
    private static let name = "counterdesk"
    /// The shortest: a dead wire is noticed before a visitor has gone.
    private static let heartbeat = HubHello.heartbeats.lowerBound
    private static let retry = Interval.seconds(1)

    private let key: BoxKey
    private let loop: any EventLoop
    package var onResult: (PushResult) -> Void = { _ in }
    /// nil while the box has no power.
    private weak var wire: CounterWire?
    private var session: HubSession?
    private var outbox = PushOutbox()
    /// Tells what was scheduled for an earlier connection.
    private var generation = 0

    // Of the call under way.
    private var outputs = FirstComeQueue<HubSessionOutput>()

    package init(key: BoxKey, on loop: any EventLoop) {
        self.key = key
        self.loop = loop
    }

    /// A box with power hangs on this wire; nil: it lost it.
    package func attach(_ wire: CounterWire?) {
        end()
        self.wire = wire
        if wire != nil { connect() }
    }

    /// - Returns: false where the push is over the frame's limit, or its id waits already.
    package func push(_ push: OutgoingPush) -> Bool {
        guard push.isGood else { return false }
        guard session?.outbox != nil else { return outbox.add(push) }
        guard let outputs = session?.push(push, at: loop.now) else { return false }
        take(outputs)
        return true
    }

    // MARK: - The connection

    private func connect() {
        guard let wire, session == nil else { return }
        guard wire.connect(self) else { return later(Self.retry) { $0.connect() } }
        var random = SystemRandomNumberGenerator()
        let hello = HubHello(
            hub: Self.name, nonce: Nonce.random(using: &random), time: nil, heartbeat: Self.heartbeat)
        session = HubSession(hello, channel: "plain")
        drive { session, now in session.start(time: SystemClock().read().time, at: now) }
    }

    package func received(_ bytes: [UInt8]) { drive { session, now in session.received(bytes, at: now) } }

    package func closed() {
        end()
        later(Self.retry) { $0.connect() }
    }

    private func end() {
        generation += 1
        if let left = session?.outbox { outbox = left }
        session = nil
    }

    private func drive(_ event: (inout HubSession, Moment) -> [HubSessionOutput]) {
        guard var session else { return }
        let outputs = event(&session, loop.now)
        self.session = session
        take(outputs)
    }

    private func take(_ more: [HubSessionOutput]) {
        guard outputs.add(more) else { return }
        while let output = outputs.next() { perform(output) }
    }

    private func perform(_ output: HubSessionOutput) {
        switch output {
        case .send(let bytes): wire?.hubSent(bytes)
        case .close:
            wire?.hubClosed()
            closed()
        case .timer(let timer, let moment):
            guard let moment else { return }
            later(moment - loop.now) { hub in hub.drive { session, now in session.timer(timer, at: now) } }
        case .greeted: drive { [key, outbox] session, now in session.admit(key, outbox: outbox, at: now) }
        case .result(let result): onResult(result)
        case .pinged(let ping): drive { session, now in session.pong(ping, at: now) }
        case .ended, .log, .trace, .welcomed, .status, .reply: break
        }
    }

    private func later(_ delay: Interval, _ work: @escaping (CounterHub) -> Void) {
        let generation = generation
        loop.schedule(at: loop.now + delay) { [weak self] in
            guard let self, self.generation == generation else { return }
            work(self)
        }
    }
}
