import BoxFoundation
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

// The real one runs a shell script that stands in for espeak-ng, so that no test needs it installed.
@Suite("A speech program, simulated and as a child process")
struct SpeechContractTests {
    /// What is wrong with the program.
    enum Fault { case none, isMissing, isStuck, breaksOff }

    private final class Bench {
        let loop: any EventLoop
        let program: any SpeechProgram
        private let folder: ProgramFolder?

        init(_ world: World, _ fault: Fault = .none) throws {
            switch world {
            case .simulated:
                let simulated = SimulatedLoop()
                let speech = SimulatedSpeech(on: simulated)
                switch fault {
                case .none: break
                case .isMissing: speech.faults.isMissing = true
                case .isStuck: speech.faults.isStuck = true
                case .breaksOff: speech.faults.breaksAfter = 2
                }
                (loop, program, folder) = (simulated, speech, nil)
            case .real:
                let epoll = try EpollLoop()
                let folder = try ProgramFolder()
                try folder.write(SpeechFixture.wav(frames: 30_000), to: "sound.wav")
                let body =
                    switch fault {
                    case .none: "cat > words; exec cat sound.wav"
                    case .isMissing: ""
                    case .isStuck: "exec sleep 100"
                    case .breaksOff: "head -c 4000 sound.wav; exit 3"
                    }
                let name = fault == .isMissing ? "\(folder.path)/nothing" : try folder.program(body)
                (loop, program, self.folder) = (epoll, EspeakProgram(name, on: epoll), folder)
            }
        }

        /// Up to the end of a text.
        func run(_ id: SpeechID) -> Heard {
            var heard = Heard()
            loop.run { events in
                heard = Heard(events.compactMap { $0.speech(of: id) })
                return heard.end != nil
            }
            return heard
        }
    }

    private struct Heard {
        var samples = 0
        var rates: Set<Int> = []
        /// `ended` or `failed`, and how many came.
        var end: SpeechEvent?
        var ends = 0
        var afterEnd = 0

        init(_ events: [SpeechEvent] = []) {
            for event in events {
                if end != nil { afterEnd += 1 }
                if case .samples(let some, let rate) = event {
                    samples += some.count
                    rates.insert(rate)
                } else {
                    end = event
                    ends += 1
                }
            }
        }

        var hasFailed: Bool { if case .failed? = end { true } else { false } }
    }

    @Test("Words become samples of one rate, then the end, once", arguments: World.allCases)
    func words(world: World) throws {
        let bench = try Bench(world)
        bench.program.speak(SpeechID(1), "今天打烊了", language: "zh-CN")
        let heard = bench.run(SpeechID(1))
        #expect(heard.samples > 4000)
        #expect(heard.rates == [22_050])
        #expect(heard.end == .ended && heard.ends == 1 && heard.afterEnd == 0)
        #expect(bench.loop.run(for: .milliseconds(50)).isEmpty)
    }

    @Test("One text after another, each under its own id", arguments: World.allCases)
    func twice(world: World) throws {
        let bench = try Bench(world)
        for number in 1...3 as ClosedRange<UInt64> {
            bench.program.speak(SpeechID(number), "hello", language: "en")
            #expect(bench.run(SpeechID(number)).end == .ended)
        }
    }

    @Test("Stopped, it says nothing more, and the next text is said", arguments: World.allCases)
    func stop(world: World) throws {
        let bench = try Bench(world)
        bench.program.speak(SpeechID(1), "one two three", language: "en")
        bench.program.stop()
        bench.program.stop()
        #expect(bench.loop.run(for: .milliseconds(100)).isEmpty)
        bench.program.speak(SpeechID(2), "four", language: "en")
        #expect(bench.run(SpeechID(2)).end == .ended)
    }

    @Test("A text takes the place of one that is stuck", arguments: World.allCases)
    func replace(world: World) throws {
        let bench = try Bench(world, .isStuck)
        bench.program.speak(SpeechID(1), "one", language: "en")
        #expect(bench.loop.run(for: .milliseconds(100)).isEmpty)
        bench.program.speak(SpeechID(2), "two", language: "en")
        #expect(bench.loop.run(for: .milliseconds(100)).isEmpty)
    }

    @Test("A program that is not there is a failure, not a hang", arguments: World.allCases)
    func missing(world: World) throws {
        let bench = try Bench(world, .isMissing)
        bench.program.speak(SpeechID(1), "one", language: "en")
        let heard = bench.run(SpeechID(1))
        guard case .failed(let why)? = heard.end else {
            Issue.record("it did not fail")
            return
        }
        #expect(why.contains("not installed"))
        #expect(heard.samples == 0)
    }

    @Test("What was made before it broke off is there, then the failure", arguments: World.allCases)
    func breaksOff(world: World) throws {
        let bench = try Bench(world, .breaksOff)
        bench.program.speak(SpeechID(1), "one two three", language: "en")
        let heard = bench.run(SpeechID(1))
        #expect(heard.hasFailed && heard.ends == 1)
        #expect(heard.samples > 0)
    }
}

enum SpeechFixture {
    /// As espeak-ng writes one into a pipe: its lengths are a guess.
    static func wav(frames: Int, rate: UInt32 = 22_050) -> [UInt8] {
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var bytes = Array("RIFF".utf8)
        bytes += four(0x7FFF_F024)
        bytes += Array("WAVEfmt ".utf8)
        bytes += four(16)
        bytes += [1, 0, 1, 0]
        bytes += four(rate)
        bytes += four(2 * rate)
        bytes += [2, 0, 16, 0]
        bytes += Array("data".utf8)
        bytes += four(0x7FFF_F000)
        for i in 0..<frames { bytes += four(UInt32(i)).prefix(2) }
        return bytes
    }
}

extension DeviceEvent {
    func speech(of id: SpeechID) -> SpeechEvent? {
        if case .speech(id, let event) = self { event } else { nil }
    }
}
