// The streams of a fleet, and the users of its boxes (`docs/fleet.md`): what whoever runs the fleet sets up.

import BoxFoundation
import PushProtocol

/// A fleet's streams and its boxes' users, as `docs/fleet.md` has them.
package enum FleetStreams {
    /// Of one box that wait: about a month of a busy shop. Over it, what is published is refused.
    package static let mostPerBox = 10_000
    private static let day = Interval.seconds(86_400)

    /// - Parameters:
    ///   - shards: streams of pushes; 1 for one with the plain name.
    ///   - replicas: servers that keep each: 1, 3 or 5.
    package static func all(shards: Int = 1, replicas: Int = 1) -> [JSON] {
        let pushes = shards == 1 ? [push(nil, replicas)] : (0..<shards).map { push($0, replicas) }
        return pushes + [results(replicas), statuses(replicas)]
    }

    private static func push(_ shard: Int?, _ replicas: Int) -> JSON {
        .object([
            "name": .string(FleetSubjects.pushStream(shard)),
            "subjects": [.string(shard.map { "counterbox.push.\($0).*" } ?? "counterbox.push.*")],
            "retention": "workqueue", "storage": "file", "num_replicas": .integer(replicas),
            "max_age": .integer((day * 30).nanoseconds), "max_msgs_per_subject": .integer(mostPerBox),
            "max_msg_size": .integer(FleetSession.mostBody + 4096), "discard": "new", "discard_new_per_subject": true,
            "duplicate_window": .integer(Interval.minutes(10).nanoseconds),
        ])
    }

    private static func results(_ replicas: Int) -> JSON {
        .object([
            "name": .string(FleetSubjects.resultStream), "subjects": ["counterbox.result.*"], "retention": "limits",
            "storage": "file", "num_replicas": .integer(replicas), "max_age": .integer((day * 30).nanoseconds),
            "discard": "old", "duplicate_window": .integer(Interval.minutes(10).nanoseconds),
        ])
    }

    private static func statuses(_ replicas: Int) -> JSON {
        .object([
            "name": .string(FleetSubjects.statusStream), "subjects": ["counterbox.status.*"], "retention": "limits",
            "storage": "file", "num_replicas": .integer(replicas), "max_msgs_per_subject": 1, "discard": "old",
            "allow_direct": true,
        ])
    }

    /// A user for the server's own file: all that this box may do, and nothing else.
    ///
    /// - Parameter makesConsumer: the box may make its consumer; `docs/fleet.md` says what else that lets it do.
    package static func user(_ subjects: FleetSubjects, key: String, makesConsumer: Bool = false) -> String {
        func list(_ subjects: [String]) -> String { subjects.map { "\"\($0)\"" }.joined(separator: ", ") }
        return """
            { nkey: \(key), permissions: {
                publish: { allow: [\(list(subjects.publishes + (makesConsumer ? [subjects.makes] : [])))] }
                subscribe: { allow: [\(list(subjects.subscribes))] }
                allow_responses: { max: 1, expires: "1m" } } }
            """
    }
}
