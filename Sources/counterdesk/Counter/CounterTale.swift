// What the box does, a line each on the terminal; every phrase with the WAV that holds it, every receipt as text.

import BoxAssembly
import BoxCore
import BoxFoundation
import HardwareLinux
import VoiceAnnouncing

struct CounterTale {
    private let folder: String
    private let columns: Int
    private var phrases = 0
    private var samples: [Int16] = []
    private var rate = 0

    /// - Parameter folder: where the WAVs go.
    init(folder: String, columns: Int) {
        self.folder = folder
        self.columns = columns
    }

    mutating func tell(_ news: BoxNews) {
        switch news {
        case .light(let state, let pattern): tell("light", "\(pattern): \(state.name)")
        case .phraseBegan(let words):
            phrases += 1
            samples = []
            tell("speaks", words)
        case .phraseEnded(let end): spoken(end)
        case .receiptEnded(let end, let cause):
            if let cause { tell("paper", "\(end.rawValue): \(cause)") }
        case .printer(let report): tell("printer", report.words)
        case .frame: break
        }
    }

    mutating func hear(_ more: [Int16], rate: Int) {
        samples += more
        self.rate = rate
    }

    func show(paper text: String) {
        let edge = "        +" + String(repeating: "-", count: columns + 2)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        Terminal.print(edge)
        for line in lines.reversed().drop(while: \.isEmpty).reversed() { Terminal.print("        | \(line)") }
        Terminal.print(edge)
    }

    func tell(_ what: String, _ text: String) {
        Terminal.print(what + String(repeating: " ", count: max(1, 8 - what.count)) + text)
    }

    private mutating func spoken(_ end: VoiceEnd) {
        guard end == .announced || end == .merged, !samples.isEmpty else { return tell("spoken", end.rawValue) }
        let number = String(phrases)
        let path = "\(folder)/phrase-" + String(repeating: "0", count: max(0, 4 - number.count)) + number + ".wav"
        do {
            try Files.write(path, WAVFile(samples: samples, rate: rate).bytes)
            tell("spoken", path)
        } catch {
            tell("spoken", error.message)
        }
        samples = []
    }
}
