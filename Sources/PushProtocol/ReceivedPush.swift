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

    /// - Returns: nil where the id is none.
    init?(_ payload: JSONObject, sequence: UInt32, hello: HubHello, at now: Moment) {
        guard let id = payload["id"]?.string, Self.isGoodID(id) else { return nil }
        self.sequence = sequence
        self.id = id
        body = payload["body"] ?? .null
        payment = PaymentReader.read(body)
        let time = payload["time"]?.wallTime ?? hello.clock(at: now)
        let sent = payload["sent"]?.wallTime
        let age = time.flatMap { time in sent.map { PushAge.difference(time, $0) } } ?? .zero
        let ttl = payload["ttl"]?.seconds ?? PushAge.defaultTTL
        self.age = PushAge(arrived: PushAge.Record(onArrival: age, hubTime: time, ttl: ttl), at: now)
    }

    /// 1 to 128 bytes without control characters.
    package static func isGoodID(_ id: String) -> Bool {
        (1...mostID).contains(id.utf8.count) && !id.unicodeScalars.contains(where: isControl)
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
