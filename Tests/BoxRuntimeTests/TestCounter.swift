// A whole box on a counter without hardware: the real core, runtime, journal and printer link; time moved by hand. One
// construction point for every test of the box.

import BoxCore
import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareSimulated
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

final class TestCounter {
    static let key = BoxKey(hex: String(repeating: "ab", count: 32))!

    let loop = SimulatedLoop()
    let network: SimulatedNetwork
    let printer: SimulatedPrinter
    private(set) var runtime: BoxRuntime
    /// Outlives a pulled plug, as the disk does.
    let journal: JournalDatabase
    private(set) var hubs: [TestHub] = []
    private(set) var isListening = false
    private(set) var log: [LogEntry] = []
}
