// What JetStream answers, read: acknowledged publications, errors, the place and time of a push.

import BoxFoundation
import HardwareInterface

/// The answer to a request.
package enum FleetAnswer: Equatable {
    /// `{"stream":"…","seq":n}`; also for a message that the stream had already.
    case kept(sequence: Int64)
    /// Some other object without an error.
    case fine(JSONObject)
    /// Nothing listens there (503), or nothing is kept there (404).
    case nobody
    case failed(code: Int64, String)

    /// JetStream's own number of an error.
    static let noConsumer: Int64 = 10014
    static let noStream: Int64 = 10059

    package init(_ message: FleetMessage) {
        if let status = message.status {
            self = [404, 503].contains(status) ? .nobody : .failed(code: Int64(status), "status \(status)")
            return
        }
        let object = (try? JSONReader.read(message.payload))?.object ?? JSONObject()
        if let error = object["error"] {
            let words = (error["description"]?.string ?? "an error without words").clipped(200)
            self = .failed(code: error["err_code"]?.integer ?? 0, words)
        } else if let sequence = object["seq"]?.integer, object["stream"] != nil {
            self = .kept(sequence: sequence)
        } else {
            self = .fine(object)
        }
    }

    package var isKept: Bool { if case .kept = self { true } else { false } }
    /// For the log.
    var words: String {
        switch self {
        case .kept, .fine: "fine"
        case .nobody: "nobody keeps it"
        case .failed(_, let words): words
        }
    }
}

/// Where a push stands in its stream, by the subject to which it is acknowledged:
/// `$JS.ACK.<stream>.<consumer>.<deliveries>.<place>.<n>.<nanoseconds>.<waiting>`, with two more names before the stream
/// and one more at the end from newer servers.
package struct FleetPlace: Equatable {
    package var place: UInt64
    /// When the server stored it.
    package var stored: WallTime

    package init?(acknowledge subject: String) {
        let tokens = subject.split(separator: ".", omittingEmptySubsequences: false)
        let first: Int
        switch tokens.count {
        case 9: first = 4
        case 11...12: first = 6
        default: return nil
        }
        guard let place = UInt64(tokens[first + 1]), let nanoseconds = Int64(tokens[first + 3]) else { return nil }
        self.place = place
        stored = WallTime(milliseconds: nanoseconds / 1_000_000)
    }
}

extension WallTime {
    /// Reads `2026-11-30T06:07:23.120651185Z`, as the header `Nats-Time-Stamp` has it.
    package init?(stamp text: String) {
        let parts = text.split(whereSeparator: { "-T:.Z".contains($0) })
        guard text.hasSuffix("Z"), (6...7).contains(parts.count) else { return nil }
        let numbers = parts.prefix(6).compactMap { Int64($0) }
        guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        let fraction = parts.count == 7 ? Int64((parts[6] + "00").prefix(3)) ?? 0 : 0
        let seconds =
            Self.days(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    /// Days since 1970 in the proleptic Gregorian calendar, by years that begin on 1 March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
