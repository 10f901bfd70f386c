// The promise that no call holds the loop for longer than 20 ms, measured so that a busy machine does not matter: a call that
// gave up the processor of itself took all the time till it came back, one that lost it took what it computed. And a call
// that waits for somebody waits each time.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux

final class LongestCall {
    /// The promise.
    static let limit = Duration.milliseconds(20)
    private static let mostTries = 10

    private let clock = ContinuousClock()
    private(set) var longest = Duration.zero

    func measure<Result, Failure>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
        let (begin, waits, computed) = (clock.now, Self.waits, Self.computed)
        defer {
            let took = Self.waits > waits ? clock.now - begin : Self.computed - computed
            longest = max(longest, took)
        }
        return try call()
    }

    /// Times that this thread gave up the processor.
    private static var waits: Int {
        var usage = rusage()
        // RUSAGE_THREAD, which needs _GNU_SOURCE.
        getrusage(__rusage_who_t(1), &usage)
        return usage.ru_nvcsw
    }

    /// What this thread has computed.
    private static var computed: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Does it all again until no single call was too long.
    ///
    /// - Returns: the longest call of the best try.
    static func ofBest(_ body: (LongestCall) throws -> Void) rethrows -> Duration {
        var best = Duration.seconds(1000)
        for _ in 0..<mostTries where best > limit {
            let calls = LongestCall()
            try body(calls)
            best = min(best, calls.longest)
        }
        return best
    }
}

/// A printer's device, each call of which is measured.
final class MeasuredPrinter: PrinterDevice {
    private let device: any PrinterDevice
    private let calls: LongestCall

    init(_ device: any PrinterDevice, _ calls: LongestCall) {
        self.device = device
        self.calls = calls
    }

    func connect() { calls.measure { device.connect() } }
    func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        try calls.measure { () throws(PrinterLinkError) in try device.write(bytes) }
    }
    func unsent() -> Int { calls.measure { device.unsent() } }
    func awaitRoom() { calls.measure { device.awaitRoom() } }
    func disconnect() { calls.measure { device.disconnect() } }
}
