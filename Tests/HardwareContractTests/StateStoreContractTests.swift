import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import HardwareSimulated
import Testing

/// A state store, and hands on its disk.
private protocol StateBench: AnyObject {
    func makeStore() -> any StateStore
    /// Puts what is on the disk under a name, as a power cut or a bad disk leaves it.
    func spoil(_ name: String, _ bytes: [UInt8])
}

private final class SimulatedStateBench: StateBench {
    private let state = SimulatedState()

    func makeStore() -> any StateStore { state }
    func spoil(_ name: String, _ bytes: [UInt8]) { state.put(bytes, as: name) }
}

private final class FolderBench: StateBench {
    private let path: String

    init() throws {
        var template = Array("/tmp/counterbox-state-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["a", "a.last", "a.new", "b", "b.last"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func makeStore() -> any StateStore { StateFolder(path) }

    func spoil(_ name: String, _ bytes: [UInt8]) {
        guard let file = try? Descriptor(opening: "\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC) else { return }
        _ = bytes.withUnsafeBytes { try? file.write($0) }
    }
}

@Suite("A state store, simulated and in a folder")
struct StateStoreContractTests {
    private func makeBench(_ world: World) throws -> any StateBench {
        world == .simulated ? SimulatedStateBench() : try FolderBench()
    }

    @Test("What was saved is loaded, byte for byte, by the next start too", arguments: World.allCases)
    func round(world: World) throws {
        let bench = try makeBench(world)
        let store = bench.makeStore()
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(store.load("a") == nil)
        #expect(store.save([1], as: "a"))
        #expect(store.save(bytes, as: "a"))
        #expect(store.save([2], as: "b"))
        #expect(bench.makeStore().load("a") == bytes)
        #expect(bench.makeStore().load("b") == [2])
    }

    @Test("A file of no bytes, left by a power cut, is no content", arguments: World.allCases)
    func empty(world: World) throws {
        let bench = try makeBench(world)
        bench.spoil("a", [])
        #expect(bench.makeStore().load("a") == nil)
        #expect(bench.makeStore().save([3], as: "a"))
        #expect(bench.makeStore().load("a") == [3])
    }

    @Test("In a folder, the copy before stands in for a file that was emptied")
    func lastGood() throws {
        let bench = try FolderBench()
        #expect(bench.makeStore().save([1], as: "a"))
        #expect(bench.makeStore().save([2], as: "a"))
        bench.spoil("a", [])
        #expect(bench.makeStore().load("a") == [1])
    }

    @Test("In a folder, half a new file that was never renamed is not read")
    func halfNew() throws {
        let bench = try FolderBench()
        #expect(bench.makeStore().save([1], as: "a"))
        bench.spoil("a.new", [9, 9])
        #expect(bench.makeStore().load("a") == [1])
        #expect(bench.makeStore().save([4], as: "a"))
        #expect(bench.makeStore().load("a") == [4])
    }

    @Test("Where nothing can be written, saving says so")
    func refused() throws {
        #expect(!StateFolder("/proc/self/none").save([1], as: "a"))
        let state = SimulatedState()
        state.isFull = true
        #expect(!state.save([1], as: "a"))
    }

    @Test(
        "A simulated power cut leaves the old file or the new one",
        arguments: [SimulatedState.Cut.beforeRename, .afterRename])
    func cut(at cut: SimulatedState.Cut) {
        let state = SimulatedState()
        #expect(state.save([1], as: "a"))
        state.cut = cut
        #expect(!state.save([2], as: "a"))
        #expect(state.load("a") == nil)
        state.powerOn()
        #expect(state.load("a") == (cut == .beforeRename ? [1] : [2]))
    }
}
