// Everything of the box that reads bytes of strangers: hubs, shops, printers, terminals, files. Each subject takes any bytes
// at all; besides not crashing, it must keep what the subject's comment promises. `scripts/fuzz` feeds them to libFuzzer,
// and `scripts/test` replays the corpus.

package struct FuzzSubject: Sendable, CustomStringConvertible {
    /// The name of its folder in Tests/FuzzCorpus.
    package let name: String
    /// Stops the process where the bytes break a promise.
    package let run: @Sendable ([UInt8]) -> Void

    package static let all = [
        FuzzSubject(name: "frames", run: WireSubjects.frames),
        FuzzSubject(name: "session", run: WireSubjects.session),
        FuzzSubject(name: "json", run: WireSubjects.json),
        FuzzSubject(name: "body", run: WireSubjects.body),
        FuzzSubject(name: "alert", run: WireSubjects.alert),
        FuzzSubject(name: "markup", run: ReceiptSubjects.markup),
        FuzzSubject(name: "template", run: ReceiptSubjects.template),
        FuzzSubject(name: "picture", run: ReceiptSubjects.picture),
        FuzzSubject(name: "escpos", run: ReceiptSubjects.escpos),
        FuzzSubject(name: "profile", run: ReceiptSubjects.profile),
        FuzzSubject(name: "printer", run: PrinterSubjects.link),
        FuzzSubject(name: "console", run: ConsoleSubjects.console),
        FuzzSubject(name: "sound", run: VoiceSubjects.sound),
        FuzzSubject(name: "pack", run: VoiceSubjects.pack),
        FuzzSubject(name: "grammar", run: VoiceSubjects.grammar),
        FuzzSubject(name: "settings", run: SettingsSubjects.settings),
        FuzzSubject(name: "overlay", run: SettingsSubjects.overlay),
        FuzzSubject(name: "board", run: SettingsSubjects.board),
    ]

    package static func named(_ name: String) -> FuzzSubject? { all.first { $0.name == name } }

    package var description: String { name }
}

/// The parts of an input that stands for several: they are apart by a zero byte.
func parts(_ bytes: [UInt8], _ most: Int) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0, maxSplits: most - 1, omittingEmptySubsequences: false)
}
