// Each device behind the plug: with power it is the device itself, without it a call does nothing and is answered as by a
// device that is gone. The box of that run is never asked again.

import BoxFoundation
import HardwareInterface
import HardwareSimulated
import PaymentJournal

final class PoweredNetwork: NetworkDevice {
    private let network: SimulatedNetwork
    private let power: PowerSupply

    init(_ network: SimulatedNetwork, _ power: PowerSupply) { (self.network, self.power) = (network, power) }

    func send(_ bytes: [UInt8], on connection: ConnectionID) {
        if power.allowsCall() { network.send(bytes, on: connection) }
    }

    func close(_ connection: ConnectionID) { if power.allowsCall() { network.close(connection) } }
}

final class PoweredSpeaker: SpeakerDevice {
    private let speaker: SimulatedSpeaker
    private let power: PowerSupply

    init(_ speaker: SimulatedSpeaker, _ power: PowerSupply) { (self.speaker, self.power) = (speaker, power) }

    private func needPower() throws(SpeakerError) { if !power.allowsCall() { throw .gone } }

    func open(rate: Int) throws(SpeakerError) -> SpeakerFormat {
        try needPower()
        return try speaker.open(rate: rate)
    }

    func write(_ samples: ArraySlice<Int16>) throws(SpeakerError) -> Int {
        try needPower()
        return try speaker.write(samples)
    }

    func unplayed() throws(SpeakerError) -> Int {
        try needPower()
        return try speaker.unplayed()
    }

    func recover() throws(SpeakerError) {
        try needPower()
        try speaker.recover()
    }

    func awaitRoom() { if power.allowsCall() { speaker.awaitRoom() } }
    func drop() { if power.allowsCall() { speaker.drop() } }
    func close() { if power.allowsCall() { speaker.close() } }
}

final class PoweredSpeech: SpeechProgram {
    private let speech: SimulatedSpeech
    private let power: PowerSupply

    init(_ speech: SimulatedSpeech, _ power: PowerSupply) { (self.speech, self.power) = (speech, power) }

    func speak(_ id: SpeechID, _ words: String, language: String) {
        if power.allowsCall() { speech.speak(id, words, language: language) }
    }

    func stop() { if power.allowsCall() { speech.stop() } }
}

final class PoweredPrinter: PrinterDevice {
    private let printer: SimulatedPrinter
    private let power: PowerSupply

    init(_ printer: SimulatedPrinter, _ power: PowerSupply) { (self.printer, self.power) = (printer, power) }

    func connect() { if power.allowsCall() { printer.connect() } }

    func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        guard power.allowsCall() else { throw .lost }
        return try printer.write(bytes)
    }

    func unsent() -> Int { power.allowsCall() ? printer.unsent() : 0 }
    func awaitRoom() { if power.allowsCall() { printer.awaitRoom() } }
    func disconnect() { if power.allowsCall() { printer.disconnect() } }
}

final class PoweredLight: LightDevice {
    private let light: SimulatedLight
    private let power: PowerSupply

    init(_ light: SimulatedLight, _ power: PowerSupply) { (self.light, self.power) = (light, power) }

    func set(brightness: Int) { if power.allowsCall() { light.set(brightness: brightness) } }
}

final class PoweredConsole: ConsoleDevice {
    private let console: SimulatedConsole
    private let power: PowerSupply

    init(_ console: SimulatedConsole, _ power: PowerSupply) { (self.console, self.power) = (console, power) }

    func write(_ bytes: [UInt8]) { if power.allowsCall() { console.write(bytes) } }
    var dropped: Int { console.dropped }
}

final class PoweredJournal: Worker {
    private let worker: InlineWorker<JournalBatch, JournalAnswer>
    private let power: PowerSupply

    init(_ worker: InlineWorker<JournalBatch, JournalAnswer>, _ power: PowerSupply) {
        (self.worker, self.power) = (worker, power)
    }

    func submit(_ request: JournalBatch) { if power.allowsCall() { worker.submit(request) } }
    func takeAnswers() -> [JournalAnswer] { worker.takeAnswers() }
}

final class PoweredState: StateWriter {
    private let state: SimulatedState
    private let power: PowerSupply

    init(_ state: SimulatedState, _ power: PowerSupply) { (self.state, self.power) = (state, power) }

    /// Where the power goes at this very call the old file stays or the new one is there: the parity of the calls says.
    func write(_ bytes: [UInt8], as name: String, failed: @escaping () -> Void) {
        let wasOn = power.isOn
        guard power.allowsCall() else {
            if wasOn, power.calls % 2 == 0 { _ = state.save(bytes, as: name) }
            return failed()
        }
        state.write(bytes, as: name, failed: failed)
    }
}
