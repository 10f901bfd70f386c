// Files that people write.

import BoxFoundation
import BoxSettings

enum SettingsSubjects {
    /// Any file: what cannot be used is named with its line, and the rest is described.
    static func settings(_ bytes: [UInt8]) {
        let read = SettingsReader.read([SettingsLayer("counterbox.json5", bytes)])
        for note in read.notes { precondition(!note.message.isEmpty && note.line >= 0, "a note without a place") }
        _ = read.settings.describe()
    }

    /// A name, a zero byte, a value, a zero byte, an overlay: what `config set` takes can be read at the next start.
    static func overlay(_ bytes: [UInt8]) {
        let parts = parts(bytes, 3)
        guard parts.count == 3, var overlay = try? SettingsOverlay(Array(parts[2])) else { return }
        let before = overlay
        let name = String(decoding: parts[0], as: UTF8.self)
        let fault = overlay.set(name, to: String(decoding: parts[1], as: UTF8.self), over: [])
        precondition(fault == nil || fault?.level != .fault || overlay == before, "a refused setting stays")
        guard let again = try? SettingsOverlay(overlay.bytes) else {
            preconditionFailure("the overlay is not read again")
        }
        precondition(again == overlay, "the overlay changes on its way")
    }

    /// A board of anybody.
    static func board(_ bytes: [UInt8]) {
        let (board, notes) = Board.read(bytes, name: "fuzz", file: "board.json")
        for note in notes { precondition(!note.message.isEmpty, "a note without words") }
        _ = SettingsReader.read([board.layer])
    }
}
