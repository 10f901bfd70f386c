// Faults that take more than a switch.

import BoxFoundation
import HardwareSimulated
import PushProtocol

extension SimulatedWorld {
    func terminate(_ fault: Fault) {
        guard run != nil else { return }
        isTerminating = true
        loop.post(.signal(.terminate))
        let limit = runs
        loop.schedule(at: loop.now + .seconds(5)) { [unowned self] in
            if runs == limit, run != nil, isTerminating, power.callsUntilCut == nil {
                fail("the box does not stop within 5 s")
            }
        }
    }

    /// A bit of the log turns while the power is off.
    func rot(_ fault: Fault) {
        if run != nil {
            power.cut()
            losePower()
        }
        let name = Self.journalFile + "-wal"
        guard var content = disk.content(of: name), !content.isEmpty else { return }
        content[fault.size % content.count] ^= 1 << UInt8(fault.size % 8)
        disk.write(content, to: name)
        witness.rotted()
    }

    func watchIdle(_ fault: Fault) {
        loop.schedule(at: loop.now + .seconds(5)) { [unowned self] in
            guard active.contains(where: { $0.number == fault.number }) else { return }
            for line in hubs.compactMap(\.line) where loop.now - max(line.lastSent, line.lastReceived) > .seconds(40) {
                line.goSilent()
            }
            watchIdle(fault)
        }
    }

    func stranger(_ kind: Int) {
        guard let run, isListening, !conditions.hasNoRoute else { return }
        let id = run.network.connect(from: "198.51.100.7:1")
        strangers.insert(id)
        let bytes: [UInt8] =
            switch kind % 6 {
            case 0: []
            case 1: Array("GET / HTTP/1.1\r\n\r\n".utf8)
            case 2: SeededRandom(seed: UInt64(kind)).bytesOnce(3000)
            case 3: helloThenWrongProof()
            case 4: Array(helloThenWrongProof().prefix(9))
            default: pushWithoutProof()
            }
        loop.schedule(at: loop.now + .milliseconds(20 + kind)) { [weak run] in run?.network.deliver(bytes, on: id) }
        loop.schedule(at: loop.now + .seconds(8 + kind)) { [weak run] in run?.network.finish(id) }
    }

    private func helloThenWrongProof() -> [UInt8] {
        var encoder = FrameEncoder()
        let hello = HubHello(hub: "till", nonce: String(repeating: "1", count: 64), time: WallTime(milliseconds: 0))
            .json
        return encoder.encode(.hello, hello.bytes)
            + encoder.encode(.welcome, JSON.object(["proof": .string(String(repeating: "0", count: 64))]).bytes)
    }

    private func pushWithoutProof() -> [UInt8] {
        var encoder = FrameEncoder()
        let hello = HubHello(hub: "till", nonce: String(repeating: "1", count: 64), time: nil).json
        let push = JSON.object(["id": "evil", "body": .object(["kind": "payment", "amount": "66666.66"])])
        return encoder.encode(.hello, hello.bytes) + encoder.encode(.push, push.bytes)
    }

    func storm(_ fault: Fault) {
        guard !active.contains(where: { $0.kind == .buttonStuck }) else { return }
        var random = SeededRandom(seed: UInt64(fault.number))
        var at = loop.now
        witness.repeatOrders += fault.size
        witness.reprintOrders += fault.size
        for _ in 0..<fault.size {
            loop.schedule(at: at) { [button] in if button.isPressed { button.release() } else { button.press() } }
            at = at + random.interval(in: .microseconds(200) ... .milliseconds(300))
        }
        loop.schedule(at: at) { [button] in button.release() }
    }

    func noise(_ fault: Fault) -> [UInt8] {
        var bytes = SeededRandom(seed: UInt64(fault.size)).bytesOnce(max(1, fault.size % 200))
        // A person never types a whole command by accident.
        if fault.kind == .consoleNoise { bytes = bytes.map { $0 == 13 || $0 == 10 ? 0 : $0 } + [3] }
        return bytes
    }
}

extension SeededRandom {
    fileprivate func bytesOnce(_ count: Int) -> [UInt8] {
        var random = self
        return random.bytes(count)
    }
}
