// The box from one start to the next power cut: the production runtime and core on devices behind the plug. What outlives
// it (disk, printer, clock, button) belongs to the world.

import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import SimulatedDisk
import VoiceAnnouncing

final class BoxRun {
    let network: SimulatedNetwork
    let speaker: SimulatedSpeaker
    let speech: SimulatedSpeech
    let light: SimulatedLight
    let console: SimulatedConsole
    let journal: InlineWorker<JournalBatch, JournalAnswer>
    let runtime: BoxRuntime
    let startedAt: Moment

    init(_ world: SimulatedWorld, _ setup: BoxSetup) {
        let loop = world.loop
        let power = world.power
        startedAt = loop.now
        network = SimulatedNetwork(on: loop)
        speaker = SimulatedSpeaker(loop: loop, period: world.shop.speakerPeriod)
        speech = SimulatedSpeech(on: loop)
        light = SimulatedLight(on: loop)
        console = SimulatedConsole(on: loop)
        let database = JournalDatabase(
            path: SimulatedWorld.journalFile, vfs: world.disk.name,
            keeping: world.shop.keepsFew ? SimulatedWorld.fewKept : .asPromised,
            setAside: { [disk = world.disk] in disk.setAside($0) })
        journal = InlineWorker("journal", on: loop, delay: world.shop.commitTime) { [unowned world] batch in
            guard world.power.isOn else { return JournalAnswer(replies: []) }
            let answer = database.perform(batch)
            world.journalAnswered(batch, answer)
            return answer
        }
        runtime = BoxRuntime(
            setup,
            devices: BoxDevices(
                network: PoweredNetwork(network, power), listen: { [unowned world] in world.boxListens() },
                dial: { [unowned world] _ in world.boxDials() }, speaker: PoweredSpeaker(speaker, power),
                speech: PoweredSpeech(speech, power), printer: PoweredPrinter(world.printer, power),
                radio: AbsentRadio(on: loop), usePrinter: { _ in }, light: PoweredLight(light, power),
                console: PoweredConsole(console, power), journal: PoweredJournal(journal, power), clock: world.clock,
                state: PoweredState(world.state, power), log: world.log, news: { [unowned world] in world.boxSays($0) }),
            loop: loop)
    }
}

/// What the box logs, for the story alone.
final class StoryLog: LogSink {
    var tell: ((LogEntry) -> Void)?
    func log(_ entry: LogEntry) { tell?(entry) }
}
