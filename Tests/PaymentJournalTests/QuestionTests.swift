import BoxFoundation
import PaymentJournal
import Testing

@Suite("Questions to the journal")
struct QuestionTests {
    let journal = JournalDatabase(path: ":memory:")

    @Test("What is unsettled comes in order and in portions")
    func portions() {
        for id in 1...7 { _ = journal.take(String(id)) }
        _ = journal.did(.end(3, .voice(.announced)), .end(3, .paper(.printed, cause: nil)), .told([3]))
        var after: JournalSequence?
        var portions: [[Int64]] = []
        while case .entries(let entries) = journal.did(.unsettled(after: after, most: 4)).first, let last = entries.last
        {
            portions.append(entries.map(\.sequence.number))
            after = last.sequence
        }
        #expect(portions == [[1, 2, 4, 5], [6, 7]])
    }

    @Test("The last receipt is the newest push with paper wanted, the last payment the newest with an amount")
    func last() {
        #expect(journal.did(.lastReceipt, .lastPayment) == [.push(nil, body: ""), .push(nil, body: "")])
        _ = journal.did(
            .take(.sample("a"), body: #"{"n":1}"#),
            .take(.sample("b", kind: .refund, copies: 0), body: #"{"n":2}"#),
            .take(.sample("c", kind: .notice, minor: nil, copies: 0), body: #"{"n":3}"#))
        guard case .push(let receipt?, #"{"n":1}"#) = journal.did(.lastReceipt).first,
            case .push(let payment?, #"{"n":2}"#) = journal.did(.lastPayment).first
        else {
            Issue.record("not there")
            return
        }
        #expect(receipt.sequence == 1)
        #expect(payment.sequence == 2)
    }

    @Test(
        "The newest pushes come newest first, never more than there are", arguments: [(-1, 0), (0, 0), (2, 2), (50, 3)])
    func recent(asked: Int, answered: Int) {
        for id in ["a", "b", "c"] { _ = journal.take(id) }
        guard case .entries(let entries) = journal.did(.recent(asked)).first else {
            Issue.record("no entries")
            return
        }
        #expect(entries.map(\.record.id) == Array(["c", "b", "a"].prefix(answered)))
    }

    @Test("A day is counted by kind and currency; a duplicate is not counted")
    func totals() throws {
        let yen = try #require(Currency(code: "JPY"))
        _ = journal.did(
            .take(.sample("a", minor: 1250), body: "{}"), .take(.sample("b", minor: 1), body: "{}"),
            .take(.sample("b", minor: 1), body: "{}"), .take(.sample("c", kind: .refund, minor: 300), body: "{}"),
            .take(.sample("d", minor: 500, currency: yen), body: "{}"),
            .take(.sample("e", kind: .notice, minor: nil), body: "{}"),
            .take(.sample("f", day: "2023-11-15", minor: 77), body: "{}"))
        let today = journal.did(.dayTotals(day: "2023-11-14"))
        #expect(
            today == [
                .totals([
                    DayTotal(kind: .notice, currency: nil, count: 1, minor: 0),
                    DayTotal(kind: .payment, currency: .cny, count: 2, minor: 1251),
                    DayTotal(kind: .payment, currency: yen, count: 1, minor: 500),
                    DayTotal(kind: .refund, currency: .cny, count: 1, minor: 300),
                ])
            ])
        #expect(journal.did(.dayTotals(day: "2023-11-13")) == [.totals([])])
    }

    @Test("A sum beyond 64 bits stays at the largest number and fails nothing")
    func sumOverflow() {
        for id in ["a", "b"] { _ = journal.did(.take(.sample(id, minor: .max - 1), body: "{}")) }
        guard case .totals(let totals) = journal.did(.dayTotals(day: "2023-11-14")).first else { return }
        #expect(totals.map(\.minor) == [.max])
    }
}
