// A technician's terminal: what is typed, what came back, and a host that may stall or go.

import BoxFoundation
import HardwareInterface

package final class SimulatedConsole: ConsoleDevice {
    private let loop: any EventLoop
    private var output: [UInt8] = []
    /// The host reads nothing: output piles up to the limit, then is dropped.
    package var isStalled = false
    private var queued: [UInt8] = []
    package private(set) var dropped = 0

    package init(on loop: any EventLoop) { self.loop = loop }

    package func plug() { loop.post(.console(.opened)) }
    package func unplug() { loop.post(.console(.closed)) }
    package func type(_ text: String) { type(Array(text.utf8)) }
    package func type(_ bytes: [UInt8]) { if !bytes.isEmpty { loop.post(.console(.received(bytes))) } }

    package func write(_ bytes: [UInt8]) {
        guard isStalled else {
            output += bytes
            return
        }
        if queued.count + bytes.count > Self.mostQueued { dropped += bytes.count } else { queued += bytes }
    }

    /// The host reads again.
    package func resume() {
        isStalled = false
        output += queued
        queued = []
    }

    /// All that came since the last call, as text.
    package func takeText() -> String {
        defer { output = [] }
        return String(decoding: output, as: UTF8.self)
    }
}
