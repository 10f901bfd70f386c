// cnats itself, used by the worker's thread alone.

import BoxFoundation
import CNATS
import Glibc
import HardwareInterface

enum NATSRequest: Sendable {
    case dial(ConnectionID)
    case call(FleetCall, ConnectionID)
    /// The connection is gone: what is kept of it is given back.
    case forget(ConnectionID)
}

final class NATSClient {
    /// Milliseconds: to connect to one server, to write, to send what is left before closing, between two pings. Pings are
    /// few: a box hears of its pull more often, and they would be most of an idle box's bytes.
    private static let connectLimit: Int64 = 5000
    private static let writeLimit: Int64 = 5000
    private static let flushLimit: Int64 = 1000
    private static let pingInterval: Int64 = 120_000
    /// A server that answers none of so many is gone.
    private static let mostPings: Int32 = 2

    private final class Link {
        let connection: OpaquePointer
        var subscriptions: [OpaquePointer] = []

        init(_ connection: OpaquePointer) { self.connection = connection }

        deinit {
            for subscription in subscriptions { natsSubscription_Destroy(subscription) }
            natsConnection_Destroy(connection)
        }
    }

    private let settings: NATSFleet.Settings
    private let mailbox: NATSMailbox
    /// What callbacks are given. Never released: cnats may call when all else is gone.
    private let closure: UnsafeMutableRawPointer
    private var links: [ConnectionID: Link] = [:]

    init(_ settings: NATSFleet.Settings, _ mailbox: NATSMailbox) {
        self.settings = settings
        self.mailbox = mailbox
        closure = Unmanaged.passRetained(mailbox).toOpaque()
    }

    func perform(_ request: NATSRequest) {
        switch request {
        case .dial(let connection): dial(connection)
        case .call(.subscribe(let subject), let connection): subscribe(subject, links[connection])
        case .call(.publish(let message), let connection): publish(message, links[connection])
        case .call(.close, let connection): close(links[connection])
        case .forget(let connection): links[connection] = nil
        }
    }

    // MARK: - Connecting

    private func dial(_ connection: ConnectionID) {
        if let why = nats_client_load() {
            return mailbox.put(.failed(connection, "cnats cannot be loaded: \(String(cString: why))"))
        }
        let credentials: Credentials
        do throws(SystemError) {
            credentials = try Credentials(settings.credentials)
        } catch {
            return mailbox.put(.failed(connection, error.message))
        }
        var options: OpaquePointer?
        var made: OpaquePointer?
        var status = natsOptions_Create(&options)
        defer { natsOptions_Destroy(options) }
        if status == NATS_OK { status = configure(options, credentials) }
        if status == NATS_OK { status = Self.connect(&made, options) }
        guard status == NATS_OK, let made else { return mailbox.put(.failed(connection, Self.words(status))) }
        links[connection] = Link(made)
        var address = [CChar](repeating: 0, count: 256)
        natsConnection_GetConnectedUrl(made, &address, address.count)
        let client = NATSMailbox.Client(made)
        mailbox.put(.opened(connection, client, AddressText.withoutUser(Self.text(address))))
        // Lost already: cnats may have said so before anybody knew the connection, and says it once.
        if natsConnection_IsClosed(made) { mailbox.put(.lost(client, Self.lastError(made) ?? Self.closedWords)) }
    }

    /// cnats (3.4) takes a signature whose first byte is 0, one of 256, for none and leaves it out. The server's next nonce is
    /// another one, and so is its signature.
    private static func connect(_ made: inout OpaquePointer?, _ options: OpaquePointer?) -> natsStatus {
        let status = natsConnection_Connect(&made, options)
        return status == NATS_CONNECTION_AUTH_FAILED ? natsConnection_Connect(&made, options) : status
    }

    private func configure(_ options: OpaquePointer?, _ credentials: Credentials) -> natsStatus {
        var steps: [() -> natsStatus] = [
            { [settings] in Self.setServers(settings.servers, options) },
            { [settings] in natsOptions_SetName(options, settings.name) },
            { natsOptions_SetAllowReconnect(options, false) },
            { natsOptions_SetIgnoreDiscoveredServers(options, true) },
            { natsOptions_SetTimeout(options, Self.connectLimit) },
            { natsOptions_SetWriteDeadline(options, Self.writeLimit) },
            { natsOptions_SetPingInterval(options, Self.pingInterval) },
            { natsOptions_SetMaxPingsOut(options, Self.mostPings) },
            { natsOptions_SetSendAsap(options, true) },
            { natsOptions_UseGlobalMessageDelivery(options, true) },
            { [closure] in natsOptions_SetErrorHandler(options, Self.failed, closure) },
            { [closure] in natsOptions_SetClosedCB(options, Self.closed, closure) },
        ]
        if settings.usesTLS { steps.append { natsOptions_SetSecure(options, true) } }
        if let ca = settings.ca { steps.append { natsOptions_LoadCATrustedCertificates(options, ca) } }
        switch credentials {
        case .none: break
        case .jwt(let file): steps.append { natsOptions_SetUserCredentialsFromFiles(options, file, nil) }
        case .seed(let file, let key): steps.append { natsOptions_SetNKeyFromSeed(options, key, file) }
        }
        for step in steps {
            let status = step()
            if status != NATS_OK { return status }
        }
        return NATS_OK
    }

    private static func setServers(_ servers: [String], _ options: OpaquePointer?) -> natsStatus {
        let copies = servers.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pointers = copies.map { UnsafePointer<CChar>($0) }
        return natsOptions_SetServers(options, &pointers, Int32(pointers.count))
    }

    /// One line: cnats' own words of the last error, if there are any.
    private static func words(_ status: natsStatus) -> String {
        let general = natsStatus_GetText(status).map { String(cString: $0) } ?? "error \(status.rawValue)"
        let detail = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
        // `(conn.c:2088): No server available` and perhaps more lines.
        var first = detail.split(separator: "\n").first.map(String.init) ?? ""
        if first.hasPrefix("("), let end = first.firstIndex(of: ")") {
            first = String(first[end...].drop { "): ".contains($0) })
        }
        return first.isEmpty || first == general ? general : "\(general): \(first)"
    }

    // MARK: - Messages

    private func subscribe(_ subject: String, _ link: Link?) {
        guard let link else { return }
        var subscription: OpaquePointer?
        let status = natsConnection_Subscribe(&subscription, link.connection, subject, Self.received, closure)
        if status == NATS_OK, let subscription { link.subscriptions.append(subscription) }
    }

    /// Where it fails the connection is lost, which is told.
    private func publish(_ message: FleetMessage, _ link: Link?) {
        guard let link else { return }
        var made: OpaquePointer?
        let size = Int32(message.payload.count)
        let status = message.payload.withUnsafeBytes { bytes in
            natsMsg_Create(
                &made, message.subject, message.reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size)
        }
        guard status == NATS_OK else { return }
        for header in message.headers { natsMsgHeader_Add(made, header.name, header.value) }
        natsConnection_PublishMsg(link.connection, made)
        natsMsg_Destroy(made)
    }

    private func close(_ link: Link?) {
        guard let link else { return }
        natsConnection_FlushTimeout(link.connection, Self.flushLimit)
        natsConnection_Close(link.connection)
    }

    // MARK: - cnats' threads

    private static func mailbox(_ closure: UnsafeMutableRawPointer?) -> NATSMailbox? {
        closure.map { Unmanaged<NATSMailbox>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let received: natsMsgHandler = { connection, _, message, closure in
        defer { natsMsg_Destroy(message) }
        guard let message, let read = NATSClient.read(message) else { return }
        NATSClient.mailbox(closure)?.put(.message(NATSMailbox.Client(connection), read))
    }

    private static let closed: natsConnectionHandler = { connection, closure in
        let words = NATSClient.lastError(connection) ?? NATSClient.closedWords
        NATSClient.mailbox(closure)?.put(.lost(NATSMailbox.Client(connection), words))
    }

    /// Permissions are told; all else either ends the connection or mends itself.
    private static let failed: natsErrHandler = { connection, _, status, closure in
        guard status == NATS_NOT_PERMITTED else { return }
        let words = NATSClient.lastError(connection) ?? "Permissions Violation"
        NATSClient.mailbox(closure)?.put(.denied(NATSMailbox.Client(connection), words))
    }

    private static let closedWords = "the server closed the connection"

    private static func lastError(_ connection: OpaquePointer?) -> String? {
        var words: UnsafePointer<CChar>?
        natsConnection_GetLastError(connection, &words)
        guard let words, words.pointee != 0 else { return nil }
        return String(cString: words)
    }

    private static func read(_ message: OpaquePointer) -> FleetMessage? {
        guard let subject = natsMsg_GetSubject(message) else { return nil }
        var read = FleetMessage(String(cString: subject), reply: natsMsg_GetReply(message).map { String(cString: $0) })
        let size = Int(natsMsg_GetDataLength(message))
        if size > 0, let data = natsMsg_GetData(message) {
            read.payload = Array(UnsafeRawBufferPointer(start: data, count: size))
        }
        read.headers = headers(message)
        // The server's own word stands where an answer would: there is nothing else in it.
        if size == 0 { read.status = read.header("Status").flatMap { Int($0) } }
        return read
    }

    private static func headers(_ message: OpaquePointer) -> [FleetMessage.Header] {
        var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: Int32 = 0
        guard natsMsgHeader_Keys(message, &keys, &count) == NATS_OK, let keys else { return [] }
        defer { free(keys) }
        return (0..<Int(count)).compactMap { i in
            var value: UnsafePointer<CChar>?
            guard let key = keys[i], natsMsgHeader_Get(message, key, &value) == NATS_OK, let value else { return nil }
            return FleetMessage.Header(name: key, value: value)
        }
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension FleetMessage.Header {
    /// - Returns: nil where one is not UTF-8: put right, two different ids could become the same.
    package init?(name: UnsafePointer<CChar>, value: UnsafePointer<CChar>) {
        guard let name = String(validatingCString: name), let value = String(validatingCString: value) else {
            return nil
        }
        self.init(name, value)
    }
}

/// How the box shows who it is. Read anew at every dial, so that a changed file is taken.
enum Credentials {
    case none
    /// cnats reads such a file itself.
    case jwt(String)
    /// A bare seed needs its public half besides.
    case seed(String, publicKey: String)

    /// Bytes.
    private static let most = 64 << 10

    init(_ file: String?) throws(SystemError) {
        guard let file else {
            self = .none
            return
        }
        guard let read = try Self.read(file) else {
            throw SystemError("\(file) holds neither an nkey's seed nor a JWT", errno: EINVAL)
        }
        self = read
    }

    /// - Returns: nil where the file holds neither a seed nor a JWT.
    static func read(_ file: String) throws(SystemError) -> Credentials? {
        let text = String(decoding: try Files.readSecret(file, limit: most), as: UTF8.self)
        if text.holds("BEGIN NATS USER JWT") { return .jwt(file) }
        return NKey(seed: text)?.publicKey.map { .seed(file, publicKey: $0) }
    }
}
