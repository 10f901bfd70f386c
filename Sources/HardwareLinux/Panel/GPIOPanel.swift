// The button and the light on GPIO lines.

import BoxFoundation
import CGPIO
import Glibc
import HardwareInterface

/// Which way an input is drawn when nothing drives it.
package enum GPIOPull: Sendable {
    case none
    case up
    case down
}

/// Owns a requested line and gives it back when it goes.
struct GPIOLine: ~Copyable {
    /// How the line is named for others (`gpioinfo`).
    private static let consumer = "counterbox"

    let handle: OpaquePointer

    static func output(_ line: GPIOLineName, _ chips: [GPIOChip], isActiveLow: Bool) throws(GPIOError) -> GPIOLine {
        let place = try GPIOLookup.find(line, in: chips)
        guard let handle = gpio_line_output(place.path, UInt32(place.offset), isActiveLow, consumer) else {
            throw GPIOError(.last("take line \(line.line) of \(place.path)"), line, place, chips)
        }
        return GPIOLine(handle: handle)
    }

    /// - Parameter debounce: asked of the kernel where the library can.
    static func edges(
        _ line: GPIOLineName, _ chips: [GPIOChip], isActiveLow: Bool, pull: GPIOPull, debounce: Interval
    ) throws(GPIOError) -> GPIOLine {
        let place = try GPIOLookup.find(line, in: chips)
        let microseconds = UInt32(clamping: debounce.nanoseconds / 1000)
        let handle = gpio_line_edges(
            place.path, UInt32(place.offset), isActiveLow, pull.code, microseconds, consumer)
        guard let handle else {
            throw GPIOError(.last("take line \(line.line) of \(place.path)"), line, place, chips)
        }
        return GPIOLine(handle: handle)
    }

    private init(handle: OpaquePointer) { self.handle = handle }

    deinit { gpio_line_release(handle) }
}

/// A light that is on or off.
package final class GPIOLight: LightDevice {
    private let line: GPIOLine
    private var isLit = false

    /// - Parameter chips: `GPIOChips.all()`.
    package init(_ name: GPIOLineName, in chips: [GPIOChip], isActiveLow: Bool = false) throws(GPIOError) {
        line = try GPIOLine.output(name, chips, isActiveLow: isActiveLow)
    }

    deinit { gpio_line_set(line.handle, false) }

    package func set(brightness: Int) {
        let wanted = brightness > 0
        guard wanted != isLit else { return }
        // A line of ours takes a value as long as its chip is there; without the chip there is nothing to light.
        if gpio_line_set(line.handle, wanted) == 0 { isLit = wanted }
    }
}

/// A key whose edges become `.button` events.
package final class GPIOButton {
    /// Edges closer than this are one, where the kernel debounces.
    package static let debounce = Interval.milliseconds(5)
    /// Edges read in one turn; a line that swings faster than that waits for the next.
    private static let mostEdges = 64

    private let loop: any DescriptorLoop
    private let log: any LogSink
    private let line: GPIOLine

    /// - Parameter chips: `GPIOChips.all()`.
    package init(
        _ name: GPIOLineName, in chips: [GPIOChip], isActiveLow: Bool, pull: GPIOPull, on loop: any DescriptorLoop,
        log: any LogSink
    ) throws(GPIOError) {
        line = try GPIOLine.edges(name, chips, isActiveLow: isActiveLow, pull: pull, debounce: Self.debounce)
        self.loop = loop
        self.log = log
        loop.watch(gpio_line_descriptor(line.handle), for: .readable) { [unowned self] _ in takeEdges() }
    }

    deinit { loop.unwatch(gpio_line_descriptor(line.handle)) }

    /// Whether the key is down now: for the box's start, before any edge.
    package var isPressed: Bool { gpio_line_get(line.handle) == 1 }

    /// Whether the kernel debounces it; else the box does alone.
    package var isDebouncedByKernel: Bool { gpio_line_is_debounced(line.handle) }

    private func takeEdges() {
        var edge = gpio_edge()
        for _ in 0..<Self.mostEdges {
            let count = gpio_line_read_edge(line.handle, &edge)
            if count == 0 { return }
            if count < 0 { return stop(.last("read the button's edge")) }
            let moment = MonotonicClock.moment(monotonic: edge.timestamp_ns)
            loop.post(.button(ButtonEvent(isPressed: edge.is_active, at: min(moment, loop.now))))
        }
    }

    /// A chip that was taken away would be ready for ever.
    private func stop(_ error: SystemError) {
        log.log(LogEntry(.error, "panel", "the button is gone: \(error.message)"))
        loop.unwatch(gpio_line_descriptor(line.handle))
    }
}

extension GPIOPull {
    fileprivate var code: Int32 {
        switch self {
        case .none: Int32(GPIO_PULL_NONE)
        case .up: Int32(GPIO_PULL_UP)
        case .down: Int32(GPIO_PULL_DOWN)
        }
    }
}

extension GPIOError {
    fileprivate init(_ error: SystemError, _ line: GPIOLineName, _ place: GPIOPlace, _ chips: [GPIOChip]) {
        switch error.errno {
        case EBUSY:
            let chip = chips.first { $0.path == place.path }
            self = .taken(line, owner: chip?.lines[place.offset].consumer ?? "")
        case EACCES, EPERM: self = .notPermitted(place.path)
        default: self = .failed(error)
        }
    }
}
