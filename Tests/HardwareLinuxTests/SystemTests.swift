import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

@Suite("Files and the clock")
struct SystemTests {
    private let folder = TemporaryFolder()

    @Test(
        "A file is read whole up to its limit, and refused over it",
        arguments: [(0, true), (99_999, true), (100_000, true), (100_001, false)])
    func limit(count: Int, isRead: Bool) {
        folder.write([UInt8](repeating: 5, count: count), to: "a")
        let bytes = try? Files.read("\(folder.path)/a", limit: 100_000)
        #expect(bytes?.count == (isRead ? count : nil))
    }

    /// Field report 69.
    @Test("A call that signals broke off is made again, and other failures are told")
    func brokenOff() {
        var results: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (3, 0), (-1, EINTR), (-1, EAGAIN), (1, 0)]
        let call = { () -> Int in
            let (result, error) = results.removeFirst()
            errno = error
            return result
        }
        #expect(retrying(call) == (3, 0))
        #expect(retrying(call) == (-1, EAGAIN))
        #expect(retrying(call) == (1, 0))
        #expect(results.isEmpty)
    }

    @Test("A descriptor that was closed at the start is at its end, and an open one is left as it is")
    func standardDescriptors() {
        let (closed, opened): (Int32, Int32) = (900, 901)
        folder.write([1, 2, 3], to: "a")
        let file = open("\(folder.path)/a", O_RDONLY)
        _ = dup2(file, opened)
        close(file)
        StandardDescriptors.fill([closed, opened])
        var byte: UInt8 = 0
        #expect(read(closed, &byte, 1) == 0)
        #expect(read(opened, &byte, 1) == 1 && byte == 1)
        close(closed)
        close(opened)
    }

    @Test("A log whose reader stands still loses lines, counts them, and goes on", .timeLimit(.minutes(1)))
    func stalledLog() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let log = StandardLog(to: ends[1])
        let line = String(repeating: "x", count: 1000)
        for _ in 0..<200 { log.log(LogEntry(.info, "test", line)) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(ends[0], &bytes, bytes.count) > 0)
        log.log(LogEntry(.info, "test", "again"))
        let count = read(ends[0], &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(text.contains("found no reader") && text.contains("test: again"))
        close(ends[0])
        close(ends[1])
    }

    @Test("A file that is not there is named in the error")
    func missing() {
        #expect(throws: SystemError("open \(folder.path)/none", errno: ENOENT)) {
            try Files.read("\(folder.path)/none", limit: 10)
        }
    }

    @Test(
        "A secret is read only where nobody else can read it",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o644, false)] as [(mode_t, Bool)])
    func secret(mode: mode_t, isRead: Bool) {
        folder.write([1, 2], to: "key", mode: mode)
        if isRead {
            #expect((try? Files.readSecret("\(folder.path)/key", limit: 100)) == [1, 2])
        } else {
            #expect(
                throws: SystemError(
                    "\(folder.path)/key can be read by others: chmod 600 \(folder.path)/key", errno: EPERM)
            ) {
                try Files.readSecret("\(folder.path)/key", limit: 100)
            }
        }
    }

    @Test("A new file is for its owner alone and replaces nothing")
    func create() throws {
        let path = "\(folder.path)/new"
        try Files.create(path, [7])
        #expect(throws: SystemError("open \(path)", errno: EEXIST)) { try Files.create(path, [8]) }
        #expect(folder.read("new") == [7])
        #expect(try Files.readSecret(path, limit: 1) == [7])
    }

    @Test("The system's clock is read as it stands, with the zone's offset")
    func clock() {
        let before = time(nil)
        let reading = SystemClock().read()
        #expect(reading.time.milliseconds / 1000 >= before)
        #expect(reading.time.milliseconds / 1000 <= before + 60)
        #expect((-14 * 3600...14 * 3600).contains(reading.offset))
    }

    @Test("The monotonic clock goes forward, and a kernel's edge of now is a moment of now")
    func monotonic() {
        let first = MonotonicClock.now
        var edge = timespec()
        clock_gettime(CLOCK_MONOTONIC, &edge)
        let moment = MonotonicClock.moment(monotonic: UInt64(edge.tv_sec) * 1_000_000_000 + UInt64(edge.tv_nsec))
        let last = MonotonicClock.now
        // The two clocks are read one after the other: a little of that time is between them.
        #expect(moment >= first + .seconds(-5))
        #expect(moment <= last + .seconds(5))
        #expect(first <= last)
    }
}
