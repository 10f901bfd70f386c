// One connected socket: what is to be sent, what has come, and its end.

import BoxFoundation
import Glibc
import HardwareInterface

/// What a turn of a connection found.
enum ConnectionOutcome {
    case open
    /// Nothing more can be sent or received; the text is for the log.
    case ended(String)
}

/// Sends in order and closes in good manners: what is queued first, then the end of the stream, then what the peer
/// still sends is thrown away until it has seen that end. A close with unread bytes would be a reset, and a reset
/// takes a BYE that is still on its way with it.
struct TCPConnection: ~Copyable {
    let peer: NetworkPeer
    private(set) var isClosing = false

    private let socket: Descriptor
    private var queue = SendQueue()
    private var hasSentEnd = false

    init(_ socket: consuming Descriptor, peer: NetworkPeer) {
        self.socket = socket
        self.peer = peer
    }

    var number: Int32 { socket.number }
    var queued: Int { queue.count }

    /// What the socket is to be watched for.
    var interest: DescriptorInterest { queue.isEmpty ? .readable : [.readable, .writable] }

    mutating func enqueue(_ bytes: [UInt8]) { queue.append(bytes) }

    /// From now on nothing is received, and the connection ends when all is sent and the peer has seen it.
    mutating func beginToClose() -> ConnectionOutcome {
        isClosing = true
        return flush()
    }

    /// Sends what the kernel takes.
    mutating func flush() -> ConnectionOutcome {
        while !queue.isEmpty {
            let number = socket.number
            let (sent, error) = queue.withFirst { bytes in
                retrying { send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
            }
            if error == EAGAIN { return .open }
            if error != 0 { return .ended(Self.cause("send", error)) }
            queue.removeFirst(sent)
        }
        if isClosing && !hasSentEnd {
            hasSentEnd = true
            guard shutdown(socket.number, Int32(SHUT_WR)) == 0 else { return .ended("closed") }
        }
        return .open
    }

    /// Reads once.
    ///
    /// - Returns: what came, nil where there was nothing or the connection is closing; and whether it goes on.
    mutating func receive(into buffer: UnsafeMutableRawBufferPointer) -> (bytes: [UInt8]?, outcome: ConnectionOutcome) {
        do throws(SystemError) {
            guard let count = try socket.read(into: buffer) else { return (nil, .open) }
            if count == 0 { return (nil, .ended(isClosing ? "closed" : "closed by the other side")) }
            if isClosing { return (nil, .open) }
            return ([UInt8](buffer.prefix(count)), .open)
        } catch {
            return (nil, .ended(Self.cause("receive", error.errno)))
        }
    }

    private static func cause(_ operation: String, _ error: Int32) -> String {
        error == EPIPE || error == ECONNRESET
            ? "reset by the other side" : SystemError(operation, errno: error).message
    }
}
