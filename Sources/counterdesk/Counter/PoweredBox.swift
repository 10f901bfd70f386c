// The very same box as the firmware, from the plug's going in to its coming out.

import BoxAssembly
import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import PaymentJournal

/// What stays where it is when the box has no power.
struct CounterDevices {
    let loop: EpollLoop
    let printer: SimulatedPrinter
    let button: SimulatedButton
    let light: SimulatedLight
    let clock: SimulatedClock
    let log: any LogSink
}

/// What somebody who stands there sees of it.
struct BoxWatch {
    /// Called when it takes connections.
    var ready: () -> Void
    var news: (BoxNews) -> Void
    var console: ([UInt8]) -> Void
    var frame: (String) -> Void
}

final class PoweredBox {
    let wire: CounterWire
    let speaker: SimulatedSpeaker

    private let loop: EpollLoop
    private let network: PushNetwork
    private let speech: EspeakProgram
    private let journal: WorkerThread<JournalBatch, JournalAnswer>
    private let state: StateKeeper
    private let runtime: BoxRuntime

    init(
        _ setup: BoxSetup, _ configuration: Configuration, _ devices: CounterDevices, watch: BoxWatch
    ) throws(AssemblyFault) {
        loop = devices.loop
        let wire = CounterWire(on: devices.loop, onFrame: watch.frame)
        let network = PushNetwork(
            configuration.settings.push, on: TappedLoop(devices.loop) { [weak wire] in wire?.arrived($0) })
        wire.carrier = network
        (self.wire, self.network) = (wire, network)
        // A desk is busy with other things, too: as much as a desktop's sound server takes.
        speaker = SimulatedSpeaker(loop: devices.loop, periods: 10)
        speech = EspeakProgram(on: devices.loop)
        state = StateKeeper(configuration.settings.state, on: devices.loop)
        journal = try JournalWorker.start(configuration.settings.state, on: devices.loop)
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: wire,
                listen: {
                    network.open(devices.log)
                    watch.ready()
                }, dial: { network.dial(judgingAt: $0) }, speaker: speaker, speech: speech,
                printer: devices.printer, radio: AbsentRadio(on: devices.loop), usePrinter: { _ in },
                light: devices.light, console: CounterConsole(watch.console), journal: journal, clock: devices.clock,
                state: state, log: devices.log, news: watch.news),
            loop: devices.loop)
        runtime.start(buttonIsPressed: devices.button.isPressed)
        devices.loop.post(.console(.opened))
    }

    var isStopped: Bool { runtime.isStopped }

    func turn() { runtime.turn(until: nil) }

    /// It stopped by itself: what it has to say to its hubs leaves.
    func end() {
        journal.stop()
        state.stop()
        let limit = loop.now + CounterWire.closeLimit
        while network.isSending, loop.now < limit {
            loop.wait(until: limit)
            while loop.next() != nil {}
        }
    }

    /// The plug is pulled: nothing is finished, nobody is told. What the disk was at when it happened is on it or not;
    /// the box may not know.
    func losePower(_ devices: CounterDevices) {
        journal.stop()
        state.stop()
        speech.stop()
        speaker.close()
        devices.printer.disconnect()
        devices.light.set(brightness: 0)
        while let event = loop.next() { if case .signal = event { return loop.post(event) } }
    }
}

/// A terminal that takes all that it is given.
private final class CounterConsole: ConsoleDevice {
    let dropped = 0
    private let show: ([UInt8]) -> Void

    init(_ show: @escaping ([UInt8]) -> Void) { self.show = show }

    func write(_ bytes: [UInt8]) { show(bytes) }
}
