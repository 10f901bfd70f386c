// COMMAND and REPLY (`docs/push-protocol.md`, Types).

import BoxFoundation

/// A COMMAND as it was read.
package struct ReceivedCommand: Equatable, Sendable {
    /// What a hub can order.
    package enum Kind: Equatable, Sendable {
        /// 0 to 100.
        case volume(Int)
        /// The last receipt where no push is named.
        case reprint(push: String?)
        case say(String)
        /// The light and a test phrase for 10 s.
        case identify
        /// The reply carries the whole status.
        case status
    }

    package var id: String
    package var kind: Kind

    package init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// What is wrong with a COMMAND: the session replies it itself.
package enum CommandFault: String, Error, CaseIterable, Sendable {
    /// No text of 1 to 128 bytes without control characters: the REPLY carries `command`, the frame's sequence.
    case badID = "bad-id"
    case badCommand = "bad-command"
    /// A `value` out of 0 to 100, a missing `text`, a `push` that is no id.
    case badValue = "bad-value"
    /// More than `BoxSession.mostCommands` without a REPLY.
    case busy
}

extension ReceivedCommand {
    init(_ payload: JSONObject) throws(CommandFault) {
        guard let id = payload["id"]?.string, ReceivedPush.isGoodID(id) else { throw .badID }
        self.init(id: id, kind: try Self.kind(payload))
    }

    private static func kind(_ payload: JSONObject) throws(CommandFault) -> Kind {
        switch payload["command"] {
        case "volume":
            guard let value = payload["value"]?.integer, (0...100).contains(value) else { throw .badValue }
            return .volume(Int(value))
        case "reprint":
            guard let push = payload["push"], !push.isNull else { return .reprint(push: nil) }
            guard let id = push.string, ReceivedPush.isGoodID(id) else { throw .badValue }
            return .reprint(push: id)
        case "say":
            guard let text = payload["text"]?.string, !text.isBlank else { throw .badValue }
            return .say(text)
        case "identify": return .identify
        case "status": return .status
        default: throw .badCommand
        }
    }

    /// What a hub sends.
    package var json: JSON {
        var object = JSONObject()
        object.set("id", .string(id))
        switch kind {
        case .volume(let value):
            object.set("command", "volume")
            object.set("value", .integer(value))
        case .reprint(let push):
            object.set("command", "reprint")
            object.set("push", push.map { .string($0) })
        case .say(let text):
            object.set("command", "say")
            object.set("text", .string(text))
        case .identify: object.set("command", "identify")
        case .status: object.set("command", "status")
        }
        return .object(object)
    }
}

/// A REPLY: whether it was done, else the reason.
package struct CommandReply: Equatable, Sendable {
    /// nil only where the COMMAND's id was none.
    package var id: String?
    /// The sequence of a COMMAND whose id was none.
    package var command: UInt32?
    package var isOK: Bool
    package var reason: String?
    /// What else the REPLY carries.
    package var more: JSONObject

    package init(
        id: String?, command: UInt32? = nil, isOK: Bool, reason: String? = nil, more: JSONObject = JSONObject()
    ) {
        self.id = id
        self.command = command
        self.isOK = isOK
        self.reason = reason
        self.more = more
    }

    /// - Returns: nil where a box sent something that is no reply.
    package init?(_ payload: JSONObject) {
        guard let isOK = payload["ok"]?.bool else { return nil }
        let known = ["id", "command", "ok", "reason"]
        self.init(
            id: payload["id"]?.string, command: payload["command"]?.integer.flatMap(UInt32.init(exactly:)), isOK: isOK,
            reason: payload["reason"]?.string, more: JSONObject(payload.members.filter { !known.contains($0.name) }))
    }

    package var json: JSON {
        let own = JSON.object([
            "id": id.map { .string($0) }, "command": command.map { .integer($0) }, "ok": .bool(isOK),
            "reason": reason.map { .string($0) },
        ])
        var all = own.object ?? JSONObject()
        for member in more.members where all[member.name] == nil { all.set(member.name, member.value) }
        return .object(all)
    }
}

extension String {
    /// Nothing to say: empty, or white space alone.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
