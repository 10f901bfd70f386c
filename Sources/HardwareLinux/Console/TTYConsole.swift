// The console on a serial port: the USB gadget's, a real one, or a pseudo-terminal. The port may be late, gone and back.

import BoxFoundation
import Glibc
import HardwareInterface

/// The console on a terminal's device, opened again and again while it is not there.
package final class TTYConsole: ConsoleDevice {
    /// Bytes read in one turn.
    private static let mostRead = 4096

    /// How soon a port that hung up is tried again, and how seldom one that stays away.
    private static let firstRetry = Interval.milliseconds(500)
    private static let lastRetry = Interval.seconds(30)

    package let path: String
    package private(set) var dropped = 0

    private let loop: any DescriptorLoop
    private let log: any LogSink
    private var port: TerminalPort?
    private var queue = SendQueue()
    private var folder: FolderWatch?
    private var retry = firstRetry
    private var retryNumber = 0
    private var isStopped = false
    /// Why the port could not be opened, so that the log says it once.
    private var lastTrouble: SystemError?

    /// Opens the port, now or when it appears; `opened` follows each time.
    package init(_ path: String, on loop: any DescriptorLoop, log: any LogSink) {
        self.path = path
        self.loop = loop
        self.log = log
        open()
    }

    deinit { stop() }

    package func write(_ bytes: [UInt8]) {
        guard port != nil, queue.count + bytes.count <= Self.mostQueued else {
            dropped += bytes.count
            return
        }
        queue.append(bytes)
        flush()
    }

    /// Closes the port and never opens it again; does not wait for a host.
    package func stop() {
        isStopped = true
        stopWaiting()
        release()
    }

    // MARK: - Coming and going

    private func open() {
        guard !isStopped, port == nil else { return }
        do throws(SystemError) {
            let opened = try TerminalPort.open(path)
            let number = opened.number
            port = consume opened
            stopWaiting()
            lastTrouble = nil
            loop.watch(number, for: .readable) { [unowned self] ready in turn(ready) }
            loop.post(.console(.opened))
        } catch {
            if error != lastTrouble { log.log(LogEntry(.info, "console", "no port yet: \(error.message)")) }
            lastTrouble = error
            waitForPort()
        }
    }

    private func close(_ cause: String) {
        release()
        log.log(LogEntry(.info, "console", "\(path): \(cause)"))
        loop.post(.console(.closed))
        waitForPort()
    }

    private func release() {
        guard let port = port.take() else { return }
        loop.unwatch(port.number)
        port.close()
        dropped += queue.count
        queue.removeFirst(queue.count)
    }

    /// By inotify where it can, and seldom by the clock: a port may be there and refuse for a while.
    private func waitForPort() {
        if folder == nil, let watch = try? FolderWatch(for: path) {
            let number = watch.number
            folder = consume watch
            loop.watch(number, for: .readable) { [unowned self] _ in
                if folder?.takeEvents() == true { open() }
            }
        }
        retryNumber += 1
        let number = retryNumber
        loop.schedule(at: loop.now + retry) { [weak self] in
            guard let self, number == retryNumber else { return }
            open()
        }
        retry = min(retry * 2, Self.lastRetry)
    }

    private func stopWaiting() {
        retryNumber += 1
        guard let watch = folder.take() else { return }
        loop.unwatch(watch.number)
    }

    // MARK: - Bytes

    private func turn(_ ready: DescriptorInterest) {
        if ready.contains(.writable) { flush() }
        if ready.contains(.readable) || ready.contains(.failed) { receive() }
    }

    /// Input is always taken, so that a host that sends to nobody does not hang.
    private func receive() {
        do throws(SystemError) {
            let bytes = try readOnce()
            guard let bytes else { return }
            guard !bytes.isEmpty else { return close("hung up") }
            // It works: the next trouble is a new one.
            retry = Self.firstRetry
            loop.post(.console(.received(bytes)))
        } catch {
            close(error.message)
        }
    }

    /// - Returns: nil where there is nothing; empty at the end.
    private func readOnce() throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8]?
        var failure: SystemError?
        withUnsafeTemporaryAllocation(byteCount: Self.mostRead, alignment: 8) { buffer in
            do throws(SystemError) {
                guard let count = try port?.read(into: buffer) else { return }
                bytes = [UInt8](buffer.prefix(count))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    private func flush() {
        var failure: SystemError?
        while !queue.isEmpty, failure == nil {
            var taken = 0
            queue.withFirst { bytes in
                do throws(SystemError) { taken = try port?.write(bytes) ?? 0 } catch { failure = error }
            }
            if taken == 0 { break }
            queue.removeFirst(taken)
        }
        if let failure { return close(failure.message) }
        if let number = port?.number { loop.change(number, to: queue.isEmpty ? .readable : [.readable, .writable]) }
    }
}
