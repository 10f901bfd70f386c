import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

@Suite("espeak-ng as a child process")
struct EspeakProgramTests {
    private let loop: EpollLoop
    private let folder: ProgramFolder

    init() throws {
        loop = try EpollLoop()
        folder = try ProgramFolder()
        try folder.write(SpeechFixture.wav(frames: 2000), to: "sound.wav")
    }

    /// - Returns: all samples of the text, and how it ended.
    private func speak(
        _ words: String, language: String = "en", by program: EspeakProgram
    ) -> (samples: [Int16], end: SpeechEvent?) {
        program.speak(SpeechID(1), words, language: language)
        var samples: [Int16] = []
        var end: SpeechEvent?
        loop.run { events in
            (samples, end) = ([], nil)
            for event in events.compactMap({ $0.speech(of: SpeechID(1)) }) {
                if case .samples(let some, _) = event { samples += some } else { end = event }
            }
            return end != nil
        }
        return (samples, end)
    }

    @Test("Samples are those of its WAV, whatever the split", arguments: [1, 7, 43, 44, 45, 4096])
    func split(bytes: Int) throws {
        let name = try folder.program("cat > words; dd if=sound.wav bs=\(bytes) count=90 2>/dev/null")
        let heard = speak("hello", by: EspeakProgram(name, on: loop))
        let count = max(0, min(4044, bytes * 90) - 44) / 2
        #expect(heard.samples == (0..<count).map { Int16(truncatingIfNeeded: $0) })
        #expect(count == 0 || heard.end == .ended)
    }

    @Test("Words come on its input, whole: an option in them is none, and long ones too", arguments: [1, 100_000])
    func input(count: Int) throws {
        let words = String(repeating: "-v 你好; $(reboot) ", count: count)
        let name = try folder.program("sleep 0.05; cat > words; echo \"$@\" > arguments; cat sound.wav")
        #expect(speak(words, by: EspeakProgram(name, on: loop)).end == .ended)
        #expect(folder.read("words") == words + "\n")
        #expect(folder.read("arguments")?.contains("你好") == false)
    }

    @Test(
        "Each language is what the program calls it",
        arguments: [
            ("zh-CN", "cmn"), ("zh-HK", "yue"), ("en", "en"), ("es-MX", "es"), ("vi", "vi"), ("zh", "cmn"),
        ])
    func language(tag: String, voice: String) throws {
        let name = try folder.program("cat > words; echo \"$@\" > arguments; cat sound.wav")
        #expect(speak("x", language: tag, by: EspeakProgram(name, on: loop)).end == .ended)
        #expect(folder.read("arguments")?.hasPrefix("-v \(voice) ") == true)
    }

    @Test(
        "What goes wrong is named",
        arguments: [
            ("cat > words; exit 1", "status 1"), ("cat > words", "no sound"), ("kill -9 $$", "signal 9"),
            ("cat > words; echo this is no sound at all", "no 16-bit WAV"), ("exec < /dev/null; exit 7", "status 7"),
        ])
    func failure(body: String, why: String) throws {
        let heard = speak("hello", by: EspeakProgram(try folder.program(body), on: loop))
        guard case .failed(let text)? = heard.end else {
            Issue.record("it did not fail")
            return
        }
        #expect(text.contains(why))
    }

    @Test("One that is stuck is killed when its time is up, and all that it started with it")
    func deadline() throws {
        let name = try folder.program("sleep 100 & echo $! > child; wait")
        let program = EspeakProgram(name, limit: .milliseconds(300), on: loop)
        let heard = speak("hello", by: program)
        guard case .failed(let text)? = heard.end else {
            Issue.record("it did not fail")
            return
        }
        #expect(text.contains("took over"))
        let child = try #require(folder.read("child").flatMap { Int32($0.filter(\.isNumber)) })
        for _ in 0..<100 where Self.isRunning(child) { loop.run(for: .milliseconds(20)) }
        #expect(!Self.isRunning(child))
    }

    /// It may be a zombie that the system has not yet taken away.
    private static func isRunning(_ process: Int32) -> Bool {
        guard let bytes = try? Files.read("/proc/\(process)/stat", limit: 4096) else { return false }
        let state = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.first { $0 != " " }
        return state != "Z" && state != "X"
    }

    @Test("It inherits no descriptor but its own three, and no signal that is blocked or ignored")
    func inheritance() throws {
        let loop = try EpollLoop()
        var old = sigset_t()
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &mask, &old)
        // As every program with the box's loop has it.
        _ = signal(SIGPIPE, SIG_IGN)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        let other = open("/dev/null", O_RDONLY)
        defer { close(other) }
        let name = try folder.program(
            "cat > words; ls /proc/self/fd > descriptors; cat /proc/self/status > status; cat sound.wav")
        let program = EspeakProgram(name, on: loop)
        program.speak(SpeechID(1), "hello", language: "en")
        loop.run { $0.contains { $0.speech(of: SpeechID(1)) == .ended } }
        // 3 is the folder that ls reads.
        let descriptors = folder.read("descriptors")?.split(separator: "\n").compactMap { Int($0) } ?? []
        #expect(descriptors.allSatisfy { $0 <= 3 } && descriptors.contains(0))
        #expect(try signals("SigBlk") == 0)
        #expect(try signals("SigIgn") == 0)
    }

    /// A set of signals as the script's status has it, the real-time ones left out.
    private func signals(_ name: String) throws -> UInt64 {
        let status = try #require(folder.read("status"))
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(UInt64(line.split(separator: "\t")[1], radix: 16)) & 0x7FFF_FFFF
    }

    @Test("Thirty texts, said or stopped, leave no child behind")
    func nothingLeft() throws {
        let name = try folder.program("cat sound.wav", named: "unlikely")
        let program = EspeakProgram(name, on: loop)
        for i in 1...30 as ClosedRange<UInt64> {
            program.speak(SpeechID(i), "hello", language: "en")
            if i % 3 == 0 { program.stop() } else { loop.run { $0.contains { $0.speech(of: SpeechID(i)) == .ended } } }
        }
        let left = Files.names(in: "/proc").filter { name in
            guard Int(name) != nil, let status = try? Files.read("/proc/\(name)/stat", limit: 4096) else {
                return false
            }
            // What it had started itself is the system's to take away.
            let text = String(decoding: status, as: UTF8.self)
            return text.contains("(unlikely)") && (text.contains(" \(getpid()) ") || !text.contains(") Z "))
        }
        #expect(left.isEmpty)
    }

    @Test("The real one says a sentence, where it is installed")
    func real() throws {
        let found = (String(cString: getenv("PATH") ?? strdup("")).split(separator: ":")).contains {
            access("\($0)/espeak-ng", X_OK) == 0
        }
        guard found else { return }
        let heard = speak("今天打烊了", language: "zh-CN", by: EspeakProgram(on: loop))
        #expect(heard.end == .ended)
        #expect(heard.samples.count > 11_025)
        #expect(heard.samples.contains { $0.magnitude > 1000 })
    }
}
