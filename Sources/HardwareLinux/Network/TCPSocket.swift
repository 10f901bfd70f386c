// Makes the sockets of push connections: non-blocking, close-on-exec, without Nagle's delay.

import CLinux
import Glibc
import HardwareInterface

enum TCPSocket {
    /// Connections that wait in the kernel to be accepted.
    private static let backlog: Int32 = 128

    static func listen(on address: SocketAddress) throws(SystemError) -> Descriptor {
        let socket = try make(address)
        set(socket.number, SOL_SOCKET, SO_REUSEADDR, 1)
        // [::] takes v4 as well, whatever the system's default is.
        if address.family == AF_INET6 { set(socket.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        let number = socket.number
        guard address.withSockaddr({ bind(number, $0, $1) }) == 0 else { throw .last("bind \(address)") }
        guard Glibc.listen(number, backlog) == 0 else { throw .last("listen on \(address)") }
        return socket
    }

    /// Begins to connect.
    ///
    /// - Returns: a socket that is writable once it is connected, or failed.
    static func connect(to address: SocketAddress) throws(SystemError) -> Descriptor {
        let socket = try make(address)
        prepare(socket.number)
        let number = socket.number
        let (_, error) = retrying { address.withSockaddr { Glibc.connect(number, $0, $1) } }
        // A call broken off goes on by itself, and says EALREADY when it is repeated.
        guard error == 0 || error == EINPROGRESS || error == EALREADY else {
            throw SystemError("connect \(address)", errno: error)
        }
        return socket
    }

    /// - Returns: nil where nobody waits to be accepted.
    static func accept(from listener: Int32) throws(SystemError) -> TCPConnection? {
        var number: Int32 = -1
        var error: Int32 = 0
        let peer = SocketAddress.filled { address, length in
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            (number, error) = retrying { clinux_accept(listener, address, &length, flags) }
            return number >= 0
        }
        if number >= 0 {
            prepare(number)
            let name = peer?.description ?? "unknown"
            return TCPConnection(Descriptor(adopting: number), peer: NetworkPeer(address: name))
        }
        if error == EAGAIN { return nil }
        throw SystemError("accept", errno: error)
    }

    /// What became of a connect; 0 where it stands.
    static func pendingError(_ socket: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
    }

    static func localAddress(_ socket: Int32) -> SocketAddress? {
        SocketAddress.filled { getsockname(socket, $0, &$1) == 0 }
    }

    private static func make(_ address: SocketAddress) throws(SystemError) -> Descriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return try Descriptor("socket") { socket(address.family, type, 0) }
    }

    private static func prepare(_ socket: Int32) { set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    /// These options exist on every Linux; a refusal costs speed at most.
    private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
