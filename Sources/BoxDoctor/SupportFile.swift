// One text that a technician can mail: what the box is, how it is, what it did. Nothing secret is in it; the parts are
// made without secrets, and what still looks like a key is blotted out.

import BoxFoundation
import PaymentJournal

package struct SupportFile: Sendable {
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
        part("log", showsAmounts ? log : log.map(Self.withoutBody))
        part("trace", showsAmounts ? trace : trace.map(Self.withoutBody))
        return lines
    }

    private static let bodyStart = Array("\"body\":".utf8)

    /// The line of a traced PUSH, its body left out: amounts stand in many places of it.
    package static func withoutBody(_ line: String) -> String {
        let bytes = Array(line.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: bodyStart) }) else { return line }
        return String(decoding: bytes[..<(start + bodyStart.count)], as: UTF8.self) + "…"
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

    /// `scheme://user:word@host` without user and word.
    private static func withoutUsers(_ line: String) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for (i, word) in words.enumerated() {
            let bytes = Array(word.utf8)
            guard let at = bytes.lastIndex(of: UInt8(ascii: "@")),
                let scheme = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }), scheme < at
            else { continue }
            words[i] =
                String(decoding: bytes[..<(scheme + 3)], as: UTF8.self) + "[removed]"
                + String(decoding: bytes[at...], as: UTF8.self)
        }
        return words.joined(separator: " ")
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
