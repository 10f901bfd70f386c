// The page over HTTP, asked through loopback as a browser and as anybody else does.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import Testing
import counterdesk

@Suite("The page's server")
struct PageServerTests {
    @Test("The page comes with a policy that lets it run nothing but its own files")
    func page() throws {
        let bench = try ServerBench()
        let answer = bench.ask("GET", "/")
        #expect(answer.status == 200 && answer.body == "<html>")
        #expect(answer.head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
        #expect(answer.head.contains("Content-Type: text/html"))
        #expect(bench.ask("GET", "/none.js").status == 404)
        #expect(bench.ask("HEAD", "/").status == 200)
    }

    @Test("Somebody else's name, and somebody else's page, are refused")
    func strangers() throws {
        let bench = try ServerBench()
        #expect(bench.ask("GET", "/", host: "shop.example:\(bench.server.port)").status == 403)
        #expect(bench.ask("GET", "/events", host: "shop.example").status == 403)
        let press = #"{"do":"press"}"#
        #expect(bench.ask("POST", "/do", body: press, origin: nil).status == 403)
        #expect(bench.ask("POST", "/do", body: press, origin: "http://evil.example").status == 403)
        #expect(bench.ask("POST", "/do", body: press, type: "text/plain").status == 415)
        #expect(bench.ask("DELETE", "/").status == 405)
        #expect(bench.orders.isEmpty)
    }

    @Test("An order is done, one that cannot be done says why, and one that is none is named")
    func orders() throws {
        let bench = try ServerBench()
        #expect(bench.ask("POST", "/do", body: #"{"do":"press"}"#).status == 204)
        #expect(bench.ask("POST", "/do", body: #"{"do":"release"}"#).status == 204)
        #expect(bench.orders == [.button(isPressed: true), .button(isPressed: false)])
        let refused = bench.ask("POST", "/do", body: #"{"do":"clock","clock":"lost"}"#)
        #expect(refused.status == 400 && refused.body == #"{"error":"there is no clock"}"#)
        let bad = bench.ask("POST", "/do", body: "{")
        #expect(bad.status == 400 && bad.body.contains("the order is no JSON"))
    }

    @Test("What is too large is refused without being kept")
    func tooLarge() throws {
        let bench = try ServerBench()
        let body = String(repeating: "x", count: PageOrder.mostBytes + 1)
        #expect(bench.ask("POST", "/do", body: body).status == 413)
        #expect(bench.orders.isEmpty)
        // Far over it, the connection is closed.
        #expect(bench.ask("POST", "/do", body: String(repeating: "x", count: 2 << 20)).status != 204)
        #expect(bench.ask("GET", "/").status == 200)
    }

    @Test("An open page gets the state first, then what happens, at once")
    func events() throws {
        let bench = try ServerBench()
        let page = bench.open("GET", "/events")
        bench.run { bench.text(page).contains("snapshot") }
        #expect(bench.text(page).contains("Content-Type: text/event-stream"))
        #expect(bench.text(page).contains("data: {\"event\":\"snapshot\"}\n\n"))
        #expect(bench.server.openPages == 1)
        for number in 1...3 {
            bench.server.tell([.object(["event": "light", "brightness": .integer(number)])])
            bench.run { bench.text(page).contains("\"brightness\":\(number)}\n\n") }
            #expect(bench.text(page).contains("\"brightness\":\(number)}\n\n"))
        }
    }

    @Test("A page that reads nothing holds nobody up, and gets the state anew")
    func slow() throws {
        let bench = try ServerBench()
        let page = bench.open("GET", "/events")
        bench.run { bench.text(page).contains("snapshot") }
        let before = bench.size(page)
        // More than the sockets hold and the feed keeps, before the page reads once.
        let large = JSON.string(String(repeating: "x", count: 1 << 20))
        for _ in 0..<6 { bench.server.tell([large]) }
        bench.run { bench.size(page) > before && bench.end(page).contains("snapshot") }
        #expect(bench.end(page).contains("snapshot"))
        bench.server.tell(["after"])
        bench.run { bench.end(page).contains("data: \"after\"") }
        #expect(bench.end(page).contains("data: \"after\""))
        #expect(bench.size(page) < 6 << 20)
    }

    @Test("More pages than it has room for are told so; a page that went makes room")
    func tooMany() throws {
        let bench = try ServerBench()
        let pages = (0..<PageServer.mostPages).map { _ in bench.open("GET", "/events") }
        bench.run { bench.server.openPages == PageServer.mostPages }
        #expect(bench.ask("GET", "/events").status == 503)
        bench.close(pages[0])
        // It is found out when something is to be sent.
        bench.run {
            bench.server.tell(["x"])
            return bench.server.openPages < PageServer.mostPages
        }
        let page = bench.open("GET", "/events")
        bench.run { bench.text(page).contains("snapshot") }
        #expect(bench.text(page).contains("snapshot"))
    }

    @Test("With all connections taken, the next one waits until one goes")
    func connections() throws {
        let bench = try ServerBench()
        let idle = (0..<Int(PageServer.mostConnections)).map { _ in bench.connect() }
        let page = bench.open("GET", "/")
        for connection in idle.prefix(2) { bench.close(connection) }
        bench.run { bench.text(page).contains("<html>") }
        #expect(bench.text(page).contains("<html>"))
    }

    @Test("A port that is taken is named, with what to do")
    func taken() throws {
        let bench = try ServerBench()
        let port = bench.server.port
        do throws(PageServerFault) {
            _ = try bench.another(port: port)
            Issue.record("two servers have one port")
        } catch {
            #expect(error.message.contains("127.0.0.1:\(port) is taken"))
        }
    }
}

/// A server and those who ask it, on loops of their own, turned by hand.
private final class ServerBench {
    struct Answer {
        var status: Int
        var head: String
        var body: String
    }

    private final class Done {
        var orders: [PageOrder] = []
    }

    let server: PageServer
    var orders: [PageOrder] { done.orders }
    private let done: Done
    private let serverLoop: EpollLoop
    private let loop: EpollLoop
    private let client: TCPClient
    private var received: [ConnectionID: [UInt8]] = [:]
    private var opened: Set<ConnectionID> = []
    private var closed: Set<ConnectionID> = []

    init() throws {
        let (serverLoop, done) = (try EpollLoop(), Done())
        (self.serverLoop, self.done) = (serverLoop, done)
        loop = try EpollLoop()
        client = TCPClient(on: loop)
        server = try Self.server(port: 0, serverLoop, done)
    }

    func another(port: UInt16) throws(PageServerFault) -> PageServer { try Self.server(port: port, serverLoop, done) }

    private static func server(port: UInt16, _ loop: EpollLoop, _ done: Done) throws(PageServerFault) -> PageServer {
        try PageServer(
            port: port, on: loop,
            load: { $0 == "index.html" ? (Array("<html>".utf8), "text/html; charset=utf-8") : nil },
            snapshot: { .object(["event": "snapshot"]) },
            order: { order in
                if order == .clock(.lost) { return "there is no clock" }
                done.orders.append(order)
                return nil
            })
    }

    func connect() -> ConnectionID {
        let id = client.dial([SocketAddress("127.0.0.1:\(server.port)")].compactMap { $0 })
        run { opened.contains(id) || closed.contains(id) }
        return id
    }

    func close(_ id: ConnectionID) { client.close(id) }
    func isClosed(_ id: ConnectionID) -> Bool { closed.contains(id) }
    /// The last of what came.
    func end(_ id: ConnectionID) -> String { String(decoding: (received[id] ?? []).suffix(60), as: UTF8.self) }
    func size(_ id: ConnectionID) -> Int { received[id]?.count ?? 0 }
    func text(_ id: ConnectionID) -> String { String(decoding: received[id] ?? [], as: UTF8.self) }

    func open(
        _ method: String, _ path: String, body: String? = nil, host: String? = nil, origin: String? = "own",
        type: String? = "application/json"
    ) -> ConnectionID {
        let id = connect()
        let own = "127.0.0.1:\(server.port)"
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? own)\r\n"
        if let body {
            head += "Content-Length: \(body.utf8.count)\r\n"
            if let origin { head += "Origin: \(origin == "own" ? "http://" + own : origin)\r\n" }
            if let type { head += "Content-Type: \(type)\r\n" }
        }
        client.send(Array((head + "Connection: close\r\n\r\n" + (body ?? "")).utf8), on: id)
        return id
    }

    func ask(
        _ method: String, _ path: String, body: String? = nil, host: String? = nil, origin: String? = "own",
        type: String? = "application/json"
    ) -> Answer {
        let id = open(method, path, body: body, host: host, origin: origin, type: type)
        run { closed.contains(id) }
        let parts = text(id).split(at: "\r\n\r\n")
        return Answer(
            status: Int(parts.head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: parts.head,
            body: parts.rest)
    }

    /// Turns both sides until it is so, for ten seconds at most.
    func run(until isDone: () -> Bool) {
        let limit = loop.now + .seconds(10)
        while !isDone(), loop.now < limit {
            serverLoop.wait(until: serverLoop.now + .milliseconds(1))
            loop.wait(until: loop.now + .milliseconds(1))
            while case .network(let event)? = loop.next() { take(event) }
        }
    }

    private func take(_ event: NetworkEvent) {
        switch event {
        case .opened(let id, _): opened.insert(id)
        case .received(let id, let bytes): received[id, default: []] += bytes
        case .closed(let id, _): closed.insert(id)
        case .distrusted: break
        }
    }
}

extension String {
    fileprivate func split(at mark: String) -> (head: String, rest: String) {
        let (text, mark) = (Array(utf8), Array(mark.utf8))
        guard let place = text.indices.first(where: { text[$0...].starts(with: mark) }) else { return (self, "") }
        return (
            String(decoding: text[..<place], as: UTF8.self),
            String(decoding: text[(place + mark.count)...], as: UTF8.self)
        )
    }
}
