// One text that a technician can mail: what the box is, how it is, what it did. Nothing secret is in it; the parts are
// made without secrets, and what still looks like a key is blotted out.

import BoxFoundation
import PaymentJournal

/// The text to mail to support: versions, settings, findings, pushes, log and trace, without secrets.
package struct SupportFile: Sendable {
    /// The newest so many are told.
    package static let mostPushes = 100

    /// `counterbox`, the machine, the kernel, the libraries: a name and a value each.
    package var versions: [(name: String, value: String)] = []
    /// As `Settings.describe` gives them: no secret is among them.
    package var settings: [(name: String, value: String)] = []
    package var report = DoctorReport(findings: [])
    /// The oldest first.
    package var log: [String] = []
    /// The newest first.
    package var pushes: [JournalEntry] = []
    /// Amounts leave the shop only when asked for.
    package var showsAmounts = false
    /// Frames of the hub's connection, as the trace writes them.
    package var trace: [String] = []

    package init() {}

    /// Above and below it where it comes through a terminal, so that it can be cut out whole.
    package static let beginMark = "-----BEGIN COUNTERBOX SUPPORT FILE-----"
    package static func endMark(lines: Int) -> String { "-----END COUNTERBOX SUPPORT FILE, \(lines) LINES-----" }

    package var text: String { lines.joined(separator: "\n") }

    package var lines: [String] {
        var lines: [String] = []
        func part(_ title: String, _ content: [String]) {
            lines += ["== \(title)"] + (content.isEmpty ? ["(nothing)"] : content.map(Self.withoutSecrets)) + [""]
        }
        part("versions", versions.map { "\($0.name): \($0.value)" })
        part("settings", settings.map { "\($0.name): \($0.value)" })
        part("doctor", report.lines)
        part("pushes", pushes.prefix(Self.mostPushes).map { $0.line(amounts: showsAmounts) })
        part("log", showsAmounts ? log : log.map(Self.withoutAmounts))
        part("trace", showsAmounts ? trace : trace.map(Self.withoutAmounts))
        return lines
    }

    /// Names of traced frames whose values are texts of the shop's: amounts stand in them as people write them.
    private static let textNames = ["\"text\":", "\"detail\":"]

    /// The line of a traced frame without a PUSH's body, in many places of which amounts stand, and without free texts.
    package static func withoutAmounts(_ line: String) -> String {
        var bytes = Array(line.utf8)
        let body = "\"body\":".utf8
        if let start = bytes.firstPlace(of: body) {
            bytes.replaceSubrange((start + body.count)..., with: "…".utf8)
        }
        for name in textNames {
            var from = 0
            while let start = bytes.firstPlace(of: name.utf8, from: from) {
                from = start + name.utf8.count
                if let end = endOfText(in: bytes, from: from) { bytes.replaceSubrange(from..<end, with: "…".utf8) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Behind the text in quotes that begins here; the line's end where it was clipped; nil where no text begins.
    private static func endOfText(in bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
        var place = start + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, bytes.count)
    }

    /// A run of so many hex digits may be a key, a proof or a nonce (64 each); ids of payments are shorter.
    private static let digitsOfASecret = 48

    /// Blots out long runs of hex digits and what stands between `://` and `@`; control characters too.
    package static func withoutSecrets(_ line: String) -> String {
        var out: [UInt8] = []
        var run: [UInt8] = []
        func endRun() {
            out += run.count >= digitsOfASecret ? Array("[removed]".utf8) : run
            run = []
        }
        for byte in withoutUsers(line).utf8 {
            if isHexDigit(byte) {
                run.append(byte)
            } else {
                endRun()
                out.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte)
            }
        }
        endRun()
        return String(decoding: out, as: UTF8.self)
    }

    private static func withoutUsers(_ line: String) -> String {
        line.split(separator: " ", omittingEmptySubsequences: false)
            .map { AddressText.withoutUser(String($0), mark: "[removed]@") }.joined(separator: " ")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
