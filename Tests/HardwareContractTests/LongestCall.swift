// The promise that no call holds the loop for longer than 20 ms, measured so that a busy machine does not matter: a call that
// waits for somebody waits each time, a thread that lost the processor does not.

import BoxFoundation
import HardwareInterface
import HardwareLinux

final class LongestCall {
    /// The promise.
    static let limit = Duration.milliseconds(20)
    private static let mostTries = 10

    private let clock = ContinuousClock()
    private(set) var longest = Duration.zero

    func measure<Result, Failure>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
        let begin = clock.now
        defer { longest = max(longest, clock.now - begin) }
        return try call()
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
