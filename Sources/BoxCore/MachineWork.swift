// What the box wants of the machine around it, done by a worker: reading and writing files may take long.

import BoxDoctor
import BoxFoundation
import HardwareInterface

/// What the machine's worker is asked for.
package enum MachineRequest: Equatable, Sendable {
    /// Look at files, rights, network and board.
    ///
    /// - Parameter speaker: try the speaker too, which nobody may be using.
    case examine(speaker: Bool)
    /// All settings, or one by its dotted name, or those of a section.
    case settings(String?)
    case set(String, value: String)
    /// Keep the support file.
    case keep(supportFile: [UInt8])
    /// Whether this user may restart the machine.
    case askRestart
}

/// What it answers, in the order of the requests.
package enum MachineAnswer: Sendable {
    case examined(MachineSight)
    case settings([SettingLine])
    /// `isInForce`: it can take effect at once; the new value as it is read.
    case set(SettingLine, brightness: Int?)
    /// The file's path.
    case kept(String)
    /// nil: it may.
    case mayRestart(String?)
    /// One line that says what to do.
    case refused(String)
    /// Nobody here can do that: a box on simulated hardware.
    case absent
}

/// What the worker saw.
package struct MachineSight: Equatable, Sendable {
    package var facts: DoctorFacts
    package var network: NetworkReading
    /// A name and a value each.
    package var versions: [(name: String, value: String)]
    package var settings: [(name: String, value: String)]

    package init(
        facts: DoctorFacts, network: NetworkReading, versions: [(name: String, value: String)],
        settings: [(name: String, value: String)]
    ) {
        self.facts = facts
        self.network = network
        self.versions = versions
        self.settings = settings
    }

    package static func == (a: MachineSight, b: MachineSight) -> Bool {
        a.facts == b.facts && a.network == b.network && a.versions.map(\.value) == b.versions.map(\.value)
            && a.settings.map(\.value) == b.settings.map(\.value)
    }
}

/// A setting as text.
package struct SettingLine: Equatable, Sendable {
    package var name: String
    package var value: String
    /// What is in force until the next start, where that is another value.
    package var inForce: String?

    package init(name: String, value: String, inForce: String? = nil) {
        self.name = name
        self.value = value
        self.inForce = inForce
    }
}
