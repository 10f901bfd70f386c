// How pushes come in, by the configuration. This version listens; without TLS that is for loopback and trusted wires.

import BoxFoundation
import BoxSettings
import HardwareInterface
import HardwareLinux

package final class PushNetwork: NetworkDevice {
    /// An address that another program holds, or that is not there yet, is tried again after this.
    private static let retry = Interval.seconds(10)

    private let settings: PushSettings?
    private let loop: any DescriptorLoop
    private var listener: TCPListener?

    package init(_ settings: PushSettings?, on loop: any DescriptorLoop) {
        self.settings = settings
        self.loop = loop
    }

    /// Where it listens; nil while it does not.
    package var address: String? { listener.map { "\($0.address)" } }

    /// Connections that still close.
    package var isSending: Bool { listener?.hasConnections ?? false }

    /// Begins to take connections.
    package func open(_ log: any LogSink) {
        switch settings {
        case .listen(let listen)?:
            guard listen.certificate == nil else {
                return log.log(LogEntry(.error, "push", "this version cannot listen with TLS: leave certificate out"))
            }
            self.listen(on: listen.address.description, log, isFirst: true)
        case .dial?, .nats?:
            log.log(LogEntry(.error, "push", "this version can only listen: set push.mode to \"listen\""))
        case nil: log.log(LogEntry(.error, "push", "no pushes are taken: the settings of push are at fault"))
        }
    }

    private func listen(on address: String, _ log: any LogSink, isFirst: Bool) {
        do throws(ListenError) {
            let listener = try TCPListener(on: address, loop: loop, log: log)
            self.listener = listener
            log.log(LogEntry(.notice, "push", "listening on tcp://\(listener.address)"))
        } catch {
            if isFirst { log.log(LogEntry(.error, "push", error.message)) }
            loop.schedule(at: loop.now + Self.retry) { [weak self] in self?.listen(on: address, log, isFirst: false) }
        }
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) { listener?.send(bytes, on: connection) }
    package func close(_ connection: ConnectionID) { listener?.close(connection) }
}
