// A child process in a group of its own, with its input and output on descriptors of ours. It inherits nothing of the
// box but these: no other descriptor, no blocked or ignored signal.

import CLinux
import Glibc

/// Owns the child: ends it when it goes, and never leaves a zombie.
struct ChildProcess: ~Copyable {
    /// How a child ended.
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let id: pid_t
    /// The child's standard input; a socket, so that writing to a child that is gone raises no signal.
    private var input: Int32
    /// The child's standard output.
    let output: Int32
    private var hasEnded = false

    /// - Parameter words: the program, looked for on PATH, and its arguments.
    /// - Throws: ENOENT where there is no such program.
    static func start(_ words: [String]) throws(SystemError) -> ChildProcess {
        let input = try Ends.make("socketpair") {
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0)
        }
        let output: Ends
        do throws(SystemError) { output = try Ends.make("pipe2") { clinux_pipe2($0, O_CLOEXEC) } } catch {
            input.close()
            throw error
        }
        var child: pid_t = 0
        let error = spawn(words, input: input.theirs, output: output.theirs, &child)
        guard error == 0 else {
            input.close()
            output.close()
            throw SystemError("start \(words.first ?? "")", errno: error)
        }
        _ = Glibc.close(input.theirs)
        _ = Glibc.close(output.theirs)
        return ChildProcess(id: child, input: input.ours, output: output.ours)
    }

    private init(id: pid_t, input: Int32, output: Int32) {
        (self.id, self.input, self.output) = (id, input, output)
    }

    deinit {
        if input >= 0 { _ = Glibc.close(input) }
        _ = Glibc.close(output)
        if !hasEnded { Self.end(id) }
    }

    /// Killed, it is gone as soon as the kernel has taken it down.
    private static func end(_ id: pid_t) {
        kill(-id, SIGKILL)
        while waitpid(id, nil, 0) < 0, errno == EINTR {}
    }

    /// - Returns: the errno, 0 for none.
    private static func spawn(_ words: [String], input: Int32, output: Int32, _ child: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        clinux_spawn_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        resetSignals(&attributes)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        return posix_spawnp(&child, words.first ?? "", &actions, &attributes, arguments, clinux_environment())
    }

    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    }

    // MARK: - While it runs

    /// - Returns: the bytes taken, 0 where there is no room now; all of them where the child reads no more.
    mutating func write(_ bytes: ArraySlice<UInt8>) -> Int {
        guard input >= 0 else { return bytes.count }
        let number = input
        let (count, error) = retrying {
            bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
        if count >= 0 { return count }
        return error == EAGAIN ? 0 : bytes.count
    }

    var inputNumber: Int32? { input >= 0 ? input : nil }

    /// The end of the child's input.
    mutating func closeInput() {
        guard input >= 0 else { return }
        _ = Glibc.close(input)
        input = -1
    }

    /// Ends it and all that it started, now.
    mutating func end() {
        guard !hasEnded else { return }
        hasEnded = true
        Self.end(id)
    }

    /// - Returns: how it ended; nil while it runs.
    mutating func takeEnd() -> End? {
        var status: Int32 = 0
        let (child, _) = retrying { waitpid(id, &status, WNOHANG) }
        guard child == id else { return nil }
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// Both ends of a way to a child; ours does not block.
private struct Ends {
    let ours: Int32
    let theirs: Int32

    /// - Parameter call: makes two descriptors; the first is the one that we keep.
    static func make(
        _ operation: String, _ call: (UnsafeMutablePointer<Int32>) -> Int32
    ) throws(SystemError) -> Ends {
        var numbers: [Int32] = [-1, -1]
        let result = numbers.withUnsafeMutableBufferPointer { $0.baseAddress.map(call) ?? -1 }
        guard result == 0 else { throw .last(operation) }
        _ = fcntl(numbers[0], F_SETFL, O_NONBLOCK)
        return Ends(ours: numbers[0], theirs: numbers[1])
    }

    func close() {
        _ = Glibc.close(ours)
        _ = Glibc.close(theirs)
    }
}
