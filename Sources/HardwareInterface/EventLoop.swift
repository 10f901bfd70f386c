// How devices reach the box: everything that happens becomes one DeviceEvent in one queue of one thread.

import BoxFoundation

/// One wait for everything. The real loop waits in epoll; the simulated one moves its own time.
package protocol EventLoop: AnyObject {
    /// The monotonic clock.
    var now: Moment { get }

    /// Puts an event at the end of the queue.
    func post(_ event: DeviceEvent)

    /// Takes the oldest event; nil when the queue is empty.
    func next() -> DeviceEvent?

    /// Waits until there is an event, a device had something to do, or `deadline` has come. May return early. nil waits
    /// for events alone. Returns at once where the queue is not empty.
    func wait(until deadline: Moment?)

    /// Calls `work` from `wait` at `moment` or soon after. For a device's own use (a simulated printer that takes time
    /// to print): what the box itself waits for is a `BoxTimer`.
    func schedule(at moment: Moment, _ work: @escaping () -> Void)
}

/// What a device has to say.
package enum DeviceEvent: Sendable {
    case network(NetworkEvent)
    case fleet(FleetEvent)
    case speaker(SpeakerEvent)
    case speech(SpeechID, SpeechEvent)
    case printer(PrinterEvent)
    case bluetooth(BluetoothEvent)
    case button(ButtonEvent)
    case console(ConsoleEvent)
    /// A worker has answers; which one is in the name it was made with.
    case worker(String)
    case signal(SignalEvent)
}

/// What the system asks of the process.
package enum SignalEvent: Equatable, Sendable {
    /// SIGTERM or SIGINT: finish and stop.
    case terminate
    /// SIGHUP: read the settings again.
    case reload
}
