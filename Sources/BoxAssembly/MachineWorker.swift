// What the running box wants of the machine around it, on a thread of its own: a look at everything, the settings, the
// support file, and whether the machine may be restarted.

import BoxCore
import BoxDoctor
import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

/// What may take long on the machine around the box, done in a thread of its own: the look at everything, settings, the
/// support file.
package struct MachineWorker {
    /// Its name in the state folder.
    package static let supportFileName = "support.txt"

    private let configuration: Configuration
    private let reader: MachineReader
    private let power: MachinePower

    package init(_ configuration: Configuration, reader: MachineReader = MachineReader(), power: MachinePower) {
        self.configuration = configuration
        self.reader = reader
        self.power = power
    }

    package static func start(
        _ configuration: Configuration, on loop: any DescriptorLoop
    ) throws(AssemblyFault) -> WorkerThread<MachineRequest, MachineAnswer> {
        do {
            return try WorkerThread(
                "machine", on: loop,
                making: {
                    let worker = MachineWorker(configuration, power: MachinePower())
                    return { worker.perform($0) }
                })
        } catch {
            throw AssemblyFault(error.message)
        }
    }

    package func perform(_ request: MachineRequest) -> MachineAnswer {
        switch request {
        case .examine(let speaker): .examined(sight(speaker: speaker))
        case .settings(let name): settings(name)
        case .set(let name, let value): set(name, to: value)
        case .keep(let file): keep(file)
        case .askRestart: .mayRestart(power.refusal())
        }
    }

    // MARK: - Looking

    private func sight(speaker: Bool) -> MachineSight {
        let reading = reader.read(state: configuration.settings.state)
        var facts = Examination(configuration, reader: reader).facts(reading)
        if speaker, let name = configuration.settings.speaker.alsa {
            facts.speaker = SpeakerProbe.fact(name)
        } else if configuration.settings.speaker.alsa != nil {
            facts.speaker = nil
        }
        return MachineSight(
            facts: facts, network: reading.network, versions: versions,
            settings: configuration.settings.describe())
    }

    private var versions: [(name: String, value: String)] {
        [("board", configuration.board.title)] + Machine.versions
    }

    // MARK: - Settings

    private static let atOnce = "light.brightness"

    private var overlay: [UInt8]? { StateFolder(configuration.settings.state).load(SettingsOverlay.fileName) }

    private func next(_ overlay: [UInt8]?) -> Settings {
        let layer = overlay.map { [SettingsLayer(configuration.overlayPath, $0)] } ?? []
        return SettingsReader.read(configuration.layers + layer).settings
    }

    private func lines(_ overlay: [UInt8]?) -> [SettingLine] {
        let now = configuration.settings.describe()
        let next = next(overlay).describe()
        let lines = next.map { setting in
            let inForce = now.first { $0.name == setting.name }?.value ?? "none"
            let isSame = inForce == setting.value || setting.name == Self.atOnce
            return SettingLine(name: setting.name, value: setting.value, inForce: isSame ? nil : inForce)
        }
        return lines
    }

    private func settings(_ name: String?) -> MachineAnswer {
        let all = lines(overlay)
        guard let name else { return .settings(all) }
        let found = all.filter { $0.name == name || $0.name.hasPrefix(name + ".") }
        if !found.isEmpty { return .settings(found) }
        let near = NearestName.of(name, among: all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        return .refused("there is no setting \(name)" + near)
    }

    private func set(_ name: String, to value: String) -> MachineAnswer {
        let changed: [UInt8]
        do throws(AssemblyFault) { changed = try OverlayFile.set(name, to: value, under: configuration) } catch {
            return .refused(error.message)
        }
        let setting = lines(changed).first { $0.name == name } ?? SettingLine(name: name, value: "none")
        let brightness = name == Self.atOnce ? next(changed).light.brightness : nil
        return .set(setting, brightness: brightness)
    }

    // MARK: - The support file

    private func keep(_ file: [UInt8]) -> MachineAnswer {
        let state = StateFolder(configuration.settings.state)
        guard state.save(file, as: Self.supportFileName) else {
            return .refused("\(state.path) cannot be written")
        }
        return .kept("\(state.path)/\(Self.supportFileName)")
    }
}

/// Whether the sound device can be opened, tried once.
package enum SpeakerProbe {
    /// Opens the device and closes it again; nothing is heard.
    package static func fact(_ name: String) -> SpeakerFact {
        do throws(SpeakerError) {
            try ALSASpeaker.probe(name)
            return .ready(name: name)
        } catch {
            return .failed(name: name, error)
        }
    }
}
