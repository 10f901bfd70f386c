// The connection to a fleet's server (NATS): messages instead of a byte stream. What they mean, JetStream included, is
// PushProtocol's (`docs/fleet.md`).

import BoxFoundation

/// A message of NATS: a subject, perhaps a reply subject, headers, bytes.
package struct FleetMessage: Equatable, Sendable {
    /// One header, such as `Counterbox-Id`.
    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var subject: String
    /// Where an answer goes; nil where none is asked for.
    package var reply: String?
    /// What the server says of a request in place of an answer: 100 (it lives), 404, 408, 409, 503 (nobody is there).
    package var status: Int?
    package var headers: [Header]
    package var payload: [UInt8]

    package init(
        _ subject: String, reply: String? = nil, status: Int? = nil, headers: [Header] = [], payload: [UInt8] = []
    ) {
        self.subject = subject
        self.reply = reply
        self.status = status
        self.headers = headers
        self.payload = payload
    }

    /// The first of this name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// What is done on a fleet's connection.
package enum FleetCall: Equatable, Sendable {
    /// Messages of these subjects are wanted; a last token `>` takes all that begin so.
    case subscribe(String)
    case publish(FleetMessage)
    /// Sends what was published and closes: `closed` follows with this text.
    case close(because: String)
}

/// What happens on a fleet's connection.
package enum FleetEvent: Equatable, Sendable {
    case opened(ConnectionID, NetworkPeer)
    case message(ConnectionID, FleetMessage)
    /// The server did not let something pass: its own words. The connection stands.
    case denied(ConnectionID, String)
    /// The connection is gone. Follows every `opened` exactly once, and a dial that failed. The text is for the log.
    case closed(ConnectionID, String)
}

/// The way to a fleet's server. It makes no connection again by itself: the box's dialler decides when.
package protocol FleetDevice: AnyObject {
    /// Begins to connect: `opened` follows, or `closed`. The server's certificate is judged by the system's clock.
    func dial()

    /// Does it in order and never blocks. For a connection that is gone it does nothing.
    func perform(_ call: FleetCall, on connection: ConnectionID)
}

/// What keeps a box from its pushes though the server is there; each is to be mended by whoever runs the fleet.
package enum FleetFault: Equatable, Sendable {
    /// The stream that keeps this box's pushes.
    case noPushStream(String)
    /// The box's consumer is not there and could not be made; the server's words.
    case noConsumer(String)
    /// Nothing keeps the status, from which the box learns the time.
    case noStatusStream(String)
    /// Outcomes find no stream: they wait in the box.
    case noResultStream(String)
    /// The server's words, with the subject.
    case notAllowed(String)
    /// The server is there, and JetStream does not answer.
    case silent

    /// One line that says what to do.
    package var message: String {
        switch self {
        case .noPushStream(let name): "the stream \(name) is missing: make the fleet's streams"
        case .noConsumer(let words): "the box has no consumer: \(words)"
        case .noStatusStream(let name):
            "the stream \(name) is missing, has no leader, or allows no direct reads"
        case .noResultStream(let name): "the stream \(name) is missing or full: outcomes wait in the box"
        case .notAllowed(let words): "the box's permissions lack something: \(words)"
        case .silent: "JetStream does not answer"
        }
    }
}
