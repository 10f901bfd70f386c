import BoxFoundation
import Glibc
import Testing
import VoiceAnnouncing

/// Prints figures, judges none: `COUNTERBOX_MEASURE=1 swift test -c release --filter Measurements`.
@Suite(.enabled(if: getenv("COUNTERBOX_MEASURE") != nil), .serialized)
struct Measurements {
    /// Of the processor, so that a busy machine does not spoil it.
    private func seconds(_ work: () throws -> Void) rethrows -> Double {
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start)
        try work()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    @Test("Amounts to words", arguments: ["zh-CN", "en", "hi", "th", "vi", "id", "es"])
    func words(language: String) throws {
        let wording = try Fixtures.wording(language)
        var random = SeededRandom(seed: 1)
        let amounts = (0..<1_000_000).map { _ in Money(minor: Int64.random(in: 0...999_999_999_999, using: &random)) }
        let small = amounts.map { Money(minor: $0.minor % 100_000) }
        var words: [UInt8] = []
        var bytes = 0
        func read(_ amounts: [Money]) {
            for money in amounts {
                words.removeAll(keepingCapacity: true)
                wording.append(money, to: &words)
                bytes += words.count
            }
        }
        let large = seconds { read(amounts) }
        let usual = seconds { read(small) }
        print(
            "\(language): \(Int(1 / large * 1e6)) amounts/s up to 10^10, \(Int(1 / usual * 1e6)) amounts/s below 1000 (\(bytes) bytes)"
        )
    }

    @Test("Loading and joining", arguments: ["zh-CN", "en"])
    func joining(language: String) throws {
        let folder = try PackFolder(language)
        let before = Self.residentKiB()
        var voice: Voice?
        let load = try seconds { voice = try Voice.load(file: folder.read) }
        let loaded = try #require(voice)
        let manifest = try #require(folder.read("voice.json"))
        let prepared = try #require(loaded.pack?.prepared(manifest: manifest))
        let again = try seconds { _ = try Voice.load(prepared: { _ in prepared }, file: folder.read) }
        let money = Money(minor: 12_345)
        var phrases = 0
        var samples = 0
        let match = seconds {
            for _ in 0..<20_000 {
                phrases += loaded.phrase(loaded.wording.payment(money, channel: .wechat))?.pieces.count ?? 0
            }
        }
        let phrase = try #require(loaded.phrase(loaded.wording.payment(money, channel: .wechat)))
        let join = seconds { for _ in 0..<5000 { samples += loaded.samples(of: phrase).count } }
        let after = Self.residentKiB()
        print(
            "\(language): load \(Int(load * 1e6)) us, prepared \(Int(again * 1e6)) us, about \(after - before) KiB, "
                + "\(Int(20_000 / match)) phrases/s to clips, \(Int(Double(samples) / join / 1e6)) M samples/s joined")
    }

    @Test("ICU, for comparison")
    func icu() throws {
        var reading: ICUReading?
        let open = seconds { reading = ICUReading("zh") }
        let icu = try #require(reading)
        var random = SeededRandom(seed: 1)
        let amounts = (0..<200_000).map { _ in Int64.random(in: 0...9_999_999_999, using: &random) }
        var bytes = 0
        let time = seconds { for amount in amounts { bytes += icu.words(amount).count } }
        print("ICU zh: open \(Int(open * 1e6)) us, \(Int(200_000 / time)) numbers/s (\(bytes) bytes)")
    }

    static func residentKiB() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var (size, resident) = (0, 0)
        withUnsafeMutablePointer(to: &size) { size in
            withUnsafeMutablePointer(to: &resident) { resident in
                _ = withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) }
            }
        }
        return resident * 4
    }
}
