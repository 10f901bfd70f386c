// Who may ask the counter for what. It listens on loopback alone, but any web page that a browser shows can send requests
// there: only the counter's own page may read and drive it.

/// As much of an HTTP request as the gate judges by.
package struct PageRequest: Equatable, Sendable {
    package var method: String
    package var path: String
    package var host: String?
    package var origin: String?
    /// `Sec-Fetch-Site`: what the browser knows of who asks.
    package var site: String?
    package var contentType: String?

    package init(
        method: String, path: String, host: String?, origin: String? = nil, site: String? = nil,
        contentType: String? = nil
    ) {
        self.method = method
        self.path = path
        self.host = host
        self.origin = origin
        self.site = site
        self.contentType = contentType
    }
}

/// What is done with it.
package enum PageRoute: Equatable, Sendable {
    /// A file of the page, by its name.
    case file(String)
    case events
    case order
    case refuse(PageRefusal)
}

/// Why it is refused; the raw values are HTTP's.
package enum PageRefusal: Int, Sendable {
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case notAllowed = 405
    case tooLarge = 413
    case wrongType = 415
    case busy = 503

    package var words: String {
        switch self {
        case .badRequest: "bad request"
        case .forbidden: "only the counter's own page may do that"
        case .notFound: "there is nothing here"
        case .notAllowed: "this is not done here"
        case .tooLarge: "too large"
        case .wrongType: "orders are application/json"
        case .busy: "too many pages are open"
        }
    }
}

/// Who may read and drive the counter: its own page, by its own names, and nobody's else.
package struct PageGate: Sendable {
    private let hosts: [String]

    package init(port: UInt16) { hosts = ["127.0.0.1:\(port)", "localhost:\(port)"] }

    package func judge(_ request: PageRequest) -> PageRoute {
        // A name that somebody let point to this machine (DNS rebinding) is no name of ours.
        guard let host = request.host, hosts.contains(host) else { return .refuse(.forbidden) }
        switch request.method {
        case "GET", "HEAD": return read(request)
        case "POST": return request.path == "/do" ? order(request) : .refuse(.notAllowed)
        default: return .refuse(.notAllowed)
        }
    }

    private func read(_ request: PageRequest) -> PageRoute {
        switch request.path {
        case "/": return .file("index.html")
        case "/events":
            guard request.method == "GET" else { return .refuse(.notAllowed) }
            return ["same-origin", "none", nil].contains(request.site) ? .events : .refuse(.forbidden)
        case "/do": return .refuse(.notAllowed)
        default:
            let name = request.path.dropFirst()
            return Self.isName(name) ? .file(String(name)) : .refuse(.notFound)
        }
    }

    /// A browser says who asks, and asks first before it sends JSON elsewhere.
    private func order(_ request: PageRequest) -> PageRoute {
        guard let origin = request.origin, let host = request.host, origin == "http://" + host else {
            return .refuse(.forbidden)
        }
        let type = request.contentType?.split(separator: ";").first.map(String.init)
        return type == "application/json" ? .order : .refuse(.wrongType)
    }

    /// Letters, digits, `-` and dots within: nothing that leads out of the folder.
    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.first != "."
            && name.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }
}
