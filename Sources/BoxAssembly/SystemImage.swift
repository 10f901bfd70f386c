// What a card's image tells of itself: which of its two systems runs, and what became of updates and of the data partition.
// Nobody logs in there, so the box's log is where it is read.

import BoxFoundation
import HardwareLinux

/// A card's image as the box sees it from within (docs/installing.md).
package struct SystemImage: Equatable, Sendable {
    /// Where the image's own scripts leave their lines (packaging/image/counterbox-notice).
    private static let noticesPath = "/data/notices"
    /// As many lines as are kept there, and characters of one.
    private static let mostLines = 12
    private static let mostCharacters = 240
    /// Bytes of a file that are read.
    private static let mostBytes = 8192

    /// `/etc/os-release`, which names the image and its version.
    package var release: String
    /// `/proc/cmdline`, in which U-Boot says which system it chose.
    package var commandLine: String
    /// A line each, the oldest first.
    package var notices: String

    package init(release: String, commandLine: String, notices: String) {
        self.release = release
        self.commandLine = commandLine
        self.notices = notices
    }

    /// This machine's files; what cannot be read is empty.
    package static func ofThisMachine() -> SystemImage {
        SystemImage(release: text("/etc/os-release"), commandLine: text("/proc/cmdline"), notices: text(noticesPath))
    }

    private static func text(_ path: String) -> String {
        guard let bytes = try? Files.readStart(path, count: mostBytes) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the box logs at its start: the system that runs, then the notices; nothing on a machine that has no image of ours.
    package var remarks: [LogEntry] {
        guard let name = value("IMAGE_ID"), name.hasPrefix("counterbox-") else { return [] }
        var line = "image \(name) \(value("IMAGE_VERSION") ?? "of no version")"
        if let system { line += ", system \(system)" }
        let told = notices.split(whereSeparator: \.isNewline).suffix(Self.mostLines).map { "kept: " + Self.plain($0) }
        return ([line] + told).map { LogEntry(.notice, "box", $0) }
    }

    private var system: Substring? {
        let start = "rauc.slot="
        return commandLine.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix(start) }?.dropFirst(start.count)
    }

    private func value(_ name: String) -> String? {
        let line = release.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + "=") }
        return line.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
    }

    /// What a damaged card made of a line does nothing to a terminal.
    private static func plain(_ line: Substring) -> String {
        let scalars = line.unicodeScalars.prefix(mostCharacters).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
