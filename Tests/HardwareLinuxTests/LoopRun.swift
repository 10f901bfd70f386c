import BoxFoundation
import HardwareInterface
import HardwareLinux

extension EpollLoop {
    /// Turns the loop until `isDone`, for ten seconds at most; events stay queued.
    func run(until isDone: () -> Bool) {
        let limit = now + .seconds(10)
        while !isDone() && now < limit { wait(until: limit) }
    }
}
