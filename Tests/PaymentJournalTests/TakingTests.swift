import BoxFoundation
import PaymentJournal
import Testing

@Suite("Taking a push")
struct TakingTests {
    let journal = JournalDatabase(path: ":memory:")

    @Test("Pushes are numbered in the order received, and an id seen before is a duplicate (field rows 91, 92)")
    func order() {
        let replies = ["1", "2", "4", "2", "5"].map { journal.take($0) }
        #expect(replies.map { $0?.isDuplicate } == [false, false, false, true, false])
        #expect(journal.unsettled == [1, 2, 3, 4])
    }

    @Test("Two takes of one id in one batch: the second is a duplicate of the first")
    func twiceInOneBatch() {
        let request = JournalRequest.take(.sample("a"), body: "{}")
        let replies = journal.did(request, request)
        #expect(replies[0] == .taken(1))
        #expect(replies[1].duplicated?.sequence == 1)
    }

    @Test("Two payments in one instant are two pushes (field row 94)")
    func sameInstant() {
        let replies = journal.did(.take(.sample("a"), body: "{}"), .take(.sample("b"), body: "{}"))
        #expect(replies == [.taken(1), .taken(2)])
    }

    @Test("The same id from another hub is another push")
    func hubs() {
        #expect(journal.take("a", hub: "one") == .taken(1))
        #expect(journal.take("a", hub: "two") == .taken(2))
        #expect(journal.take("a", hub: "") == .taken(3))
        #expect(journal.take("a", hub: "")?.duplicated?.sequence == 3)
    }

    @Test("Ids are compared byte for byte, not as Unicode sees them")
    func bytes() {
        #expect(journal.take("caf\u{E9}") == .taken(1))
        #expect(journal.take("cafe\u{301}") == .taken(2))
        #expect(journal.take("CAF\u{E9}") == .taken(3))
    }

    @Test(
        "Another body under a known id is named, another order of names is not another body",
        arguments: [
            (#"{"kind":"payment","fen":1250}"#, false),
            (#"{"fen":1250,"kind":"payment"}"#, false),
            (#"{"kind":"payment","fen":1251}"#, true),
            (#"{"kind":"payment","fen":1250,"order":"7"}"#, true),
            (#"{"kind":"payment","fen":1250.0}"#, true),
        ])
    func otherBody(body: String, isOther: Bool) {
        _ = journal.take("a", body: #"{"kind":"payment","fen":1250}"#)
        guard case .duplicate(_, let otherBody) = journal.take("a", body: body) else {
            Issue.record("not a duplicate")
            return
        }
        #expect(otherBody == isOther)
    }

    @Test("All that is taken is read back")
    func roundTrip() {
        var record = PushRecord.sample("a", minor: 999_999_999_999, copies: 3)
        record.reason = "bad-receipt"
        record.detail = "line 3: {{shop"
        let body = #"{"order":"宫保鸡丁","note":""}"#
        _ = journal.did(.take(record, body: body))
        #expect(journal.did(.load(1)) == journal.did(.find(hub: "till", id: "a")))
        guard case .push(let entry?, let text) = journal.did(.load(1)).first else {
            Issue.record("not there")
            return
        }
        #expect(text == body)
        #expect(entry.record == record)
        #expect(entry.voice == .waiting && entry.paper == .waiting && entry.copied == 0 && !entry.isTold)
        #expect(entry.bodyBytes == body.utf8.count)
    }

    @Test("A push that never told its times is read back without them")
    func withoutTimes() {
        let record = PushRecord(
            hub: "", id: "a", received: WallTime(milliseconds: 0), day: "1970-01-01", kind: .notice, copies: 0)
        _ = journal.did(.take(record, body: "{}"))
        #expect(journal.entry(1)?.record == record)
    }

    @Test("A half that is not wanted has ended when the push is taken")
    func unwanted() {
        _ = journal.did(.take(.sample("a", wantsVoice: false, copies: 0), body: "{}"))
        #expect(journal.entry(1)?.voice == .ended(.silent))
        #expect(journal.entry(1)?.paper == .ended(.none, cause: nil))
        #expect(journal.entry(1)?.hasEnded == true)
        #expect(journal.unsettled == [1], "its outcome is still to be told")
    }
}
