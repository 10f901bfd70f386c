// A name has several addresses, and some of them may lead nowhere.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import Testing

@Suite("Dialling several addresses")
struct TCPDialTests {
    private let loop: EpollLoop
    private let log = SilentLog()

    init() throws { loop = try EpollLoop() }

    @Test("An address that refuses hands over to the next at once")
    func refused() throws {
        let listener = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log) { _ in }
        let closed: SocketAddress
        do { closed = try TCPListener(on: "[::1]:0", loop: loop, log: log) { _ in }.address }
        let start = loop.now
        let peers = try dial([closed, listener.address])
        #expect(peers == [listener.address.description])
        #expect(loop.now - start < .milliseconds(250))
    }

    @Test("An address that says nothing keeps its head start of 250 ms and no more", arguments: [false, true])
    func silent(isLast: Bool) throws {
        let listener = try TCPListener(on: "127.0.0.1:0", loop: loop, log: log) { _ in }
        let hole = try SilentAddress()
        let start = loop.now
        let peers = try dial(isLast ? [listener.address, hole.address] : [hole.address, listener.address])
        #expect(peers == [listener.address.description])
        if isLast {
            #expect(loop.now - start < .milliseconds(250))
        } else {
            #expect(loop.now - start >= .milliseconds(250))
        }
    }

    @Test("Where no address answers, the last cause is told, once")
    func none() throws {
        let hole = try SilentAddress()
        let client = TCPClient(on: loop, connectLimit: .milliseconds(30))
        let id = client.dial([hole.address])
        var events: [NetworkEvent] = []
        loop.run {
            while case .network(let event)? = loop.next() { events.append(event) }
            return !events.isEmpty
        }
        #expect(events == [.closed(id, "connect \(hole.address): Connection timed out (ETIMEDOUT)")])
    }

    private func dial(_ addresses: [SocketAddress]) throws -> [String] {
        let client = TCPClient(on: loop)
        _ = client.dial(addresses)
        var peers: [String] = []
        loop.run {
            while case .network(let event)? = loop.next() {
                if case .opened(_, let peer) = event { peers.append(peer.address) }
            }
            return !peers.isEmpty
        }
        return peers
    }
}

/// A listener that takes nobody and whose queue is full: the kernel drops what more knocks.
final class SilentAddress {
    let address: SocketAddress
    private var sockets: [Int32] = []

    init() throws {
        let wanted = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        _ = wanted.withSockaddr { bind(listener, $0, $1) }
        Glibc.listen(listener, 0)
        address = try #require(SocketAddress.filled { getsockname(listener, $0, &$1) == 0 })
        sockets = [listener]
        for _ in 0..<4 {
            let knock = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = address.withSockaddr { connect(knock, $0, $1) }
            sockets.append(knock)
        }
    }

    deinit { for socket in sockets { close(socket) } }
}
