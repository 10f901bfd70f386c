// A setting kept over restarts: in `settings.json5` of the state folder, over the configuration's file.

import BoxFoundation
import BoxSettings
import HardwareLinux

/// Writes one name of `settings.json5`, after the whole configuration has been read with it and found good.
package enum OverlayFile {
    /// - Returns: the file as it is now.
    /// - Throws: why the setting cannot be kept, and what to do.
    @discardableResult
    package static func set(
        _ name: String, to value: String, under configuration: Configuration
    ) throws(AssemblyFault) -> [UInt8] {
        let state = StateFolder(configuration.settings.state)
        let path = configuration.overlayPath
        if let fault = state.fault(reading: SettingsOverlay.fileName) {
            throw AssemblyFault("\(fault.message): give it to the box's user, or remove it first")
        }
        var overlay: SettingsOverlay
        do throws(JSONFault) {
            overlay = try SettingsOverlay(state.load(SettingsOverlay.fileName))
        } catch {
            throw AssemblyFault("\(path):\(error.line): \(error.message): correct or remove it first")
        }
        if let fault = overlay.set(name, to: value, over: configuration.layers) {
            throw AssemblyFault("\(fault.name): \(fault.text)")
        }
        let next = SettingsReader.read(configuration.layers + [SettingsLayer(path, overlay.bytes)]).settings
        if let unknown = Configuration.unknownNames(in: next, layer: path).first(where: { $0.name == name }),
            !configuration.unknownNames.contains(where: { $0.name == name && $0.text == unknown.text })
        {
            throw AssemblyFault("\(name): \(unknown.text)")
        }
        guard state.save(overlay.bytes, as: SettingsOverlay.fileName) else {
            throw AssemblyFault("\(path) cannot be written: is the state folder there and writable?")
        }
        return overlay.bytes
    }
}
