import BoxFoundation
import PaymentJournal
import Testing

@Suite("A push as text")
struct TextTests {
    let entry = JournalEntry(
        sequence: 12, record: .sample("2023-7", copies: 2), voice: .ended(.announced),
        paper: .ended(.failed, cause: "cover open"),
        copied: 1, isTold: false, bodyBytes: 20)

    @Test("A line says what it was and what became of it")
    func line() {
        #expect(
            entry.line()
                == "#12 2023-11-14 payment wechat 12.50 CNY, voice announced, paper failed (cover open), not told, id 2023-7"
        )
        #expect(
            entry.line(amounts: false)
                == "#12 2023-11-14 payment wechat, voice announced, paper failed (cover open), not told, id 2023-7")
        let notice = JournalEntry(
            sequence: 1, record: .sample("n", kind: .notice, minor: nil, copies: 0), voice: .begun,
            paper: .ended(.none, cause: nil), isTold: true)
        #expect(notice.line() == "#1 2023-11-14 notice, voice begun, paper none, told, id n")
    }

    @Test("Without amounts none is anywhere")
    func withoutAmounts() {
        let text =
            entry.details(amounts: false).map { $0.name + $0.value }.joined()
            + JSON.object(entry.json(amounts: false)).text
        #expect(!text.contains("12.5") && !text.contains("1250") && !text.contains("CNY"))
        #expect(entry.details().contains { $0 == ("amount", "12.50 CNY") })
        #expect(entry.json()["amount"] == "12.50")
        #expect(entry.json()["cause"] == "cover open")
    }

    @Test(
        "A day's total",
        arguments: [(1, 1250, "1 payment, 12.50 CNY"), (3, 123_450, "3 payments, 1234.50 CNY")]
            as [(Int, Int64, String)])
    func total(count: Int, minor: Int64, line: String) {
        #expect(DayTotal(kind: .payment, currency: .cny, count: count, minor: minor).line == line)
        #expect(DayTotal(kind: .notice, currency: nil, count: 2, minor: 0).line == "2 notices")
    }
}
