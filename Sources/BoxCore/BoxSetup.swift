// What a box is made with: settled by whoever puts it together, out of configuration, board and files.

import BoxDoctor
import BoxFoundation
import HardwareInterface
import PushProtocol
import ReceiptPrinting
import VoiceAnnouncing

/// All that a box is made with, judged and in range.
package struct BoxSetup {
    /// The file of the state folder that keeps the volume.
    package static let volumeFile = "volume"
    /// The file of the state folder that keeps the floor of the clock, in milliseconds since 1970.
    package static let clockFile = "clock"

    package var identity: BoxSession.Identity
    /// The box's own language first; none where no pack can be used.
    package var voices: [Voice]
    package var voice: AnnouncerSettings
    package var receipts: ReceiptMaker
    package var printer: PrinterLinkSettings
    /// Where the printer is, to be shown.
    package var printerAddress: PrinterAddress
    /// Of the light, 0 to 100.
    package var brightness: Int
    /// 0 to 100.
    package var volume: Int
    /// Of all chance that the box takes, nonces and waits.
    package var seed: UInt64
    /// What was found while the box was put together: missing devices, unusable settings.
    package var remarks: [LogEntry]
    /// The box opens the connection to its hub; else it listens.
    package var dials: Bool
    /// Where a fleet's box finds its messages; such a box dials. nil where a hub speaks frames.
    package var fleet: FleetSubjects?
    /// The floor of the clock that an earlier run kept.
    package var savedClock: WallTime?
    /// Something of it is a fault that the light shows.
    package var hasFault: Bool
    /// What was found of settings and devices while the box was put together, for the doctor.
    package var facts = DoctorFacts()
    /// Where it listens, or the URL that it dials; for people.
    package var hubPlace = ""

    package init(
        identity: BoxSession.Identity, voices: [Voice], voice: AnnouncerSettings, receipts: ReceiptMaker,
        printer: PrinterLinkSettings, printerAddress: PrinterAddress = .none, brightness: Int = 100, volume: Int = 60,
        seed: UInt64,
        dials: Bool = false, fleet: FleetSubjects? = nil, savedClock: WallTime? = nil, remarks: [LogEntry] = [],
        hasFault: Bool = false
    ) {
        self.identity = identity
        self.voices = voices
        self.voice = voice
        self.receipts = receipts
        self.printer = printer
        self.printerAddress = printerAddress
        self.brightness = brightness
        self.volume = volume
        self.seed = seed
        self.dials = dials || fleet != nil
        self.fleet = fleet
        self.savedClock = savedClock
        self.remarks = remarks
        self.hasFault = hasFault
    }
}
