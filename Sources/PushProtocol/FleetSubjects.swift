// Where one box's messages go on a fleet's server (`docs/fleet.md`, Subjects and streams).

/// The subjects, streams and consumer of one box.
package struct FleetSubjects: Equatable, Sendable {
    package static let resultStream = "COUNTERBOX_RESULT"
    package static let statusStream = "COUNTERBOX_STATUS"
    /// Whose pushes they are in the journal: all servers of a fleet are one hub.
    package static let hub = "nats"

    /// 1 to 64 of `A-Z a-z 0-9 - _`; also the consumer's name.
    package let box: String
    /// Which of the fleet's push streams has this box; nil where there is one.
    package let shard: Int?

    package init(box: String, shard: Int? = nil) {
        self.box = box
        self.shard = shard
    }

    /// What back ends publish to.
    package var push: String { "counterbox.push.\(box)" }
    package var result: String { "counterbox.result.\(box)" }
    package var status: String { "counterbox.status.\(box)" }
    package var command: String { "counterbox.command.\(box)" }

    package var pushStream: String { Self.pushStream(shard) }
    /// The subject under which the stream keeps this box's pushes.
    package var kept: String { shard.map { "counterbox.push.\($0).\(box)" } ?? push }

    package static func pushStream(_ shard: Int?) -> String {
        shard.map { "COUNTERBOX_PUSH_\($0)" } ?? "COUNTERBOX_PUSH"
    }

    /// What the box subscribes to for answers.
    package var inboxes: String { "_INBOX.\(box).>" }
    func inbox(_ kind: String, _ number: UInt32) -> String { "_INBOX.\(box).\(kind).\(number)" }

    var next: String { "$JS.API.CONSUMER.MSG.NEXT.\(pushStream).\(box)" }
    var info: String { "$JS.API.CONSUMER.INFO.\(pushStream).\(box)" }
    var create: String { "$JS.API.CONSUMER.CREATE.\(pushStream).\(box).\(kept)" }
    var keptStatus: String { "$JS.API.DIRECT.GET.\(Self.statusStream).\(status)" }
    /// How the reply of every push begins.
    static let acknowledge = "$JS.ACK."

    /// All that the box's user needs to publish to, besides answers to commands.
    package var publishes: [String] { [next, info, keptStatus, "$JS.ACK.\(pushStream).\(box).>", result, status] }
    /// What lets a box make its own consumer, where it is missing.
    package var makes: String { create }
    /// All that the box's user may subscribe to.
    package var subscribes: [String] { [inboxes, command] }

    /// Which of `count` streams the server's `partition(count,1)` puts a box into: FNV-1a of 32 bits.
    package static func shard(of box: String, in count: Int) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in box.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash % UInt32(max(1, count)))
    }
}
