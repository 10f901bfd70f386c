// A setting kept over restarts: in `settings.json5` of the state folder, over the configuration's file.

import BoxFoundation
import BoxSettings
import HardwareLinux

package enum OverlayFile {
    /// - Throws: why the setting cannot be kept.
    package static func set(
        _ name: String, to value: String, under configuration: Configuration
    ) throws(AssemblyFault) {
        let state = StateFolder(configuration.settings.state)
        var overlay: SettingsOverlay
        do throws(JSONFault) {
            overlay = try SettingsOverlay(state.load(SettingsOverlay.fileName))
        } catch {
            throw AssemblyFault("\(state.path)/\(SettingsOverlay.fileName), line \(error.line): \(error.message)")
        }
        if let note = overlay.set(name, to: value, over: configuration.layers) { throw AssemblyFault(note.message) }
        guard state.save(overlay.bytes, as: SettingsOverlay.fileName) else {
            throw AssemblyFault("\(state.path) cannot be written: is it there, and may this user write to it?")
        }
    }
}
