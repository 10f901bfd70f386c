// What devices log goes to the system's log and to the console, as what the box itself logs does.

import BoxFoundation
import BoxRuntime
import HardwareInterface
import HardwareLinux

final class DeviceLog: LogSink {
    private let log: StandardLog
    private let loop: EpollLoop
    /// From before there was a box.
    private var waiting: [LogEntry] = []

    weak var runtime: BoxRuntime? {
        didSet {
            for entry in waiting { show(entry) }
            waiting = []
        }
    }

    init(_ log: StandardLog, on loop: EpollLoop) {
        self.log = log
        self.loop = loop
    }

    func log(_ entry: LogEntry) {
        log.log(entry)
        if runtime == nil { waiting.append(entry) } else { show(entry) }
    }

    /// Not from within the call that it comes of.
    private func show(_ entry: LogEntry) {
        loop.schedule(at: loop.now) { [weak self] in self?.runtime?.tell(.logged(entry)) }
    }
}
