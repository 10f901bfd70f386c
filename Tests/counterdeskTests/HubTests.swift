// What the small hub takes, knows and keeps.

import BoxAssembly
import BoxFoundation
import Glibc
import PushProtocol
import TestSupport
import Testing
import counterdesk

private let time = WallTime(milliseconds: 1_800_000_000_000)

@Suite("A line for the hub")
struct HubOrderTests {
    @Test("An envelope goes to its box, a bare body to all")
    func forms() throws {
        let one = try order(#"{"box":"a","id":"x","ttl":60,"body":{"kind":"notice","say":"hi"}}"#)
        #expect(one.box == "a")
        #expect(one.push == OutgoingPush(id: "x", sent: time, ttl: 60, body: .object(["kind": "notice", "say": "hi"])))
        let all = try order(#"{"kind":"payment","amount":"1.00"}"#)
        #expect(all.box == nil)
        #expect(all.push.id == "made")
        #expect(all.push.body["amount"] == "1.00")
        let noBox = try order(#"{"body":{"kind":"payment","amount":"1.00"}}"#)
        #expect(noBox.box == nil && noBox.push.id == "made")
    }

    @Test(
        "What is none is refused with the reason",
        arguments: [
            ("{", "no JSON"), ("[]", "not an object"), (#"{"box":1,"body":{}}"#, "box is a text"),
            (#"{"id":1,"body":{}}"#, "id is a text"), (#"{"id":"","body":{}}"#, "its id is none"),
            (#"{"id":"a\n","body":{}}"#, "its id is none"),
        ])
    func refused(line: String, reason: String) {
        do throws(HubInputFault) {
            Issue.record("\(try order(line)) was taken")
        } catch {
            #expect(error.message.hasPrefix(reason), "\(error.message)")
        }
    }

    private func order(_ line: String) throws(HubInputFault) -> HubOrder {
        try HubOrder(Array(line.utf8), at: time, id: { "made" })
    }
}

@Suite("The keys of a hub")
struct HubKeysTests {
    private let folder = TemporaryFolder()
    private let a = String(repeating: "0a", count: 32)
    private let b = String(repeating: "0b", count: 32)

    @Test("They come from a file of lines, or from a folder of files")
    func forms() throws {
        folder.write(Array("# boxes\nbox-b \(b)\n\nbox-a\t\(a)\r\n".utf8), to: "keys")
        let file = try HubKeys.load(folder.path + "/keys")
        #expect(file.boxes == ["box-b", "box-a"])
        #expect(file["box-a"]?.hex == a && file["box-c"] == nil)
        folder.write(Array(a.utf8), to: "box-a.key")
        folder.write(Array(b.utf8), to: "box-b.key")
        let all = try HubKeys.load(folder.path)
        #expect(all.boxes == ["box-a", "box-b"])
        #expect(all["box-b"]?.hex == b)
    }

    @Test(
        "What others can read, what is no key and a box that comes twice are refused",
        arguments: [
            ("box-a KEY", 0o644, "chmod 600"), ("box-a 12", 0o600, "line 1"), ("box a KEY", 0o600, "line 1"),
            ("b&x KEY", 0o600, "is no box"), ("box-a KEY\nbox-a KEY", 0o600, "line 2: box-a has two keys"),
        ])
    func refused(text: String, mode: Int, reason: String) {
        let bytes = text.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: a)
        folder.write(Array(bytes.utf8), to: "keys", mode: mode_t(mode))
        do throws(VerbFailure) {
            Issue.record("\(try HubKeys.load(folder.path + "/keys").boxes) were taken")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
            #expect(!error.message.contains(a))
        }
    }
}

@Suite("What the hub keeps")
struct HubStoreTests {
    private let folder = TemporaryFolder()

    @Test("A push waits over restarts in its order until it is taken, and is open until its outcome")
    func restart() throws {
        do {
            let store = try open()
            for id in ["x", "y", "z"] { #expect(try store.add(push(id), for: "a")) }
            #expect(try store.add(push("x"), for: "b"))
            #expect(try !store.add(push("x"), for: "a"))
            #expect(try !store.note(PushResult(id: "x", state: .accepted), of: "a"))
            #expect(try !store.note(PushResult(id: "y", state: .later), of: "a"))
            try store.commit()
        }
        do {
            let store = try open()
            #expect(try waiting(store) == ["a y", "a z", "b x"])
            #expect(try store.open() == 4)
            let done = PushResult(id: "x", state: .done, voice: .announced, paper: .sent)
            #expect(try store.note(done, of: "a"))
            // A repeated `done` is one.
            #expect(try !store.note(done, of: "a"))
            #expect(try store.note(PushResult(id: "z", state: .refused, reason: "bad-amount"), of: "a"))
            try store.commit()
            #expect(try store.open() == 2)
        }
        let store = try open()
        #expect(try waiting(store) == ["a y", "b x"])
        #expect(try !store.add(push("x"), for: "a"))
    }

    @Test("What was not committed is as if it had never come")
    func uncommitted() throws {
        do {
            let store = try open()
            _ = try store.add(push("x"), for: "a")
        }
        #expect(try open().open() == 0)
    }

    @Test("An outcome is forgotten after thirty days, a push without one never")
    func old() throws {
        do {
            let store = try open()
            _ = try store.add(push("x"), for: "a")
            _ = try store.add(push("y"), for: "a")
            _ = try store.note(PushResult(id: "x", state: .done, voice: .silent, paper: PaperEnd.none), of: "a")
            try store.commit()
        }
        let store = try HubStore(path: folder.path + "/hub.sqlite", at: time + .seconds(31 * 86_400))
        #expect(try waiting(store) == ["a y"])
        #expect(try store.add(push("x"), for: "a"))
    }

    private func open() throws -> HubStore { try HubStore(path: folder.path + "/hub.sqlite", at: time) }

    private func push(_ id: String) -> OutgoingPush {
        OutgoingPush(id: id, sent: time, ttl: 60, body: .object(["kind": "payment", "amount": "1.00"]))
    }

    private func waiting(_ store: HubStore) throws -> [String] {
        var all: [String] = []
        try store.waiting { box, push in
            #expect(push == self.push(push.id))
            all.append("\(box) \(push.id)")
        }
        return all
    }
}
