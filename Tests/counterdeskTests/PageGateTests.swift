// Who may ask the counter for what, and what an order may be.

import BoxFoundation
import Testing
import counterdesk

@Suite("The page's gate")
struct PageGateTests {
    private let gate = PageGate(port: 7780)

    @Test("It answers to its own two names alone", arguments: ["127.0.0.1:7780", "localhost:7780"])
    func names(host: String) {
        #expect(gate.judge(PageRequest(method: "GET", path: "/", host: host)) == .file("index.html"))
    }

    @Test(
        "A name that somebody let point to this machine is refused",
        arguments: [
            nil, "", "127.0.0.1", "127.0.0.1:7781", "localhost", "shop.example:7780", "127.0.0.1:7780.evil.example",
        ])
    func otherNames(host: String?) {
        for path in ["/", "/events", "/style.css"] {
            #expect(gate.judge(PageRequest(method: "GET", path: path, host: host)) == .refuse(.forbidden))
        }
    }

    @Test(
        "No other web page may drive the counter",
        arguments: [
            nil, "null", "http://evil.example", "https://127.0.0.1:7780", "http://localhost:7780",
            "http://127.0.0.1:7781",
        ])
    func origins(origin: String?) {
        let request = PageRequest(
            method: "POST", path: "/do", host: "127.0.0.1:7780", origin: origin, contentType: "application/json")
        #expect(gate.judge(request) == .refuse(.forbidden))
    }

    @Test("Its own page may, and an order is JSON")
    func order() {
        var request = PageRequest(
            method: "POST", path: "/do", host: "localhost:7780", origin: "http://localhost:7780",
            contentType: "application/json; charset=utf-8")
        #expect(gate.judge(request) == .order)
        request.contentType = "text/plain"
        #expect(gate.judge(request) == .refuse(.wrongType))
        request.contentType = nil
        #expect(gate.judge(request) == .refuse(.wrongType))
    }

    @Test("What happens is told to no other site", arguments: ["cross-site", "same-site"])
    func sites(site: String) {
        let request = PageRequest(method: "GET", path: "/events", host: "127.0.0.1:7780", site: site)
        #expect(gate.judge(request) == .refuse(.forbidden))
    }

    @Test(
        "Nothing leads out of the page's folder",
        arguments: ["/../box.key", "/..", "/.hidden", "//etc/passwd", "/a/b.js", "/a%2f..", "/A.js", "/\u{e9}.js"])
    func files(path: String) {
        #expect(gate.judge(PageRequest(method: "GET", path: path, host: "127.0.0.1:7780")) == .refuse(.notFound))
    }

    @Test("A method has its places", arguments: [("PUT", "/do"), ("POST", "/"), ("GET", "/do"), ("HEAD", "/events")])
    func methods(method: String, path: String) {
        let request = PageRequest(method: method, path: path, host: "127.0.0.1:7780", origin: "http://127.0.0.1:7780")
        #expect(gate.judge(request) == .refuse(.notAllowed))
    }
}

@Suite("An order of the page")
struct PageOrderTests {
    private func read(_ text: String) throws(PageOrderFault) -> PageOrder { try PageOrder(Array(text.utf8)) }

    @Test("Each is read")
    func orders() throws {
        #expect(try read(#"{"do":"press"}"#) == .button(isPressed: true))
        #expect(try read(#"{"do":"release"}"#) == .button(isPressed: false))
        #expect(try read(#"{"do":"switch","name":"paper-low","on":true}"#) == .set(.paperLow, isOn: true))
        #expect(try read(#"{"do":"delay","milliseconds":300}"#) == .delay(.milliseconds(300)))
        #expect(try read(#"{"do":"clock","clock":"lost"}"#) == .clock(.lost))
        #expect(try read(#"{"do":"type","text":"status\r"}"#) == .type("status\r"))
    }

    @Test("A number in a push's body keeps its own text")
    func push() throws {
        let order = try read(#"{"do":"push","body":"{\"kind\":\"payment\",\"amount\":12.50}","id":"a"}"#)
        #expect(order == .push(.object(["kind": "payment", "amount": .number("12.50")]), id: "a"))
    }

    @Test(
        "What is none is named",
        arguments: [
            "", "[]", "{}", #"{"do":"fly"}"#, #"{"do":"switch","name":"moon","on":true}"#,
            #"{"do":"switch","name":"paper","on":1}"#, #"{"do":"delay","milliseconds":-1}"#,
            #"{"do":"delay","milliseconds":10001}"#, #"{"do":"clock","clock":"fast"}"#, #"{"do":"type","text":""}"#,
            #"{"do":"push"}"#, #"{"do":"push","body":"{"}"#, #"{"do":"push","body":"{}","id":""}"#,
        ])
    func faults(text: String) {
        #expect(throws: PageOrderFault.self) { try read(text) }
    }

    @Test("A push over the frame's limit is refused, and so is a novel that is typed")
    func limits() {
        let long = String(repeating: "x", count: 66_000)
        #expect(throws: PageOrderFault.self) { try read(#"{"do":"push","body":"{\"say\":\"\#(long)\"}"}"#) }
        #expect(throws: PageOrderFault.self) { try read(#"{"do":"type","text":"\#(long)"}"#) }
    }
}
