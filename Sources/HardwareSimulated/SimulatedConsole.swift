// A console line whose other end is in the test's hand.

import BoxFoundation
import HardwareInterface

/// A host that reads takes output at once; one that does not lets it pile up to the kernel's and the device's limits.
package final class SimulatedConsole: ConsoleDevice {
    /// What a serial driver holds for a host that does not read, in bytes.
    package static let kernelBuffer = 4096

    package private(set) var dropped = 0
    package private(set) var isPlugged = false

    /// The host reads nothing.
    package var isStalled = false {
        didSet { transmit() }
    }

    private let loop: any EventLoop
    /// Taken by the host, or by the driver for it.
    private var output: [UInt8] = []
    private var queue: [UInt8] = []

    /// Without a port at first: `plug` brings it.
    package init(on loop: any EventLoop) { self.loop = loop }

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
        guard !isStalled else { return [] }
        let taken = output
        output = []
        return taken
    }

    /// `takeOutput` as text.
    package func takeText() -> String { String(decoding: takeOutput(), as: UTF8.self) }

    /// The host reads again.
    package func resume() { isStalled = false }

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
        let room = isStalled ? max(0, Self.kernelBuffer - output.count) : queue.count
        let part = queue.prefix(room)
        output += part
        queue.removeFirst(part.count)
    }
}
