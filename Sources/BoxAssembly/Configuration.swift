// The configuration in force: the board's layer, the file's, and over them what `config set` wrote.

import BoxFoundation
import BoxSettings
import Glibc
import HardwareLinux

/// The configuration in force on this machine, with what is wrong in it. A value at fault leaves the one below it
/// standing.
package struct Configuration {
    /// Where the configuration lies when no other is named.
    package static let usualPath = "/etc/counterbox/counterbox.json5"
    private static let mostBytes = 1 << 20

    package var settings: Settings
    package var board: Board
    /// What is wrong in the files, and what was probably not meant so.
    package var notes: [SettingsNote]
    /// The lowest first, without the overlay.
    package var layers: [SettingsLayer]
    /// The configuration's file, where there is one.
    package var path: String?
    /// Where the file's last good copy goes, and what is to be kept there.
    private var copy: (path: String, bytes: [UInt8])?

    /// The overlay's file in the state folder.
    package var overlayPath: String { "\(settings.state)/\(SettingsOverlay.fileName)" }

    /// - Parameters:
    ///   - path: a file that must be there; nil takes the usual one where it is.
    ///   - board: a board's folder or name; nil asks the machine.
    package static func load(path: String?, board: String? = nil) throws(AssemblyFault) -> Configuration {
        var (board, notes) = try findBoard(board)
        var layers: [SettingsLayer] = []
        let usual = access(usualPath, F_OK) == 0 ? usualPath : nil
        if path == nil, usual == nil, board.name == Self.desktop { layers.append(stateOfDesktop) }
        layers.append(board.layer)
        var copy: (path: String, bytes: [UInt8])?
        if let file = path ?? usual {
            let found = try readFile(file)
            layers.append(SettingsLayer(file, found.bytes ?? []))
            if found.isLastGood {
                notes.append(
                    SettingsNote(.warning, layer: file, line: 0, name: "", "it is damaged: its last good copy is taken")
                )
            }
            if found.isToBeKept, let bytes = found.bytes { copy = (lastGoodPath(of: file), bytes) }
        }
        let state = SettingsReader.read(layers).settings.state
        var all = layers
        let name = "\(state)/\(SettingsOverlay.fileName)"
        let (overlay, note) = readOverlay(StateFolder(state), name)
        if let overlay { all.append(SettingsLayer(name, overlay)) }
        if let note { notes.append(note) }
        let reader = SettingsReader.read(all)
        notes += reader.notes
        return Configuration(
            settings: reader.settings, board: board, notes: notes, layers: layers, path: path ?? usual, copy: copy)
    }

    /// As the box itself reads it, for verbs that look after it: root becomes the box's user first, so that rights are judged
    /// and files are made as the box's own.
    package static func loadAsBox(path: String?, board: String? = nil) throws(AssemblyFault) -> Configuration {
        let configuration = try load(path: path, board: board)
        do throws(SystemError) {
            guard try BoxUser.become(ownerOf: configuration.settings.state) else { return configuration }
        } catch {
            throw AssemblyFault("the box's user cannot be taken on: \(error.message)")
        }
        return try load(path: path, board: board)
    }

    /// Keeps the file that was read well, for the day when a power cut or a failing card leaves it empty or half: a box
    /// that came up with other settings would be another box. For `run` alone.
    package func keepCopy() {
        guard let copy else { return }
        let slash = copy.path.lastIndex(of: "/") ?? copy.path.startIndex
        // Where the folder cannot be written, a damaged file is named and the defaults stand.
        _ = StateFolder(String(copy.path[..<slash])).save(copy.bytes, as: String(copy.path[slash...].dropFirst()))
    }

    /// The usual file lies where the box may not write: its copy is with the box's state.
    private static func lastGoodPath(of file: String) -> String {
        let absolute = file.hasPrefix("/") ? file : "./" + file
        return (file == usualPath ? Settings().state + "/counterbox.json5" : absolute) + ".last-good"
    }

    private static func readFile(_ file: String) throws(AssemblyFault) -> SettingsCopy {
        let bytes = try read(file)
        return SettingsCopy(file: bytes, lastGood: try? Files.read(lastGoodPath(of: file), limit: mostBytes))
    }

    private static func read(_ file: String) throws(AssemblyFault) -> [UInt8] {
        do {
            return try Files.read(file, limit: mostBytes)
        } catch {
            throw AssemblyFault("the configuration cannot be read: \(error.message)")
        }
    }

    /// A power cut, or a failing card, may leave the file empty or half. One that is another user's is a fault: what was set
    /// is not in force.
    private static func readOverlay(_ state: StateFolder, _ name: String) -> (bytes: [UInt8]?, note: SettingsNote?) {
        let file = state.load(SettingsOverlay.fileName)
        let copy = SettingsCopy(file: file, lastGood: state.load(SettingsOverlay.fileName + ".last"))
        if let fault = state.fault(reading: SettingsOverlay.fileName) {
            let text = "what was set is not in force: \(fault.message)"
            return (copy.bytes, SettingsNote(.fault, layer: name, line: 0, name: "", text))
        }
        let text = "it is damaged: its last good copy is taken"
        return (copy.bytes, copy.isLastGood ? SettingsNote(.warning, layer: name, line: 0, name: "", text) : nil)
    }

    // MARK: - The board

    private static let desktop = "desktop"

    /// A desktop keeps its state with its user's.
    private static var stateOfDesktop: SettingsLayer {
        let home = getenv("HOME").map { String(cString: $0) } ?? "/tmp"
        let base = getenv("XDG_STATE_HOME").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = (base ?? home + "/.local/state") + "/counterbox"
        return SettingsLayer("the desktop", JSON.object(["state": .string(folder)]).bytes)
    }

    private static func findBoard(_ named: String?) throws(AssemblyFault) -> (Board, [SettingsNote]) {
        if let named, named.contains("/") { return try readBoard(named) }
        guard let boards = ResourceFolder.findBoards() else {
            guard named == nil else { throw AssemblyFault("there is no folder of boards here: give --board a folder") }
            return (Board(name: desktop), [])
        }
        if let named { return try readBoard(boards + "/" + named) }
        if let model = Machine.model {
            for name in Files.names(in: boards) {
                guard let (board, notes) = try? readBoard(boards + "/" + name) else { continue }
                if board.isModel(model) { return (board, notes) }
            }
        }
        return try readBoard(boards + "/" + desktop)
    }

    private static func readBoard(_ folder: String) throws(AssemblyFault) -> (Board, [SettingsNote]) {
        let file = folder + "/board.json"
        do {
            let name = folder.split(separator: "/").last.map(String.init) ?? folder
            let (board, notes) = Board.read(try Files.read(file, limit: mostBytes), name: name, file: file)
            return (board, notes)
        } catch {
            throw AssemblyFault("there is no such board: \(error.message)")
        }
    }
}

/// Why the programs cannot go on; one line that says what to do.
package struct AssemblyFault: Error, Equatable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
