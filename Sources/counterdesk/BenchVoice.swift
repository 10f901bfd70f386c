// The voice: amounts to words, phrases to samples, a pack's time and memory.

import BoxAssembly
import BoxFoundation
import VoiceAnnouncing

enum BenchVoice {
    static let group = BenchGroup(name: "voice", lines: lines)

    private static let packs = ["zh-CN", "en"]
    private static let words = ["zh-CN", "en", "hi", "th", "vi", "id", "es"]

    private static func lines() throws(VerbFailure) -> [BenchLine] {
        guard let resources = ResourceFolder.find() else { throw .failure(ResourceFolder.missing) }
        let read = { (language: String) in { (name: String) in resources.read("voice/\(language)/\(name)") } }
        var lines: [BenchLine] = []
        for language in words { lines.append(try wordsLine(language, read(language))) }
        for language in packs {
            let files = try KeptFiles(read(language))
            lines += [memoryLine(language, files), loadLine(language, files)]
            let voice = try load(language, files)
            lines += [clipsLine(voice), joinLine(voice)]
        }
        return lines
    }

    // MARK: - Words

    /// Amounts of up to ten digits and two decimals.
    private static func wordsLine(
        _ language: String, _ file: @escaping (String) -> [UInt8]?
    ) throws(VerbFailure) -> BenchLine {
        let wording: Wording
        do throws(VoicePackFault) {
            wording = try Voice.loadWording(file: file)
        } catch {
            throw .failure("the voice \(language): \(error.message)")
        }
        var random = SeededRandom(seed: 1)
        let amounts = (0..<200_000).map { _ in Money(minor: Int64.random(in: 0...999_999_999_999, using: &random)) }
        return BenchLine("amounts to words, \(language)", .perSecond("amounts"), reach: "over 1 million/s") {
            var words: [UInt8] = []
            return Bench.rate(of: amounts.count) {
                for money in amounts {
                    words.removeAll(keepingCapacity: true)
                    wording.append(money, to: &words)
                }
            }
        }
    }

    // MARK: - Sound

    /// A pack's files in memory, so that no disk is measured.
    private final class KeptFiles {
        private let read: (String) -> [UInt8]?
        private var kept: [String: [UInt8]] = [:]

        init(_ read: @escaping (String) -> [UInt8]?) throws(VerbFailure) { self.read = read }

        func file(_ name: String) -> [UInt8]? {
            if let bytes = kept[name] { return bytes }
            let bytes = read(name)
            kept[name] = bytes
            return bytes
        }
    }

    private static func load(_ language: String, _ files: KeptFiles) throws(VerbFailure) -> Voice {
        do throws(VoicePackFault) {
            return try Voice.load(file: files.file)
        } catch {
            throw .failure("the voice \(language): \(error.message)")
        }
    }

    private static func loadLine(_ language: String, _ files: KeptFiles) -> BenchLine {
        BenchLine("time to load, \(language), files in memory", .seconds) { () throws(VerbFailure) in
            var voice: Result<Voice, VerbFailure>?
            let time = Bench.time { voice = Result { () throws(VerbFailure) in try load(language, files) } }
            _ = try voice?.get()
            return time
        }
    }

    /// All that were loaded stay, so that none takes the place of an earlier one.
    private static func memoryLine(_ language: String, _ files: KeptFiles) -> BenchLine {
        var voices: [Result<Voice, VerbFailure>] = []
        return BenchLine("memory of one loaded pack, \(language)", .bytes) { () throws(VerbFailure) in
            let memory = Bench.memory { voices.append(Result { () throws(VerbFailure) in try load(language, files) }) }
            _ = try voices.last?.get()
            return memory
        }
    }

    private static func clipsLine(_ voice: Voice) -> BenchLine {
        let phrases = phrases(voice)
        return BenchLine("words to clips, \(voice.language)", .perSecond("phrases")) {
            var pieces = 0
            return Bench.rate(of: phrases.count) {
                for words in phrases { pieces += voice.phrase(words)?.pieces.count ?? 0 }
            }
        }
    }

    private static func joinLine(_ voice: Voice) -> BenchLine {
        let phrases = phrases(voice).prefix(500).compactMap { voice.phrase($0) }
        let samples = phrases.reduce(0) { $0 + voice.samples(of: $1).count }
        return BenchLine("samples joined, \(voice.language)", .perSecond("samples")) {
            var count = 0
            let rate = Bench.rate(of: samples) { for phrase in phrases { count += voice.samples(of: phrase).count } }
            precondition(count == samples, "the same phrases are as long as before")
            return rate
        }
    }

    /// What counters say, of every length.
    private static func phrases(_ voice: Voice) -> [String] {
        var random = SeededRandom(seed: 2)
        return (0..<20_000).map { i in
            let money = Money(minor: Int64.random(in: 0...(i % 2 == 0 ? 99_999 : 999_999_999_999), using: &random))
            return voice.wording.payment(money, channel: .wechat)
        }
    }
}
