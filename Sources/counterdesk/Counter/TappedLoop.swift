// The loop as the counter's network sees it: what comes over the wire goes through a hand first.

import BoxFoundation
import HardwareInterface
import HardwareLinux

/// The real loop, but for network events.
final class TappedLoop: DescriptorLoop {
    private let loop: any DescriptorLoop
    private let onNetwork: (NetworkEvent) -> Void

    /// - Parameter onNetwork: takes what is posted of the network, in place of the loop.
    init(_ loop: any DescriptorLoop, onNetwork: @escaping (NetworkEvent) -> Void) {
        self.loop = loop
        self.onNetwork = onNetwork
    }

    var now: Moment { loop.now }

    func post(_ event: DeviceEvent) {
        if case .network(let event) = event { onNetwork(event) } else { loop.post(event) }
    }

    func next() -> DeviceEvent? { loop.next() }
    func wait(until deadline: Moment?) { loop.wait(until: deadline) }
    func schedule(at moment: Moment, _ work: @escaping () -> Void) { loop.schedule(at: moment, work) }

    func watch(
        _ descriptor: Int32, for interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void
    ) {
        loop.watch(descriptor, for: interest, handler)
    }

    func change(_ descriptor: Int32, to interest: DescriptorInterest) { loop.change(descriptor, to: interest) }
    func unwatch(_ descriptor: Int32) { loop.unwatch(descriptor) }
}
