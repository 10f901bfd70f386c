// A frame as one line for whoever looks over the box's shoulder (`trace on`). Proofs and nonces are never shown.

import BoxFoundation

/// A frame as one line with at most 400 bytes of its payload, without proofs and nonces.
package enum FrameTrace {
    /// Which way it went.
    package enum Direction: String, Sendable {
        case sent = ">"
        case received = "<"
    }

    /// Bytes of payload shown at most; of a longer one the length follows.
    package static let most = 400

    /// `> 12 RESULT {"id":"a","state":"accepted"}`
    package static func line(_ frame: Frame, _ direction: Direction) -> String {
        "\(direction.rawValue) \(frame.sequence) \(frame.type.name) \(shown(frame))"
    }

    private static func shown(_ frame: Frame) -> String {
        do throws(ProtocolFault) {
            let text = JSON.object(masked(try frame.object())).text
            return text.utf8.count <= most ? text : text.clipped(most) + "… (\(text.utf8.count) bytes)"
        } catch {
            return "(\(frame.payload.count) bytes that are no JSON object)"
        }
    }

    private static func masked(_ object: JSONObject) -> JSONObject {
        var object = object
        for name in ["nonce", "proof"] where object[name] != nil { object.set(name, "…") }
        return object
    }
}

extension FrameType {
    /// As the page names it.
    package var name: String {
        switch self {
        case .hello: "HELLO"
        case .welcome: "WELCOME"
        case .push: "PUSH"
        case .result: "RESULT"
        case .ping: "PING"
        case .pong: "PONG"
        case .status: "STATUS"
        case .command: "COMMAND"
        case .reply: "REPLY"
        case .bye: "BYE"
        }
    }
}
