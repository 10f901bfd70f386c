// One PUSH as the box takes it (`docs/push-protocol.md`, Delivery).

import BoxFoundation

/// Why a push can't be taken. The raw values are those of RESULT's `reason`.
package enum PushRefusal: String, Error, CaseIterable, Sendable {
    case badBody = "bad-body"
    case badKind = "bad-kind"
    case badAmount = "bad-amount"
    case badCurrency = "bad-currency"
    case badID = "bad-id"
}

/// A PUSH as it was read, its body not yet judged.
package struct ReceivedPush: Equatable, Sendable {
    /// Bytes of an id at most.
    package static let mostID = 128

    /// Of the frame: names this push in `BoxSession.answer`.
    package var sequence: UInt32
    /// The hub's; compared byte for byte (`ExactText`).
    package var id: String
    package var age: PushAge
    /// As the hub wrote it; null where there is none.
    package var body: JSON
    /// What it asks for. A refusal is the answer only where the journal does not hold the id: an id that it holds is a
    /// duplicate, whatever comes with it.
    package var payment: Result<Payment, PushRefusal>

    /// - Parameters:
    ///   - time: the hub's clock now; nil where it did not say.
    ///   - sent: when the hub took it; nil means now.
    init(sequence: UInt32, id: String, body: JSON, time: WallTime?, sent: WallTime?, ttl: Interval?, at now: Moment) {
        self.sequence = sequence
        self.id = id
        self.body = body
        payment = PaymentReader.read(body)
        let age = time.flatMap { time in sent.map { PushAge.difference(time, $0) } } ?? .zero
        let record = PushAge.Record(onArrival: age, hubTime: time, ttl: ttl ?? PushAge.defaultTTL)
        self.age = PushAge(arrived: record, at: now)
    }

    /// - Returns: nil where the id is none.
    init?(_ payload: JSONObject, sequence: UInt32, hello: HubHello, at now: Moment) {
        guard let id = payload["id"]?.string, Self.isGoodID(id) else { return nil }
        self.init(
            sequence: sequence, id: id, body: payload["body"] ?? .null,
            time: payload["time"]?.wallTime ?? hello.clock(at: now), sent: payload["sent"]?.wallTime,
            ttl: payload["ttl"]?.seconds, at: now)
    }

    /// 1 to 128 bytes without control characters.
    package static func isGoodID(_ id: String) -> Bool {
        (1...mostID).contains(id.utf8.count) && !id.unicodeScalars.contains(where: isControl)
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
