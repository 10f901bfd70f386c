// espeak-ng as a child process: words on its input, a WAV from its output while it is made.

import BoxFoundation
import Glibc
import HardwareInterface

/// espeak-ng as a child process, killed with all that it started after 15 s.
package final class EspeakProgram: SpeechProgram {
    package static let usualName = "espeak-ng"
    /// From the start of a text to the last of its sound; then it is killed.
    package static let mostTime = Interval.seconds(15)
    /// Between its last sample and its end it is looked for this often.
    private static let endInterval = Interval.milliseconds(10)
    private static let mostRead = 1 << 16

    /// Finds what the program calls a language.
    private static let voices = ["zh": "cmn", "zh-CN": "cmn", "zh-TW": "cmn", "zh-HK": "yue", "zh-MO": "yue"]

    private let program: String
    private let limit: Interval
    private let loop: any DescriptorLoop
    private var run: Run?

    /// - Parameters:
    ///   - program: looked for on PATH, unless it has a slash.
    ///   - limit: from the start of a text to the last of its sound.
    package init(_ program: String = usualName, limit: Interval = mostTime, on loop: any DescriptorLoop) {
        self.program = program
        self.limit = limit
        self.loop = loop
    }

    deinit { stop() }

    package func speak(_ id: SpeechID, _ words: String, language: String) {
        stop()
        let voice = Self.voice(language)
        do throws(SystemError) {
            let child = try ChildProcess.start([program, "-v", voice, "-b", "1", "--stdin", "--stdout"])
            run = Run(id, child, "\(program) -v \(voice)", Array((words + "\n").utf8), until: loop.now + limit)
        } catch {
            let why = error.errno == ENOENT ? "\(program) is not installed" : error.message
            return loop.post(.speech(id, .failed(why)))
        }
        begin()
    }

    package func stop() {
        guard let run else { return }
        loop.unwatch(run.child.output)
        if let input = run.child.inputNumber { loop.unwatch(input) }
        run.child.end()
        self.run = nil
    }

    /// `zh-CN` is cmn; a language without a name of its own goes by its first part.
    static func voice(_ language: String) -> String {
        voices[language] ?? language.split(separator: "-").first.map { voices[String($0)] ?? String($0) } ?? "en"
    }

    // MARK: - From the loop

    private func begin() {
        guard let run else { return }
        loop.watch(run.child.output, for: .readable) { [unowned self] _ in read() }
        if let input = run.child.inputNumber {
            loop.watch(input, for: .writable) { [unowned self] _ in write() }
        }
        let id = run.id
        loop.schedule(at: run.deadline) { [weak self] in
            guard let self, let run = self.run, run.id == id else { return }
            end(.failed("\(run.name) took over \(limit.seconds) s"))
        }
    }

    private func write() {
        guard let run, let input = run.child.inputNumber else { return }
        run.rest = run.rest.dropFirst(run.child.write(run.rest))
        guard run.rest.isEmpty else { return }
        loop.unwatch(input)
        run.child.closeInput()
    }

    private func read() {
        guard let run else { return }
        let number = run.child.output
        var buffer = [UInt8](repeating: 0, count: Self.mostRead)
        let (count, error) = retrying { Glibc.read(number, &buffer, buffer.count) }
        if count > 0 { return take(buffer[..<count]) }
        guard error != EAGAIN else { return }
        loop.unwatch(number)
        look(for: run.id)
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        guard let run else { return }
        do throws(WAVStream.Fault) {
            let samples = try run.sound.take(bytes)
            if !samples.isEmpty, let rate = run.sound.rate {
                loop.post(.speech(run.id, .samples(samples, rate: rate)))
            }
        } catch {
            end(.failed("\(run.name) makes no 16-bit WAV"))
        }
    }

    /// Its sound has ended: waits until it has, too, since its status tells whether that was all.
    private func look(for id: SpeechID) {
        guard let run, run.id == id else { return }
        switch run.child.takeEnd() {
        case nil: loop.schedule(at: loop.now + Self.endInterval) { [weak self] in self?.look(for: id) }
        case .status(0): end(run.sound.rate == nil ? .failed("\(run.name) made no sound") : .ended)
        case .status(let status): end(.failed("\(run.name) ended with status \(status): has it that voice?"))
        case .signal(let signal): end(.failed("\(run.name) was ended by signal \(signal)"))
        }
    }

    private func end(_ event: SpeechEvent) {
        guard let run else { return }
        stop()
        loop.post(.speech(run.id, event))
    }
}

extension EspeakProgram {
    /// One text under way.
    private final class Run {
        let id: SpeechID
        /// For the log.
        let name: String
        let deadline: Moment
        var child: ChildProcess
        var sound = WAVStream()
        /// Words that the child has not taken yet.
        var rest: ArraySlice<UInt8>

        init(_ id: SpeechID, _ child: consuming ChildProcess, _ name: String, _ words: [UInt8], until deadline: Moment)
        {
            self.id = id
            self.name = name
            self.deadline = deadline
            self.child = child
            rest = words[...]
        }
    }
}
