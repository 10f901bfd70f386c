import BoxFoundation
import PaymentJournal
import Testing

@Suite("What becomes of a push")
struct OutcomeTests {
    let journal = JournalDatabase(path: ":memory:")

    init() { _ = journal.did(.take(.sample("a", copies: 2), body: "{}")) }

    @Test("Halves begin and end apart from each other")
    func halves() {
        #expect(journal.did(.begin(1, .voice)) == [.kept])
        #expect(journal.entry(1)?.voice == .begun)
        #expect(journal.entry(1)?.paper == .waiting)
        #expect(journal.did(.end(1, .voice(.announced))) == [.kept])
        #expect(journal.entry(1)?.voice == .ended(.announced))
        #expect(journal.did(.begin(1, .paper), .end(1, .paper(.failed, cause: "paper out"))) == [.kept, .kept])
        #expect(journal.entry(1)?.paper == .ended(.failed, cause: "paper out"))
    }

    @Test("Every end is read back as it was written", arguments: VoiceEnd.allCases, PaperEnd.allCases)
    func ends(voice: VoiceEnd, paper: PaperEnd) {
        _ = journal.did(.end(1, .voice(voice)), .end(1, .paper(paper, cause: nil)))
        let duplicate = journal.take("a", body: "{}")?.duplicated
        #expect(duplicate?.voice == .ended(voice))
        #expect(duplicate?.paper == .ended(paper, cause: nil))
    }

    @Test("The first end stands, and nothing begins after it")
    func firstEnd() {
        _ = journal.did(.end(1, .voice(.announced)), .end(1, .paper(.printed, cause: nil)))
        let late = journal.did(
            .end(1, .voice(.failed)), .begin(1, .voice), .end(1, .paper(.failed, cause: "late")), .begin(1, .paper),
            .copied(1, copies: 1))
        #expect(late == Array(repeating: .unchanged, count: 5))
        #expect(journal.entry(1)?.voice == .ended(.announced))
        #expect(journal.entry(1)?.paper == .ended(.printed, cause: nil))
    }

    @Test("A copy that came out whole is not the one that comes again")
    func copies() {
        _ = journal.did(.begin(1, .paper), .copied(1, copies: 1))
        #expect(journal.entry(1)?.copied == 1)
        #expect(journal.entry(1)?.paper == .waiting, "the second copy has not begun")
        _ = journal.did(.begin(1, .paper))
        #expect(journal.entry(1)?.paper == .begun)
        #expect(journal.did(.copied(1, copies: 1), .copied(1, copies: 3)) == [.unchanged, .unchanged])
    }

    @Test("An outcome is told only when both halves have ended")
    func told() {
        #expect(journal.did(.told([1])) == [.unchanged])
        _ = journal.did(.end(1, .voice(.expired)))
        #expect(journal.did(.told([1])) == [.unchanged])
        #expect(journal.unsettled == [1])
        _ = journal.did(.end(1, .paper(.sent, cause: nil)))
        #expect(journal.unsettled == [1])
        #expect(journal.did(.told([1])) == [.kept])
        #expect(journal.unsettled == [])
        #expect(journal.entry(1)?.isTold == true)
    }

    @Test("A remark goes with the push")
    func remark() {
        #expect(journal.did(.remark(1, reason: "bad-receipt", detail: "line 2")) == [.kept])
        #expect(journal.entry(1)?.record.reason == "bad-receipt")
        #expect(journal.entry(1)?.record.detail == "line 2")
    }

    @Test("A number that no push has changes nothing")
    func unknown() {
        let replies = journal.did(
            .begin(9, .voice), .end(9, .voice(.announced)), .told([9]), .remark(9, reason: "x", detail: nil), .load(9))
        #expect(replies == [.unchanged, .unchanged, .unchanged, .unchanged, .push(nil, body: "")])
    }
}
