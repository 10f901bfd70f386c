import BoxFoundation
import Glibc
import HardwareInterface
import Testing

@Suite("A network device, simulated and over loopback")
struct NetworkContractTests {
    @Test("A connection opens with its peer's address, once", arguments: World.allCases)
    func opened(world: World) throws {
        let bench = try world.makeNetwork()
        _ = try bench.connect()
        _ = try bench.connect()
        let events = bench.loop.run { $0.count == 2 }.events.compactMap(\.network)
        var ids: Set<ConnectionID> = []
        for case .opened(let id, let peer) in events {
            ids.insert(id)
            #expect(peer.address.hasPrefix("127.0.0.1:"))
            #expect(peer.channel == "plain")
        }
        #expect(ids.count == 2)
    }

    @Test("Bytes come in order whatever the split, both ways, more than a socket holds", arguments: World.allCases)
    func bytes(world: World) throws {
        let bench = try world.makeNetwork()
        let (peer, id) = try bench.open()
        let up = SeededBytes.make(3_000_000, seed: 1)
        let down = SeededBytes.make(1_000_000, seed: 2)
        var sent = 0
        var seen = 0
        var received: [UInt8] = []
        var arrived: [UInt8] = []
        bench.device.send(Array(down[..<400_000]), on: id)
        bench.device.send(Array(down[400_000...]), on: id)
        let turn = bench.loop.run { events in
            sent += sent < up.count ? bench.send(up[sent...], peer) : 0
            arrived += bench.read(peer)
            while seen < events.count {
                received += events[seen].network?.bytes ?? []
                seen += 1
            }
            return received.count == up.count && arrived.count == down.count
        }
        #expect(turn.isDone)
        #expect(SeededBytes.areEqual(received, up))
        #expect(SeededBytes.areEqual(arrived, down))
    }

    @Test(
        "Closing sends what is queued first, tells the end once, and receives nothing more", arguments: World.allCases)
    func close(world: World) throws {
        let bench = try world.makeNetwork(closeLimit: .seconds(2))
        let (peer, id) = try bench.open()
        let last = SeededBytes.make(900_000, seed: 3)
        bench.device.send(last, on: id)
        bench.device.close(id)
        bench.device.close(id)
        bench.device.send([1, 2, 3], on: id)
        _ = bench.send([9, 9], peer)
        var arrived: [UInt8] = []
        let turn = bench.loop.run { events in
            arrived += bench.read(peer)
            _ = bench.hasSeenEnd(peer)
            return events.contains { $0.network?.isClosed == true }
        }
        #expect(turn.isDone)
        #expect(SeededBytes.areEqual(arrived, last))
        #expect(bench.hasSeenEnd(peer))
        #expect(turn.events.count == 1)
        #expect(bench.loop.run(for: .milliseconds(10)).isEmpty)
    }

    @Test("A closing connection whose peer neither reads nor closes ends at its limit", arguments: World.allCases)
    func closeLimit(world: World) throws {
        let bench = try world.makeNetwork()
        let (peer, id) = try bench.open()
        bench.setReading(false, peer)
        bench.device.send([1], on: id)
        let start = bench.loop.now
        bench.device.close(id)
        let turn = bench.loop.run { !$0.isEmpty }
        #expect(turn.events.first?.network?.isClosed == true)
        #expect(bench.loop.now - start >= .milliseconds(60))
    }

    @Test("What a peer sent before it closed is received before the end", arguments: World.allCases)
    func peerCloses(world: World) throws {
        let bench = try world.makeNetwork()
        let (peer, id) = try bench.open()
        #expect(bench.send([1, 2, 3, 4], peer) == 4)
        bench.finish(peer)
        let turn = bench.loop.run { $0.last?.network?.isClosed == true }
        #expect(turn.isDone)
        #expect(turn.events.compactMap(\.network).dropLast().flatMap(\.bytes) == [1, 2, 3, 4])
        bench.device.send([5], on: id)
        bench.device.close(id)
        #expect(bench.loop.run(for: .milliseconds(10)).isEmpty)
    }

    @Test("A reset is one end with a cause", arguments: World.allCases)
    func reset(world: World) throws {
        let bench = try world.makeNetwork()
        let (peer, id) = try bench.open()
        bench.reset(peer)
        let events = bench.loop.run { !$0.isEmpty }.events.compactMap(\.network)
        #expect(events == [.closed(id, "reset by the other side")])
        #expect(bench.loop.run(for: .milliseconds(5)).isEmpty)
    }

    @Test("A peer that takes nothing is closed when too much waits, and the others go on", arguments: World.allCases)
    func stalled(world: World) throws {
        let bench = try world.makeNetwork()
        let (stalled, id) = try bench.open()
        let (other, otherID) = try bench.open()
        bench.setReading(false, stalled)
        let block = [UInt8](repeating: 7, count: 256 << 10)
        var sent = 0
        let turn = bench.loop.run { events in
            bench.device.send(block, on: id)
            sent += block.count
            bench.loop.schedule(at: bench.loop.now + .microseconds(100)) {}
            return !events.isEmpty || sent > 64 << 20
        }
        #expect(turn.events.compactMap(\.network) == [.closed(id, "takes nothing: 1048576 bytes wait")])
        bench.device.send([1, 2], on: otherID)
        var arrived: [UInt8] = []
        bench.loop.run { _ in
            arrived += bench.read(other)
            return arrived == [1, 2]
        }
        #expect(arrived == [1, 2])
    }

    @Test("A connection that was never there takes bytes and closes without an event", arguments: World.allCases)
    func unknown(world: World) throws {
        let bench = try world.makeNetwork()
        bench.device.send([1], on: ConnectionID(77))
        bench.device.close(ConnectionID(77))
        #expect(bench.loop.run(for: .milliseconds(2)).isEmpty)
    }

    @Test("A peer that sends without end leaves the others their turns", arguments: World.allCases)
    func fair(world: World) throws {
        let bench = try world.makeNetwork()
        let (flood, floodID) = try bench.open()
        let (quiet, quietID) = try bench.open()
        let block = [UInt8](repeating: 1, count: 1 << 20)
        _ = bench.send(block[...], flood)
        #expect(bench.send([5], quiet) == 1)
        var ahead = 0
        var seen = 0
        let turn = bench.loop.run { events in
            for case .received(floodID, let bytes)? in events[seen...].map(\.network) { ahead += bytes.count }
            seen = events.count
            _ = bench.send(block[...], flood)
            return events.last?.network == .received(quietID, [5])
        }
        #expect(turn.isDone)
        // Three reads of the flood at most come before the one byte of the other; the simulated wire has no reads.
        if world == .real { #expect(ahead <= 3 * 64 << 10) }
    }
}

extension NetworkBench {
    /// A connection that both sides know.
    func open() throws -> (peer: Peer, id: ConnectionID) {
        let peer = try connect()
        let turn = loop.run { !$0.isEmpty }
        guard case .opened(let id, _)? = turn.events.first?.network else { throw NoConnection() }
        return (peer, id)
    }
}

struct NoConnection: Error {}

enum SeededBytes {
    /// A block of an odd length over and over: a piece lost, doubled or moved shows.
    static func make(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        let block = random.bytes(16_381)
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes.prefix(count))
    }

    /// Of megabytes, quickly in a debug build and without printing them.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && memcmp(a, b, a.count) == 0 }
}

extension DeviceEvent {
    var network: NetworkEvent? { if case .network(let event) = self { event } else { nil } }
}

extension NetworkEvent {
    var isClosed: Bool { if case .closed = self { true } else { false } }
    var bytes: [UInt8] { if case .received(_, let bytes) = self { bytes } else { [] } }
}
