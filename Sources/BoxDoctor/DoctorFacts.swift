// What the doctor is told. Whoever asks it gathers these; nil means that nobody looked, and nothing is said.

import BoxFoundation
import BoxSettings
import HardwareInterface
import PaymentJournal

/// All that was found out about a box. nil: nobody looked, and nothing is said about it.
package struct DoctorFacts: Equatable, Sendable {
    /// Of the configuration and of the board's file.
    package var notes: [SettingsNote] = []
    package var state: FolderFact?
    package var key: KeyFact?
    /// The file with which a fleet's box shows who it is; it has this in place of a key.
    package var credentials: KeyFact?
    package var journal: JournalFact?
    package var hub: HubFact?
    /// What the fleet's server lacks.
    package var fleet: FleetFault?
    package var speaker: SpeakerFact?
    package var voice: VoiceFact?
    package var printer: PrinterFact?
    package var button: PanelFact?
    package var light: PanelFact?
    package var isButtonStuck = false
    package var console: ConsoleFact?
    package var clock: ClockFact?
    /// Another process may be the box and have the devices; nil for the box itself.
    package var box: BoxPresence?
    package var machine = MachineFacts()

    package init() {}
}

/// How the state folder is.
package enum FolderFact: Equatable, Sendable {
    case ready(path: String)
    case missing(path: String)
    /// There is a file in its place.
    case noFolder(path: String)
    case notWritable(path: String)
}

/// How the file of a secret is.
package enum KeyFact: Equatable, Sendable {
    case ready
    case missing(path: String)
    case unreadable(path: String)
    case unusable(path: String, reason: String)
    /// Others than its owner may read it; the permission bits.
    case exposed(path: String, mode: Int)
    /// It was made after the running box had looked for it.
    case late(path: String)
}

/// How the journal opened, what failed last, and which ids came again with another body.
package struct JournalFact: Equatable, Sendable {
    package var opening: JournalOpening
    /// Why the last batch could not be kept; nil where it was.
    package var failure: JournalFailure?
    /// Ids that came again with another body, the newest last.
    package var otherBodies: [String]

    package init(opening: JournalOpening, failure: JournalFailure? = nil, otherBodies: [String] = []) {
        self.opening = opening
        self.failure = failure
        self.otherBodies = otherBodies
    }
}

/// How the way to the hub is.
package enum HubFact: Equatable, Sendable {
    /// The configuration says nothing that can be used.
    case unusable
    /// Nobody is connected, and that may be right.
    case listening(address: String)
    /// The address cannot be listened on; errno's name or text.
    case cannotListen(address: String, String)
    case connected(hub: String)
    /// A hub was there, and nothing has come from it for so long.
    case silent(hub: String, Interval)
    /// The running box has the connection or the address.
    case inUse(String, dials: Bool)
    /// Dialling; what went wrong the last time.
    case away(url: String, HubTrouble)
}

/// Why the hub is not there, told apart by what a person can do about it.
package enum HubTrouble: Equatable, Sendable {
    case notTriedYet
    case unknownName
    case refused
    case unreachable
    case timedOut
    /// The certificate is not one that this box trusts.
    case untrusted
    case expired
    case notYetValid
    case wrongHost
    /// BYE `unauthorized`.
    case unauthorized
    /// A fleet's client tells no more of a server that is off, not reached or not known by its name.
    case noServer
    /// The file of `push.ca` or `push.credentials` cannot be used; why.
    case badFile(String)
    case other(String)
}

/// How the sound device is.
package enum SpeakerFact: Equatable, Sendable {
    /// Configured as `none`.
    case none
    case ready(name: String)
    case failed(name: String, SpeakerError)
    /// The running box has it.
    case inUse(name: String)
}

/// Which voice speaks, and whether free texts can be spoken.
package struct VoiceFact: Equatable, Sendable {
    package var language: String
    package var pack: String
    /// Why the configured pack was refused and the built-in one speaks.
    package var refusal: String?
    /// espeak-ng was found.
    package var speaksFreeText: Bool

    package init(language: String, pack: String, refusal: String? = nil, speaksFreeText: Bool = true) {
        self.language = language
        self.pack = pack
        self.refusal = refusal
        self.speaksFreeText = speaksFreeText
    }
}

/// How the printer is.
package enum PrinterFact: Equatable, Sendable {
    /// Configured as `none`.
    case none
    case ready(url: String)
    case connecting(url: String)
    case paperOut, paperLow, coverOpen
    /// Its link failed so many times in a row.
    case failed(PrinterAddress, PrinterLinkError, tries: Int)
    /// The running box has it.
    case inUse(url: String)
    /// It answered with an error that it does not name.
    case error(String)
}

/// How the line of the light or of the button is.
package enum PanelFact: Equatable, Sendable {
    /// The board has none.
    case none
    case ready
    /// The machine has no chip at all.
    case noChip(line: String)
    /// No chip has such a line.
    case missing(line: String)
    case notPermitted(line: String)
    /// Another program or driver holds the line.
    case taken(line: String, owner: String)
    case failed(line: String, String)
}

/// How the console's port is.
package enum ConsoleFact: Equatable, Sendable {
    case none
    case ready(port: String)
    case missing(port: String)
    case notPermitted(port: String)
    case failed(port: String, String)
}

/// Where the box has the time from.
package struct ClockFact: Equatable, Sendable {
    package var isSynchronised: Bool
    /// The system's clock stood before this software was built.
    package var isBeforeBuild: Bool
    /// A hub's word moved the box's own clock.
    package var isFromHub: Bool

    package init(isSynchronised: Bool, isBeforeBuild: Bool, isFromHub: Bool) {
        self.isSynchronised = isSynchronised
        self.isBeforeBuild = isBeforeBuild
        self.isFromHub = isFromHub
    }
}

/// Room, heat and supply of the machine: bytes, and degrees Celsius.
package struct MachineFacts: Equatable, Sendable {
    /// Bytes that the box may still write in its state folder.
    package var diskFree: Int64?
    /// Bytes of memory that programs can still get.
    package var memoryFree: Int64?
    /// Thousandths of a degree Celsius.
    package var temperature: Int?
    package var hasUnderVoltage: Bool?
    package var hadUnderVoltage: Bool?
    /// Addresses that others can reach; empty: there is no network.
    package var addresses: [String]?
    /// The network adapters; empty: the machine has none.
    package var links: [NetworkLink]?
    /// There is a way out of the network.
    package var hasGateway: Bool?
    package var hasNameServer: Bool?

    package init() {}

    package init(_ reading: MachineReading) {
        diskFree = reading.diskFree
        memoryFree = reading.memoryFree
        temperature = reading.temperature
        hasUnderVoltage = reading.hasUnderVoltage
        hadUnderVoltage = reading.hadUnderVoltage
        addresses = reading.network.addresses
        links = reading.network.links
        hasGateway = !reading.network.gateways.isEmpty
        hasNameServer = !reading.network.nameServers.isEmpty
    }
}
