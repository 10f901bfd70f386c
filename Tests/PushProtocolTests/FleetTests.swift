// What JetStream writes, read byte by byte; the session's answers to what no real server sends in a test.

import BoxFoundation
import HardwareInterface
import PushProtocol
import Testing

@Suite("A fleet's messages")
struct FleetMessageTests {
    @Test(
        "The name that acknowledges a push tells its place and time, from servers old and new",
        arguments: [
            ("$JS.ACK.P.b1.1.7.3.1796018844122305562.0", true),
            ("$JS.ACK.hub.AbCd.P.b1.1.7.3.1796018844122305562.0", true),
            ("$JS.ACK._.AbCd.P.b1.1.7.3.1796018844122305562.0.xyz", true),
            ("$JS.ACK.P.b1.1.7.3.1796018844122305562", false), ("$JS.ACK.P.b1.1.x.3.1.0", false), ("", false),
        ])
    func place(subject: String, isGood: Bool) {
        let place = FleetPlace(acknowledge: subject)
        #expect((place != nil) == isGood)
        guard isGood else { return }
        #expect(place?.place == 7)
        #expect(place?.stored == WallTime(milliseconds: 1_796_018_844_122))
    }

    @Test(
        "A time stamp is read to the millisecond",
        arguments: [
            ("2026-11-30T06:07:23.120651185Z", 1_796_018_843_120), ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T23:59:59.9Z", 1_709_251_199_900), ("2026-11-30T06:07:23.12", nil), ("now", nil), ("", nil),
        ] as [(String, Int64?)])
    func stamp(text: String, milliseconds: Int64?) {
        #expect(WallTime(stamp: text)?.milliseconds == milliseconds)
    }

    @Test("What keeps a publication, what refuses it and what is not there are told apart")
    func answers() {
        func answer(_ text: String, status: Int? = nil) -> FleetAnswer {
            FleetAnswer(FleetMessage("i", status: status, payload: Array(text.utf8)))
        }
        #expect(answer(#"{"stream":"S","seq":4}"#) == .kept(sequence: 4))
        #expect(answer(#"{"stream":"S","seq":4,"duplicate":true}"#) == .kept(sequence: 4))
        #expect(answer("", status: 503) == .nobody)
        #expect(
            answer(#"{"error":{"code":404,"err_code":10059,"description":"stream not found"}}"#)
                == .failed(code: 10059, "stream not found"))
        #expect(!answer("noise").isKept)
    }

    @Test("A box may publish and subscribe to its own alone")
    func permissions() {
        let subjects = FleetSubjects(box: "b1", shard: 2)
        #expect(
            subjects.publishes == [
                "$JS.API.CONSUMER.MSG.NEXT.COUNTERBOX_PUSH_2.b1", "$JS.API.CONSUMER.INFO.COUNTERBOX_PUSH_2.b1",
                "$JS.API.DIRECT.GET.COUNTERBOX_STATUS.counterbox.status.b1", "$JS.ACK.COUNTERBOX_PUSH_2.b1.>",
                "counterbox.result.b1", "counterbox.status.b1",
            ])
        #expect(subjects.makes == "$JS.API.CONSUMER.CREATE.COUNTERBOX_PUSH_2.b1.counterbox.push.2.b1")
        #expect(subjects.subscribes == ["_INBOX.b1.>", "counterbox.command.b1"])
    }
}
