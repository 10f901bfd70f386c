import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

@Suite("Small files kept while the loop turns")
struct StateKeeperTests {
    let folder: TemporaryFolder
    let loop: EpollLoop
    let keeper: StateKeeper

    init() throws {
        folder = try TemporaryFolder()
        loop = try EpollLoop()
        keeper = StateKeeper(folder.path, on: loop)
    }

    @Test("A file is kept by and by")
    func kept() {
        keeper.write([1], as: "a") { Issue.record("not kept") }
        loop.run { folder.read("a") == [1] }
        #expect(folder.read("a") == [1])
    }

    @Test("The newest content of each name stands at the end, and all of it is there when the program ends")
    func newest() {
        for n in 0..<200 {
            keeper.write([UInt8(n)], as: "a") { Issue.record("not kept") }
            keeper.write([UInt8(n), 7], as: "b") { Issue.record("not kept") }
        }
        keeper.stop()
        #expect(folder.read("a") == [199])
        #expect(folder.read("b") == [199, 7])
    }

    @Test("What cannot be kept is told from the loop, each time; at the end, too")
    func refused() {
        let nowhere = StateKeeper("/proc/self/none", on: loop)
        var failures = 0
        nowhere.write([1], as: "a") { failures += 1 }
        #expect(failures == 0, "the disk is not waited for")
        loop.run { failures == 1 }
        nowhere.write([2], as: "a") { failures += 1 }
        nowhere.write([3], as: "b") { failures += 1 }
        nowhere.stop()
        #expect(failures == 3)
    }
}
