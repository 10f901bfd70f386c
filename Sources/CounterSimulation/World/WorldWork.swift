// What people and back ends do at the counter.

import BoxFoundation
import PushProtocol

extension SimulatedWorld {
    func work(_ work: Work) {
        switch work {
        case .push(let intent):
            let hub = hubs[intent.hub]
            let account = PushAccount(
                intent, hub: hub.name, sent: trueTime + .seconds(-intent.age), at: loop.now)
            witness.add(account)
            hub.add(account)
        case .command(let kind): hubs.first?.command(kind)
        case .button(let presses, let milliseconds): press(presses, .milliseconds(milliseconds))
        case .console(let line):
            tell("console", line)
            if line == "reprint" { witness.reprintOrders += 1 }
            run?.console.type(line + "\r")
        }
    }

    func commanded(_ kind: ReceivedCommand.Kind) {
        tell("hub", "commands \(kind)")
        if case .reprint = kind { witness.reprintOrders += 1 }
    }

    private func press(_ count: Int, _ time: Interval) {
        guard !active.contains(where: { $0.kind == .buttonStuck }) else { return }
        tell("hand", "\(count) presses of \(time.milliseconds) ms")
        // What comes of it depends on what else is pressed meanwhile: at most one of each a press.
        witness.repeatOrders += count
        witness.reprintOrders += count
        for i in 0..<count {
            loop.schedule(at: loop.now + time * (2 * i)) { [button] in button.press(for: time) }
        }
    }
}
