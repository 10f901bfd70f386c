import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

@Suite("Listening and dialling over TCP")
struct TCPListenerTests {
    private let loop: EpollLoop
    private let log = SilentLog()

    init() throws { loop = try EpollLoop() }

    @Test("Port 0 gives a port, and the listener tells which", arguments: ["127.0.0.1:0", "[::1]:0"])
    func portZero(address: String) throws {
        let listener = try TCPListener(on: address, loop: loop, log: log)
        #expect(listener.address.port != 0)
    }

    @Test("An address in use is named, with what to do about it")
    func inUse() throws {
        let first = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log)
        let address = first.address.description
        #expect(throws: ListenError.inUse(address)) { try TCPListener(on: address, loop: loop, log: log) }
        #expect(ListenError.inUse(address).message.contains("\(address) is in use: another counterbox"))
    }

    @Test("An address of another machine is named as such")
    func notHere() throws {
        #expect(throws: ListenError.notHere("192.0.2.1:7788")) {
            try TCPListener(on: "192.0.2.1:7788", loop: loop, log: log)
        }
    }

    @Test("A name is refused before anything is opened")
    func name() throws {
        #expect(throws: ListenError.notAnAddress("localhost:7788")) {
            try TCPListener(on: "localhost:7788", loop: loop, log: log)
        }
    }

    @Test("Past 64 connections the newcomer is closed at once, the others stay")
    func cap() throws {
        let listener = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log)
        let client = TCPClient(on: loop)
        let place = try #require(HostAndPort(listener.address.description))
        var events: [NetworkEvent] = []
        for n in 1...64 {
            _ = client.dial(place)
            collect(&events) { $0.count == 2 * n }
        }
        #expect(listener.turnedAway == 0)
        for n in 1...6 {
            _ = client.dial(place)
            collect(&events) { $0.count == 2 * 64 + 2 * n }
        }
        #expect(listener.turnedAway == 6)
        #expect(events.suffix(12).filter { if case .closed = $0 { true } else { false } }.count == 6)
    }

    @Test("A name is resolved beside the loop, and bytes go both ways")
    func dial() throws {
        let listener = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log)
        let client = TCPClient(on: loop)
        let id = client.dial(try #require(HostAndPort("localhost:\(listener.address.port)")))
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 2 }
        #expect(events.allSatisfy { if case .opened = $0 { true } else { false } })
        client.send([1, 2, 3], on: id)
        client.close(id)
        collect(&events) { events in events.contains { $0 == .received(id, [1, 2, 3]) } }
        listener.close(id)
        collect(&events) { $0.count == 5 }
        let causes = events.compactMap { if case .closed(_, let cause) = $0 { cause } else { nil } }
        #expect(causes.count == 2)
        #expect(causes.allSatisfy { $0 == "closed" || $0 == "closed by the other side" })
    }

    @Test("Where nobody listens, the dialled connection closes with the cause and never opens")
    func refused() throws {
        let port: UInt16
        do { port = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log).address.port }
        let client = TCPClient(on: loop)
        let id = client.dial(try #require(HostAndPort("127.0.0.1:\(port)")))
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 1 }
        #expect(events == [.closed(id, "connect 127.0.0.1:\(port): Connection refused (ECONNREFUSED)")])
    }

    @Test("A name that cannot be one has no address")
    func unknownName() throws {
        let client = TCPClient(on: loop)
        let id = client.dial(try #require(HostAndPort("no.such..name:1")))
        var events: [NetworkEvent] = []
        collect(&events) { $0.count == 1 }
        guard case .closed(id, let cause)? = events.first else {
            Issue.record("no end")
            return
        }
        #expect(cause.hasPrefix("no address for no.such..name"))
    }

    @Test("A dialled connection that is closed before it opens ends once")
    func closeEarly() throws {
        let listener = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log)
        let client = TCPClient(on: loop)
        let id = client.dial(try #require(HostAndPort(listener.address.description)))
        client.close(id)
        var events: [NetworkEvent] = []
        loop.wait(until: loop.now)
        collect(&events) { $0.count == 1 }
        #expect(events == [.closed(id, "closed")])
    }

    private func collect(_ events: inout [NetworkEvent], until isDone: ([NetworkEvent]) -> Bool) {
        var all = events
        loop.run {
            while let event = loop.next() { if case .network(let event) = event { all.append(event) } }
            return isDone(all)
        }
        events = all
    }
}

final class SilentLog: LogSink {
    private(set) var entries: [LogEntry] = []

    func log(_ entry: LogEntry) { entries.append(entry) }
}
