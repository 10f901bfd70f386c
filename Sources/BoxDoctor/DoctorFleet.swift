// What the doctor says of a fleet's server that is there and lacks something.

import HardwareInterface

extension Doctor {
    static func fleet(_ fault: FleetFault) -> Finding {
        let (cause, cure): (String?, String) =
            switch fault {
            case .noPushStream, .noStatusStream:
                ("the fleet's streams were not made, or somebody deleted one", "counterdesk fleet --setup --url …")
            case .noConsumer:
                ("it was not made, or somebody deleted it", "counterdesk fleet --user BOX --nkey KEY --url …")
            case .noResultStream:
                (
                    "it was not made, or its limit is reached; pushes are spoken and printed all the same",
                    "counterdesk fleet --setup --url …, or give the stream more room"
                )
            case .notAllowed:
                (
                    "the server's configuration has other permissions for this box, or push.shard is another's",
                    "take the user that counterdesk fleet --user BOX prints"
                )
            case .silent:
                (
                    "JetStream is off, has no leader, or is overloaded",
                    "look at the server: nats server report jetstream"
                )
            }
        if case .noResultStream = fault { return .note("hub", fault.message, cause: cause, cure: cure) }
        return .fault("hub", fault.message, cause: cause, cure: cure)
    }
}
