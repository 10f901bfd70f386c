// The page over HTTP: libmicrohttpd on the counter's loop. It carries; what may be asked is PageGate's, what is shown
// CounterPage's.

import BoxFoundation
import CHTTP
import Glibc
import HardwareLinux

/// Serves 127.0.0.1 alone.
package final class PageServer {
    /// Connections at once; a browser keeps up to six.
    package static let mostConnections: UInt32 = 64
    /// Pages that are told of events at once.
    package static let mostPages = 16
    /// Bytes of memory a connection: its head, and what is sent in one go.
    private static let memory = 32 << 10
    private static let block = 16 << 10
    /// Seconds after which a connection that does nothing is closed.
    private static let idle: UInt32 = 30
    /// A page that is gone is found out by then.
    private static let signInterval = Interval.seconds(10)

    package let port: UInt16

    private let loop: any DescriptorLoop
    private let daemon: OpaquePointer
    private let epoll: Int32
    private let gate: PageGate
    private let load: (String) -> (bytes: [UInt8], type: String)?
    private let snapshot: () -> JSON
    private let order: (PageOrder) -> String?
    private var pages: [ObjectIdentifier: OpenPage] = [:]
    private var nextRun: Moment?

    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - load: a file of the page.
    ///   - snapshot: the whole state.
    ///   - order: does what a page asks for; answers why it cannot.
    /// - Throws: where the port cannot be had; the text says what to do.
    package init(
        port: UInt16, on loop: any DescriptorLoop, load: @escaping (String) -> (bytes: [UInt8], type: String)?,
        snapshot: @escaping () -> JSON, order: @escaping (PageOrder) -> String?
    ) throws(PageServerFault) {
        let owner = PageServerOwner()
        errno = 0
        let started = http_start(
            port, answer, completed, Unmanaged.passUnretained(owner).toOpaque(), Self.mostConnections, Self.memory,
            Self.idle)
        guard let started else { throw PageServerFault(port: port, errno: errno) }
        daemon = started
        epoll = http_epoll(started)
        self.owner = owner
        self.port = http_port(started)
        gate = PageGate(port: self.port)
        (self.loop, self.load, self.snapshot, self.order) = (loop, load, snapshot, order)
        owner.server = self
        loop.watch(epoll, for: .readable) { [unowned self] _ in run() }
        signs()
    }

    deinit {
        loop.unwatch(epoll)
        for page in pages.values { page.end() }
        MHD_run(daemon)
        MHD_stop_daemon(daemon)
    }

    /// What the C library is given: it lives as long as the server, and knows when that is going.
    private let owner: PageServerOwner

    /// Tells every open page.
    package func tell(_ events: [JSON]) {
        guard !pages.isEmpty, !events.isEmpty else { return }
        for event in events {
            let text = PageFeed.text(event)
            for page in pages.values { page.add(text) }
        }
        runSoon(.zero)
    }

    /// Pages that are open.
    package var openPages: Int { pages.count }

    // MARK: - The loop

    private func run() {
        // Twice: whoever waits for a place that became free in the first has it in the second.
        MHD_run(daemon)
        MHD_run(daemon)
        let milliseconds = http_timeout(daemon)
        if milliseconds >= 0 { runSoon(.milliseconds(Int(milliseconds))) }
    }

    /// The library is not told by its descriptor that a page which had nothing to send has something again.
    private func runSoon(_ delay: Interval) {
        let due = loop.now + delay
        guard nextRun.map({ due < $0 }) ?? true else { return }
        nextRun = due
        loop.schedule(at: due) { [weak self] in
            guard let self else { return }
            nextRun = nil
            run()
        }
    }

    private func signs() {
        loop.schedule(at: loop.now + Self.signInterval) { [weak self] in
            guard let self else { return }
            for page in pages.values { page.add(PageFeed.sign) }
            runSoon(.zero)
            signs()
        }
    }

    // MARK: - Requests

    fileprivate func began(_ connection: OpaquePointer, _ request: PageRequest) -> PageRoute { gate.judge(request) }

    fileprivate func finish(_ exchange: PageExchange, on connection: OpaquePointer) -> MHD_Result {
        switch exchange.route {
        case .file(let name):
            guard let file = load(name) else { return refuse(.notFound, on: connection) }
            return send(200, file.bytes, file.type, on: connection)
        case .events: return open(on: connection)
        case .order: return take(exchange, on: connection)
        case .refuse(let refusal): return refuse(refusal, on: connection)
        }
    }

    private func take(_ exchange: PageExchange, on connection: OpaquePointer) -> MHD_Result {
        guard exchange.body.count <= PageOrder.mostBytes else { return refuse(.tooLarge, on: connection) }
        do throws(PageOrderFault) {
            guard let fault = order(try PageOrder(exchange.body)) else { return send(204, [], nil, on: connection) }
            throw PageOrderFault(message: fault)
        } catch {
            return refuse(.badRequest, error.message, on: connection)
        }
    }

    fileprivate func refuse(
        _ refusal: PageRefusal, _ words: String? = nil, on connection: OpaquePointer
    ) -> MHD_Result {
        let text = JSON.object(["error": .string(words ?? refusal.words)]).bytes
        return send(refusal.rawValue, text, "application/json", on: connection)
    }

    private func send(
        _ status: Int, _ bytes: [UInt8], _ type: String?, on connection: OpaquePointer
    ) -> MHD_Result {
        queue(http_response(bytes, bytes.count), status, type, on: connection)
    }

    private func open(on connection: OpaquePointer) -> MHD_Result {
        guard pages.count < Self.mostPages else { return refuse(.busy, on: connection) }
        let page = OpenPage(connection) { [unowned self] in PageFeed.text(snapshot()) }
        pages[ObjectIdentifier(page)] = page
        page.onClose = { [weak self, unowned page] in self?.pages[ObjectIdentifier(page)] = nil }
        let response = MHD_create_response_from_callback(
            UInt64.max, Self.block, readPage, Unmanaged.passRetained(page).toOpaque(), freePage)
        return queue(response, 200, "text/event-stream", on: connection)
    }

    private func queue(
        _ response: OpaquePointer?, _ status: Int, _ type: String?, on connection: OpaquePointer
    ) -> MHD_Result {
        guard let response else { return http_no }
        if let type { MHD_add_response_header(response, "Content-Type", type) }
        for (name, value) in Self.headers { MHD_add_response_header(response, name, value) }
        defer { MHD_destroy_response(response) }
        return MHD_queue_response(connection, UInt32(status), response)
    }

    /// The page runs nothing but its own files, and nobody shows it inside another.
    private static let headers: KeyValuePairs = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    ]
}

/// Why the page cannot be served.
package struct PageServerFault: Error, Equatable, Sendable {
    package var message: String

    init(port: UInt16, errno: Int32) {
        message =
            errno == EADDRINUSE
            ? "127.0.0.1:\(port) is taken: is another counter running? --port 0 takes a free one"
            : SystemError("listen on 127.0.0.1:\(port)", errno: errno).message
    }
}

// MARK: - What the C library calls

private final class PageServerOwner {
    weak var server: PageServer?
}

/// One request while it comes in.
private final class PageExchange {
    /// Bytes of a body that are read at most; then the connection is closed.
    private static let mostRead = 1 << 20

    let route: PageRoute
    /// A byte over `PageOrder.mostBytes` is kept at most: what is over that is read and left out, so that the answer
    /// finds its way.
    private(set) var body: [UInt8] = []
    private var count = 0

    init(_ route: PageRoute) { self.route = route }

    /// - Returns: false where it is too much.
    func take(_ part: UnsafeRawBufferPointer) -> Bool {
        count += part.count
        if route == .order { body += part.prefix(PageOrder.mostBytes + 1 - body.count) }
        return count <= Self.mostRead
    }
}

/// Called when the head is there, then for each part of the body, then once more.
private func answer(
    _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let owner, let connection, let size, let state,
        let server = Unmanaged<PageServerOwner>.fromOpaque(owner).takeUnretainedValue().server
    else { return http_no }
    guard let known = state.pointee else {
        let request = PageRequest(connection, method: method, path: path)
        let exchange = PageExchange(server.began(connection, request))
        state.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return http_yes
    }
    let exchange = Unmanaged<PageExchange>.fromOpaque(known).takeUnretainedValue()
    guard size.pointee > 0 else { return server.finish(exchange, on: connection) }
    defer { size.pointee = 0 }
    return exchange.take(UnsafeRawBufferPointer(start: part, count: size.pointee)) ? http_yes : http_no
}

private func completed(
    _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ end: MHD_RequestTerminationCode
) {
    guard let state, let known = state.pointee else { return }
    Unmanaged<PageExchange>.fromOpaque(known).release()
    state.pointee = nil
}

extension PageRequest {
    fileprivate init(_ connection: OpaquePointer, method: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?) {
        func header(_ name: String) -> String? {
            http_header(connection, name).map { String(cString: $0) }
        }
        self.init(
            method: method.map { String(cString: $0) } ?? "", path: path.map { String(cString: $0) } ?? "",
            host: header("Host"), origin: header("Origin"), site: header("Sec-Fetch-Site"),
            contentType: header("Content-Type"))
    }
}
