// A console line whose other end is in the test's hand.

import BoxFoundation
import HardwareInterface

/// A host that reads takes output at once; one that does not lets it pile up to the kernel's and the device's limits.
package final class SimulatedConsole: ConsoleDevice {
    /// What a serial driver holds for a host that does not read, in bytes.
    package static let kernelBuffer = 4096

    package private(set) var dropped = 0
    package private(set) var isPlugged: Bool

    private let loop: any EventLoop
    private var isReading = true
    /// Taken by the host, or by the driver for it.
    private var output: [UInt8] = []
    private var queue: [UInt8] = []

    package init(on loop: any EventLoop, isPlugged: Bool = true) {
        self.loop = loop
        self.isPlugged = isPlugged
        if isPlugged { loop.post(.console(.opened)) }
    }

    package func write(_ bytes: [UInt8]) {
        guard isPlugged, queue.count + bytes.count <= Self.mostQueued else {
            dropped += bytes.count
            return
        }
        queue += bytes
        transmit()
    }

    // MARK: - The host's side

    package func type(_ bytes: [UInt8]) {
        guard isPlugged, !bytes.isEmpty else { return }
        loop.post(.console(.received(bytes)))
    }

    package func type(_ text: String) { type(Array(text.utf8)) }

    /// All that the host has read since the last call.
    package func takeOutput() -> [UInt8] {
        guard isReading else { return [] }
        let taken = output
        output = []
        return taken
    }

    package func setReading(_ isReading: Bool) {
        self.isReading = isReading
        transmit()
    }

    /// The port goes: what waits is dropped.
    package func unplug() {
        guard isPlugged else { return }
        isPlugged = false
        dropped += queue.count
        queue = []
        loop.post(.console(.closed))
    }

    package func plug() {
        guard !isPlugged else { return }
        isPlugged = true
        loop.post(.console(.opened))
    }

    private func transmit() {
        let room = isReading ? queue.count : max(0, Self.kernelBuffer - output.count)
        let part = queue.prefix(room)
        output += part
        queue.removeFirst(part.count)
    }
}
