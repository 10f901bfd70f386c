// Why a connection ends, in the words of the wire (`docs/push-protocol.md`, Frame).

/// What a peer did wrong. The cases stand in the order in which a frame is judged.
package enum ProtocolFault: String, Error, CaseIterable, Sendable {
    case badMagic = "bad-magic"
    case badVersion = "bad-version"
    case badType = "bad-type"
    case tooLong = "too-long"
    case badSequence = "bad-sequence"
    case badChecksum = "bad-checksum"
    /// Not a JSON object, or a HELLO or WELCOME whose names, nonce or proof are not written as the page says.
    case badPayload = "bad-payload"
    /// A type that this side may not send, or not now.
    case outOfTurn = "out-of-turn"
}

/// What BYE says.
package enum ByeReason: String, CaseIterable, Sendable {
    case badMagic = "bad-magic"
    case badVersion = "bad-version"
    case badType = "bad-type"
    case tooLong = "too-long"
    case badSequence = "bad-sequence"
    case badChecksum = "bad-checksum"
    case badPayload = "bad-payload"
    case outOfTurn = "out-of-turn"
    /// A wrong proof, or a box that the hub does not know: the same word for both.
    case unauthorized
    case handshakeTimeout = "handshake-timeout"
    /// Nothing was received for 2.5 heartbeats.
    case silent
    /// More than 256 pushes un-answered.
    case tooMany = "too-many"
    /// A newer connection of the same name was welcomed.
    case replaced
    /// The program stops, or the connection has used up its sequence numbers.
    case closing

    package init(_ fault: ProtocolFault) {
        self =
            switch fault {
            case .badMagic: .badMagic
            case .badVersion: .badVersion
            case .badType: .badType
            case .tooLong: .tooLong
            case .badSequence: .badSequence
            case .badChecksum: .badChecksum
            case .badPayload: .badPayload
            case .outOfTurn: .outOfTurn
            }
    }

    /// Whether a goodbye of this word is no trouble: the program stops, or a newer connection took this one's place.
    package static func isOrderly(_ word: String) -> Bool { [closing, replaced].contains { $0.rawValue == word } }

    /// Whether the peer broke the protocol; such ends are counted.
    package var isProtocolError: Bool { ProtocolFault(rawValue: rawValue) != nil }
}

/// Who ended a session and why.
package enum SessionEnd: Equatable, Sendable {
    case byUs(ByeReason)
    /// The peer's own word, at most `mostReason` bytes of it; one that is no text, or has control characters, is empty.
    case byPeer(String)

    /// Bytes of a peer's reason that are kept for log and doctor.
    package static let mostReason = 64
}
