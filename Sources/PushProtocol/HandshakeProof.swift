// Both sides prove that they hold the box's key without sending it (`docs/push-protocol.md`, Handshake).

import BoxFoundation
import CNettle

/// The secret that a box shares with its hub. It describes itself without its bytes, so that no log can show it.
package struct BoxKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Bytes.
    package static let size = 32

    fileprivate let bytes: [UInt8]

    /// - Returns: nil unless there are `size` bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// - Parameter hex: 64 lower-case hex digits, as `counterbox key new` writes them.
    package init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        bytes = Nonce.random(Self.size, using: &generator)
    }

    /// What the key's file holds. Never for a log, a trace or a screen.
    package var hex: String { Hex.text(bytes) }

    package var description: String { "(a key)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A random number used once, written as 64 lower-case hex digits.
package enum Nonce {
    /// Bytes.
    package static let size = 32

    package static func random(using generator: inout some RandomNumberGenerator) -> String {
        Hex.text(random(size, using: &generator))
    }

    fileprivate static func random(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// What one handshake's proofs are made over.
package struct HandshakeProof: Sendable {
    /// Whose proof it is, so that neither side's can be sent back to it.
    package enum Side: String, Sendable { case box, hub }

    package var box: String
    package var hubNonce: String
    package var boxNonce: String
    /// The SHA-256, in hex, of the certificate that the connection's TLS server showed, or `plain`.
    package var channel: String

    package init(box: String, hubNonce: String, boxNonce: String, channel: String) {
        self.box = box
        self.hubNonce = hubNonce
        self.boxNonce = boxNonce
        self.channel = channel
    }

    /// 64 lower-case hex digits.
    package func text(of side: Side, key: BoxKey) -> String { Hex.text(bytes(of: side, key: key)) }

    /// Whether a proof is right, in a time that does not tell how much of it is.
    package func isRight(_ proof: String, of side: Side, key: BoxKey) -> Bool {
        guard let given = Hex.bytes(proof), given.count == Self.size else { return false }
        return nettle_memeql_sec(given, bytes(of: side, key: key), Self.size) != 0
    }

    /// Bytes of an HMAC-SHA256.
    private static let size = 32

    private func bytes(of side: Side, key: BoxKey) -> [UInt8] {
        let message = Array("counterbox-1|\(side.rawValue)|\(box)|\(hubNonce)|\(boxNonce)|\(channel)".utf8)
        var proof = [UInt8](repeating: 0, count: Self.size)
        var hash = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&hash, key.bytes.count, key.bytes)
        nettle_hmac_sha256_update(&hash, message.count, message)
        nettle_hmac_sha256_digest(&hash, proof.count, &proof)
        return proof
    }
}
