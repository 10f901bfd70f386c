import BoxFoundation

extension PaymentReader {
    static func dialect(_ body: JSONObject) throws(PushRefusal) -> Payment { throw .badBody }
}
