// Byte streams of push connections. Framing, proofs and meaning are PushProtocol's.

import BoxFoundation

/// A connection of this run; never used twice.
package struct ConnectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt32

    package init(_ number: UInt32) { self.number = number }

    package static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.number < b.number }
    package var description: String { "connection \(number)" }
}

/// Who is at the other end, as the transport knows it.
package struct NetworkPeer: Equatable, Sendable {
    /// `127.0.0.1:50312`, for the log.
    package var address: String
    /// What the handshake's proof binds to: the SHA-256 in hex of the TLS server's DER certificate, or `plain`.
    package var channel: String

    package init(address: String, channel: String = "plain") {
        self.address = address
        self.channel = channel
    }
}

/// What happens on push connections.
package enum NetworkEvent: Equatable, Sendable {
    case opened(ConnectionID, NetworkPeer)
    /// Any split or merge of what the peer sent; never empty.
    case received(ConnectionID, [UInt8])
    /// The TLS server that was dialled showed a certificate that is not believed; `closed` follows, without an `opened`.
    case distrusted(ConnectionID, CertificateFault)
    /// The connection is gone; nothing can be sent on it any more. Follows every `opened` exactly once, after `close`
    /// as well, and a dial that failed. The text is for the log.
    case closed(ConnectionID, String)
}

/// Push connections as streams of bytes. Sending never waits: what the system does not take is queued.
package protocol NetworkDevice: AnyObject {
    /// Bytes queued for one connection at most; one that takes no more is closed. A whole window of 256 results and the
    /// frames around it fit many times.
    static var mostQueued: Int { get }

    /// Queues bytes in order and never blocks. For a connection that is gone it does nothing.
    func send(_ bytes: [UInt8], on connection: ConnectionID)

    /// Sends what is queued, for `closeLimit` at most, and closes. Nothing more is received from it.
    func close(_ connection: ConnectionID)
}

extension NetworkDevice {
    package static var mostQueued: Int { 1 << 20 }

    /// How long a closing connection may take to send what is queued and see the peer close.
    package static var closeLimit: Interval { .seconds(2) }
}
