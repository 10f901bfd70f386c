// The connection to a fleet's server through cnats. Its threads stay behind one descriptor: what they have to say waits in
// a mailbox; what may block (connecting, publishing) is done by one worker. cnats makes no connection of its own again:
// the box's dialler decides when.

import BoxFoundation
import HardwareInterface

/// A fleet's connection through cnats.
package final class NATSFleet: FleetDevice {
    /// Where the servers are, and what the box shows them.
    package struct Settings: Sendable {
        /// `nats://HOST:PORT` each; one of them is tried after the other, in an order by chance.
        package var servers: [String]
        package var usesTLS: Bool
        /// A PEM file; nil is the system's trust.
        package var ca: String?
        /// A file with an nkey's seed, or with a JWT and its seed; nil for none.
        package var credentials: String?
        /// What the server shows of this client.
        package var name: String

        package init(servers: [String], usesTLS: Bool, ca: String?, credentials: String?, name: String) {
            self.servers = servers
            self.usesTLS = usesTLS
            self.ca = ca
            self.credentials = credentials
            self.name = name
        }
    }

    private let loop: any DescriptorLoop
    private let mailbox: NATSMailbox
    private let worker: WorkerThread<NATSRequest, Void>
    private var numbers: UInt32 = 0
    private var open: [NATSMailbox.Client: ConnectionID] = [:]
    /// Why a connection that we close is closed.
    private var closing: [ConnectionID: String] = [:]
    private var dialling = 0

    package init(_ settings: Settings, on loop: any DescriptorLoop) throws(SystemError) {
        self.loop = loop
        let mailbox = try NATSMailbox()
        self.mailbox = mailbox
        // Its answers say nothing: they are taken away with the news.
        worker = try WorkerThread("nats", on: loop, onAnswers: {}) {
            let client = NATSClient(settings, mailbox)
            return { client.perform($0) }
        }
        loop.watch(mailbox.bell.number, for: .readable) { [unowned self] _ in takeNews() }
    }

    deinit {
        loop.unwatch(mailbox.bell.number)
        // Connecting may take seconds: it is not waited for.
        worker.abandon()
    }

    /// A connection stands or is being made or closed.
    package var isBusy: Bool { dialling > 0 || !open.isEmpty }

    /// Whether a file is one for `Settings.credentials`. What is read is forgotten.
    ///
    /// - Throws: where it cannot be read; EPERM where others than its owner may.
    package static func holdsCredentials(_ file: String) throws(SystemError) -> Bool {
        try Credentials.read(file) != nil
    }

    package func dial() {
        numbers += 1
        dialling += 1
        worker.submit(.dial(ConnectionID(numbers)))
    }

    package func perform(_ call: FleetCall, on connection: ConnectionID) {
        guard open.values.contains(connection), closing[connection] == nil else { return }
        if case .close(let words) = call { closing[connection] = words }
        worker.submit(.call(call, connection))
    }

    // MARK: - News

    private func takeNews() {
        _ = worker.takeAnswers()
        for news in mailbox.take() { take(news) }
    }

    private func take(_ news: NATSMailbox.News) {
        switch news {
        case .opened(let connection, let client, let address):
            dialling -= 1
            open[client] = connection
            loop.post(.fleet(.opened(connection, NetworkPeer(address: address))))
        case .failed(let connection, let words):
            dialling -= 1
            loop.post(.fleet(.closed(connection, words)))
        case .message(let client, let message):
            if let connection = open[client] { loop.post(.fleet(.message(connection, message))) }
        case .denied(let client, let words):
            if let connection = open[client] { loop.post(.fleet(.denied(connection, words))) }
        case .lost(let client, let words):
            guard let connection = open.removeValue(forKey: client) else { return }
            loop.post(.fleet(.closed(connection, closing.removeValue(forKey: connection) ?? words)))
            worker.submit(.forget(connection))
        }
    }
}
