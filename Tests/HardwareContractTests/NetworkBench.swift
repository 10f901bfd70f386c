import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import HardwareSimulated

/// A network device with the other ends of its connections in the test's hand.
protocol NetworkBench: AnyObject {
    var loop: any EventLoop { get }
    var device: any NetworkDevice { get }

    func connect() throws -> Peer

    /// The bytes that have come to the peer since the last call.
    func read(_ peer: Peer) -> [UInt8]
    func setReading(_ isReading: Bool, _ peer: Peer)
    /// Sends as much as the wire takes.
    func send(_ bytes: ArraySlice<UInt8>, _ peer: Peer) -> Int
    func finish(_ peer: Peer)
    func reset(_ peer: Peer)
    /// The peer has read the end of the stream, or an error.
    func hasSeenEnd(_ peer: Peer) -> Bool
}

struct Peer: Hashable {
    var number: Int32
}

extension World {
    /// - Parameter closeLimit: for the real device; the simulated one has time enough for the real limit.
    func makeNetwork(closeLimit: Interval = .milliseconds(60)) throws -> any NetworkBench {
        switch self {
        case .simulated: SimulatedNetworkBench()
        case .real: try RealNetworkBench(closeLimit: closeLimit)
        }
    }
}

private final class SimulatedNetworkBench: NetworkBench {
    private let simulated = SimulatedLoop()
    private let network: SimulatedNetwork

    init() {
        network = SimulatedNetwork(on: simulated)
        network.latency = .milliseconds(1)
    }

    var loop: any EventLoop { simulated }
    var device: any NetworkDevice { network }

    func connect() -> Peer { Peer(number: Int32(network.connect().number)) }
    func read(_ peer: Peer) -> [UInt8] { network.takeSent(on: id(peer)) }
    func setReading(_ isReading: Bool, _ peer: Peer) { network.setReading(isReading, on: id(peer)) }
    func finish(_ peer: Peer) { network.finish(id(peer)) }
    func reset(_ peer: Peer) { network.cut(id(peer)) }
    func hasSeenEnd(_ peer: Peer) -> Bool { network.hasSeenEnd(id(peer)) }

    func send(_ bytes: ArraySlice<UInt8>, _ peer: Peer) -> Int {
        network.deliver(Array(bytes), on: id(peer), cutAt: [1, bytes.count / 2])
        return bytes.count
    }

    private func id(_ peer: Peer) -> ConnectionID { ConnectionID(UInt32(peer.number)) }
}

/// Plain sockets against a `TCPListener` on 127.0.0.1.
private final class RealNetworkBench: NetworkBench {
    private let epoll: EpollLoop
    private let listener: TCPListener
    private var ended: Set<Peer> = []
    private var stalled: Set<Peer> = []
    private var open: Set<Peer> = []

    init(closeLimit: Interval) throws {
        epoll = try EpollLoop()
        listener = try TCPListener(on: "127.0.0.1:0", loop: epoll, log: MemoryLog(), closeLimit: closeLimit)
    }

    deinit { for peer in open { close(peer.number) } }

    var loop: any EventLoop { epoll }
    var device: any NetworkDevice { listener }

    func connect() throws -> Peer {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Loopback: the kernel answers within the call, before anybody accepts.
        let result = listener.address.withSockaddr { Glibc.connect(number, $0, $1) }
        guard number >= 0, result == 0 else { throw SystemError.last("connect") }
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        let peer = Peer(number: number)
        open.insert(peer)
        return peer
    }

    func read(_ peer: Peer) -> [UInt8] {
        guard !stalled.contains(peer), open.contains(peer) else { return [] }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(peer.number, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                continue
            }
            if count == 0 || errno != EAGAIN { ended.insert(peer) }
            return bytes
        }
    }

    func setReading(_ isReading: Bool, _ peer: Peer) {
        if isReading { stalled.remove(peer) } else { stalled.insert(peer) }
    }

    func send(_ bytes: ArraySlice<UInt8>, _ peer: Peer) -> Int {
        let sent = bytes.withUnsafeBytes {
            Glibc.send(peer.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        return max(0, sent)
    }

    func finish(_ peer: Peer) {
        guard open.remove(peer) != nil else { return }
        close(peer.number)
    }

    func reset(_ peer: Peer) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(peer.number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        finish(peer)
    }

    func hasSeenEnd(_ peer: Peer) -> Bool {
        // Like a program that closes when it has read the end.
        if ended.contains(peer) { finish(peer) }
        return ended.contains(peer)
    }
}
