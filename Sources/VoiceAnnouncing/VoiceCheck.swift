// Judges a voice pack: what would be refused, and what would be heard as a fault. A value; `counterbox voice check`
// prints its table.

import BoxFoundation

/// Judges a pack: what would be refused, and what would be heard as a fault.
package struct VoiceCheck: Equatable, Sendable {
    /// dB around the pack's median speech level.
    package static let mostLevelDifference = 1.5
    /// Silence that a clip may have in front and behind, in milliseconds.
    package static let mostSilenceBefore = 40
    package static let mostSilenceBehind = 80
    /// Below this part of the clip's loudest sample is silence (-40 dB).
    private static let silentPart = 0.01
    /// The step that a first or last sample may make, of full scale 32768.
    package static let mostEdge = 330
    /// So many samples in a row at full scale are clipped.
    package static let clippedRun = 3

    /// One fault, and of which clip.
    package struct Finding: Equatable, Sendable {
        /// What it is; levels in dB, silences in milliseconds.
        package enum Kind: Equatable, Sendable {
            /// The pack is refused.
            case refused(VoicePackFault)
            /// dB above (positive) or below the median.
            case level(Double)
            case silenceBefore(milliseconds: Int)
            case silenceBehind(milliseconds: Int)
            case clipped(samples: Int)
            /// A step at the first or last sample, as a part of full scale.
            case edge(Int)
        }

        /// nil where it is about the pack.
        package var clip: String?
        package var kind: Kind
    }

    package var language: String
    package var clips: Int
    /// K-weighted dB; nil where no clip could be read.
    package var median: Double?
    package var findings: [Finding]

    /// - Parameter file: reads a file of the pack's folder; nil where it can't be read.
    package static func check(file: (String) -> [UInt8]?) -> VoiceCheck {
        var check = VoiceCheck(language: "", clips: 0, findings: [])
        do throws(VoicePackFault) {
            guard let bytes = file("voice.json") else { throw VoicePackFault(clip: nil, .missingFile("voice.json")) }
            let manifest = try VoiceManifest.read(bytes)
            check.language = manifest.language
            check.clips = manifest.clips.count
            check.judgeClips(manifest, file)
            if !check.isRefused {
                let voice = try Voice.load(file: file)
                try voice.requireClips(for: VoiceCoverage.thorough(voice.wording))
            }
        } catch {
            check.findings.append(Finding(clip: error.clip, kind: .refused(error)))
        }
        return check
    }

    package var isRefused: Bool {
        findings.contains { if case .refused = $0.kind { true } else { false } }
    }

    private mutating func judgeClips(_ manifest: VoiceManifest, _ file: (String) -> [UInt8]?) {
        var levels: [(id: String, level: Double)] = []
        for entry in manifest.clips {
            do throws(VoicePackFault) {
                guard let bytes = file(entry.file) else {
                    throw VoicePackFault(clip: entry.id, .missingFile(entry.file))
                }
                guard SHA256.hex(bytes) == entry.sha256 else { throw VoicePackFault(clip: entry.id, .hash) }
                let samples = try VoicePack.sound(bytes, entry, rate: manifest.rate)
                findings += Self.judge(samples, rate: manifest.rate).map { Finding(clip: entry.id, kind: $0) }
                if let level = SpeechLevel.decibels(samples, rate: manifest.rate) { levels.append((entry.id, level)) }
            } catch {
                findings.append(Finding(clip: entry.id, kind: .refused(error)))
            }
        }
        judge(levels)
    }

    private mutating func judge(_ levels: [(id: String, level: Double)]) {
        let sorted = levels.map(\.level).sorted()
        guard !sorted.isEmpty else { return }
        let median = (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
        self.median = median
        for (id, level) in levels where abs(level - median) > Self.mostLevelDifference {
            findings.append(Finding(clip: id, kind: .level(level - median)))
        }
    }

    private static func judge(_ samples: [Int16], rate: Int) -> [Finding.Kind] {
        var kinds: [Finding.Kind] = []
        let loudest = samples.map(\.magnitude).max() ?? 0
        let threshold = UInt16(Double(loudest) * silentPart)
        let first = samples.firstIndex { $0.magnitude > threshold } ?? samples.count
        let last = samples.lastIndex { $0.magnitude > threshold } ?? 0
        let before = first * 1000 / rate
        let behind = max(0, samples.count - 1 - last) * 1000 / rate
        if before > mostSilenceBefore { kinds.append(.silenceBefore(milliseconds: before)) }
        if behind > mostSilenceBehind { kinds.append(.silenceBehind(milliseconds: behind)) }
        let clipped = clippedSamples(samples)
        if clipped > 0 { kinds.append(.clipped(samples: clipped)) }
        let edge = Int(max(samples.first?.magnitude ?? 0, samples.last?.magnitude ?? 0))
        if edge > mostEdge { kinds.append(.edge(edge)) }
        return kinds
    }

    private static func clippedSamples(_ samples: [Int16]) -> Int {
        var total = 0
        var run = 0
        for sample in samples {
            run = sample == .max || sample == .min ? run + 1 : 0
            if run == clippedRun { total += clippedRun } else if run > clippedRun { total += 1 }
        }
        return total
    }
}

extension VoiceCheck {
    /// The table: a heading, then a line a finding, then what it comes to.
    package var table: String {
        var lines = [
            "\(language.isEmpty ? "pack" : language): \(clips) clips\(median.map { ", median \(Self.decibels($0)) dB" } ?? "")"
        ]
        let width = findings.map { $0.clip?.utf8.count ?? 1 }.max() ?? 0
        for finding in findings {
            let clip = finding.clip ?? "-"
            lines.append("  " + clip + String(repeating: " ", count: width - clip.utf8.count + 2) + finding.text)
        }
        lines.append(isRefused ? "refused" : findings.isEmpty ? "good" : "usable, with \(findings.count) faults")
        return lines.joined(separator: "\n") + "\n"
    }

    /// One decimal, with a sign where it is below zero.
    static func decibels(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

extension VoiceCheck.Finding {
    /// What is wrong and what to do.
    package var text: String {
        switch kind {
        case .refused(let fault): VoicePackFault(clip: nil, fault.kind).message
        case .level(let difference) where difference > 0:
            "\(VoiceCheck.decibels(difference)) dB louder than the pack: turn it down"
        case .level(let difference):
            "\(VoiceCheck.decibels(-difference)) dB quieter than the pack: limit its peaks, turn it up"
        case .silenceBefore(let milliseconds): "\(milliseconds) ms of silence in front: trim it"
        case .silenceBehind(let milliseconds): "\(milliseconds) ms of silence behind: trim it"
        case .clipped(let samples): "\(samples) samples are clipped: record it lower"
        case .edge(let step): "begins or ends with a step of \(step) of 32768: fade it"
        }
    }
}
