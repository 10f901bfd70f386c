// The console on the terminal that the program was started from, for the desk.

import BoxFoundation
import Glibc
import HardwareInterface

/// Reads standard input and writes standard output. Ctrl-C stays a signal. A terminal is set back at the end.
package final class StandardConsole: ConsoleDevice {
    /// Bytes read in one turn.
    private static let mostRead = 4096

    package private(set) var dropped = 0

    private let loop: any DescriptorLoop
    private var input: Descriptor?
    private var output: Descriptor?
    private var queue = SendQueue()
    private var isReading = false
    private var isWritable = true
    private var saved: termios?

    /// - Parameters: descriptors that stay the caller's.
    package init(on loop: any DescriptorLoop, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
        self.loop = loop
        self.input = Self.reopened(input, O_RDONLY)
        self.output = Self.reopened(output, O_WRONLY)
        if let number = self.output?.number {
            loop.watch(number, for: []) { [unowned self] ready in
                if ready.contains(.failed) { abandonOutput() } else { flush() }
            }
        }
        guard let number = self.input?.number else { return }
        saved = Self.makeCharacterwise(number)
        isReading = true
        loop.watch(number, for: .readable) { [unowned self] _ in receive() }
        loop.post(.console(.opened))
    }

    deinit {
        if let number = output?.number { loop.unwatch(number) }
        guard let number = input?.number else { return }
        if isReading { loop.unwatch(number) }
        if var saved { _ = tcsetattr(number, TCSANOW, &saved) }
    }

    package func write(_ bytes: [UInt8]) {
        guard isWritable, queue.count + bytes.count <= Self.mostQueued else {
            dropped += bytes.count
            return
        }
        queue.append(bytes)
        flush()
    }

    private func receive() {
        withUnsafeTemporaryAllocation(byteCount: Self.mostRead, alignment: 8) { buffer in
            do throws(SystemError) {
                guard let count = try input?.read(into: buffer) else { return }
                if count == 0 { return endInput() }
                loop.post(.console(.received([UInt8](buffer.prefix(count)))))
            } catch {
                // A terminal that is gone answers with an error for ever.
                endInput()
            }
        }
    }

    private func endInput() {
        guard isReading, let number = input?.number else { return }
        isReading = false
        loop.unwatch(number)
        loop.post(.console(.closed))
    }

    private func flush() {
        while !queue.isEmpty {
            guard let taken = queue.withFirst({ bytes in try? output?.write(bytes) }) else { return abandonOutput() }
            if taken == 0 { break }
            queue.removeFirst(taken)
        }
        if let number = output?.number { loop.change(number, to: queue.isEmpty ? [] : .writable) }
    }

    /// Nobody reads it any more.
    private func abandonOutput() {
        isWritable = false
        if let number = output?.number { loop.unwatch(number) }
        dropped += queue.count
        queue.removeFirst(queue.count)
    }

    /// Opened anew, so that non-blocking is ours alone: the shell shares the flags of what it gave us. A plain file never
    /// blocks, and its place is shared with whoever else writes to it.
    private static func reopened(_ number: Int32, _ flags: Int32) -> Descriptor? {
        var status = stat()
        if fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return try? Descriptor("dup", { fcntl(number, F_DUPFD_CLOEXEC, 0) })
        }
        if let opened = try? Descriptor(opening: "/proc/self/fd/\(number)", flags | O_NONBLOCK) { return opened }
        // A socket cannot be opened anew.
        guard let copy = try? Descriptor("dup", { fcntl(number, F_DUPFD_CLOEXEC, 0) }) else { return nil }
        _ = fcntl(copy.number, F_SETFL, fcntl(copy.number, F_GETFL) | O_NONBLOCK)
        return copy
    }

    /// - Returns: the settings before; nil where it is no terminal.
    private static func makeCharacterwise(_ number: Int32) -> termios? {
        var settings = termios()
        guard isatty(number) == 1, tcgetattr(number, &settings) == 0 else { return nil }
        let saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        _ = tcsetattr(number, TCSANOW, &settings)
        return saved
    }
}
