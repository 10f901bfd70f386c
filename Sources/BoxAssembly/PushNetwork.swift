// How pushes come in, by the configuration: the box listens for hubs or dials one, over TCP or TLS.

import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

/// The box's network: a listener or a dialler, over TCP or TLS, as the configuration says. The one place that knows
/// which.
package final class PushNetwork: NetworkDevice {
    /// An address that another program holds, or that is not there yet, is tried again after this.
    private static let retry = Interval.seconds(10)

    private let settings: PushSettings?
    private let loop: any DescriptorLoop
    private var carrier: (any PushCarrier)?
    /// Told whether it listens, and why not where it does not.
    package var onListening: ((String?) -> Void)?

    package init(_ settings: PushSettings?, on loop: any DescriptorLoop) {
        self.settings = settings
        self.loop = loop
    }

    /// Where it listens; nil while it does not.
    package private(set) var address: String?

    /// Connections that still close.
    package var isSending: Bool { carrier?.hasConnections ?? false }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) { carrier?.send(bytes, on: connection) }
    package func close(_ connection: ConnectionID) { carrier?.close(connection) }

    // MARK: - Dialling

    /// Opens a connection to the hub: `opened` follows, or `closed`.
    ///
    /// - Parameter time: what its certificate is judged by.
    package func dial(judgingAt time: WallTime) {
        guard case .dial(let dial)? = settings, let place = HostAndPort(dial.hub.description) else { return }
        if dial.usesTLS {
            let client = carrier as? TLSClient ?? TLSClient(on: loop, ca: dial.ca)
            carrier = client
            _ = client.dial(place, judgingAt: time)
        } else {
            let client = carrier as? TCPClient ?? TCPClient(on: loop)
            carrier = client
            _ = client.dial(place)
        }
    }

    // MARK: - Listening

    /// Begins to take connections.
    package func open(_ log: any LogSink) {
        switch settings {
        case .listen(let listen)?: self.listen(listen, log)
        case .dial?, .nats?: break
        case nil: log.log(LogEntry(.error, "push", "no pushes are taken: the settings of push are at fault"))
        }
    }

    /// - Parameter told: what the log has been told already.
    private func listen(_ settings: ListenSettings, _ log: any LogSink, told: String? = nil) {
        let fault: String
        do throws(ListenError) {
            let (carrier, address) = try listener(settings, log)
            self.carrier = carrier
            self.address = address
            onListening?(nil)
            let scheme = settings.certificate == nil ? "tcp" : "tls"
            return log.log(LogEntry(.notice, "push", "listening on \(scheme)://\(address)"))
        } catch {
            fault = error.message
        }
        if fault != told {
            log.log(LogEntry(.error, "push", fault))
            onListening?(fault)
        }
        loop.schedule(at: loop.now + Self.retry) { [weak self] in self?.listen(settings, log, told: fault) }
    }

    private func listener(
        _ settings: ListenSettings, _ log: any LogSink
    ) throws(ListenError) -> (any PushCarrier, String) {
        let address = settings.address.description
        guard let certificate = settings.certificate, let key = settings.certificateKey else {
            let listener = try TCPListener(on: address, loop: loop, log: log)
            return (listener, "\(listener.address)")
        }
        let context: TLSContext
        do {
            context = try TLSContext.server(certificate: certificate, key: key)
        } catch {
            throw .noTLS(error)
        }
        let listener = try TLSListener(on: address, context, loop: loop, log: log)
        return (listener, "\(listener.address)")
    }
}
